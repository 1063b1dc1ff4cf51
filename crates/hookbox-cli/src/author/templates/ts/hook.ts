// Files that no tool may write.

import type { Action, Input } from "./hookbox";

/** What `settings` in hooks.toml can hold. */
interface Settings {
  /** The names of the files. */
  files?: string[];
}

export default function (input: Input): Action {
  const { files = [".env", "id_rsa"] } = (input.settings ?? {}) as Settings;
  const args = (input.tool_input ?? {}) as Record<string, unknown>;
  // Tools name their file under one of these keys.
  for (const key of ["file_path", "path"]) {
    const path = args[key];
    if (path === undefined) continue;
    // A throw is an error of the hook, and then the tool does not run.
    if (typeof path !== "string") throw new Error(`\`${key}\` is no text`);
    const name = path.split("/").at(-1) ?? "";
    if (files.includes(name)) return { decision: "deny", reason: `\`${name}\` is protected` };
  }
  return { decision: "allow" };
}
