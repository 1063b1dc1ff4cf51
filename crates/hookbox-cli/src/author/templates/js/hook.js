// Files that no tool may write.

/** @type {import("./hookbox").Hook} */
export default function (input) {
  const files = input.settings?.files ?? [".env", "id_rsa"];
  // What the call means, whichever agent makes it. Without it, this throws, and then the tool does not run.
  const { kind, paths, complete } = input.tool;
  for (const { path, real, access } of paths) {
    if (access === "read" || access === "list") continue;
    // A link may lead to another file.
    const name = [path, real ?? path].map((path) => path.split("/").at(-1)).find((name) => files.includes(name));
    if (name !== undefined) return { decision: "deny", reason: `\`${name}\` is protected` };
  }
  const writes = ["write", "edit", "delete"].includes(kind);
  return writes && !complete ? { decision: "ask", reason: "which files may this change?" } : {};
}
