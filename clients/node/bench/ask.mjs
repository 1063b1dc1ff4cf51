// Makes calls for `cargo xtask bench`, which starts it as `ask.mjs CONFIG [ADDRESS TOKEN_FILE]`.
//
// The first line of stdin is an Input. Each line after it is a number of calls, and is answered with the nanoseconds of one.

import { createInterface } from "node:readline";
import { Client } from "../dist/index.js";

const [config, connect, tokenFile] = process.argv.slice(2);
const client = new Client(connect === undefined ? { args: ["--config", config] } : { connect, tokenFile });
let event;
for await (const line of createInterface({ input: process.stdin })) {
  if (event === undefined) {
    event = JSON.parse(line);
    continue;
  }
  const calls = Number(line);
  const started = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) {
    const outcome = await client.decide(event);
    if (outcome.decision !== "allow") {
      throw new Error(`not allowed: ${JSON.stringify(outcome)}`);
    }
  }
  console.log(Number(process.hrtime.bigint() - started) / calls);
}
await client.close();
