// A small agent that asks hookbox at every point of its loop.
//
//	go run ./examples/agent [--config hooks.toml]
//
// Its model is a script, so it needs no network. It has two tools: read reads files, and bash only prints what it would run, so
// that running this example without any hooks cannot delete a home directory. Arguments are options of `hookbox serve`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	hookbox "hookbox-client"
)

// arguments are those of both tools.
type arguments struct {
	Path    string `json:"path,omitempty"`
	Command string `json:"command,omitempty"`
}

// script has the model's calls.
var script = []struct {
	tool  string
	input arguments
}{
	{"read", arguments{Path: "README.md"}},
	{"bash", arguments{Command: "ls"}},
	{"bash", arguments{Command: "rm -rf ~"}},
}

func main() {
	client, err := hookbox.New(hookbox.Args(os.Args[1:]...))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	sent := client.PreMessage(ctx, "tidy up my home")
	if !sent.Allowed() {
		fmt.Printf("user: (not sent: %s)\n", sent.Reason)
		return
	}
	fmt.Println("user:", sent.Input.Message)
	for _, addition := range sent.SystemPromptAdditions {
		fmt.Println("system:", addition)
	}
	for _, call := range script {
		fmt.Printf("model: %s %+v\n", call.tool, call.input)
		fmt.Println("tool:", callTool(ctx, client, call.tool, call.input))
	}
}

// callTool asks whether the tool may run, runs it in the form that the hooks left, and returns what the model may see of the result.
func callTool(ctx context.Context, client *hookbox.Client, tool string, asked arguments) string {
	before := client.PreTool(ctx, tool, asked)
	// Nobody can be asked here, so an ask is a deny.
	if !before.Allowed() {
		return "denied: " + before.Reason
	}
	// The hooks may have changed the input.
	toolInput := before.Input.ToolInput
	content, err := runTool(tool, toolInput)
	if err != nil {
		content = err.Error()
	}
	after := client.PostTool(ctx, tool, toolInput, hookbox.ToolResult{IsError: err != nil, Content: content})
	if !after.Allowed() {
		return "the result is withheld: " + after.Reason
	}
	return after.Input.ToolResult.Content
}

func runTool(tool string, toolInput json.RawMessage) (string, error) {
	var input arguments
	if err := json.Unmarshal(toolInput, &input); err != nil {
		return "", err
	}
	if tool != "read" {
		return "would run: " + input.Command, nil
	}
	text, err := os.ReadFile(input.Path)
	line, _, _ := strings.Cut(string(text), "\n")
	return line, err
}
