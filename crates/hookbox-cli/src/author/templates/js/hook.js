// Files that no tool may write.

/** @type {import("./hookbox").Hook} */
export default function (input) {
  const files = input.settings?.files ?? [".env", "id_rsa"];
  // What the call means, whichever agent makes it. Without it, this throws, and then the tool does not run.
  const { kind, paths, complete, commands } = input.tool;
  for (const { path, real, access, certain } of paths) {
    if (access === "read" || access === "list") continue;
    // A link may lead to another file.
    const name = [path, real ?? path].map((path) => path.split("/").at(-1)).find((name) => files.includes(name));
    // A text that may be a path, in a call of a tool that hookbox does not know, is a question.
    const decision = certain === false ? "ask" : "deny";
    if (name !== undefined) return { decision, reason: `\`${name}\` is protected` };
  }
  // Without `facts = ["commands"]` in hooks.toml, the facts do not say which files a shell command changes.
  const isUnread = !complete || (kind === "shell" && commands === undefined);
  const writes = ["write", "edit", "delete", "shell"].includes(kind);
  return writes && isUnread ? { decision: "ask", reason: "which files may this change?" } : {};
}
