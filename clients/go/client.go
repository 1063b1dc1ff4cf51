// Package hookbox asks hookbox what an AI agent may do.
//
//	client, err := hookbox.New()
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	outcome := client.PreTool(ctx, "bash", map[string]any{"command": "ls"})
//	if outcome.Decision == hookbox.Allow {
//		run(outcome.Input.ToolInput)
//	}
//
// The first call starts `hookbox serve --stdio`, and a later one starts it again if it ended. A call without a verdict, because
// hookbox is missing, hangs, crashes or sends garbage, is a deny with a Code; there is no error that could be overlooked.
package hookbox

import (
	"context"
	"runtime"
	"time"
)

const (
	defaultDeadline     = 30 * time.Second
	defaultStartTimeout = 10 * time.Second
	closePatience       = 2 * time.Second
)

type options struct {
	binary       string
	args         []string
	env          []string
	dir          string
	connect      string
	token        string
	tokenFile    string
	project      string
	deadline     time.Duration
	startTimeout time.Duration
}

// Option changes where a client finds hookbox, or how long it may take.
type Option func(*options)

// Binary names the hookbox binary. The default is $HOOKBOX_BIN, then hookbox on PATH.
func Binary(path string) Option { return func(o *options) { o.binary = path } }

// Args adds options of `hookbox serve`, such as "--config", "hooks.toml".
func Args(args ...string) Option {
	return func(o *options) { o.args = append(o.args, args...) }
}

// Env is the environment of the server, as in [os/exec.Cmd]. The default is that of this process.
func Env(env []string) Option { return func(o *options) { o.env = env } }

// Dir is the directory that the server runs in.
func Dir(path string) Option { return func(o *options) { o.dir = path } }

// Connect names a server that already runs: "unix:PATH", or "127.0.0.1:PORT" with its token. Without, one is started.
func Connect(address string) Option { return func(o *options) { o.connect = address } }

// Token is that of a server on a TCP port.
func Token(token string) Option { return func(o *options) { o.token = token } }

// TokenFile is the file that has the token.
func TokenFile(path string) Option { return func(o *options) { o.tokenFile = path } }

// Project is the agent's working directory. The default is that of the Input, then the current one.
func Project(path string) Option { return func(o *options) { o.project = path } }

// Deadline is how long a call may take if its context has no earlier deadline. The default is 30 s.
func Deadline(limit time.Duration) Option { return func(o *options) { o.deadline = limit } }

// StartTimeout is how long a server may take to start. The default is 10 s.
func StartTimeout(limit time.Duration) Option { return func(o *options) { o.startTimeout = limit } }

// transport asks a server. The failure is nil, or the Outcome is none.
type transport interface {
	ask(ctx context.Context, members []byte) (Outcome, *failure)
	close(patience time.Duration)
}

// Client asks hookbox what an agent may do. It may be used by many goroutines at once.
type Client struct {
	transport transport
	project   string
	deadline  time.Duration
}

// New creates a client. It starts nothing yet. The error says that the options are not usable.
func New(opts ...Option) (*Client, error) {
	o := options{deadline: defaultDeadline, startTimeout: defaultStartTimeout}
	for _, option := range opts {
		option(&o)
	}
	client := &Client{transport: &stdioTransport{options: o}, project: o.project, deadline: o.deadline}
	if o.connect != "" {
		transport, err := newHTTP(&o)
		if err != nil {
			return nil, err
		}
		client.transport = transport
	}
	// A client that nobody uses any more takes its server with it.
	runtime.AddCleanup(client, func(t transport) { t.close(0) }, client.transport)
	return client, nil
}

// Decide asks about an event of any kind. The end of ctx is the call's deadline; hookbox is told when ctx is cancelled.
func (c *Client) Decide(ctx context.Context, in Input) Outcome {
	ctx, cancel := context.WithTimeout(ctx, c.deadline)
	defer cancel()
	if ctx.Err() != nil {
		return denial(ended(ctx, "there is no time left for the call"), in.Event)
	}
	members, why := encodeMembers(in, c.project)
	if why != nil {
		return denial(why, in.Event)
	}
	outcome, why := c.transport.ask(ctx, members)
	runtime.KeepAlive(c)
	if why == nil {
		why = checkFits(&in, &outcome)
	}
	if why != nil {
		return denial(why, in.Event)
	}
	return outcome
}

// More changes an Input before it is sent: more than the helpers' arguments.
type More func(*Input)

// PreTool asks before a tool call. The Outcome's Input.ToolInput is what the tool must get.
func (c *Client) PreTool(ctx context.Context, toolName string, toolInput any, more ...More) Outcome {
	return c.tool(ctx, Input{Event: "pre_tool", ToolName: toolName}, toolInput, more)
}

// PostTool asks after a tool returned. The Outcome's Input.ToolResult is what the model may see.
func (c *Client) PostTool(ctx context.Context, toolName string, toolInput any, result ToolResult, more ...More) Outcome {
	return c.tool(ctx, Input{Event: "post_tool", ToolName: toolName, ToolResult: &result}, toolInput, more)
}

// PreMessage asks before a message of the user is sent. The Outcome's Input.Message is what to send.
func (c *Client) PreMessage(ctx context.Context, message string, more ...More) Outcome {
	in := Input{Event: "pre_message", Message: message}
	for _, change := range more {
		change(&in)
	}
	return c.Decide(ctx, in)
}

func (c *Client) tool(ctx context.Context, in Input, toolInput any, more []More) Outcome {
	written, why := encode(toolInput)
	if why != nil {
		return denial(why, in.Event)
	}
	in.ToolInput = written
	for _, change := range more {
		change(&in)
	}
	return c.Decide(ctx, in)
}

// Close ends the server that this client started. Calls in flight, and all later ones, are denied.
func (c *Client) Close() {
	c.transport.close(closePatience)
}
