// What hookbox decided about an event.

import { Failure } from "./failure.js";
import { isObject, own, type JsonObject } from "./json.js";

/** What a tool returned. */
export interface ToolResult {
  is_error: boolean;
  content: string;
}

/** An event as hookbox reads it. Only `event` is required, and lifecycle events have more members than these. */
export interface Input {
  event: string;
  session_id?: string | undefined;
  pwd?: string | undefined;
  tool_name?: string | undefined;
  tool_input?: unknown;
  tool_use_id?: string | undefined;
  tool_result?: ToolResult | undefined;
  message?: string | undefined;
  mode_name?: string | undefined;
  turn?: number | undefined;
  [member: string]: unknown;
}

/** Something that the user should know, although the event goes on. */
export interface HookWarning {
  /** The hook or config file that the warning is about. */
  readonly hook: string;
  /** The stable code, such as "E101". */
  readonly code: string;
  /** What happened and what the consequence is. */
  readonly message: string;
}

/** What one hook did. */
export interface HookRecord {
  readonly name: string;
  /** How it was run: "component", "script", "shell", "native" or "config". */
  readonly kind: string;
  /** Where it comes from: "user", "project" or another label. */
  readonly source: string;
  /** The hook's decision ("modify" is one of them), or what its failure counted as. */
  readonly decision: string;
  /** The total time of its answers, in microseconds. */
  readonly duration_us: number;
  /** Why it failed, if it did. */
  readonly code?: string;
  /** Whether it was only started in the background. */
  readonly async?: boolean;
}

interface Common {
  /** Whether the hooks changed the Input. */
  readonly modified: boolean;
  /** Text for the system prompt. */
  readonly system_prompt_additions: readonly string[];
  /** Text for the model. */
  readonly additional_context: readonly string[];
  /** Text for the user. */
  readonly system_messages: readonly string[];
  /** A hook's answer in place of the user's. If both this and `decision` are "allow", the user need not be asked. */
  readonly permission?: "allow" | "ask" | "deny";
  readonly permission_reason?: string;
  /** Whether a hook wants the agent to stop its loop. */
  readonly stop: boolean;
  readonly stop_reason?: string;
  /** What the user should know. */
  readonly warnings: readonly HookWarning[];
  /** One record for each hook that was asked. */
  readonly hooks: readonly HookRecord[];
}

/** The event may happen, in the form of `input`. */
export interface Allow extends Common {
  readonly decision: "allow";
  /** The Input as the hooks left it. */
  readonly input: Input;
}

/** The user should decide. */
export interface Ask extends Common {
  readonly decision: "ask";
  /** The first hook that asked. */
  readonly asked_by?: string;
  readonly reason?: string;
  /** The Input as the hooks left it: what the user should see, and what may happen then. */
  readonly input: Input;
}

/** The event must not happen. */
export interface Deny extends Common {
  readonly decision: "deny";
  /**
   * Why there is no verdict, if there is none: "spawn", "connect", "deadline", "died", "garbage", "version", "input",
   * "cancelled", "refused", "closed" or "internal", or the server's own code, such as "E113". Absent if a hook denied.
   */
  readonly code?: string;
  /** The hook that denied. */
  readonly denied_by?: string;
  readonly reason?: string;
  readonly input: Input | null;
}

/** The decision about one event. Every object is true in a condition, a deny too: compare `decision`. */
export type Outcome = Allow | Ask | Deny;

/** The Outcome of a call without a verdict. Where an event cannot be stopped, the failure is a warning, too. */
export function denial(failure: Failure, event: unknown): Deny {
  const warning = { hook: "hookbox", code: failure.code, message: failure.message };
  return Object.freeze({
    decision: "deny" as const,
    code: failure.code,
    reason: `${failure.code}: ${failure.message}`,
    input: null,
    modified: false,
    system_prompt_additions: [],
    additional_context: [],
    system_messages: [],
    stop: false,
    warnings: isGating(event) ? [] : [warning],
    hooks: [],
  });
}

function isGating(event: unknown): boolean {
  return typeof event === "string" && /^(pre_.*|before_.*|permission_request|stop|config_change)$/s.test(event);
}

/** Reads an Outcome. Failure if it is not well-formed in every member: half of an answer must not become an allow. */
export function readOutcome(value: unknown): Outcome {
  if (!isObject(value)) {
    throw new Failure("garbage", "the answer of hookbox has no Outcome");
  }
  const decision = own(value, "decision");
  if (decision !== "allow" && decision !== "ask" && decision !== "deny") {
    throw new Failure("garbage", "the answer of hookbox has an unknown decision");
  }
  const input = own(value, "input") ?? null;
  if (input !== null || decision !== "deny") {
    checkInput(input);
  }
  const permission = own(value, "permission");
  if (permission !== undefined && permission !== "allow" && permission !== "ask" && permission !== "deny") {
    throw wrong("permission");
  }
  return Object.freeze({
    decision,
    ...present("reason", optional(value, "reason", "string")),
    ...present("denied_by", optional(value, "denied_by", "string")),
    ...present("asked_by", optional(value, "asked_by", "string")),
    input: input as Input | null,
    modified: required(value, "modified", "boolean"),
    system_prompt_additions: texts(value, "system_prompt_additions"),
    additional_context: texts(value, "additional_context"),
    system_messages: texts(value, "system_messages"),
    ...present("permission", permission),
    ...present("permission_reason", optional(value, "permission_reason", "string")),
    stop: optional(value, "stop", "boolean") ?? false,
    ...present("stop_reason", optional(value, "stop_reason", "string")),
    warnings: list(value, "warnings", (item) => ({
      hook: required(item, "hook", "string"),
      code: required(item, "code", "string"),
      message: required(item, "message", "string"),
    })),
    hooks: list(value, "hooks", (item) => ({
      name: required(item, "name", "string"),
      kind: required(item, "kind", "string"),
      source: required(item, "source", "string"),
      decision: required(item, "decision", "string"),
      duration_us: required(item, "duration_us", "number"),
      ...present("code", optional(item, "code", "string")),
      ...present("async", optional(item, "async", "boolean")),
    })),
  }) as Outcome;
}

/** What an Outcome must have in common with what was asked about. */
export interface Asked {
  readonly event: unknown;
  readonly tool_name: unknown;
  readonly members: readonly string[];
}

/** Notes what an Input asks about: the caller may change it while the client waits. */
export function whatIsAsked(input: JsonObject): Asked {
  const isThere = (key: string) => (own(input, key) ?? null) !== null;
  return {
    event: own(input, "event"),
    tool_name: own(input, "tool_name") ?? null,
    members: ["tool_input", "tool_result", "message"].filter(isThere),
  };
}

/** Failure if an Outcome lets something else happen than what was asked about. */
export function checkFits(asked: Asked, outcome: Outcome): void {
  if (outcome.decision === "deny") {
    return;
  }
  const got = whatIsAsked(outcome.input);
  if (got.event !== asked.event || got.tool_name !== asked.tool_name) {
    throw new Failure("garbage", "the answer of hookbox is about another event or another tool");
  }
  if (asked.members.some((key) => !got.members.includes(key))) {
    throw new Failure("garbage", "the Input in the answer of hookbox lacks what was asked about");
  }
}

function checkInput(input: unknown): void {
  if (!isObject(input) || Object.keys(input).length === 0) {
    throw wrong("input");
  }
  for (const key of ["event", "session_id", "pwd", "tool_name", "tool_use_id", "message", "mode_name"]) {
    optional(input, key, "string");
  }
  const result = own(input, "tool_result") ?? null;
  if (result !== null) {
    if (!isObject(result)) {
      throw wrong("tool_result");
    }
    required(result, "is_error", "boolean");
    required(result, "content", "string");
  }
}

interface Kinds {
  string: string;
  boolean: boolean;
  number: number;
}

function required<K extends keyof Kinds>(value: JsonObject, key: string, kind: K): Kinds[K] {
  const member = own(value, key);
  if (typeof member !== kind) {
    throw wrong(key);
  }
  return member as Kinds[K];
}

function optional<K extends keyof Kinds>(value: JsonObject, key: string, kind: K): Kinds[K] | undefined {
  return (own(value, key) ?? undefined) === undefined ? undefined : required(value, key, kind);
}

function texts(value: JsonObject, key: string): string[] {
  const found = own(value, key) ?? [];
  if (!Array.isArray(found) || !found.every((text) => typeof text === "string")) {
    throw wrong(key);
  }
  return found as string[];
}

function list<T>(value: JsonObject, key: string, read: (item: JsonObject) => T): T[] {
  const found = own(value, key);
  if (!Array.isArray(found) || !found.every(isObject)) {
    throw wrong(key);
  }
  return found.map(read);
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

function wrong(key: string): Failure {
  return new Failure("garbage", `\`${key}\` in the answer of hookbox is missing or has the wrong type`);
}
