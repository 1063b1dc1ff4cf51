// The client.

import { resolve } from "node:path";
import { Failure, text } from "./failure.js";
import { HttpTransport, parseAddress } from "./http.js";
import { isObject } from "./json.js";
import { checkFits, denial, readOutcome, whatIsAsked, type Input, type Outcome, type ToolResult } from "./outcome.js";
import { StdioTransport } from "./stdio.js";
import { encodeMembers } from "./wire.js";

/** Where hookbox is, and how long it may take. */
export interface ClientOptions {
  /** The `hookbox` binary. Default: $HOOKBOX_BIN, then that of the package `hookbox`, then `hookbox` on PATH. */
  binary?: string | undefined;
  /** Options of `hookbox serve`, such as ["--config", "hooks.toml"]. */
  args?: readonly string[] | undefined;
  /** The environment of the server. Default: that of this process. */
  env?: NodeJS.ProcessEnv | undefined;
  /** The directory that the server runs in. */
  cwd?: string | undefined;
  /** A server that already runs: "unix:PATH", or "127.0.0.1:PORT" with its token. Default: one is started. */
  connect?: string | undefined;
  /** The token of a server on a TCP port. */
  token?: string | undefined;
  /** The file that has the token. */
  tokenFile?: string | undefined;
  /** The agent's working directory. Default: that of the Input, then the current one. */
  project?: string | undefined;
  /** How long a call may take, in milliseconds. Default: 30,000. */
  deadlineMs?: number | undefined;
  /** How long a server may take to start, in milliseconds. Default: 10,000. */
  startTimeoutMs?: number | undefined;
}

/** What may be different for one call. */
export interface CallOptions {
  /** The agent's working directory. */
  project?: string | undefined;
  /** How long this call may take, in milliseconds. */
  deadlineMs?: number | undefined;
  /** Cancels the call: hookbox is told, and the Outcome is a deny with the code "cancelled". */
  signal?: AbortSignal | undefined;
}

/** Members of an Input beside those that a method sets. */
export type More = Partial<Input>;

const DEADLINE_MS = 30_000;
const START_TIMEOUT_MS = 10_000;
const PATIENCE_MS = 2_000;

/**
 * Asks hookbox what an agent may do.
 *
 * ```js
 * const client = new Client();
 * const outcome = await client.preTool("bash", { command: "ls" });
 * if (outcome.decision === "allow") {
 *   run(outcome.input.tool_input);
 * }
 * await client.close();
 * ```
 *
 * Without `connect`, the first call starts `hookbox serve --stdio`, and a later one starts it again if it ended. No method
 * throws or rejects because of hookbox: a call without a verdict is a deny with its code.
 */
export class Client implements AsyncDisposable {
  readonly #transport: StdioTransport | HttpTransport;
  readonly #project: string | undefined;
  readonly #deadlineMs: number;

  /** TypeError if `connect` is not an address. */
  constructor(options: ClientOptions = {}) {
    this.#project = options.project === undefined ? undefined : resolve(options.project);
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    const { binary, args = [], env, cwd, connect, token, tokenFile } = options;
    this.#transport =
      connect === undefined
        ? new StdioTransport({ binary, args, env, cwd }, options.startTimeoutMs ?? START_TIMEOUT_MS)
        : new HttpTransport(parseAddress(connect, token, tokenFile));
  }

  /** Asks about an event of any kind. */
  async decide(input: Input, options: CallOptions = {}): Promise<Outcome> {
    try {
      const deadline = options.deadlineMs ?? this.#deadlineMs;
      // Not `<=`: a NaN is not a deadline either. Not a text: it would be appended to the time.
      if (typeof deadline !== "number" || !(deadline > 0)) {
        throw new Failure("deadline", `a deadline of ${deadline} ms leaves no time`);
      }
      if (options.signal !== undefined && !(options.signal instanceof AbortSignal)) {
        throw new Failure("input", "the signal is not an AbortSignal");
      }
      if (options.signal?.aborted) {
        throw new Failure("cancelled", "the call was cancelled");
      }
      const end = performance.now() + deadline;
      const members = encodeMembers(input, options.project ?? this.#project);
      const asked = whatIsAsked(input);
      const outcome = readOutcome(await this.#transport.ask(members, end, options.signal));
      checkFits(asked, outcome);
      this.#transport.worked();
      return outcome;
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure("internal", `the client failed: ${text(error)}`);
      return denial(failure, isObject(input) ? input["event"] : undefined);
    }
  }

  /** Asks before a tool call. `more` are more members of the Input, such as `session_id`, `pwd` and `tool_use_id`. */
  preTool(toolName: string, toolInput: unknown, more: More = {}, options: CallOptions = {}): Promise<Outcome> {
    return this.decide({ ...more, event: "pre_tool", tool_name: toolName, tool_input: toolInput }, options);
  }

  /** Asks after a tool returned. `outcome.input.tool_result` is what the model may see. */
  postTool(
    toolName: string,
    toolInput: unknown,
    toolResult: ToolResult,
    more: More = {},
    options: CallOptions = {},
  ): Promise<Outcome> {
    const tool = { tool_name: toolName, tool_input: toolInput, tool_result: toolResult };
    return this.decide({ ...more, event: "post_tool", ...tool }, options);
  }

  /** Asks before a message of the user is sent. `outcome.input.message` is what to send. */
  preMessage(message: string, more: More = {}, options: CallOptions = {}): Promise<Outcome> {
    return this.decide({ ...more, event: "pre_message", message }, options);
  }

  /** Ends the server that this client started. Calls in flight, and all later ones, are denied. */
  async close(): Promise<void> {
    await this.#transport.close(PATIENCE_MS);
  }

  /** The same as `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
