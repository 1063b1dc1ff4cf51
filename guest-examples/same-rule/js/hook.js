/** @type {import("../../../guest-sdk/js/hookbox").Hook} */
export default function (input, settings) {
  const words = settings?.words === undefined ? [] : settings.words;
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    throw new TypeError("settings.words must be a list of strings");
  }

  const command = input.tool_input?.command;
  if (typeof command === "string") {
    const word = ["rm -rf", ...words].find((word) => command.includes(word));
    if (word !== undefined) {
      return { decision: "deny", reason: `the command contains "${word}"` };
    }
  }

  if (input.tool_name?.endsWith("_admin")) {
    return { decision: "ask", reason: `${input.tool_name} is for administrators` };
  }

  if (input.event === "pre_message") {
    return { additional_context: `the message has ${[...(input.message ?? "")].length} characters` };
  }
  return {};
}
