package hookbox

import (
	"os"
	"testing"
	"time"
)

// run makes the calls of a case that all clients have in common.
func run(t *testing.T, client *Client, given testCase) {
	t.Helper()
	outcome, took := call(t, client, given)
	check(t, outcome, given.Expect)
	if limit := time.Duration(given.AtMostMs) * time.Millisecond; limit > 0 && took > limit {
		t.Errorf("it took %s", took)
	}
	if given.Next == nil {
		return
	}
	time.Sleep(time.Duration(given.PauseMs) * time.Millisecond)
	if given.Next["decision"] != "deny" {
		given.DeadlineMs = 0
	}
	outcome, _ = call(t, client, given)
	check(t, outcome, given.Next)
}

func TestReal(t *testing.T) {
	binary := os.Getenv("HOOKBOX_BIN")
	if binary == "" {
		t.Skip("HOOKBOX_BIN does not name a hookbox")
	}
	// One home directory for all, so that the policy is compiled once.
	s := newScratch(t)
	env := append(os.Environ(), "HOME="+s.folder)
	client := s.client(Binary(binary), Args("--config", testingFile(t, "hooks.toml")), Env(env), Dir(s.folder))
	for _, given := range readCases(t).Real {
		t.Run(given.Name, func(t *testing.T) { run(t, client, given) })
	}
}

func TestAnswers(t *testing.T) {
	for _, given := range readCases(t).Answers {
		t.Run(given.Name, func(t *testing.T) { run(t, newScratch(t).fake("--say", given.Say), given) })
	}
}

func TestFaults(t *testing.T) {
	for _, given := range readCases(t).Faults {
		t.Run(given.Name, func(t *testing.T) {
			s := newScratch(t)
			run(t, s.fake("--fake", given.Mode), given)
			if starts := s.starts(); given.Starts != 0 && starts != given.Starts {
				t.Errorf("it was started %d times", starts)
			}
		})
	}
}

func TestHTTP(t *testing.T) {
	for _, given := range readCases(t).HTTP {
		t.Run(given.Name, func(t *testing.T) {
			s := newScratch(t)
			run(t, s.client(Connect(s.http(given.Mode, ""))), given)
		})
	}
}

func TestEvents(t *testing.T) {
	for _, given := range readCases(t).Events {
		t.Run(given.Event, func(t *testing.T) {
			s := newScratch(t)
			outcome := s.client(Binary(s.path("missing"))).Decide(t.Context(), Input{Event: given.Event})
			check(t, outcome, map[string]any{"decision": "deny", "code": "spawn"})
			if has := len(outcome.Warnings) == 1 && outcome.Warnings[0].Code == "spawn"; has != given.HasWarning {
				t.Errorf("warnings: %+v", outcome.Warnings)
			}
		})
	}
}
