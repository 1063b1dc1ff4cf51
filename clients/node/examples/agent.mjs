// A small agent that asks hookbox at every point of its loop.
//
//     node agent.mjs [--config hooks.toml]
//
// Its model is a script, so it needs no network. It has two tools: `read` reads files, and `bash` only prints what it would run,
// so that running this example without any hooks cannot delete a home directory. Arguments are options of `hookbox serve`.

import { readFile } from "node:fs/promises";
import { Client } from "hookbox-client";

/** The model's calls: tool and input. */
const SCRIPT = [
  ["read", { path: "README.md" }],
  ["bash", { command: "ls" }],
  ["bash", { command: "rm -rf ~" }],
];

const client = new Client({ args: process.argv.slice(2) });
try {
  await talk();
} finally {
  await client.close();
}

async function talk() {
  const sent = await client.preMessage("tidy up my home");
  if (sent.decision !== "allow") {
    console.log(`user: (not sent: ${sent.reason})`);
    return;
  }
  console.log(`user: ${sent.input.message}`);
  for (const addition of sent.system_prompt_additions) {
    console.log(`system: ${addition}`);
  }
  for (const [tool, toolInput] of SCRIPT) {
    console.log(`model: ${tool} ${JSON.stringify(toolInput)}`);
    console.log(`tool: ${await callTool(tool, toolInput)}`);
  }
}

/** Asks whether the tool may run, runs it in the form that the hooks left, and returns what the model may see of the result. */
async function callTool(tool, asked) {
  const before = await client.preTool(tool, asked);
  // Nobody can be asked here, so an ask is a deny.
  if (before.decision !== "allow") {
    return `denied: ${before.reason}`;
  }
  // The hooks may have changed the input.
  const toolInput = before.input.tool_input;
  let result;
  try {
    result = { is_error: false, content: await runTool(tool, toolInput) };
  } catch (error) {
    result = { is_error: true, content: String(error) };
  }
  const after = await client.postTool(tool, toolInput, result);
  if (after.decision !== "allow") {
    return `the result is withheld: ${after.reason}`;
  }
  return after.input.tool_result.content;
}

async function runTool(tool, toolInput) {
  if (tool === "read") {
    return (await readFile(toolInput.path, "utf8")).split("\n")[0];
  }
  return `would run: ${toolInput.command}`;
}
