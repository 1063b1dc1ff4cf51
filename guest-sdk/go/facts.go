package hookbox

import "errors"

// ToolPath is a path that a tool call names.
type ToolPath struct {
	// Path is absolute, without ".", ".." and repeated slashes.
	Path string
	// Real is the path with all links followed, as far as it exists. Empty if that could not be found out.
	Real string
	// AsWritten is the path as the tool call spells it.
	AsWritten string
	// Access is what happens to it: "read", "write", "create", "delete" or "list".
	Access string
	// Place is where it leads: "project", "home", "temp", "hookbox", "agent-config" or "other".
	Place string
	// Certain is whether it is surely a path. A tool that hookbox does not know may take any text of its call for one: ask
	// where you would deny or ask about a certain one.
	Certain bool
}

// Tool has the facts of a tool call, in words that are the same for every agent.
type Tool struct {
	// Kind is what the tool does: "shell", "read", "write", "edit", "delete", "search", "fetch", "mcp", "agent" or "other".
	Kind string
	// Command is the command that a shell would run; empty if there is none.
	Command string
	// Argv is the command as a list of arguments, if the tool call has it as one.
	Argv []string
	// Cwd is the absolute path of the directory that the tool runs in.
	Cwd string
	// Home is the absolute path of the user's home directory.
	Home string
	// Paths are those that the tool call names. For a shell tool, only with facts = ["commands"].
	Paths []ToolPath
	// AddedText has the texts that would be written into files.
	AddedText []string
	// URLs are those that the tool call names.
	URLs []string
	// Server is the MCP server whose tool this is.
	Server string
	// Tool is the server's name for the tool.
	Tool string
	// Commands is the list of simple commands that the command would run, with facts = ["commands"]. A word of a command is
	// a string if every character is known, else an object.
	Commands Value
	// Shells is the list of the command lines, if the call has several, each an object with "command" and perhaps "argv": each
	// runs in a shell of its own, and is to be judged by itself.
	Shells Value
	// Unknown says what could not be found out.
	Unknown []string
	// Complete says whether everything that the tool call does is in these facts. If not, do not treat it as harmless.
	// Without Commands, it says nothing about what a shell command does.
	Complete bool
}

// Facts reads the facts of the tool call.
//
// An error says that there are none, because the event has no tool or hookbox is older than these facts, or that they are not
// usable: hand it on, so that the tool does not run.
func (in Input) Facts() (Tool, error) {
	facts := in.All.Get("tool")
	if facts.Kind() != Object {
		return Tool{}, errors.New("the Input has no facts about a tool call")
	}
	tool, isRight := Tool{Commands: facts.Get("commands"), Shells: facts.Get("shells")}, true
	texts := map[string]*string{
		"kind": &tool.Kind, "command": &tool.Command, "cwd": &tool.Cwd, "home": &tool.Home, "server": &tool.Server, "tool": &tool.Tool,
	}
	lists := map[string]*[]string{
		"argv": &tool.Argv, "added_text": &tool.AddedText, "urls": &tool.URLs, "unknown": &tool.Unknown,
	}
	facts.each(func(key string, value Value) bool {
		switch {
		case texts[key] != nil:
			*texts[key], isRight = value.Text()
		case lists[key] != nil:
			*lists[key], isRight = value.Texts()
		case key == "complete":
			tool.Complete, isRight = value.Bool()
		case key == "paths":
			tool.Paths, isRight = toolPaths(value)
		}
		return isRight
	})
	if !isRight || tool.Kind == "" {
		return Tool{}, errors.New("the facts of the tool call are not usable")
	}
	return tool, nil
}

func toolPaths(list Value) (paths []ToolPath, isRight bool) {
	isRight = list.Kind() == List
	for _, value := range list.Items() {
		path := ToolPath{Certain: true}
		texts := map[string]*string{
			"path": &path.Path, "real": &path.Real, "as_written": &path.AsWritten, "access": &path.Access, "place": &path.Place,
		}
		value.each(func(key string, value Value) bool {
			is := true
			if texts[key] != nil {
				*texts[key], is = value.Text()
			} else if key == "certain" {
				path.Certain, is = value.Bool()
			}
			isRight = isRight && is
			return is
		})
		isRight = isRight && path.Path != "" && path.Access != ""
		paths = append(paths, path)
	}
	return paths, isRight
}
