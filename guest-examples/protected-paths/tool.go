package main

import (
	"errors"
	"hookbox"
	"slices"
	"strings"
)

// Under these keys tools have the path of what they write.
var pathKeys = []string{
	"file_path", "path", "filePath", "absolute_path", "notebook_path", "file", "filename", "target_file", "TargetFile", "uri",
	"destination", "dest", "new_path", "old_path", "source", "target", "paths", "files", "file_paths",
}

// Under these keys they have a command, or a patch.
var commandKeys = []string{"command", "cmd", "command_line", "CommandLine", "script"}
var patchKeys = []string{"input", "patch", "patchText", "diff"}

// fromTool adds what the tool call writes.
func fromTool(in hookbox.Input, s *settings, into *touched) error {
	if slices.Contains(s.readTools, strings.ToLower(in.ToolName)) {
		return nil
	}
	input := in.ToolInput
	// Some agents send the input as JSON in a string.
	if text, is := input.Text(); is {
		inner, err := hookbox.ParseJSON(text)
		if err != nil || inner.Kind() != hookbox.Object {
			fromText(text, in.ToolName, into)
			return nil
		}
		input = inner
	}
	return fromObject(input, in.ToolName, into)
}

func fromObject(input hookbox.Value, tool string, into *touched) error {
	for _, member := range input.Members() {
		isPath := slices.Contains(pathKeys, member.Key)
		isCommand := slices.Contains(commandKeys, member.Key)
		isPatch := slices.Contains(patchKeys, member.Key)
		if !isPath && !isCommand && !isPatch && member.Key != "edits" && member.Key != "changes" {
			continue
		}
		text, isText := member.Value.Text()
		list, isList := member.Value.Texts()
		switch {
		case isPath && isText && text != "":
			into.add(strings.TrimPrefix(text, "file://"), "")
		case isPath && isList:
			for _, path := range list {
				into.add(path, "")
			}
		case isCommand && isText:
			fromText(text, tool, into)
		case isCommand && isList:
			// A program and its arguments.
			shell := shell{into: into, depth: maxDepth}
			shell.run(command{words: list})
		case isPatch && isText:
			fromPatch(text, "", into)
		case member.Value.Kind() == hookbox.List:
			// Several edits in one call.
			for _, item := range member.Value.Items() {
				if item.Kind() == hookbox.Object {
					if err := fromObject(item, tool, into); err != nil {
						return err
					}
				}
			}
		case isPath && !isText:
			return errors.New("`" + member.Key + "` of the tool's input is no path")
		case isCommand && !isText:
			return errors.New("`" + member.Key + "` of the tool's input is no command")
		}
	}
	return nil
}

// fromText reads what may be a patch or a command.
func fromText(text, tool string, into *touched) {
	if strings.Contains(strings.ToLower(tool), "patch") {
		fromPatch(text, "", into)
		return
	}
	shell := shell{into: into, depth: maxDepth}
	shell.script(text)
}

// fromPatch adds the files of a patch, as agents or diff write it.
func fromPatch(text, dir string, into *touched) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r \t")
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, is := strings.CutPrefix(line, mark); is {
				into.add(strings.TrimSpace(path), dir)
			}
		}
		for _, mark := range []string{"--- ", "+++ ", "rename from ", "rename to ", "copy to "} {
			path, is := strings.CutPrefix(line, mark)
			path, _, _ = strings.Cut(path, "\t")
			path = strings.Trim(strings.TrimSpace(path), `"`)
			if !is || path == "" || path == "/dev/null" {
				continue
			}
			if rest, is := strings.CutPrefix(path, "a/"); is {
				path = rest
			} else if rest, is := strings.CutPrefix(path, "b/"); is {
				path = rest
			}
			into.add(path, dir)
		}
	}
}
