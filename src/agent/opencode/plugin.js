// Written by `hookbox install opencode`.
import { spawnSync } from "node:child_process"

const [program, ...args] = {{command list}}

// Whatever goes wrong here is thrown, and then the tool does not run.
function ask(event, directory, input, output) {
  const payload = JSON.stringify({ event, directory, input, output })
  const asked = spawnSync(program, args, { input: payload, encoding: "utf8", timeout: 30000, maxBuffer: 1 << 26 })
  if (asked.error || asked.status !== 0) {
    throw new Error((asked.stderr || "").trim() || `hookbox failed: ${asked.error ?? asked.signal ?? asked.status}`)
  }
  const answer = JSON.parse(asked.stdout)
  if (answer.decision === "deny") throw new Error(answer.reason)
  return answer
}

export const Hookbox = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    // OpenCode announces the batch alone, and none of the calls in it.
    const calls = input.tool === "batch" && Array.isArray(output.args?.tool_calls) ? output.args.tool_calls : []
    for (const call of calls) {
      const { merge } = ask("tool.execute.before", directory, { ...input, tool: call?.tool }, { args: call?.parameters })
      if (merge) Object.assign(call.parameters, merge)
    }
    const { merge } = ask("tool.execute.before", directory, input, output)
    // A new object in place of the old one would be ignored.
    if (merge) Object.assign(output.args, merge)
  },
  "tool.execute.after": async (input, output) => {
    const answer = ask("tool.execute.after", directory, input, output)
    if (answer.output === undefined) return
    if (output.output !== undefined) output.output = answer.output
    // What an MCP server answered, changed in place.
    if (Array.isArray(output.content)) output.content.splice(0, output.content.length, { type: "text", text: answer.output })
    if (output.metadata?.output !== undefined) output.metadata.output = answer.output
    // What stood beside the text is in it, as far as hooks left it.
    if (Array.isArray(output.attachments)) output.attachments.length = 0
    if (output.structuredContent !== undefined) delete output.structuredContent
  },
  "chat.message": async (input, output) => {
    ask("chat.message", directory, input, output)
  },
})
