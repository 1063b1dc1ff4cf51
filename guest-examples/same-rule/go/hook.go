package main

import (
	"errors"
	"hookbox"
	"strconv"
	"strings"
	"unicode/utf8"
)

func init() { hookbox.Register(judge) }

func main() {}

func judge(in hookbox.Input) (hookbox.Action, error) {
	words := []string{"rm -rf"}
	if setting := in.Settings.Get("words"); setting.Exists() {
		more, ok := setting.Texts()
		if !ok {
			return hookbox.Action{}, errors.New("settings.words must be a list of strings")
		}
		words = append(words, more...)
	}

	if command, ok := in.ToolInput.Get("command").Text(); ok {
		for _, word := range words {
			if strings.Contains(command, word) {
				return hookbox.Deny(`the command contains "` + word + `"`), nil
			}
		}
	}

	if strings.HasSuffix(in.ToolName, "_admin") {
		return hookbox.Ask(in.ToolName + " is for administrators"), nil
	}

	action := hookbox.Allow()
	if in.Event == hookbox.PreMessage {
		length := strconv.Itoa(utf8.RuneCountInString(in.Message))
		action.AdditionalContext = "the message has " + length + " characters"
	}
	return action, nil
}
