/// <reference path="./hookbox-store.d.ts" />

/**
 * The types of a hook, for editors and for `tsc`. Nothing of it is there when a hook runs.
 *
 * In a plain `hook.js`, without any build:
 *
 * ```js
 * /** @type {import("./hookbox").Hook} *\/
 * export default function (input) {
 *   return input.tool_name === "bash" ? { decision: "ask", reason: "a shell" } : {};
 * }
 * ```
 *
 * In TypeScript: `import type { Hook } from "./hookbox";`.
 *
 * Beside the language, a hook has `console`, with a grant `hookbox:store`, and as a component `fetch`.
 */

/** A point in the agent's loop. */
export type Event =
  /** Before each tool call. */
  | "pre_tool"
  /** After a tool returned, with success or with an error. */
  | "post_tool"
  /** Before the user's message is stored and sent. */
  | "pre_message"
  /** After the final assistant message of a send. */
  | "post_message"
  /** Before the user would be asked whether a tool may run. */
  | "permission_request"
  /** Between a tool's return and any use of its output. */
  | "tool_response_transform"
  /** After it was decided whether a tool may run. */
  | "on_tool_approval_decision"
  /** A run begins. */
  | "session_start"
  /** A run has ended. */
  | "session_end"
  /** A run that had reached its limit of iterations goes on. */
  | "on_session_resume"
  /** Before each call of the model, when its context is put together. */
  | "turn_start"
  /** A turn has ended, in whatever way. */
  | "turn_end"
  /** Right before the model is called. */
  | "before_llm_call"
  /** The model has answered. */
  | "after_llm_call"
  /** Before a conversation is compacted, whatever for. */
  | "pre_compact"
  /** Before a summary is made. */
  | "before_compaction"
  /** A summary was put in place. */
  | "after_compaction"
  /** An agent that this one had started is done. */
  | "subagent_stop"
  /** The agent waits for the user. */
  | "on_user_input"
  /** The user is told something. */
  | "notification"
  /** A run failed. */
  | "on_error"
  /** A run has reached its limit of iterations. */
  | "on_max_iterations"
  /** The conversation goes on with another agent. */
  | "on_agent_switch"
  /** The agent is about to stop working. A deny tells it to go on, with the reason as what to do. */
  | "stop"
  /** An agent is about to start another one. */
  | "subagent_start"
  /** A conversation was compacted. */
  | "post_compact"
  /** The agent's settings are about to change. */
  | "config_change"
  /** A tool was not permitted to run. */
  | "permission_denied"
  /** Before anything else looks at a tool call. */
  | "tool_input_transform"
  /** Before the agent's own rules decide on a tool call. */
  | "tool_guard"
  /** The user sends messages to a run that is under way. */
  | "user_steering_messages_submit"
  /** The user sends a message that waits for the end of the run. */
  | "user_followup_submit"
  /** A git worktree was created for a run that is about to begin. */
  | "worktree_create";

/** Whatever JSON can hold. A whole number beyond 2^53 loses digits when JavaScript reads it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a tool gave back. */
export interface ToolResult {
  /** Whether the tool failed. */
  is_error: boolean;
  /** What the model sees. */
  content: string;
}

/** A path that a tool call names. */
export interface ToolPath {
  /** The absolute path, without `.`, `..` and repeated slashes. */
  path: string;
  /** The path with all links followed, as far as it exists. Absent if that could not be found out. */
  real?: string;
  /** The path as the tool call spells it. */
  as_written: string;
  /** What happens to it. */
  access: "read" | "write" | "create" | "delete" | "list";
  /** Where it leads. */
  place: "project" | "home" | "temp" | "hookbox" | "agent-config" | "other";
  /**
   * `false` for a text that may be a path: a tool that hookbox does not know may take any text of its call for one. Ask
   * where you would deny or ask about a certain one.
   */
  certain?: false;
}

/** A word of a command: a string if every character is known. */
export type ShellWord = string | { raw: string; parts: (string | { unknown: string } | { glob: string })[] };

/** A simple command of a shell text. */
export interface ShellCommand {
  /** The program's name without its directory. Absent if it is known only when the command runs. */
  name?: string;
  /** The program and its arguments. */
  argv: ShellWord[];
  /** The command as it is written, cut after some 200 bytes. */
  text: string;
  /** The directory that the command runs in, if the text changes it. */
  cwd?: ShellWord;
  /** The variables that the command sets. */
  assignments?: { name: string; value: ShellWord }[];
  /** The command's redirections. */
  redirects?: { fd?: number; op: string; target?: ShellWord; access?: ToolPath["access"] }[];
  /** The text that it reads as its standard input, if that is known: a here-document, or the output of `echo`. */
  stdin?: ShellWord;
  /** The index of the command that runs this one. */
  parent?: number;
  /** How it is run: the name of that command, or `substitution`, `heredoc`, `alias`, `function`, `variable`. */
  via?: string;
  /** The indices of the commands whose output it reads. */
  reads_from?: number[];
  /** The function that it belongs to. */
  function?: string;
  /** Whether the shell does not wait for it. */
  background?: boolean;
  /** The index of its command line in `shells` of the tool, if the call has several. */
  shell?: number;
  /** `false` if it is only possible that it runs: ask where you would deny or ask about one that is certain. */
  certain?: false;
  /** The files that it names. */
  files?: { path: ShellWord; access: ToolPath["access"] }[];
  /** Its program has arguments and is not in hookbox's tables, so any of them may be a file that `files` does not have. */
  unlisted?: true;
}

/** What a tool call means, in words that are the same for every agent. */
export interface Tool {
  /** What the tool does. */
  kind: "shell" | "read" | "write" | "edit" | "delete" | "search" | "fetch" | "mcp" | "agent" | "other";
  /** The command that a shell would run. */
  command?: string;
  /** The command as a list of arguments, if the tool call has it as one. */
  argv?: string[];
  /** The command lines, if the call has several: each runs in a shell of its own, and is to be judged by itself. */
  shells?: { command: string; argv?: string[]; certain?: false }[];
  /** The absolute path of the directory that the tool runs in. */
  cwd?: string;
  /** The absolute path of the user's home directory. */
  home?: string;
  /** The paths that the tool call names. For a shell tool, only with `facts = ["commands"]`. */
  paths: ToolPath[];
  /** The texts that would be written into files. */
  added_text: string[];
  /** The URLs that the tool call names. */
  urls: string[];
  /** The MCP server whose tool this is. */
  server?: string;
  /** The server's name for the tool. */
  tool?: string;
  /** The simple commands that the command would run, with `facts = ["commands"]`. */
  commands?: ShellCommand[];
  /** What could not be found out, in words. */
  unknown?: string[];
  /**
   * Whether everything that the tool call does is in these facts. If not, do not treat it as harmless. Without
   * `commands`, it says nothing about what a shell command does.
   */
  complete: boolean;
}

/**
 * What a hook receives. What the agent did not send is absent.
 *
 * `Settings` is the type of the hook's own table in the config, and `ToolInput` that of the tools that it hears of.
 */
export interface Input<Settings = any, ToolInput = any> {
  /** The point in the agent's loop. */
  event: Event;
  /** The agent's session; empty if it named none. */
  session_id: string;
  /** The name of the event, in some agents in another spelling. */
  hook_name: string;
  /** The agent's working directory; empty if it named none. */
  pwd: string;
  /** The time of the event as RFC 3339, which is all that a hook knows of the time: `new Date(input.now)`. */
  now: string;
  /** The `settings` of the hook's config. */
  settings?: Settings;

  /** The tool that is called. */
  tool_name?: string;
  /** The tool's input, which is of the tool's own form. */
  tool_input?: ToolInput;
  /** The model's id of this tool call. */
  tool_use_id?: string;
  /** On events about a tool's result: what it gave back. */
  tool_result?: ToolResult;
  /** On events about a tool: what the call means, whichever agent makes it. */
  tool?: Tool;
  /** The message of the user or of the assistant. */
  message?: string;
  /** The agent's mode, where it has modes. */
  mode_name?: string;
  /** The number of the turn. */
  turn?: number;

  /** The agent whose loop it is, where there are several. */
  agent_name?: string;
  /** The model, as `provider/model`. */
  model_id?: string;
  /** The number of the model call in this run, from 1. */
  iteration?: number;
  /** What the user said last. */
  last_user_message?: string;
  /** The conversation as the model will see it. */
  messages?: Json[];
  /** What began a session or a compaction. */
  source?: string;
  /** Why a session or a turn ended. */
  reason?: string;
  /** The session that started this one. */
  parent_session_id?: string;
  /** `error` or `warning`. */
  notification_level?: string;
  /** What the user is told. */
  notification_message?: string;
  /** The agent that hands over. */
  from_agent?: string;
  /** The agent that takes over. */
  to_agent?: string;
  /** How the conversation changes hands. */
  agent_switch_kind?: string;
  /** The models of the agent that hands over. */
  from_agent_models?: Json[];
  /** The limit of iterations that was reached. */
  previous_max_iterations?: number;
  /** The limit from here on. */
  new_max_iterations?: number;
  /** Whether the tool may run. */
  approval_decision?: string;
  /** Who decided that. */
  approval_source?: string;
  /** Tokens of the conversation that went in. */
  input_tokens?: number;
  /** Tokens that came out. */
  output_tokens?: number;
  /** The most tokens that the model takes. */
  context_limit?: number;
  /** Why a conversation is compacted. */
  compaction_reason?: string;
  /** The summary that takes the place of the conversation. */
  summary?: string;

  /** What the agent sends beyond these. */
  [key: string]: unknown;
}

/** What may stand beside any decision. */
export interface Beside {
  /** On `pre_tool` and `permission_request`: the answer to the question whether the tool may run, in place of the user's. */
  permission?: "allow" | "ask" | "deny";
  /** Why. */
  permission_reason?: string;
  /** On `pre_message`: text for the system prompt. */
  system_prompt_append?: string;
  /** Text for the model, beside the thing that the event is about. */
  additional_context?: string;
  /** Text for the user. */
  system_message?: string;
  /** The agent should end its loop. */
  stop?: boolean;
  /** Why it should. */
  stop_reason?: string;
}

/** Go on. */
export interface Allow extends Beside {
  decision?: "allow";
  /** Why, for the user and the model. */
  reason?: string;
}

/** Stop, on events that can be stopped. */
export interface Deny extends Beside {
  decision: "deny";
  /** Why, for the user and the model. */
  reason?: string;
}

/** Let the user decide, on events that can be stopped. */
export interface Ask extends Beside {
  decision: "ask";
  /** Why, for the user. */
  reason?: string;
}

/** Go on with something else, which must fit the event. The hook is asked again about what came of it. */
export interface Modify extends Beside {
  decision: "modify";
  /** Why, for the user and the model. */
  reason?: string;
  /** On `pre_tool`: the tool's new input. */
  modified_tool_input?: Json;
  /** On `pre_tool`: members that take the place of those of the tool's input. */
  updated_input?: { [key: string]: Json };
  /** On `pre_message` and `post_message`: the new message, not empty. */
  modified_message?: string;
  /** On `post_tool` and `tool_response_transform`: the tool's new result. */
  modified_tool_result?: ToolResult;
  /** On the same events: its new content. */
  updated_tool_response?: string;
  /** On `before_llm_call`: the messages that the model sees. */
  updated_messages?: Json[];
  /** On `before_compaction`: the summary, so that none is made. */
  summary?: string;
}

/** What a hook returns. `{}` allows. Any other key, and what JSON cannot hold, makes it invalid, which never allows. */
export type Action = Allow | Deny | Ask | Modify;

/**
 * A hook: the default export of a script. What it throws is its failure, which denies unless the operator chose otherwise.
 *
 * @param input - What is about to happen.
 * @param settings - `input.settings`.
 */
export type Hook<Settings = any, ToolInput = any> = (
  input: Input<Settings, ToolInput>,
  settings: Settings,
) => Action | Promise<Action>;

/** What a request consists of beside its URL. Other options of `fetch` do not exist. */
export interface RequestOptions {
  /** `GET` if it is left out. */
  method?: string;
  /** Without those that the engine adds. */
  headers?: { [name: string]: string } | Iterable<readonly [name: string, value: string]>;
  /** A string is sent as UTF-8, with the content type `text/plain` unless the headers say otherwise. */
  body?: string | Uint8Array | ArrayBuffer | null;
}

/** The headers of a response, by name in any case. Several of one name are one, with commas between. */
export interface ResponseHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  has(name: string): boolean;
  entries(): Iterator<[name: string, value: string]>;
}

/** A response, whatever its status. Its body is as the server sent it, and can be read once. */
export interface FetchResponse {
  /** The status code, such as 200. */
  readonly status: number;
  /** Whether the status is from 200 to 299. */
  readonly ok: boolean;
  /** The URL that was asked. */
  readonly url: string;
  readonly headers: ResponseHeaders;
  /** Whether the body was read. */
  readonly bodyUsed: boolean;
  /** The body as text. Fails if it is not UTF-8. */
  text(): Promise<string>;
  /** The body as JSON, which it may not be. */
  json(): Promise<any>;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
}

declare global {
  /**
   * Sends a request and waits for the whole response. Needs a component, which `hookbox build` makes of the hook, and the grant
   * `net`.
   *
   * Fails if the request is not granted or fails on the way: let it fail, and the engine denies. The engine adds the secrets
   * that the operator chose; the hook does not see them. Redirects are not followed. Requests are sent one after another, at
   * most 8 in a call, with bodies of at most 1 MiB each way, within its time limit.
   */
  function fetch(url: string, options?: RequestOptions): Promise<FetchResponse>;

  /** Writes to hookbox's log, which `hookbox -v` shows. A call keeps 256 messages of at most 4 KiB. There is no other console. */
  interface Console {
    log(...values: unknown[]): void;
    info(...values: unknown[]): void;
    warn(...values: unknown[]): void;
    error(...values: unknown[]): void;
    debug(...values: unknown[]): void;
    trace(...values: unknown[]): void;
  }
  var console: Console;
}
