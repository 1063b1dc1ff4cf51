package hookbox

import (
	"encoding/json"
	"strings"
)

// Decision is what hookbox decided. The zero value is none, and allows nothing.
type Decision string

const (
	// Allow lets the event happen, in the form of the Outcome's Input.
	Allow Decision = "allow"
	// Ask leaves it to the user.
	Ask Decision = "ask"
	// Deny stops it.
	Deny Decision = "deny"
)

func (d Decision) isKnown() bool { return d == Allow || d == Ask || d == Deny }

// ToolResult is what a tool returned.
type ToolResult struct {
	IsError bool   `json:"is_error"`
	Content string `json:"content"`
}

// Input is an event as hookbox reads it. Only Event is required.
type Input struct {
	// Event is the point in the agent's loop, such as "pre_tool".
	Event string `json:"event,omitempty"`
	// SessionID is the agent's session.
	SessionID string `json:"session_id,omitempty"`
	// Pwd is the agent's working directory.
	Pwd string `json:"pwd,omitempty"`
	// ToolName is the tool that is called.
	ToolName string `json:"tool_name,omitempty"`
	// ToolInput is the tool's input: any JSON value.
	ToolInput json.RawMessage `json:"tool_input,omitempty"`
	// ToolUseID is the model's id of this tool call.
	ToolUseID string `json:"tool_use_id,omitempty"`
	// ToolResult is what the tool returned.
	ToolResult *ToolResult `json:"tool_result,omitempty"`
	// Message is the message of the user or of the assistant.
	Message string `json:"message,omitempty"`
	// ModeName is the agent's mode, where it has modes.
	ModeName string `json:"mode_name,omitempty"`
	// Turn is the number of the turn.
	Turn *uint64 `json:"turn,omitempty"`
	// More has the members of other events.
	More map[string]json.RawMessage `json:"-"`
}

// Warning is something that the user should know, although the event goes on.
type Warning struct {
	// Hook is the hook or config file that the warning is about.
	Hook string
	// Code is the stable code, such as "E101".
	Code string
	// Message says what happened and what the consequence is.
	Message string
}

// Record is what one hook did.
type Record struct {
	Name string
	// Kind is how it was run: "component", "script", "shell", "native" or "config".
	Kind string
	// Source is where it comes from: "user", "project" or another label.
	Source string
	// Decision is the hook's own ("modify" is one of them), or what its failure counted as.
	Decision string
	// DurationUs is the total time of its answers, in microseconds.
	DurationUs uint64
	// Code says why it failed, if it did.
	Code string
	// Async says whether it was only started in the background.
	Async bool
}

// Outcome is the decision about one event. The zero value allows nothing.
type Outcome struct {
	// Decision is the most restrictive decision of all hooks.
	Decision Decision
	// Code says why there is no verdict, if there is none: "spawn", "connect", "deadline", "died", "garbage", "version", "input",
	// "cancelled", "refused" or "closed", or the server's own code, such as "E113". It is empty if the hooks decided.
	Code string
	// Reason says why it was denied, or why the user should decide.
	Reason string
	// DeniedBy is the hook that denied.
	DeniedBy string
	// AskedBy is the first hook that asked.
	AskedBy string
	// Input is as the hooks left it. If the event may happen, it must happen in this form. It is nil only with Deny.
	Input *Input
	// Modified says whether the hooks changed the Input.
	Modified bool
	// SystemPromptAdditions are for the system prompt.
	SystemPromptAdditions []string
	// AdditionalContext is for the model.
	AdditionalContext []string
	// SystemMessages are for the user.
	SystemMessages []string
	// Permission is a hook's answer in place of the user's. If both this and Decision are Allow, the user need not be asked.
	Permission Decision
	// PermissionReason says why the hook gave this permission.
	PermissionReason string
	// Stop says whether a hook wants the agent to stop its loop.
	Stop bool
	// StopReason says why the agent should stop.
	StopReason string
	// Warnings are what the user should know.
	Warnings []Warning
	// Hooks has one record for each hook that was asked.
	Hooks []Record

	// hasMessage tells an Input with an empty message from one without.
	hasMessage bool
}

// Allowed tells whether the event may happen, in the form of Input. An ask is not an allow.
func (o Outcome) Allowed() bool { return o.Decision == Allow && o.Input != nil }

// denial is the Outcome of a call without a verdict. Where an event cannot be stopped, the failure is a warning, too.
func denial(why *failure, event string) Outcome {
	outcome := Outcome{Decision: Deny, Code: why.code, Reason: why.Error()}
	if !isGating(event) {
		outcome.Warnings = []Warning{{"hookbox", why.code, why.message}}
	}
	return outcome
}

func isGating(event string) bool {
	return strings.HasPrefix(event, "pre_") || strings.HasPrefix(event, "before_") ||
		event == "permission_request" || event == "stop" || event == "config_change"
}

// fields reads members and remembers the first that is wrong.
type fields struct {
	of    *value
	wrong string
}

func (f *fields) note(key string, isRight bool) {
	if !isRight && f.wrong == "" {
		f.wrong = key
	}
}

func (f *fields) text(key string, isRequired bool) (text string) {
	found := f.of.get(key)
	isRight := found == nil && !isRequired
	if found != nil {
		text, isRight = found.text()
	}
	f.note(key, isRight)
	return text
}

func (f *fields) bool(key string, isRequired bool) (is bool) {
	found := f.of.get(key)
	isRight := found == nil && !isRequired
	if found != nil {
		is, isRight = found.bool()
	}
	f.note(key, isRight)
	return is
}

func (f *fields) texts(key string) (texts []string) {
	found := f.of.get(key)
	if found == nil {
		return nil
	}
	f.note(key, found.items != nil)
	for i := range found.items {
		text, isRight := found.items[i].text()
		f.note(key, isRight)
		texts = append(texts, text)
	}
	return texts
}

func (f *fields) objects(key string) []value {
	found := f.of.get(key)
	if found == nil || found.items == nil {
		f.note(key, false)
		return nil
	}
	for i := range found.items {
		f.note(key, found.items[i].isObject())
	}
	return found.items
}

// readOutcome reads an Outcome. It fails if one is not well-formed in every member: half of an answer must not become an allow.
func readOutcome(from *value) (Outcome, *failure) {
	if from == nil || !from.isObject() {
		return Outcome{}, fail("garbage", "the answer of hookbox has no Outcome")
	}
	f := fields{of: from}
	outcome := Outcome{
		Decision:              Decision(f.text("decision", true)),
		Reason:                f.text("reason", false),
		DeniedBy:              f.text("denied_by", false),
		AskedBy:               f.text("asked_by", false),
		Modified:              f.bool("modified", true),
		SystemPromptAdditions: f.texts("system_prompt_additions"),
		AdditionalContext:     f.texts("additional_context"),
		SystemMessages:        f.texts("system_messages"),
		Permission:            Decision(f.text("permission", false)),
		PermissionReason:      f.text("permission_reason", false),
		Stop:                  f.bool("stop", false),
		StopReason:            f.text("stop_reason", false),
	}
	f.note("decision", outcome.Decision.isKnown())
	f.note("permission", from.get("permission") == nil || outcome.Permission.isKnown())
	if input := from.get("input"); input != nil {
		outcome.Input = readInput(&f, input)
		outcome.hasMessage = input.get("message") != nil
	}
	f.note("input", outcome.Input != nil || outcome.Decision == Deny)
	for _, item := range f.objects("warnings") {
		w := fields{of: &item}
		outcome.Warnings = append(outcome.Warnings, Warning{w.text("hook", true), w.text("code", true), w.text("message", true)})
		f.note("warnings", w.wrong == "")
	}
	for _, item := range f.objects("hooks") {
		r := fields{of: &item}
		record := Record{
			Name: r.text("name", true), Kind: r.text("kind", true), Source: r.text("source", true),
			Decision: r.text("decision", true), Code: r.text("code", false), Async: r.bool("async", false),
		}
		if duration := item.get("duration_us"); duration != nil {
			isRight := false
			record.DurationUs, isRight = duration.uint()
			r.note("duration_us", isRight)
		} else {
			r.note("duration_us", false)
		}
		outcome.Hooks = append(outcome.Hooks, record)
		f.note("hooks", r.wrong == "")
	}
	if f.wrong != "" {
		return Outcome{}, fail("garbage", "`%s` in the answer of hookbox is missing or not usable", f.wrong)
	}
	return outcome, nil
}

// checkFits refuses an Outcome that lets something else happen than what was asked about.
func checkFits(asked *Input, outcome *Outcome) *failure {
	if outcome.Decision == Deny {
		return nil
	}
	got := outcome.Input
	switch {
	case got.Event != asked.Event || got.ToolName != asked.ToolName:
		return fail("garbage", "the answer of hookbox is about another event or another tool")
	case isThere(asked.ToolInput) && !isThere(got.ToolInput), asked.ToolResult != nil && got.ToolResult == nil,
		asked.Message != "" && got.Message == "" && !outcome.hasMessage:
		return fail("garbage", "the Input in the answer of hookbox lacks what was asked about")
	}
	return nil
}

func isThere(written json.RawMessage) bool { return len(written) > 0 && string(written) != "null" }

func readInput(f *fields, from *value) *Input {
	if !from.isObject() {
		f.note("input", false)
		return nil
	}
	i := fields{of: from}
	input := &Input{
		Event: i.text("event", false), SessionID: i.text("session_id", false), Pwd: i.text("pwd", false),
		ToolName: i.text("tool_name", false), ToolUseID: i.text("tool_use_id", false),
		Message: i.text("message", false), ModeName: i.text("mode_name", false),
	}
	for _, known := range from.members {
		switch known.key {
		case "event", "session_id", "pwd", "tool_name", "tool_use_id", "message", "mode_name":
		case "tool_input":
			input.ToolInput = known.value.raw
		case "tool_result":
			if !known.value.isNull() {
				r := fields{of: &known.value}
				input.ToolResult = &ToolResult{IsError: r.bool("is_error", true), Content: r.text("content", true)}
				i.note("tool_result", known.value.isObject() && r.wrong == "")
			}
		case "turn":
			if !known.value.isNull() {
				turn, isRight := known.value.uint()
				input.Turn = &turn
				i.note("turn", isRight)
			}
		default:
			if input.More == nil {
				input.More = map[string]json.RawMessage{}
			}
			input.More[known.key] = known.value.raw
		}
	}
	f.note("input", i.wrong == "")
	return input
}
