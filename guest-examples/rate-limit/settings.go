package main

import (
	"errors"
	"hookbox"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mostCalls fit in one value of a store.
const mostCalls = 4000

// settings are what an operator can say in hooks.toml.
type settings struct {
	// At most limit calls in any window, in seconds.
	limit, window int64
	// The tools that count together, by name, with `*`.
	tools []string
}

func readSettings(given hookbox.Value) (*settings, error) {
	s := &settings{limit: 30, window: 60, tools: []string{"*"}}
	if given.Exists() && given.Kind() != hookbox.Object {
		return nil, errors.New("settings must be a table")
	}
	for _, member := range given.Members() {
		var ok bool
		switch member.Key {
		case "limit":
			s.limit, ok = member.Value.Int()
			ok = ok && s.limit > 0 && s.limit <= mostCalls
		case "window":
			s.window, ok = member.Value.Int()
			ok = ok && s.window > 0 && s.window <= 366*24*60*60
		case "tools":
			s.tools, ok = member.Value.Texts()
			ok = ok && len(s.tools) > 0 && !slices.ContainsFunc(s.tools, isBad)
		}
		if !ok {
			return nil, errors.New("settings." + member.Key + " is not a setting of this hook, or has a value that it does not take")
		}
	}
	return s, nil
}

func isBad(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err != nil || pattern == ""
}

func (s *settings) covers(tool string) bool {
	return slices.ContainsFunc(s.tools, func(pattern string) bool {
		// A slash is a character like any other in the name of a tool.
		is, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(tool, "/", "\x00"))
		return is
	})
}

// String says the rule in words.
func (s *settings) String() string {
	what := " tool calls"
	if s.tools[0] != "*" {
		what = " calls of " + strings.Join(s.tools, ", ")
	}
	return "at most " + strconv.FormatInt(s.limit, 10) + what + " in " + strconv.FormatInt(s.window, 10) + " s"
}
