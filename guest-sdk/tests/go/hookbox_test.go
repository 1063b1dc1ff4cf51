// Package sdktest tests the SDK as an author sees it.
package sdktest

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	. "hookbox"
	"os"
	"strings"
	"testing"
)

func TestStrictJSON(t *testing.T) {
	file, err := os.ReadFile("../strict-json.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, line := range strings.Split(string(file), "\n") {
		how, text, found := strings.Cut(line, " ")
		if how == "hex" {
			bytes, err := hex.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			text = string(bytes)
		}
		if !found || how == "#" {
			continue
		}
		count++
		if _, err := ParseJSON(text); (err == nil) != (how == "accept") {
			t.Errorf("%s %q: %v", how, text, err)
		}
	}
	if count < 100 {
		t.Errorf("only %d texts", count)
	}
}

// What the package reads must be what encoding/json reads, where that takes the text.
func FuzzSameAsEncodingJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\u00e9\ud83d\ude00",{}],"b":null}`, `"\"\\\/\b\f\n\r\t"`, `[ ]`, `{ "x" : 1 , "y":-2.5e3}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := ParseJSON(text)
		if err != nil {
			return
		}
		var want any
		reader := json.NewDecoder(strings.NewReader(text))
		reader.UseNumber()
		if err := reader.Decode(&want); err != nil {
			t.Fatalf("%q is taken, but is %v", text, err)
		}
		compare(t, value, want)
	})
}

func compare(t *testing.T, value Value, want any) {
	switch want := want.(type) {
	case string:
		if text, ok := value.Text(); !ok || text != want {
			t.Fatalf("%q, not %q", text, want)
		}
		again, err := ParseJSON(string(Quote(want)))
		if text, ok := again.Text(); err != nil || !ok || text != want {
			t.Fatalf("%q is quoted as %s", want, Quote(want))
		}
	case []any:
		items := value.Items()
		if len(items) != len(want) {
			t.Fatalf("%d items, not %d", len(items), len(want))
		}
		for i, item := range items {
			compare(t, item, want[i])
		}
	case map[string]any:
		members := value.Members()
		if len(members) != len(want) {
			t.Fatalf("%d members, not %d", len(members), len(want))
		}
		for key, want := range want {
			compare(t, value.Get(key), want)
		}
	case json.Number:
		if value.Kind() != Number || string(value.JSON()) != want.String() {
			t.Fatalf("%s, not %s", value.JSON(), want)
		}
	}
}

func TestValues(t *testing.T) {
	value, err := ParseJSON(`{"n": 9223372036854775807, "big": 1e3, "t": ["a", "b"], "mixed": ["a", 1], "yes": true}`)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := value.Get("n").Int(); !ok || n != 9223372036854775807 {
		t.Error(n, ok)
	}
	if _, ok := value.Get("big").Int(); ok {
		t.Error("1e3 is not written as a whole number")
	}
	if texts, ok := value.Get("t").Texts(); !ok || strings.Join(texts, "") != "ab" {
		t.Error(texts, ok)
	}
	if _, ok := value.Get("mixed").Texts(); ok {
		t.Error("not all of them are texts")
	}
	if value.Get("none").Exists() || value.Get("none").Get("deeper").Exists() || value.Get("t").Get("a").Exists() {
		t.Error("found what is not there")
	}
	if yes, ok := value.Get("yes").Bool(); !yes || !ok {
		t.Error(yes, ok)
	}
}

func TestWithKeepsAllElse(t *testing.T) {
	for _, c := range [][4]string{
		{`{"a": 1.0, "b" :  2 }`, "a", `"x"`, `{"a": "x", "b" :  2 }`},
		{`{"a": 1.0, "b" :  2 }`, "b", `[]`, `{"a": 1.0, "b" :  [] }`},
		{`{"a":1e400}`, "c", `3`, `{"a":1e400,"c":3}`},
		{`{ }`, "é\"", `3`, `{ "é\"":3}`},
		{`{"\u0061":1}`, "a", `2`, `{"\u0061":2}`},
		{`[]`, "a", `2`, ``},
	} {
		value, err := ParseJSON(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := value.With(c[1], JSON(c[2])); string(got) != c[3] {
			t.Errorf("%s, not %s", got, c[3])
		}
	}
}

var current Hook

func init() { Register(func(in Input) (Action, error) { return current(in) }) }

func run(t *testing.T, hook Hook, input string) (string, string) {
	t.Helper()
	current = hook
	answer, err := Run(input)
	if err != nil {
		return "", err.Error()
	}
	if !json.Valid([]byte(answer)) {
		t.Errorf("%q is no JSON", answer)
	}
	return answer, ""
}

func TestAnswers(t *testing.T) {
	empty := ""
	for want, action := range map[string]Action{
		`{"decision":"allow"}`:                                                        Allow(),
		`{"decision":"deny","reason":"a \"b\"\u000a\u0000é"}`:                         Deny("a \"b\"\n\x00é"),
		`{"decision":"ask","reason":"?"}`:                                             Ask("?"),
		`{"decision":"modify","modified_tool_input":{"a":1.0}}`:                       ModifyToolInput(`{"a":1.0}`),
		`{"decision":"modify","modified_message":"m"}`:                                ModifyMessage("m"),
		`{"decision":"allow","stop":true,"stop_reason":"s"}`:                          {Stop: true, StopReason: "s"},
		`{"decision":"allow","updated_tool_response":""}`:                             {UpdatedToolResponse: &empty},
		`{"decision":"modify","modified_tool_result":{"is_error":true,"content":""}}`: ModifyToolResult(ToolResult{IsError: true}),
	} {
		got, fault := run(t, func(Input) (Action, error) { return action, nil }, `{"event":"pre_tool"}`)
		if got != want || fault != "" {
			t.Errorf("%s %s, not %s", got, fault, want)
		}
	}
}

func TestWhatIsNoJSONAddsNothingToAnAction(t *testing.T) {
	const more = JSON(`{"a":""},"permission":"allow","later":{}`)
	for _, action := range []Action{
		ModifyToolInput(more), {UpdatedInput: more}, {UpdatedMessages: `[`}, ModifyToolInput(`{"a":1,"a":2}`),
	} {
		if got, fault := run(t, func(Input) (Action, error) { return action, nil }, `{"event":"pre_tool"}`); fault == "" {
			t.Errorf("%s is an answer", got)
		}
	}
}

func TestInputs(t *testing.T) {
	in, err := ParseInput(`{"event":"post_tool","turn":18446744073709551615,"pwd":null,"tool_input":null,
		"tool_result":{"is_error":true,"content":"c"},"iteration":3}`)
	if err != nil {
		t.Fatal(err)
	}
	iteration, _ := in.All.Get("iteration").Int()
	if in.Event != PostTool || *in.Turn != 18446744073709551615 || in.ToolInput.Kind() != Null || iteration != 3 ||
		*in.ToolResult != (ToolResult{true, "c"}) {
		t.Errorf("%+v", in)
	}
	for _, bad := range []string{
		``, `[]`, `{}`, `{"event":1}`, `{"event":""}`, `{"event":"e","pwd":1}`, `{"event":"e","turn":-1}`,
		`{"event":"e","turn":1.0}`, `{"event":"e","turn":18446744073709551616}`, `{"event":"e","tool_result":"x"}`,
		`{"event":"e","tool_result":{"content":1}}`, `{"event":"e","tool_result":{"is_error":null}}`, `{"event":"e","event":"e"}`,
	} {
		if _, err := ParseInput(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestFacts(t *testing.T) {
	in, err := ParseInput(`{"event":"pre_tool","tool":{"kind":"write","cwd":"/w","paths":[{"path":"/w/a","real":"/w/b","as_written":"a",
		"access":"write","place":"project","new":1}],"added_text":["x"],"urls":[],"later":{},"complete":true}}`)
	if err != nil {
		t.Fatal(err)
	}
	tool, err := in.Facts()
	want := ToolPath{Path: "/w/a", Real: "/w/b", AsWritten: "a", Access: "write", Place: "project", Certain: true}
	if err != nil || tool.Kind != "write" || tool.Cwd != "/w" || !tool.Complete || len(tool.AddedText) != 1 || tool.Commands.Exists() ||
		len(tool.Paths) != 1 || tool.Paths[0] != want {
		t.Errorf("%+v, %v", tool, err)
	}
	in, err = ParseInput(`{"event":"pre_tool","tool":{"kind":"mcp","paths":[{"path":"/w/a","access":"write","certain":false}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	if tool, err := in.Facts(); err != nil || tool.Paths[0].Certain {
		t.Errorf("%+v, %v", tool, err)
	}
	for _, bad := range []string{
		`"x"`, `{}`, `{"kind":1}`, `{"kind":"shell","complete":1}`, `{"kind":"shell","paths":[{"path":"/"}]}`,
		`{"kind":"shell","paths":["/"]}`, `{"kind":"shell","paths":{}}`, `{"kind":"shell","urls":"x"}`,
	} {
		in, err := ParseInput(`{"event":"pre_tool","tool":` + bad + `}`)
		if err != nil {
			t.Fatal(err)
		}
		if tool, err := in.Facts(); err == nil {
			t.Errorf("%s is taken as %+v", bad, tool)
		}
	}
	if _, err := (Input{}).Facts(); err == nil {
		t.Error("facts that are not there are taken")
	}
}

func TestFailures(t *testing.T) {
	var none *Input
	var hooks = map[string]Hook{
		"no":              func(Input) (Action, error) { return Allow(), errors.New("no") },
		"panic: oh at ":   func(Input) (Action, error) { panic("oh") },
		"index out of":    func(in Input) (Action, error) { return Deny([]string{}[len(in.Pwd)]), nil },
		"nil pointer":     func(Input) (Action, error) { return Deny(none.Pwd), nil },
		"a value that is": func(Input) (Action, error) { panic([]int{}) },
	}
	for want, hook := range hooks {
		_, fault := run(t, hook, `{"event":"pre_tool"}`)
		if !strings.Contains(fault, want) {
			t.Errorf("%q, not %q", fault, want)
		}
		if strings.Contains(fault, "panic: ") && !strings.Contains(fault, " at hookbox_test.go:") {
			t.Errorf("%q does not say where", fault)
		}
	}
}
