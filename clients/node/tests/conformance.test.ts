// The cases that all clients have in common.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../src/index.js";
import { CASES, HOOKBOX, Scratch, call, check, withHttp, type Case } from "./support.js";

async function run(open: Client, given: Case): Promise<void> {
  await using client = open;
  const [outcome, took] = await call(client, given);
  check(outcome, given.expect);
  assert.ok(took < (given.at_most_ms ?? 10_000), `it took ${took} ms`);
  if (given.next !== undefined) {
    await sleep(given.pause_ms ?? 0);
    const { deadline_ms: _, ...relaxed } = given;
    const [next] = await call(client, given.next.decision === "deny" ? given : relaxed);
    check(next, given.next);
  }
}

test("real", { skip: HOOKBOX === undefined && "HOOKBOX_BIN does not name a hookbox" }, async (t) => {
  // One home directory for all, so that the policy is compiled once.
  using scratch = new Scratch();
  for (const given of CASES.real) {
    await t.test(given.name, async () => {
      await run(scratch.real(), given);
    });
  }
});

test("answers", async (t) => {
  for (const given of CASES.answers) {
    await t.test(given.name, async () => {
      using scratch = new Scratch();
      await run(scratch.fake(["--say", given.say ?? ""]), given);
    });
  }
});

test("faults", async (t) => {
  for (const given of CASES.faults) {
    await t.test(given.name, async () => {
      using scratch = new Scratch();
      await run(scratch.fake(["--fake", given.mode ?? ""]), given);
      if (given.starts !== undefined) {
        assert.equal(scratch.starts(), given.starts);
      }
    });
  }
});

test("http", async (t) => {
  for (const given of CASES.http) {
    await t.test(given.name, async () => {
      using scratch = new Scratch();
      await withHttp(scratch, given.mode ?? "", (connect) => run(new Client({ connect }), given));
    });
  }
});

test("events", async (t) => {
  for (const { event, has_warning } of CASES.events) {
    await t.test(event, async () => {
      using scratch = new Scratch();
      await using client = new Client({ binary: join(scratch.folder, "missing") });
      const outcome = await client.decide({ event });
      check(outcome, { decision: "deny", code: "spawn" });
      assert.deepEqual(outcome.warnings.map((warning) => warning.code), has_warning ? ["spawn"] : []);
    });
  }
});
