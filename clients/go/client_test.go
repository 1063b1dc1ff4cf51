package hookbox

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	allowed = map[string]any{"decision": "allow", "code": nil}
	ls      = map[string]any{"command": "ls"}
	slow    = map[string]any{"command": "slow"}
)

func denied(code string) map[string]any { return map[string]any{"decision": "deny", "code": code} }

func TestTheZeroOutcomeAllowsNothing(t *testing.T) {
	for _, outcome := range []Outcome{{}, {Decision: Deny, Input: &Input{}}, {Decision: Ask, Input: &Input{}}, {Decision: Allow}} {
		if outcome.Allowed() {
			t.Errorf("allowed: %+v", outcome)
		}
	}
	if (Outcome{}).Decision == Allow {
		t.Error("the zero decision allows")
	}
}

func TestHelpers(t *testing.T) {
	client := newScratch(t).fake()
	outcome := client.PreTool(t.Context(), "bash", ls, func(in *Input) { in.SessionID, in.Pwd, in.ToolUseID = "s", "/x", "u" })
	check(t, outcome, map[string]any{"decision": "allow", "input": map[string]any{
		"event": "pre_tool", "session_id": "s", "pwd": "/x", "tool_use_id": "u", "tool_name": "bash", "tool_input": ls,
	}})
	result := ToolResult{IsError: true, Content: "files"}
	outcome = client.PostTool(t.Context(), "bash", ls, result)
	if got := outcome.Input.ToolResult; got == nil || *got != result {
		t.Errorf("%+v", outcome)
	}
	outcome = client.PreMessage(t.Context(), "hi")
	check(t, outcome, map[string]any{"decision": "allow", "input": map[string]any{"event": "pre_message", "message": "hi"}})
	check(t, client.PreTool(t.Context(), "bash", map[string]any{"command": "deny"}), map[string]any{"decision": "deny", "code": nil})
	check(t, client.PreTool(t.Context(), "bash", map[string]any{"command": "ask"}), map[string]any{"decision": "ask", "code": nil})
}

func TestAToolInputIsKeptAsItIsWritten(t *testing.T) {
	written := `{"z":1.50,"a":12345678901234567890123,"html":"<&>"}`
	outcome := newScratch(t).client(Binary(testingFile(t, "fake_server.py")), Args("--say",
		`{"id":$ID,"outcome":{"decision":"allow","input":{"event":"pre_tool","tool_name":"bash","tool_input":`+written+`},"modified":false,"warnings":[],"hooks":[]}}`,
	)).PreTool(t.Context(), "bash", json.RawMessage(written))
	if got := string(outcome.Input.ToolInput); got != written {
		t.Errorf("%s", got)
	}
}

func TestWhatCannotBeSentIsDenied(t *testing.T) {
	s := newScratch(t)
	client := s.fake()
	circle := map[string]any{}
	circle["x"] = circle
	for _, wrong := range []any{
		math.NaN(), math.Inf(1), make(chan int), func() {}, "\xff", map[string]any{"\xff": 1}, []any{"\xff"}, struct{ A string }{"\xff"},
		json.RawMessage("{"), json.RawMessage("\"\xff\""), circle, &[]string{"\xff"}[0],
	} {
		check(t, client.PreTool(t.Context(), "bash", wrong), denied("input"))
	}
	check(t, client.PreTool(t.Context(), "\xff", ls), denied("input"))
	check(t, client.Decide(t.Context(), Input{Event: "x", More: map[string]json.RawMessage{"a": nil, "b": []byte("}")}}), denied("input"))
	check(t, client.PreTool(t.Context(), "bash", nil), allowed)
	if s.starts() != 1 {
		t.Error("it was started again")
	}
}

// node is a node of a tree that refers to its parent.
type node struct {
	Name  string
	Below []*node
	Above *node `json:"-"`
	above *node
	label string
}

func TestWhatIsNotWrittenDoesNotCount(t *testing.T) {
	root := &node{Name: "root", label: "\xff"}
	root.Below = []*node{{Name: "leaf", Above: root, above: root}, {Name: "leaf", Above: root, above: root}}
	check(t, newScratch(t).fake().PreTool(t.Context(), "bash", root), allowed)
	circle := []any{nil, nil}
	circle[0], circle[1] = circle, circle
	check(t, newScratch(t).fake().PreTool(t.Context(), "bash", circle), denied("input"))
}

func TestNoTime(t *testing.T) {
	s := newScratch(t)
	client := s.fake()
	late, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	check(t, client.PreTool(late, "bash", ls), denied("deadline"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	check(t, client.PreTool(gone, "bash", ls), denied("cancelled"))
	check(t, s.client(Deadline(0)).PreTool(t.Context(), "bash", ls), denied("deadline"))
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
}

func TestNoBinary(t *testing.T) {
	s := newScratch(t)
	for _, binary := range []string{s.path("missing"), s.folder, testingFile(t, "hooks.toml"), "\x00"} {
		client := s.client(Binary(binary))
		check(t, client.PreTool(t.Context(), "bash", ls), denied("spawn"))
		check(t, client.PreTool(t.Context(), "bash", ls), denied("spawn"))
	}
}

func TestFoundByTheEnvironment(t *testing.T) {
	s := newScratch(t)
	t.Setenv("HOOKBOX_BIN", testingFile(t, "fake_server.py"))
	check(t, s.client().PreTool(t.Context(), "bash", ls), allowed)
	t.Setenv("HOOKBOX_BIN", "")
	if err := os.Symlink(testingFile(t, "fake_server.py"), s.path("hookbox")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", s.folder+":"+os.Getenv("PATH"))
	check(t, s.client().PreTool(t.Context(), "bash", ls), allowed)
	t.Setenv("PATH", "/nowhere")
	check(t, s.client().PreTool(t.Context(), "bash", ls), denied("spawn"))
}

func TestWhatTheServerIsTold(t *testing.T) {
	s := newScratch(t)
	client := s.fake()
	limited, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	client.PreTool(limited, "bash", ls)
	client.PreTool(t.Context(), "bash", ls, func(in *Input) { in.Pwd = "/x" })
	lines := strings.Split(strings.TrimSpace(s.log()), "\n")
	if len(lines) != 3 {
		t.Fatal(lines)
	}
	var requests [2]struct {
		ID         int
		DeadlineMs int `json:"deadline_ms"`
		Project    *string
	}
	for i := range requests {
		if err := json.Unmarshal([]byte(lines[i+1]), &requests[i]); err != nil {
			t.Fatal(err)
		}
	}
	here, _ := os.Getwd()
	first, second := requests[0], requests[1]
	if first.ID == 0 || first.DeadlineMs < 1000 || first.DeadlineMs > 1900 || *first.Project != here {
		t.Error(lines[1])
	}
	if second.ID <= first.ID || second.Project != nil || second.DeadlineMs < 28_000 {
		t.Error(lines[2])
	}
}

func TestBackOff(t *testing.T) {
	s := newScratch(t)
	client := s.fake("--fake", "die")
	for range 20 {
		check(t, client.PreTool(t.Context(), "bash", ls), denied("died"))
	}
	if s.starts() > 5 {
		t.Errorf("it was started %d times", s.starts())
	}
}

func TestClosed(t *testing.T) {
	s := newScratch(t)
	client := s.fake()
	got := make(chan Outcome)
	go func() { got <- client.PreTool(t.Context(), "bash", slow) }()
	s.waitFor("slow", 1)
	client.Close()
	client.Close()
	check(t, <-got, denied("closed"))
	check(t, client.PreTool(t.Context(), "bash", ls), denied("closed"))
	server := client.transport.(*stdioTransport).server
	<-server.exited
	if !server.command.ProcessState.Success() {
		t.Error(server.command.ProcessState)
	}
}

func TestEachCallGetsItsOwnAnswer(t *testing.T) {
	s := newScratch(t)
	client := s.fake()
	var group sync.WaitGroup
	for n := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 60 {
				want := fmt.Sprintf(`{"n":%d}`, n*1000+i)
				outcome := client.PreTool(t.Context(), "bash", json.RawMessage(want))
				check(t, outcome, allowed)
				if got := strings.ReplaceAll(string(outcome.Input.ToolInput), " ", ""); got != want {
					t.Errorf("%s and not %s", got, want)
				}
			}
			large := strings.Repeat(fmt.Sprint(n%10), 300_000)
			outcome := client.PreTool(t.Context(), "bash", large)
			if got := string(outcome.Input.ToolInput); got != `"`+large+`"` {
				t.Errorf("%.100s", got)
			}
		}()
	}
	group.Wait()
	if s.starts() != 1 {
		t.Error("it was started again")
	}
}

func TestAnswersInAnotherOrder(t *testing.T) {
	client := newScratch(t).fake("--fake", "reversed")
	var group sync.WaitGroup
	for n := range 2 {
		group.Add(1)
		go func() {
			defer group.Done()
			outcome := client.PreTool(t.Context(), "bash", n)
			check(t, outcome, allowed)
			if got := string(outcome.Input.ToolInput); got != fmt.Sprint(n) {
				t.Errorf("%s and not %d", got, n)
			}
		}()
	}
	group.Wait()
}

func TestALateAnswerIsNobodyElses(t *testing.T) {
	s := newScratch(t)
	client := s.fake("--fake", "slow-answer")
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
	limited, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	check(t, client.PreTool(limited, "bash", map[string]any{"command": "deny"}), denied("deadline"))
	outcome := client.PreTool(t.Context(), "bash", "two")
	check(t, outcome, allowed)
	if string(outcome.Input.ToolInput) != `"two"` || s.starts() != 1 {
		t.Errorf("%+v", outcome)
	}
}

func TestACancelledContextTellsTheServer(t *testing.T) {
	s := newScratch(t)
	client := s.fake()
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		s.waitFor("slow", 1)
		cancel()
	}()
	check(t, client.PreTool(ctx, "bash", slow), denied("cancelled"))
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
	slowID := regexp.MustCompile(`"id":(\d+),.*"slow"`).FindStringSubmatch(s.log())
	if slowID == nil || !strings.Contains(s.log(), `"cancel":`+slowID[1]+"}") || s.starts() != 1 {
		t.Error(s.log())
	}
}

func TestACancelledContextEndsAWrite(t *testing.T) {
	s := newScratch(t)
	client := s.fake("--fake", "reads-nothing")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	started := time.Now()
	check(t, client.PreTool(ctx, "bash", strings.Repeat("x", 900_000)), denied("cancelled"))
	if time.Since(started) > 3*time.Second {
		t.Error("it took", time.Since(started))
	}
}

func TestAllInFlightAreDeniedAtDeath(t *testing.T) {
	s := newScratch(t)
	client := s.fake("--fake", "die")
	got := make(chan Outcome)
	for range 8 {
		go func() { got <- client.PreTool(t.Context(), "bash", slow) }()
	}
	s.waitFor("slow", 8)
	check(t, client.PreTool(t.Context(), "bash", ls), denied("died"))
	for range 8 {
		check(t, <-got, map[string]any{"decision": "deny", "code": "died", "reason_contains": "the last words"})
	}
}

func TestALostClientEndsItsServer(t *testing.T) {
	client, err := New(Binary(testingFile(t, "fake_server.py")))
	if err != nil {
		t.Fatal(err)
	}
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
	server := client.transport.(*stdioTransport).server
	client = nil
	runtime.GC()
	select {
	case <-server.exited:
	case <-time.After(5 * time.Second):
		t.Error("it still runs")
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	for _, address := range []string{"unix:", "example.org:80", "0.0.0.0:80", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "::1:80"} {
		if _, err := New(Connect(address), Token("t")); err == nil {
			t.Error(address)
		}
	}
	for _, options := range [][]Option{{}, {Token("t"), TokenFile("f")}} {
		if _, err := New(append(options, Connect("127.0.0.1:80"))...); err == nil {
			t.Error("a TCP connection has one token")
		}
	}
}

func TestTCPWithAToken(t *testing.T) {
	s := newScratch(t)
	address := s.http("ok", "127.0.0.1:0")
	if err := os.WriteFile(s.path("token"), []byte("abc123\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	client := s.client(Connect(address), TokenFile(s.path("token")))
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
	check(t, client.PreTool(t.Context(), "bash", ls), allowed)
	check(t, s.client(Connect(address), TokenFile(s.path("none"))).PreTool(t.Context(), "bash", ls), denied("connect"))
	check(t, s.client(Connect(address), Token("a\r\nX: y")).PreTool(t.Context(), "bash", ls), denied("connect"))
	if strings.Count(s.log(), "Authorization: Bearer abc123") != 2 || strings.Count(s.log(), "Host: "+address) != 2 {
		t.Error(s.log())
	}
	client.Close()
	check(t, client.PreTool(t.Context(), "bash", ls), denied("closed"))
}

func TestEachCallGetsItsOwnResponse(t *testing.T) {
	s := newScratch(t)
	client := s.client(Connect(s.http("ok", "")))
	var group sync.WaitGroup
	for n := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 30 {
				want := fmt.Sprintf(`{"n":%d}`, n*1000+i)
				outcome := client.PreTool(t.Context(), "bash", json.RawMessage(want))
				check(t, outcome, allowed)
				if got := strings.ReplaceAll(string(outcome.Input.ToolInput), " ", ""); got != want {
					t.Errorf("%s and not %s", got, want)
				}
			}
		}()
	}
	group.Wait()
}

func TestACancelledContextEndsARequest(t *testing.T) {
	s := newScratch(t)
	client := s.client(Connect(s.http("hang", "")))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	started := time.Now()
	check(t, client.PreTool(ctx, "bash", ls), denied("cancelled"))
	if time.Since(started) > 2*time.Second {
		t.Error("it took", time.Since(started))
	}
}

func TestNoServer(t *testing.T) {
	s := newScratch(t)
	if err := os.WriteFile(s.path("socket"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"socket", "none", strings.Repeat("x", 200), "\x00"} {
		check(t, s.client(Connect("unix:"+s.path(path))).PreTool(t.Context(), "bash", ls), denied("connect"))
	}
	check(t, s.client(Connect("127.0.0.1:1"), Token("t")).PreTool(t.Context(), "bash", ls), denied("connect"))
}

func TestTheSocketOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	s := newScratch(t)
	address := s.http("ok", "")
	if err := os.Chown(s.path("socket"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	check(t, s.client(Connect(address)).PreTool(t.Context(), "bash", ls), denied("connect"))
}
