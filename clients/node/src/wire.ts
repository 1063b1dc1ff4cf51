// The lines that a client and `hookbox serve --stdio` exchange, without any input or output.

import { resolve } from "node:path";
import { Failure, text } from "./failure.js";
import { decode, encode, isObject, own, type JsonObject } from "./json.js";
import type { Input } from "./outcome.js";

/** The versions of hookbox that this client understands: 0.1.x. */
const PROTOCOL = "0.1";
/** The longest Input that hookbox reads, in bytes. */
const MAX_INPUT = 1 << 20;
/** The longest answer that a client reads, in bytes. */
export const MAX_ANSWER = 16 << 20;
/** How long a server may be silent after a deadline has passed, before it counts as hung. */
const GRACE_MS = 1_000;
/** How many calls a server may leave unanswered after their deadline, before it counts as hung. */
const MAX_ABANDONED = 256;
/** The longest time that a timer and a chain can have. */
const DAY_MS = 86_400_000;

export const HELLO = '{"id":0,"ping":true}\n';

/** Writes the members of a request that do not depend on the transport. */
export function encodeMembers(input: Input, project: string | undefined): string {
  if (!isObject(input)) {
    throw new Failure("input", "the Input is not an object");
  }
  const written = encode(input);
  const bytes = Buffer.byteLength(written);
  if (bytes > MAX_INPUT) {
    throw new Failure("input", `the Input has ${bytes} bytes, and hookbox reads at most ${MAX_INPUT}`);
  }
  let where = project;
  try {
    // The server's own directory is the one that it was started in, which may be another by now.
    where ??= input.pwd || input["cwd"] ? undefined : process.cwd();
    return `"input":${written}` + (where === undefined ? "" : `,"project":${encode(resolve(where))}`);
  } catch (error) {
    throw new Failure("input", `the working directory is unknown: ${text(error)}`);
  }
}

/** The time left as a timer takes it. */
export function timerMs(end: number): number {
  return Math.min(Math.max(end - performance.now(), 0), DAY_MS);
}

/** The deadline that the server is told: a little earlier, so that its answer, which says more, arrives. */
export function serverDeadline(end: number): string {
  const left = timerMs(end);
  return `"deadline_ms":${Math.max(1, Math.floor(left - Math.min(100, left / 10)))}`;
}

/** Takes the Outcome out of an answer. An error is a deny, whatever else the answer has. */
export function readAnswer(answer: JsonObject): unknown {
  if (Object.hasOwn(answer, "error")) {
    throw refusal(answer["error"]);
  }
  return own(answer, "outcome");
}

function refusal(error: unknown): Failure {
  const code = isObject(error) ? own(error, "code") : undefined;
  const message = isObject(error) ? own(error, "message") : undefined;
  return typeof code === "string" && code !== "" && typeof message === "string"
    ? new Failure(code, message)
    : new Failure("refused", "hookbox refused the call without a code");
}

/** Checks the first answer of a server, which says its version. */
export function checkHello(line: Buffer): void {
  const answer = decode(line);
  if (!isObject(answer) || own(answer, "id") !== 0 || own(answer, "pong") !== true) {
    throw new Failure("garbage", "what was started does not answer like `hookbox serve`");
  }
  const version = own(answer, "version");
  if (typeof version !== "string" || !version.startsWith(`${PROTOCOL}.`)) {
    const found = String(version).slice(0, 40);
    throw new Failure("version", `this client needs hookbox ${PROTOCOL}.x, and the server is ${found}`);
  }
}

/** The state of one running server: which ids wait for an answer, and whether it still answers. */
export class Session<Waiter> {
  #lastId = 0;
  /** Undefined stands for an answer that nobody waits for any more. */
  readonly #waiting = new Map<number, Waiter | undefined>();
  #abandoned = 0;
  #overdue: number | undefined;
  #parts: Buffer[] = [];
  #length = 0;

  /** Takes an id for a request. */
  issue(waiter: Waiter | undefined): number {
    // Not the next number: a server that answers a call which it has not read must not guess the id.
    this.#lastId += 1 + Math.floor(Math.random() * 2 ** 20);
    const id = this.#lastId;
    this.#waiting.set(id, waiter);
    return id;
  }

  /** Gives up a request that was sent. Returns the line that cancels it, or undefined if it has been answered. */
  abandon(id: number): string | undefined {
    if (this.#waiting.get(id) === undefined) {
      return undefined;
    }
    // The server still answers it once.
    this.#waiting.set(id, undefined);
    this.#abandoned += 1;
    this.#overdue ??= performance.now();
    return `{"id":${this.issue(undefined)},"cancel":${id}}\n`;
  }

  /** Whether a deadline has passed without a sign of life since. */
  get isHung(): boolean {
    const isOverdue = this.#overdue !== undefined && performance.now() - this.#overdue > GRACE_MS;
    return isOverdue || this.#abandoned > MAX_ABANDONED;
  }

  /** Takes everyone who waits for an answer. */
  takeWaiting(): Waiter[] {
    const waiting = [...this.#waiting.values()].filter((waiter) => waiter !== undefined);
    this.#waiting.clear();
    return waiting;
  }

  /** Splits what arrived into whole lines. */
  *lines(data: Buffer): Generator<Buffer> {
    this.#overdue = undefined;
    let from = 0;
    for (let to = data.indexOf(10); to >= 0; to = data.indexOf(10, from)) {
      const end = data.subarray(from, to);
      from = to + 1;
      if (this.#length === 0) {
        yield end;
      } else {
        const line = Buffer.concat([...this.#parts, end]);
        this.#parts = [];
        this.#length = 0;
        yield line;
      }
    }
    if (from < data.length) {
      this.#parts.push(data.subarray(from));
      this.#length += data.length - from;
    }
    if (this.#length > MAX_ANSWER) {
      throw new Failure("garbage", `hookbox sent a line of more than ${MAX_ANSWER} bytes`);
    }
  }

  /** Finds who waits for this answer; undefined if nobody does any more. Failure if no answer can be trusted any more. */
  match(line: Buffer): [Waiter | undefined, JsonObject] {
    const answer = decode(line);
    if (!isObject(answer)) {
      throw new Failure("garbage", "hookbox sent an answer that is not an object");
    }
    const id = own(answer, "id");
    if (id === null && Object.hasOwn(answer, "error")) {
      throw refusal(answer["error"]);
    }
    if (typeof id !== "number" || !this.#waiting.has(id)) {
      throw new Failure("garbage", `hookbox answered a call that was not made: ${String(id).slice(0, 40)}`);
    }
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiter === undefined && !Object.hasOwn(answer, "cancelled")) {
      this.#abandoned -= 1;
    }
    return [waiter, answer];
  }
}
