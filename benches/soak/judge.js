/** Judges a call by the first letter of its command, as the script for `sh` in `good.rs` does. */
export default function ({ tool_input: { command } }) {
  switch (command[0]) {
    case "d":
      return { decision: "deny", reason: `no ${command}` };
    case "m":
      return { decision: "modify", modified_tool_input: { command, seen: true } };
    default:
      return { additional_context: command };
  }
}
