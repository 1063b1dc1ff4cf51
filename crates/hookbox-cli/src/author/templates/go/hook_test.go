package main

import (
	"hookbox"
	"testing"
)

func TestFilesOfSecretsAreProtected(t *testing.T) {
	for input, want := range map[string]hookbox.Decision{
		`{"event":"pre_tool","tool_input":{"path":"config/.env"}}`:  hookbox.DecisionDeny,
		`{"event":"pre_tool","tool_input":{"path":".env.example"}}`: "",
	} {
		in, err := hookbox.ParseInput(input)
		if err != nil {
			t.Fatal(err)
		}
		if action, err := judge(in); err != nil || action.Decision != want {
			t.Errorf("%s: %v, %v", input, action, err)
		}
	}
}
