package main

import (
	"errors"
	"hookbox"
	"slices"
	"strings"
)

type verdict int

const (
	allow verdict = iota
	ask
	deny
)

// settings are what an operator can say in hooks.toml.
type settings struct {
	deny, ask, allow []string
	// What happens to what lies outside of the project.
	outside verdict
	// Where outside of the project anything may be written.
	scratch []string
	// Tools that write nothing, in lower case.
	readTools []string
	// The project, if it is not the agent's working directory.
	root    string
	isAudit bool
}

// A pattern without a leading `/` or `~` fits at any depth, and all that lies below what it fits.
var (
	denied = []string{
		".git", ".env*", "*.pem", "*.key", "*.p12", "*.pfx", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
		".ssh", ".aws", ".gnupg", ".kube", ".netrc", ".pypirc", ".git-credentials", ".docker/config.json",
		".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
		".config/fish", ".config/hookbox", ".hookbox", ".agents", ".claude", ".codex", ".cursor", ".gemini", ".github/hooks",
		".kiro", ".windsurf", ".factory",
	}
	asked = []string{
		".github/workflows", ".gitlab-ci.yml", "Cargo.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
		"go.sum", "poetry.lock", "uv.lock", "Gemfile.lock", "composer.lock", "flake.lock",
	}
	excepted  = []string{".env.example", ".env.sample", ".env.template", ".env.dist"}
	scratches = []string{
		"/tmp", "/var/tmp", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd",
	}
	readers = []string{
		"read", "read_file", "read_many_files", "readfile", "view", "view_file", "show_file", "glob", "grep", "rg", "grep_search",
		"ls", "list", "list_directory", "search", "webfetch", "web_fetch", "websearch", "web_search", "google_web_search",
		"fetch", "fetchurl", "todowrite", "todoread",
	}
)

func readSettings(given hookbox.Value) (*settings, error) {
	s := &settings{deny: denied, ask: asked, allow: excepted, outside: ask, scratch: scratches, readTools: readers}
	if given.Exists() && given.Kind() != hookbox.Object {
		return nil, errors.New("settings must be a table")
	}
	if defaults := given.Get("defaults"); defaults.Exists() {
		is, ok := defaults.Bool()
		if !ok {
			return nil, errors.New("settings.defaults must be true or false")
		}
		if !is {
			s.deny, s.ask, s.allow = nil, nil, nil
		}
	}
	lists := map[string]*[]string{
		"deny": &s.deny, "ask": &s.ask, "allow": &s.allow, "scratch": &s.scratch, "read_tools": &s.readTools,
	}
	for _, member := range given.Members() {
		text, isText := member.Value.Text()
		switch list := lists[member.Key]; {
		case list != nil:
			more, ok := member.Value.Texts()
			if !ok || slices.Contains(more, "") {
				return nil, errors.New("settings." + member.Key + " must be a list of texts that are not empty")
			}
			*list = append(slices.Clone(*list), more...)
		case member.Key == "outside" && isText && slices.Contains([]string{"allow", "ask", "deny"}, text):
			s.outside = map[string]verdict{"allow": allow, "ask": ask, "deny": deny}[text]
		case member.Key == "mode" && (text == "enforce" || text == "audit"):
			s.isAudit = text == "audit"
		case member.Key == "root" && strings.HasPrefix(text, "/"):
			s.root = text
		case member.Key != "defaults":
			return nil, errors.New("settings." + member.Key + " is no setting of this hook, or has a value that it does not take")
		}
	}
	for i, tool := range s.readTools {
		s.readTools[i] = strings.ToLower(tool)
	}
	return s, nil
}

// enforce is the action as the mode wants it.
func (s *settings) enforce(action hookbox.Action) hookbox.Action {
	if !s.isAudit || action.Decision == "" {
		return action
	}
	return hookbox.Action{SystemMessage: "protected-paths would " + string(action.Decision) + ": " + action.Reason}
}

// judge says what happens to a path, and why.
func (s *settings) judge(path place, root string) (verdict, string) {
	shown := "`" + path.shown() + "`"
	for _, pattern := range s.allow {
		if path.isCertainly(pattern) {
			return allow, ""
		}
	}
	doubt := ""
	for _, pattern := range s.deny {
		switch path.match(pattern) {
		case yes:
			return deny, shown + " is protected (" + pattern + ")"
		case maybe:
			doubt = shown + " may be a protected path (" + pattern + ")"
		}
	}
	if doubt != "" {
		return ask, doubt
	}
	for _, pattern := range s.ask {
		if path.match(pattern) != no {
			return ask, shown + " is to be written only if you say so (" + pattern + ")"
		}
	}
	if path.isUnknown() {
		return ask, shown + " is a path that cannot be known"
	}
	if path.isInside(root) {
		return allow, ""
	}
	for _, pattern := range s.scratch {
		if path.isCertainly(pattern) {
			return allow, ""
		}
	}
	return s.outside, shown + " is outside of the project"
}
