import type { Action, Input } from "../../../guest-sdk/js/hookbox";

interface Settings {
  words?: string[];
}

export default function (input: Input<Settings>, settings?: Settings): Action {
  const words: unknown = settings?.words === undefined ? [] : settings.words;
  if (!isTexts(words)) throw new TypeError("settings.words must be a list of strings");

  const command: unknown = input.tool_input?.command;
  if (typeof command === "string") {
    const word = ["rm -rf", ...words].find((word) => command.includes(word));
    if (word !== undefined) return { decision: "deny", reason: `the command contains "${word}"` };
  }

  if (input.tool_name?.endsWith("_admin")) {
    return { decision: "ask", reason: `${input.tool_name} is for administrators` };
  }

  if (input.event === "pre_message") {
    return { additional_context: `the message has ${[...(input.message ?? "")].length} characters` };
  }
  return {};
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
