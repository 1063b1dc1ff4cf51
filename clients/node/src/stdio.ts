// A server that the client starts, and talks to over pipes.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join } from "node:path";
import { Clock } from "./clock.js";
import { Backoff, Failure, text } from "./failure.js";
import type { JsonObject } from "./json.js";
import { HELLO, MAX_ANSWER, Session, checkHello, readAnswer, serverDeadline, timerMs } from "./wire.js";

const MAX_UNSENT = 8 << 20;
const MAX_TAIL = 4096;
/** How long the status of a server may take to arrive after its last sign of life. */
const DEATH_MS = 200;

/** How to start a server. */
export interface Command {
  readonly binary: string | undefined;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly cwd: string | undefined;
}

type Waiter = (result: JsonObject | Failure) => void;

/** The program of the npm package `hookbox`, if that is installed with this client. */
function packagedBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`@hookbox/${process.platform}-${process.arch}/bin/hookbox`);
  } catch {
    return undefined;
  }
}

/** Finds `hookbox`: as told, else $HOOKBOX_BIN, else in its own package, else on PATH. */
function findBinary(told: string | undefined): string {
  const named = told || process.env["HOOKBOX_BIN"] || packagedBinary();
  if (named) {
    return named;
  }
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const file = join(folder, "hookbox");
    try {
      // A relative or empty entry leads to the current directory, which anyone may have written to.
      if (isAbsolute(folder) && statSync(file).isFile()) {
        accessSync(file, constants.X_OK);
        return file;
      }
    } catch {
      // Not here.
    }
  }
  throw new Failure("spawn", "`hookbox` is neither named by $HOOKBOX_BIN nor on PATH");
}

/** One running server. Once `failure` is set, it is not used again. */
class Server {
  failure: Failure | undefined;
  isReady = false;
  readonly ready: Promise<void>;
  readonly child: ChildProcessWithoutNullStreams;
  readonly startedAt = performance.now();
  #setReady!: () => void;
  #session = new Session<Waiter>();
  readonly #clock = new Clock();
  #tail = "";
  #exit = "closed its output";
  readonly #backoff: Backoff;

  constructor(command: Command, backoff: Backoff) {
    this.#backoff = backoff;
    this.ready = new Promise((resolve) => (this.#setReady = resolve));
    const binary = findBinary(command.binary);
    try {
      // A session of its own, so that Ctrl-C in a terminal does not end it.
      this.child = spawn(binary, ["serve", "--stdio", ...command.args], {
        stdio: "pipe",
        detached: true,
        ...(command.env === undefined ? {} : { env: command.env }),
        ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      });
    } catch (error) {
      throw new Failure("spawn", `cannot start ${binary}: ${text(error)}`);
    }
    // When no more files can be opened, Node.js creates no streams, but still emits the event.
    if (!this.child.stdin) {
      this.child.on("error", () => {});
      throw new Failure("spawn", `cannot start ${binary}: too many files are open`);
    }
    this.child.on("error", (error) => this.end(new Failure("spawn", `cannot start ${binary}: ${error.message}`)));
    this.child.on("exit", (status, signal) => {
      this.#exit = signal === null ? `ended with status ${status}` : `ended by signal ${signal}`;
      this.#dieSoon();
    });
    this.child.on("close", () => this.end(this.#death()));
    this.child.stdout.on("data", (data: Buffer) => this.#receive(data));
    this.child.stdout.on("end", () => this.#dieSoon());
    this.child.stderr.on("data", (data: Buffer) => (this.#tail = (this.#tail + data.toString()).slice(-MAX_TAIL)));
    // Without a listener, EPIPE would end the whole process.
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) {
      stream.on("error", () => this.#dieSoon());
    }
    this.child.stdin.write(HELLO);
    this.#setRef(false);
  }

  /** Whether it no longer answers. It is ended then. */
  checkHung(): boolean {
    if (this.failure === undefined && this.#session.isHung) {
      this.end(new Failure("deadline", "hookbox no longer answers and was ended"));
    }
    return this.failure !== undefined;
  }

  /** Sends a request and waits for its answer until `end`. */
  ask(members: string, end: number, signal: AbortSignal | undefined): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) {
        reject(this.failure);
        return;
      }
      const finish: Waiter = (result) => {
        this.#clock.remove(id);
        signal?.removeEventListener("abort", onAbort);
        if (result instanceof Failure) {
          reject(result);
        } else {
          resolve(result);
        }
      };
      const giveUp = (failure: Failure) => {
        const cancel = this.#session.abandon(id);
        if (cancel !== undefined) {
          this.#send(cancel);
          finish(failure);
        }
      };
      const onAbort = () => giveUp(new Failure("cancelled", "the call was cancelled"));
      signal?.addEventListener("abort", onAbort, { once: true });
      const id = this.#session.issue(finish);
      this.#clock.add(id, end, () => {
        giveUp(new Failure("deadline", "hookbox did not answer in time"));
        this.checkHung();
      });
      this.#send(`{"id":${id},${serverDeadline(end)},${members}}\n`);
    });
  }

  /** Ends the server, and every call that waits for it. */
  end(failure: Failure): void {
    if (this.letGo(failure) && this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill("SIGKILL");
    }
  }

  /** Closes the pipes, which ends a server that works. False if that was done before. */
  letGo(failure: Failure): boolean {
    if (this.failure !== undefined) {
      return false;
    }
    this.failure = failure;
    if (failure.code !== "closed") {
      this.#backoff.failed(failure);
    }
    const died = failure.code === "deadline" ? new Failure("died", failure.message) : failure;
    for (const finish of this.#session.takeWaiting()) {
      finish(died);
    }
    this.#setReady();
    this.child.stdin.destroy();
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    return true;
  }

  /** Waits for the end of the process, and ends it after this time. */
  async waitForExit(patienceMs: number): Promise<void> {
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) {
      return;
    }
    this.child.ref();
    const timer = setTimeout(() => this.child.kill("SIGKILL"), patienceMs);
    await new Promise((resolve) => this.child.once("exit", resolve));
    clearTimeout(timer);
  }

  // An idle server does not keep the process alive. Calls do, with their timers.
  #setRef(isUsed: boolean): void {
    const change = isUsed ? "ref" : "unref";
    this.child[change]();
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) {
      (stream as unknown as Record<"ref" | "unref", () => void>)[change]();
    }
  }

  #send(line: string): void {
    if (this.failure !== undefined) {
      return;
    }
    if (this.child.stdin.writableLength > MAX_UNSENT) {
      this.end(new Failure("deadline", "hookbox does not read its requests"));
    } else {
      this.child.stdin.write(line);
    }
  }

  #receive(data: Buffer): void {
    try {
      for (const line of this.#session.lines(data)) {
        this.#take(line);
      }
    } catch (error) {
      this.end(error instanceof Failure ? error : new Failure("internal", `cannot read the answers: ${text(error)}`));
    }
  }

  #take(line: Buffer): void {
    if (line.length > MAX_ANSWER) {
      throw new Failure("garbage", `hookbox sent a line of more than ${MAX_ANSWER} bytes`);
    }
    if (!this.isReady) {
      checkHello(line);
      this.isReady = true;
      this.#setReady();
      return;
    }
    const [finish, answer] = this.#session.match(line);
    finish?.(answer);
  }

  // What the process has written before its end arrives before "close", which a child of its own can put off.
  #dieSoon(): void {
    setTimeout(() => this.end(this.#death()), DEATH_MS).unref();
  }

  #death(): Failure {
    const said = this.#tail.trim().split("\n").at(-1)?.replaceAll(/\p{C}/gu, " ").slice(0, 300);
    const message = `hookbox ${this.#exit}` + (said ? `: ${said}` : "");
    return new Failure(this.isReady ? "died" : "spawn", message);
  }
}

/** Starts a server for the first call, and again after it ended. */
export class StdioTransport {
  readonly #command: Command;
  readonly #startTimeoutMs: number;
  readonly #backoff = new Backoff();
  #server: Server | undefined;
  #isClosed = false;

  constructor(command: Command, startTimeoutMs: number) {
    this.#command = command;
    this.#startTimeoutMs = startTimeoutMs;
  }

  /** The Outcome to a request, not yet checked. Failure if there is none by `end`. */
  async ask(members: string, end: number, signal: AbortSignal | undefined): Promise<unknown> {
    const server = this.#running();
    if (!server.isReady) {
      await this.#waitUntilReady(server, end, signal);
    }
    return readAnswer(await server.ask(members, end, signal));
  }

  /** Says that the Outcome was a good one. */
  worked(): void {
    this.#backoff.worked();
  }

  /** Ends the server. It may take as long as this to end by itself. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosed = true;
    this.#server?.letGo(new Failure("closed", "the client is closed"));
    await this.#server?.waitForExit(patienceMs);
  }

  #running(): Server {
    if (this.#isClosed) {
      throw new Failure("closed", "the client is closed");
    }
    if (this.#server === undefined || this.#server.checkHung()) {
      this.#backoff.check();
      try {
        this.#server = new Server(this.#command, this.#backoff);
      } catch (error) {
        const failure = error instanceof Failure ? error : new Failure("spawn", text(error));
        this.#backoff.failed(failure);
        throw failure;
      }
    }
    return this.#server;
  }

  async #waitUntilReady(server: Server, end: number, signal: AbortSignal | undefined): Promise<void> {
    const last = server.startedAt + this.#startTimeoutMs;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    const giveUp = new Promise<void>((resolve) => {
      timer = setTimeout(() => setImmediate(resolve), timerMs(Math.min(end, last)));
      onAbort = resolve;
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    await Promise.race([server.ready, giveUp]);
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (signal?.aborted) {
      throw new Failure("cancelled", "the call was cancelled");
    }
    if (!server.isReady && performance.now() >= last) {
      server.end(new Failure("spawn", `hookbox did not start within ${this.#startTimeoutMs} ms`));
    }
    if (server.failure !== undefined) {
      throw server.failure;
    }
    if (!server.isReady) {
      throw new Failure("deadline", "hookbox has not started in time");
    }
  }
}
