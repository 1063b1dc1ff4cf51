package hookbox

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
)

// Run hands an Input to the registered hook, as text, and gives its Action as text: for tests on your machine. An error, and a
// panic, say that the hook failed; the message names where.
func Run(input string) (action string, err error) {
	defer func() {
		if value := recover(); value != nil {
			action, err = "", errors.New("panic: "+describe(value)+place())
		}
	}()
	if registered == nil {
		return "", errors.New("there is no hook: call hookbox.Register in an init function")
	}
	in, err := ParseInput(input)
	if err != nil {
		return "", err
	}
	answer, err := registered(in)
	if err != nil {
		return "", err
	}
	if err := checkJSON(&answer); err != nil {
		return "", err
	}
	return string(appendAction(nil, &answer)), nil
}

// checkJSON returns an error for a member that is not exactly one JSON value. It is written unchanged, so text of the
// tool call in it could otherwise add other members to the Action.
func checkJSON(action *Action) error {
	members := [...]struct {
		name string
		json JSON
	}{
		{"ModifiedToolInput", action.ModifiedToolInput},
		{"UpdatedInput", action.UpdatedInput},
		{"UpdatedMessages", action.UpdatedMessages},
	}
	for _, member := range members {
		if member.json == "" {
			continue
		}
		if _, err := ParseJSON(string(member.json)); err != nil {
			return errors.New(member.name + " of the Action is not strict JSON: " + err.Error())
		}
	}
	return nil
}

// ParseInput reads an Input, strictly.
func ParseInput(text string) (Input, error) {
	all, err := ParseJSON(text)
	if err != nil {
		return Input{}, errors.New("the Input is not strict JSON: " + err.Error())
	}
	if all.Kind() != Object {
		return Input{}, errors.New("the Input is not an object")
	}
	in := Input{All: all}
	event := ""
	texts := map[string]*string{
		"event": &event, "session_id": &in.SessionID, "hook_name": &in.HookName, "pwd": &in.Pwd,
		"tool_name": &in.ToolName, "message": &in.Message, "mode_name": &in.ModeName, "tool_use_id": &in.ToolUseID,
		"now": &in.Now,
	}
	all.each(func(key string, value Value) bool {
		is := true
		switch {
		case value.Kind() == Null && key != "tool_input":
		case texts[key] != nil:
			*texts[key], is = value.Text()
		case key == "tool_input":
			in.ToolInput = value
		case key == "settings":
			in.Settings = value
		case key == "tool_result":
			in.ToolResult, is = toolResult(value)
		case key == "turn":
			var turn uint64
			turn, is = value.Uint()
			in.Turn = &turn
		}
		if !is {
			err = errors.New("the Input is not usable: `" + key + "` has the wrong type")
		}
		return is
	})
	in.Event = Event(event)
	if err == nil && event == "" {
		err = errors.New("the Input is not usable: it has no `event`")
	}
	return in, err
}

// Text is the text that the tool's input has under this key; empty if there is none.
//
// An error says that what stands there is no text, or that the tool's input is no object: hand it on, so that the tool does not
// run.
func (in Input) Text(key string) (string, error) {
	if in.ToolInput.Exists() && in.ToolInput.Kind() != Object {
		return "", errors.New("the tool's input is no object")
	}
	value := in.ToolInput.Get(key)
	text, ok := value.Text()
	if value.Exists() && !ok {
		return "", errors.New("`" + key + "` of the tool's input is no text")
	}
	return text, nil
}

func toolResult(value Value) (*ToolResult, bool) {
	result := &ToolResult{}
	isError, content := value.Get("is_error"), value.Get("content")
	isRight := value.Kind() == Object
	if isError.Exists() {
		var is bool
		result.IsError, is = isError.Bool()
		isRight = isRight && is
	}
	if content.Exists() {
		var is bool
		result.Content, is = content.Text()
		isRight = isRight && is
	}
	return result, isRight
}

func describe(value any) string {
	switch value := value.(type) {
	case error:
		return value.Error()
	case string:
		return value
	case interface{ String() string }:
		return value.String()
	case int:
		return strconv.Itoa(value)
	}
	return "a value that is no text"
}

// place says where the panic began that is being recovered from, as ` at hook.go:12`.
func place() string {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers[:])])
	for isInside := false; ; {
		frame, more := frames.Next()
		isRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if isInside && !isRuntime {
			return " at " + frame.File[strings.LastIndexByte(frame.File, '/')+1:] + ":" + strconv.Itoa(frame.Line)
		}
		isInside = isInside || frame.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}

func appendAction(out []byte, action *Action) []byte {
	decision := action.Decision
	if decision == "" {
		decision = DecisionAllow
	}
	out = append(out, `{"decision":`...)
	out = appendQuoted(out, string(decision))
	text := func(key, value string) {
		if value != "" {
			out = append(out, `,"`+key+`":`...)
			out = appendQuoted(out, value)
		}
	}
	raw := func(key string, value JSON) {
		if value != "" {
			out = append(out, `,"`+key+`":`+string(value)...)
		}
	}
	text("reason", action.Reason)
	raw("modified_tool_input", action.ModifiedToolInput)
	text("modified_message", action.ModifiedMessage)
	if result := action.ModifiedToolResult; result != nil {
		is := JSON(strconv.FormatBool(result.IsError))
		raw("modified_tool_result", `{"is_error":`+is+`,"content":`+Quote(result.Content)+`}`)
	}
	raw("updated_input", action.UpdatedInput)
	raw("updated_messages", action.UpdatedMessages)
	if action.UpdatedToolResponse != nil {
		raw("updated_tool_response", Quote(*action.UpdatedToolResponse))
	}
	text("summary", action.Summary)
	text("permission", string(action.Permission))
	text("permission_reason", action.PermissionReason)
	text("system_prompt_append", action.SystemPromptAppend)
	text("additional_context", action.AdditionalContext)
	text("system_message", action.SystemMessage)
	if action.Stop {
		raw("stop", "true")
	}
	text("stop_reason", action.StopReason)
	return append(out, '}')
}

func appendQuoted(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	from := 0
	for at := 0; at < len(text); at++ {
		c := text[at]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[from:at]...)
		from = at + 1
		if c < ' ' {
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			out = append(out, '\\', c)
		}
	}
	return append(append(out, text[from:]...), '"')
}
