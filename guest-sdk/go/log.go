package hookbox

import "strings"

// Level is how much a message matters.
type Level uint8

const (
	// LevelTrace is for values and the flow of control.
	LevelTrace Level = iota
	// LevelDebug is for what helps to find a mistake in the hook.
	LevelDebug
	// LevelInfo is for what happens.
	LevelInfo
	// LevelWarn is for something that may lead to trouble.
	LevelWarn
	// LevelError is for something that failed.
	LevelError
	// LevelCritical is for something after which the hook cannot go on.
	LevelCritical
)

// Log logs a message for the operator, who reads it with `hookbox -v`. It needs no grant. The context says which part of the
// hook the message comes from, and may be empty.
//
// A call keeps 256 messages of at most 4 KiB, 64 KiB in all; the engine counts the rest. In tests on your machine, messages go
// to stderr.
func Log(level Level, context, message string) {
	// The engine would end a call that passes text which is not UTF-8.
	hostLog(min(level, LevelCritical), strings.ToValidUTF8(context, "\uFFFD"), strings.ToValidUTF8(message, "\uFFFD"))
}

// LogTrace logs values and the flow of control.
func LogTrace(message string) { Log(LevelTrace, "", message) }

// LogDebug logs what helps to find a mistake in the hook.
func LogDebug(message string) { Log(LevelDebug, "", message) }

// LogInfo logs what happens.
func LogInfo(message string) { Log(LevelInfo, "", message) }

// LogWarn logs something that may lead to trouble.
func LogWarn(message string) { Log(LevelWarn, "", message) }

// LogError logs something that failed.
func LogError(message string) { Log(LevelError, "", message) }

// LogCritical logs something after which the hook cannot go on.
func LogCritical(message string) { Log(LevelCritical, "", message) }
