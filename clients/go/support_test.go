package hookbox

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// testCase is one of those that all clients have in common.
type testCase struct {
	Name       string
	Input      json.RawMessage
	Say        string
	Mode       string
	DeadlineMs int `json:"deadline_ms"`
	AtMostMs   int `json:"at_most_ms"`
	PauseMs    int `json:"pause_ms"`
	Size       int
	Starts     int
	Expect     map[string]any
	Next       map[string]any
}

type testCases struct {
	Real, Answers, Faults, HTTP []testCase
	Events                      []struct {
		Event      string
		HasWarning bool `json:"has_warning"`
	}
}

func readCases(t *testing.T) (cases testCases) {
	t.Helper()
	text, err := os.ReadFile("../conformance.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil || len(cases.Real) == 0 || len(cases.Answers) == 0 || len(cases.Faults) == 0 || len(cases.HTTP) == 0 {
		t.Fatal("the common cases cannot be read", err)
	}
	return cases
}

func testingFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../testing", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// scratch is a folder for one test.
type scratch struct {
	*testing.T
	folder string
}

func newScratch(t *testing.T) scratch {
	// Not t.TempDir: its path has the test's name, and a socket's path must be short.
	folder, err := os.MkdirTemp("", "hookbox-client-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return scratch{t, folder}
}

func (s scratch) client(opts ...Option) *Client {
	s.Helper()
	client, err := New(opts...)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(client.Close)
	return client
}

// fake is a client of the fake server.
func (s scratch) fake(extra ...string) *Client {
	s.Helper()
	args := append([]string{"--log", s.path("log"), "--state", s.path("state")}, extra...)
	return s.client(Binary(testingFile(s.T, "fake_server.py")), Args(args...))
}

func (s scratch) path(name string) string { return filepath.Join(s.folder, name) }

// log is what the fake server has read.
func (s scratch) log() string {
	text, _ := os.ReadFile(s.path("log"))
	return string(text)
}

func (s scratch) starts() int { return strings.Count(s.log(), `"ping"`) }

func (s scratch) waitFor(part string, times int) {
	s.Helper()
	for range 1000 {
		if strings.Count(s.log(), part) >= times {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.Fatalf("the server has not read %q", part)
}

// http runs a fake HTTP server, and returns its address.
func (s scratch) http(mode, address string) string {
	s.Helper()
	if address == "" {
		address = "unix:" + s.path("socket")
	}
	server := exec.Command("python3", testingFile(s.T, "fake_http.py"), address, mode, "--log", s.path("log"))
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	said, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.Fatal(err)
	}
	return strings.Replace(address, ":0", ":"+strings.TrimSpace(said), 1)
}

// check compares an Outcome with what a case expects.
func check(t testing.TB, outcome Outcome, expect map[string]any) {
	t.Helper()
	for key, want := range expect {
		var got any
		switch key {
		case "decision":
			got = string(outcome.Decision)
		case "code":
			got = outcome.Code
			if want == nil {
				want = ""
			}
		case "denied_by":
			got = outcome.DeniedBy
		case "asked_by":
			got = outcome.AskedBy
		case "modified":
			got = outcome.Modified
		case "input":
			got = members(t, outcome.Input)
		case "system_prompt_additions":
			got = list(outcome.SystemPromptAdditions)
		case "additional_context":
			got = list(outcome.AdditionalContext)
		case "reason_contains":
			got, want = strings.Contains(outcome.Reason, want.(string)), true
		case "warning_code":
			got, want = slices.ContainsFunc(outcome.Warnings, func(w Warning) bool { return w.Code == want }), true
		case "record_code":
			got, want = slices.ContainsFunc(outcome.Hooks, func(r Record) bool { return r.Code == want }), true
		default:
			t.Fatalf("the case has an unknown key %q", key)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v and not %#v in %+v", key, got, want, outcome)
		}
	}
	if outcome.Allowed() != (expect["decision"] == "allow") {
		t.Errorf("wrongly allowed: %+v", outcome)
	}
	if outcome.Code != "" && (outcome.Input != nil || outcome.Decision != Deny) {
		t.Errorf("a failure is more than a deny: %+v", outcome)
	}
}

func list(texts []string) []any {
	items := []any{}
	for _, text := range texts {
		items = append(items, text)
	}
	return items
}

// members is an Input as JSON has it.
func members(t testing.TB, in *Input) (got any) {
	t.Helper()
	if in == nil {
		return nil
	}
	written, why := encodeMembers(*in, "/")
	if why != nil {
		t.Fatal(why)
	}
	whole := map[string]any{}
	if err := json.Unmarshal([]byte("{"+string(written)+"}"), &whole); err != nil {
		t.Fatal(err)
	}
	return whole["input"]
}

// input reads an Input of a case.
func input(t testing.TB, text json.RawMessage) Input {
	t.Helper()
	read, why := parse(text)
	if why != nil {
		t.Fatal(why)
	}
	f := fields{of: &read}
	in := readInput(&f, &read)
	if in == nil || f.wrong != "" {
		t.Fatalf("the case has an Input that cannot be used: %s", text)
	}
	return *in
}

// call makes the call of a case, and measures it.
func call(t testing.TB, client *Client, given testCase) (Outcome, time.Duration) {
	t.Helper()
	ctx := context.Background()
	if given.DeadlineMs > 0 {
		limited, cancel := context.WithTimeout(ctx, time.Duration(given.DeadlineMs)*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	started := time.Now()
	if given.Input != nil {
		return client.Decide(ctx, input(t, given.Input)), time.Since(started)
	}
	command := strings.Repeat("x", max(given.Size, 2))
	return client.PreTool(ctx, "bash", map[string]any{"command": command}), time.Since(started)
}
