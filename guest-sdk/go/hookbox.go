// Package hookbox is for hooks of AI agents in Go: what a hook reads, what it answers, and how it names its function.
//
//	package main
//
//	import (
//		"hookbox"
//		"strings"
//	)
//
//	func init() { hookbox.Register(judge) }
//
//	func main() {}
//
//	func judge(in hookbox.Input) (hookbox.Action, error) {
//		tool, err := in.Facts()
//		if err == nil && strings.Contains(tool.Command, "rm -rf") {
//			return hookbox.Deny("`rm -rf` is not allowed here"), nil
//		}
//		return hookbox.Allow(), err
//	}
//
// An error, and a panic, say that the hook itself failed; what it guards then does not happen. Each event has a fresh
// instance, so nothing that a hook keeps in a variable is there at the next one.
//
// The package imports little on purpose: each call starts the Go runtime anew, and encoding/json and fmt treble what that takes.
package hookbox

// Event is a point in the agent's loop.
type Event string

const (
	// PreTool is before each tool call.
	PreTool Event = "pre_tool"
	// PostTool is after a tool returned.
	PostTool Event = "post_tool"
	// PreMessage is before the user's message is stored and sent.
	PreMessage Event = "pre_message"
	// PostMessage is after the final message of the assistant.
	PostMessage Event = "post_message"
	// PermissionRequest is before the user would be asked whether a tool may run.
	PermissionRequest Event = "permission_request"
	// ToolResponseTransform is between a tool's return and any use of its output.
	ToolResponseTransform Event = "tool_response_transform"
	// ToolApprovalDecision is after it was decided whether a tool may run.
	ToolApprovalDecision Event = "on_tool_approval_decision"
	// SessionStart is when a run begins.
	SessionStart Event = "session_start"
	// SessionEnd is when a run has ended.
	SessionEnd Event = "session_end"
	// SessionResume is when a run that had reached its limit of iterations goes on.
	SessionResume Event = "on_session_resume"
	// TurnStart is before each call of the model, when its context is put together.
	TurnStart Event = "turn_start"
	// TurnEnd is when a turn has ended, in whatever way.
	TurnEnd Event = "turn_end"
	// BeforeLlmCall is right before the model is called.
	BeforeLlmCall Event = "before_llm_call"
	// AfterLlmCall is when the model has answered.
	AfterLlmCall Event = "after_llm_call"
	// PreCompact is before a conversation is compacted, whatever for.
	PreCompact Event = "pre_compact"
	// BeforeCompaction is before a summary is made.
	BeforeCompaction Event = "before_compaction"
	// AfterCompaction is when a summary was put in place.
	AfterCompaction Event = "after_compaction"
	// SubagentStop is when an agent that this one had started is done.
	SubagentStop Event = "subagent_stop"
	// UserInput is when the agent waits for the user.
	UserInput Event = "on_user_input"
	// Notification is when the user is told something.
	Notification Event = "notification"
	// OnError is when a run failed.
	OnError Event = "on_error"
	// MaxIterations is when a run has reached its limit of iterations.
	MaxIterations Event = "on_max_iterations"
	// AgentSwitch is when the conversation goes on with another agent.
	AgentSwitch Event = "on_agent_switch"
	// Stop is when the agent is about to stop working. A deny tells it to go on, with the reason as what to do.
	Stop Event = "stop"
	// SubagentStart is when an agent is about to start another one.
	SubagentStart Event = "subagent_start"
	// PostCompact is after a conversation was compacted.
	PostCompact Event = "post_compact"
	// ConfigChange is when the agent's settings are about to change.
	ConfigChange Event = "config_change"
	// PermissionDenied is when a tool was not permitted to run.
	PermissionDenied Event = "permission_denied"
	// ToolInputTransform is before anything else looks at a tool call.
	ToolInputTransform Event = "tool_input_transform"
	// ToolGuard is before the agent's own rules decide on a tool call.
	ToolGuard Event = "tool_guard"
	// SteeringSubmit is when the user sends messages to a run that is under way.
	SteeringSubmit Event = "user_steering_messages_submit"
	// FollowupSubmit is when the user sends a message that waits for the end of the run.
	FollowupSubmit Event = "user_followup_submit"
	// WorktreeCreate is when a git worktree was created for a run that is about to begin.
	WorktreeCreate Event = "worktree_create"
)

// ToolResult is what a tool gave back.
type ToolResult struct {
	// IsError says whether the tool failed.
	IsError bool
	// Content is what the model sees.
	Content string
}

// Input is an event with all that a hook may know of it. What the event does not have is the zero value.
type Input struct {
	// Event is the point in the agent's loop.
	Event Event
	// SessionID is the agent's session.
	SessionID string
	// HookName is the name of the event as the agent spells it.
	HookName string
	// Pwd is the agent's working directory.
	Pwd string
	// ToolName is the tool that is called.
	ToolName string
	// ToolInput is the tool's input: any JSON value.
	ToolInput Value
	// ToolResult is what the tool gave back, or nil.
	ToolResult *ToolResult
	// Message is the message of the user or of the assistant.
	Message string
	// ModeName is the agent's mode, where it has modes.
	ModeName string
	// ToolUseID is the model's id of this tool call.
	ToolUseID string
	// Turn is the number of the turn, or nil.
	Turn *uint64
	// Now is the time as RFC 3339: a hook has no clock.
	Now string
	// Settings are this hook's own, from hooks.toml.
	Settings Value
	// All is the whole Input, for the fields of other events: in.All.Get("iteration").
	All Value
}

// Decision is what a hook decides. The zero value allows.
type Decision string

const (
	// DecisionAllow has no objection.
	DecisionAllow Decision = "allow"
	// DecisionDeny stops the thing.
	DecisionDeny Decision = "deny"
	// DecisionAsk lets the user decide.
	DecisionAsk Decision = "ask"
	// DecisionModify goes on with a rewrite.
	DecisionModify Decision = "modify"
)

// Action is what a hook answers. The zero value allows and changes nothing.
type Action struct {
	// Decision is what the hook decided.
	Decision Decision
	// Reason says why, for the user and the model.
	Reason string
	// ModifiedToolInput is the tool's new input (PreTool).
	ModifiedToolInput JSON
	// ModifiedMessage is the new message, not empty (PreMessage, PostMessage).
	ModifiedMessage string
	// ModifiedToolResult is the tool's new result (PostTool).
	ModifiedToolResult *ToolResult
	// UpdatedInput is an object whose members take the place of those of the tool's input (PreTool).
	UpdatedInput JSON
	// UpdatedMessages is the list of messages that the model sees (BeforeLlmCall).
	UpdatedMessages JSON
	// UpdatedToolResponse is the new content of the tool's result.
	UpdatedToolResponse *string
	// Summary is the summary to use (BeforeCompaction).
	Summary string
	// Permission is the answer to the question whether the tool may run: "allow" spares the user the question.
	Permission Decision
	// PermissionReason says why.
	PermissionReason string
	// SystemPromptAppend is text for the system prompt (PreMessage).
	SystemPromptAppend string
	// AdditionalContext is text for the model.
	AdditionalContext string
	// SystemMessage is text for the user.
	SystemMessage string
	// Stop says that the agent should stop its loop.
	Stop bool
	// StopReason says why.
	StopReason string
}

// Allow goes on.
func Allow() Action { return Action{} }

// Deny stops the thing, for this reason.
func Deny(reason string) Action { return Action{Decision: DecisionDeny, Reason: reason} }

// Ask lets the user decide, for this reason.
func Ask(reason string) Action { return Action{Decision: DecisionAsk, Reason: reason} }

// ModifyToolInput goes on with another input for the tool.
func ModifyToolInput(toolInput JSON) Action {
	return Action{Decision: DecisionModify, ModifiedToolInput: toolInput}
}

// ModifyMessage goes on with another message.
func ModifyMessage(message string) Action {
	return Action{Decision: DecisionModify, ModifiedMessage: message}
}

// ModifyToolResult goes on with another result of the tool.
func ModifyToolResult(result ToolResult) Action {
	return Action{Decision: DecisionModify, ModifiedToolResult: &result}
}

// Hook is the function that an author writes.
type Hook func(Input) (Action, error)

var registered Hook

// Register says which function is the hook. Call it once, in init.
func Register(hook Hook) {
	if registered != nil {
		panic("hookbox.Register was called twice")
	}
	registered = hook
}
