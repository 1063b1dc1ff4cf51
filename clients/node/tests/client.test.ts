// What the client does beside the common cases.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chownSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Client, type Input, type Outcome } from "../src/index.js";
import { Scratch, TESTING, check, withHttp } from "./support.js";

const INDEX = pathToFileURL(join(import.meta.dirname, "../src/index.js")).href;
const FAKE = join(TESTING, "fake_server.py");
const ALLOW = { decision: "allow", code: null };

test("the type of a deny has no Input to run", () => {
  const run = (outcome: Outcome): Input => {
    // @ts-expect-error It may be null, unless the decision is known to be an allow.
    const input: Input = outcome.input;
    return outcome.decision === "allow" ? outcome.input : input;
  };
  assert.equal(typeof run, "function");
});

test("helpers", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  const before = await client.preTool("bash", { command: "ls" }, { session_id: "s", pwd: "/x", event: "post_tool" });
  assert.deepEqual(before.input, {
    session_id: "s", pwd: "/x", event: "pre_tool", tool_name: "bash", tool_input: { command: "ls" },
  });
  const after = await client.postTool("bash", undefined, { is_error: true, content: "files" });
  assert.deepEqual(after.input?.tool_result, { is_error: true, content: "files" });
  assert.deepEqual((await client.preMessage("hi")).input, { event: "pre_message", message: "hi" });
  check(await client.preTool("bash", { command: "deny" }), { decision: "deny", code: null });
  check(await client.preTool("bash", { command: "ask" }), { decision: "ask" });
});

test("what cannot be sent is denied", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  const circle: unknown[] = [];
  circle.push(circle);
  const wrong = [
    Number.NaN, Infinity, 1n, Symbol("x"), () => 1, new Map(), new Date(), Buffer.from("x"), "\ud800", circle, [undefined],
    [1, , 2], { toJSON: () => "ls" }, { "\udc00": 1 }, Object.create({ a: 1 }),
  ];
  for (const value of wrong) {
    check(await client.preTool("bash", { value }), { decision: "deny", code: "input" });
  }
  for (const input of [undefined, null, 1, "pre_tool", [1]]) {
    check(await client.decide(input as unknown as Input), { decision: "deny", code: "input" });
  }
  const good = await client.preTool("bash", { left_out: undefined, kept: null, ["__proto__"]: 1 });
  check(good, ALLOW);
  assert.deepEqual(Object.entries(good.input?.tool_input as object), [["kept", null], ["__proto__", 1]]);
  assert.equal(scratch.starts(), 1);
});

test("no time", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  for (const deadlineMs of [0, -1, Number.NaN, -Infinity, "soon" as unknown as number, "500" as unknown as number]) {
    check(await client.preTool("bash", {}, {}, { deadlineMs }), { decision: "deny", code: "deadline" });
  }
  check(await client.preTool("bash", {}, {}, { deadlineMs: Infinity }), ALLOW);
  check(await client.preTool("bash", {}, {}, null as unknown as object), { decision: "deny", code: "internal" });
  for (const signal of [null, {}, { aborted: false }, "x"]) {
    const outcome = await client.preTool("bash", {}, {}, { signal: signal as unknown as AbortSignal });
    check(outcome, { decision: "deny", code: "input" });
  }
});

test("a number that JavaScript does not have", async () => {
  const say = (x: string) =>
    `{"id":$ID,"outcome":{"decision":"allow","input":{"event":"pre_tool","tool_name":"bash","tool_input":{"x":${x}}},` +
    `"modified":true,"warnings":[],"hooks":[]}}`;
  for (const x of ["9007199254740993", "-9007199254740993", "12345678901234567890123", "1e400"]) {
    using scratch = new Scratch();
    await using client = scratch.fake(["--say", say(x)]);
    check(await client.preTool("bash", { x: 1 }), { decision: "deny", code: "garbage" });
  }
  for (const x of ["9007199254740991", "12345678901234567000", "18446744073709551616", "0.1000000000000000055", "-0", "1.50e+3"]) {
    using scratch = new Scratch();
    await using client = scratch.fake(["--say", say(x)]);
    check(await client.preTool("bash", { x: 1 }), ALLOW);
  }
});

test("the Input may be changed while the client waits", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  const input: Input = { event: "pre_tool", tool_name: "bash", tool_input: { command: "ls" } };
  const call = client.decide(input);
  input.tool_name = "other";
  check(await call, { ...ALLOW, input: { event: "pre_tool", tool_name: "bash", tool_input: { command: "ls" } } });
});

test("no binary", async () => {
  using scratch = new Scratch();
  for (const binary of [join(scratch.folder, "missing"), scratch.folder, join(TESTING, "hooks.toml"), "\0"]) {
    await using client = new Client({ binary });
    check(await client.preTool("bash", {}), { decision: "deny", code: "spawn" });
    check(await client.preTool("bash", {}), { decision: "deny", code: "spawn" });
  }
});

test("found by the environment", async () => {
  using scratch = new Scratch();
  const before = { ...process.env };
  const folder = process.cwd();
  try {
    process.env["HOOKBOX_BIN"] = FAKE;
    await using named = new Client();
    check(await named.preTool("bash", {}), ALLOW);
    delete process.env["HOOKBOX_BIN"];
    symlinkSync(FAKE, join(scratch.folder, "hookbox"));
    process.env["PATH"] = `${scratch.folder}:${before["PATH"]}`;
    await using found = new Client();
    check(await found.preTool("bash", {}), ALLOW);
    process.env["PATH"] = "/nowhere";
    await using none = new Client();
    check(await none.preTool("bash", {}), { decision: "deny", code: "spawn" });
    // A project that an agent works in may have a program of this name.
    process.chdir(scratch.folder);
    for (const path of [":/nowhere", "/nowhere:."]) {
      process.env["PATH"] = path;
      await using here = new Client();
      check(await here.preTool("bash", {}), { decision: "deny", code: "spawn", reason_contains: "nor on PATH" });
    }
  } finally {
    process.chdir(folder);
    process.env = before;
  }
});

test("what the server is told", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  await client.preTool("bash", {}, {}, { deadlineMs: 2_000 });
  await client.preTool("bash", {}, { pwd: "/x" });
  await client.preTool("bash", {}, {}, { project: "/p", deadlineMs: 1e12 });
  const requests = scratch.read().trim().split("\n").map((line) => JSON.parse(line));
  const ids = requests.map((request) => request.id);
  assert.ok(ids[0] === 0 && ids.every((id, n) => n === 0 || id > ids[n - 1]), String(ids));
  assert.ok(requests[1].deadline_ms > 1_000 && requests[1].deadline_ms <= 1_900);
  assert.equal(requests[1].project, process.cwd());
  assert.ok(!("project" in requests[2]));
  assert.equal(requests[3].project, "/p");
  assert.equal(requests[3].deadline_ms, 86_400_000 - 100);
});

test("back-off", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake(["--fake", "die"]);
  for (let n = 0; n < 20; n++) {
    check(await client.preTool("bash", {}), { decision: "deny", code: "died" });
  }
  assert.ok(scratch.starts() < 6);
});

test("closed", async () => {
  using scratch = new Scratch();
  const client = scratch.fake();
  const slow = client.preTool("bash", { command: "slow" });
  await scratch.waitFor("slow");
  await client.close();
  await client.close();
  check(await slow, { decision: "deny", code: "closed" });
  check(await client.preTool("bash", {}), { decision: "deny", code: "closed" });
  assert.equal(scratch.starts(), 1);
});

test("each call gets its own answer", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  const outcomes = await Promise.all(Array.from({ length: 1_000 }, (_, n) => client.preTool("bash", { n })));
  outcomes.forEach((outcome, n) => assert.deepEqual(outcome.input?.tool_input, { n }));
  const large = await Promise.all(Array.from({ length: 10 }, (_, n) => client.preTool("bash", `${n}`.repeat(300_000))));
  large.forEach((outcome, n) => assert.equal(outcome.input?.tool_input, `${n}`.repeat(300_000)));
  assert.equal(scratch.starts(), 1);
});

test("answers in another order", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake(["--fake", "reversed"]);
  const outcomes = await Promise.all([0, 1].map((n) => client.preTool("bash", { n })));
  outcomes.forEach((outcome, n) => assert.deepEqual(outcome.input?.tool_input, { n }));
});

test("a late answer is nobody else's", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake(["--fake", "slow-answer"]);
  const first = await client.preTool("bash", { command: "deny" }, {}, { deadlineMs: 200 });
  check(first, { decision: "deny", code: "deadline" });
  const second = await client.preTool("bash", { command: "two" });
  check(second, ALLOW);
  assert.deepEqual(second.input?.tool_input, { command: "two" });
  assert.equal(scratch.starts(), 1);
});

test("a blocked event loop does not make an answer late", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  check(await client.preTool("bash", {}), ALLOW);
  const call = client.preTool("bash", {}, {}, { deadlineMs: 300 });
  await new Promise(setImmediate);
  const end = performance.now() + 600;
  while (performance.now() < end);
  check(await call, ALLOW);
});

test("a signal cancels the call", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake();
  check(await client.preTool("bash", {}), ALLOW);
  const abort = new AbortController();
  const slow = client.preTool("bash", { command: "slow" }, {}, { signal: abort.signal });
  await scratch.waitFor("slow");
  abort.abort();
  check(await slow, { decision: "deny", code: "cancelled" });
  check(await client.preTool("bash", {}, {}, { signal: abort.signal }), { decision: "deny", code: "cancelled" });
  check(await client.preTool("bash", {}), ALLOW);
  const slowId = /"id":(\d+),.*"slow"/.exec(scratch.read())?.[1];
  assert.ok(slowId !== undefined && scratch.read().includes(`"cancel":${slowId}}`));
  assert.equal(scratch.starts(), 1);
  await withHttp(scratch, "hang", async (connect) => {
    await using other = new Client({ connect });
    check(await other.preTool("bash", {}, {}, { signal: AbortSignal.timeout(100) }), { decision: "deny", code: "cancelled" });
  });
});

test("all in flight are denied at death", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake(["--fake", "die"]);
  const calls = Array.from({ length: 8 }, () => client.preTool("bash", { command: "slow" }));
  await scratch.waitFor("slow", 8);
  check(await client.preTool("bash", {}), { decision: "deny", code: "died" });
  for (const call of calls) {
    check(await call, { decision: "deny", code: "died", reason_contains: "the last words" });
  }
});

test("an idle client does not keep the process alive", async () => {
  const run = promisify(execFile);
  for (const [binary, decision] of [[FAKE, "allow"], ["/missing", "deny"]]) {
    const code = `import { Client } from "${INDEX}";
      const outcome = await new Client({ binary: "${binary}" }).preTool("bash", {});
      console.log(outcome.decision);`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { timeout: 5_000 });
    assert.equal(stdout.trim(), decision);
  }
});

test("too many open files deny, and end nothing", async () => {
  const code = `import { closeSync, openSync } from "node:fs";
    import { Client } from "${INDEX}";
    const client = new Client({ binary: "${FAKE}" });
    const open = [];
    try { for (;;) open.push(openSync("/dev/null")); } catch {}
    const first = await client.preTool("bash", {});
    open.forEach((file) => closeSync(file));
    await new Promise((resolve) => setTimeout(resolve, 100));
    console.log(first.code, (await client.preTool("bash", {})).decision);`;
  const shell = ["-c", 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, code];
  const { stdout } = await promisify(execFile)("sh", shell, { timeout: 60_000 });
  assert.equal(stdout.trim(), "spawn allow");
});

test("a refusal of a request that was not read denies, and ends nothing", async () => {
  using scratch = new Scratch();
  await withHttp(scratch, "refused-unread", async (connect) => {
    await using client = new Client({ connect });
    for (let n = 0; n < 20; n++) {
      const outcome = await client.preTool("bash", { command: "x".repeat(1_000_000) });
      assert.ok(outcome.decision === "deny" && ["refused", "died"].includes(outcome.code ?? ""), JSON.stringify(outcome));
    }
  });
});

test("a polluted prototype allows nothing", async () => {
  using scratch = new Scratch();
  await using client = scratch.fake(["--say", '{"id":$ID,"outcome":{}}']);
  const polluted = Object.prototype as Record<string, unknown>;
  Object.assign(polluted, { decision: "allow", input: {}, modified: false, warnings: [], hooks: [] });
  try {
    const outcome = await client.preTool("bash", {});
    assert.equal(outcome.decision, "deny");
  } finally {
    for (const key of ["decision", "input", "modified", "warnings", "hooks"]) {
      delete polluted[key];
    }
  }
});

test("addresses that are refused", () => {
  for (const connect of ["", "unix:", "example.org:80", "0.0.0.0:80", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "::1:80"]) {
    assert.throws(() => new Client({ connect, token: "t" }), TypeError);
  }
  assert.throws(() => new Client({ connect: "127.0.0.1:80" }), TypeError);
  assert.throws(() => new Client({ connect: "127.0.0.1:80", token: "t", tokenFile: "f" }), TypeError);
});

test("TCP with a token", async () => {
  using scratch = new Scratch();
  const tokenFile = join(scratch.folder, "token");
  writeFileSync(tokenFile, "abc123\n");
  await withHttp(scratch, "ok", async (connect) => {
    await using client = new Client({ connect, tokenFile });
    check(await client.preTool("bash", {}), ALLOW);
    check(await client.preTool("bash", {}), ALLOW);
    await using none = new Client({ connect, tokenFile: join(scratch.folder, "none") });
    check(await none.preTool("bash", {}), { decision: "deny", code: "connect" });
    await using split = new Client({ connect, token: "a\r\nX: y" });
    check(await split.preTool("bash", {}), { decision: "deny", code: "connect" });
    assert.equal(scratch.read().split("Authorization: Bearer abc123").length, 3);
    assert.equal(scratch.read().split(`Host: ${connect}`).length, 3);
    await client.close();
    check(await client.preTool("bash", {}), { decision: "deny", code: "closed" });
  }, true);
});

test("no server", async () => {
  using scratch = new Scratch();
  writeFileSync(join(scratch.folder, "socket"), "");
  for (const path of ["socket", "none", "x".repeat(200), "\0"]) {
    await using client = new Client({ connect: `unix:${join(scratch.folder, path)}` });
    check(await client.preTool("bash", {}), { decision: "deny", code: "connect" });
  }
  await using nobody = new Client({ connect: "127.0.0.1:1", token: "t" });
  check(await nobody.preTool("bash", {}), { decision: "deny", code: "connect" });
});

test("the socket of another user", { skip: process.getuid?.() !== 0 && "only root can give a file away" }, async () => {
  using scratch = new Scratch();
  await withHttp(scratch, "ok", async (connect) => {
    chownSync(connect.slice(5), 12345, 12345);
    await using client = new Client({ connect });
    check(await client.preTool("bash", {}), { decision: "deny", code: "connect" });
  });
});

