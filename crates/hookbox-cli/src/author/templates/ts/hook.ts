// Files that no tool may write.

import type { Action, Input } from "./hookbox";

/** What `settings` in hooks.toml can hold. */
interface Settings {
  /** The names of the files. */
  files?: string[];
}

export default function (input: Input): Action {
  const { files = [".env", "id_rsa"] } = (input.settings ?? {}) as Settings;
  // What the call means, whichever agent makes it. A throw is an error of the hook, and then the tool does not run.
  if (input.tool === undefined) throw new Error("the event has no facts about a tool call");
  const { kind, paths, complete, commands } = input.tool;
  for (const { path, real, access, certain } of paths) {
    if (access === "read" || access === "list") continue;
    // A link may lead to another file.
    const names = [path, real ?? path].map((path) => path.split("/").at(-1) ?? "");
    const name = names.find((name) => files.includes(name));
    // A text that may be a path, in a call of a tool that hookbox does not know, is a question.
    const decision = certain === false ? "ask" : "deny";
    if (name !== undefined) return { decision, reason: `\`${name}\` is protected` };
  }
  // Without `facts = ["commands"]` in hooks.toml, the facts do not say which files a shell command changes.
  const isUnread = !complete || (kind === "shell" && commands === undefined);
  const writes = ["write", "edit", "delete", "shell"].includes(kind);
  return writes && isUnread ? { decision: "ask", reason: "which files may this change?" } : {};
}
