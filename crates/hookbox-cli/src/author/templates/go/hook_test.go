package main

import (
	"hookbox"
	"testing"
)

func TestFilesOfSecretsAreProtected(t *testing.T) {
	const call = `{"event":"pre_tool","tool":{"kind":"write","complete":true,"paths":[`
	for path, want := range map[string]hookbox.Decision{
		`{"path":"/app/config/.env","access":"write"}`:  hookbox.DecisionDeny,
		`{"path":"/app/config/.env","access":"read"}`:   "",
		`{"path":"/app/.env.example","access":"write"}`: "",
	} {
		input := call + path + "]}}"
		in, err := hookbox.ParseInput(input)
		if err != nil {
			t.Fatal(err)
		}
		if action, err := judge(in); err != nil || action.Decision != want {
			t.Errorf("%s: %v, %v", input, action, err)
		}
	}
}
