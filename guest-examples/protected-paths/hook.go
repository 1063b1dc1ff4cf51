// A policy: which files an agent must not write.
package main

import "hookbox"

func init() { hookbox.Register(judge) }

func main() {}

func judge(in hookbox.Input) (hookbox.Action, error) {
	settings, err := readSettings(in.Settings)
	if err != nil {
		return hookbox.Action{}, err
	}
	if in.Event != hookbox.PreTool && in.Event != hookbox.PermissionRequest {
		return hookbox.Allow(), nil
	}
	touched := &touched{}
	if err := fromTool(in, settings, touched); err != nil {
		return hookbox.Action{}, err
	}
	root := settings.root
	if root == "" {
		root = in.Pwd
	}
	action := hookbox.Allow()
	for _, write := range touched.writes {
		switch verdict, why := settings.judge(resolve(write.path, write.dir, in.Pwd), root); {
		case verdict == deny && !write.maybe:
			return settings.enforce(hookbox.Deny(why)), nil
		case verdict != allow && action.Decision == "":
			action = hookbox.Ask(why)
		}
	}
	if touched.unread != "" && action.Decision == "" {
		action = hookbox.Ask("what this writes cannot be known: " + touched.unread)
	}
	return settings.enforce(action), nil
}

// touched is what a tool call writes, as far as that can be read from it.
type touched struct {
	writes []write
	// Why some of it cannot be read.
	unread string
}

type write struct {
	path string
	// The directory that the path starts at, if that is another than the agent's.
	dir string
	// Whether it may be something else that is written.
	maybe bool
}

func (t *touched) add(path, dir string) { t.writes = append(t.writes, write{path: path, dir: dir}) }

func (t *touched) doubt(path, dir string) {
	t.writes = append(t.writes, write{path: path, dir: dir, maybe: true})
}

func (t *touched) unreadable(why string) {
	if t.unread == "" {
		t.unread = why
	}
}
