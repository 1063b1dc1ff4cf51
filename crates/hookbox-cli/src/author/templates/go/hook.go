// Files that no tool may write.
package main

import (
	"errors"
	"hookbox"
	"path"
	"slices"
)

func init() { hookbox.Register(judge) }

func main() {}

func judge(in hookbox.Input) (hookbox.Action, error) {
	files := []string{".env", "id_rsa"}
	if setting := in.Settings.Get("files"); setting.Exists() {
		given, ok := setting.Texts()
		if !ok {
			return hookbox.Action{}, errors.New("settings.files must be a list of strings")
		}
		files = given
	}
	// What the call means, whichever agent makes it. An error is one of the hook, and then the tool does not run.
	tool, err := in.Facts()
	if err != nil {
		return hookbox.Action{}, err
	}
	for _, file := range tool.Paths {
		if file.Access == "read" || file.Access == "list" {
			continue
		}
		// A link may lead to another file.
		for _, name := range []string{path.Base(file.Path), path.Base(file.Real)} {
			if slices.Contains(files, name) {
				reason := "`" + name + "` is protected"
				// A text that may be a path, in a call of a tool that hookbox does not know, is a question.
				if !file.Certain {
					return hookbox.Ask(reason), nil
				}
				return hookbox.Deny(reason), nil
			}
		}
	}
	// Without `facts = ["commands"]` in hooks.toml, the facts do not say which files a shell command changes.
	isUnread := !tool.Complete || tool.Kind == "shell" && !tool.Commands.Exists()
	if writes := []string{"write", "edit", "delete", "shell"}; slices.Contains(writes, tool.Kind) && isUnread {
		return hookbox.Ask("which files may this change?"), nil
	}
	return hookbox.Allow(), nil
}
