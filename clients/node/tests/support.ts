// What the tests share: scratch folders, the fake servers, and the cases that all clients have in common.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientOptions, type Outcome } from "../src/index.js";

export const CLIENTS = resolve(import.meta.dirname, "../../..");
export const TESTING = join(CLIENTS, "testing");
export const HOOKBOX = process.env["HOOKBOX_BIN"];

export interface Case {
  name: string;
  input?: { event: string };
  say?: string;
  mode?: string;
  deadline_ms?: number;
  at_most_ms?: number;
  pause_ms?: number;
  size?: number;
  starts?: number;
  expect: Expect;
  next?: Expect;
}

export type Expect = { decision: string; code?: string | null; [key: string]: unknown };

export interface Cases {
  real: Case[];
  answers: Case[];
  faults: Case[];
  http: Case[];
  events: { event: string; has_warning: boolean }[];
}

export const CASES = JSON.parse(readFileSync(join(CLIENTS, "conformance.json"), "utf8")) as Cases;

/** A folder of its own, which is also the home directory of servers. */
export class Scratch implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "hookbox-client-"));
  readonly log = join(this.folder, "log");

  /** A client of the fake server. */
  fake(extra: string[] = [], options: ClientOptions = {}): Client {
    const args = ["--log", this.log, "--state", join(this.folder, "state"), ...extra];
    return new Client({ binary: join(TESTING, "fake_server.py"), args, ...options });
  }

  /** A client of the real hookbox. */
  real(): Client {
    const env = { ...process.env, HOME: this.folder };
    return new Client({ binary: HOOKBOX, args: ["--config", join(TESTING, "hooks.toml")], env, cwd: this.folder });
  }

  /** What the fake server has read. */
  read(): string {
    return existsSync(this.log) ? readFileSync(this.log, "utf8") : "";
  }

  /** How often the fake server was started. */
  starts(): number {
    return this.read().split('"ping"').length - 1;
  }

  /** Waits until the fake server has read this. */
  async waitFor(part: string, times = 1): Promise<void> {
    while (this.read().split(part).length <= times) {
      await sleep(5);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Runs a fake HTTP server for as long as `use` takes. */
export async function withHttp(scratch: Scratch, mode: string, use: (address: string) => Promise<void>, tcp = false) {
  const address = tcp ? "127.0.0.1:0" : `unix:${join(scratch.folder, "socket")}`;
  const server = spawn("python3", [join(TESTING, "fake_http.py"), address, mode, "--log", scratch.log], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const said = await new Promise<string>((resolve) => server.stdout.once("data", (data) => resolve(String(data).trim())));
    await use(tcp ? `127.0.0.1:${said}` : address);
  } finally {
    server.kill("SIGKILL");
    rmSync(join(scratch.folder, "socket"), { force: true });
  }
}

/** Compares an Outcome with what a case expects. */
export function check(outcome: Outcome, expect: Expect): void {
  const said = JSON.stringify(outcome);
  const code = outcome.decision === "deny" ? (outcome.code ?? null) : null;
  for (const [key, value] of Object.entries(expect)) {
    if (key === "code") {
      assert.equal(code, value, said);
    } else if (key === "reason_contains") {
      assert.ok((outcome.decision === "allow" ? "" : (outcome.reason ?? "")).includes(String(value)), said);
    } else if (key === "warning_code") {
      assert.ok(outcome.warnings.some((warning) => warning.code === value), said);
    } else if (key === "record_code") {
      assert.ok(outcome.hooks.some((record) => record.code === value), said);
    } else {
      assert.deepEqual((outcome as unknown as Record<string, unknown>)[key], value, `${key} of ${said}`);
    }
  }
  if (code !== null) {
    assert.equal(outcome.input, null);
  }
}

/** Makes the call of a case, and measures it in milliseconds. */
export async function call(client: Client, test: Case): Promise<[Outcome, number]> {
  const started = performance.now();
  const options = { deadlineMs: test.deadline_ms };
  const outcome =
    test.input === undefined
      ? await client.preTool("bash", { command: "x".repeat(test.size ?? 2) }, {}, options)
      : await client.decide(test.input, options);
  return [outcome, performance.now() - started];
}
