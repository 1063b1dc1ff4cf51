// Files that no tool may write.

/** @type {import("./hookbox").Hook} */
export default function (input) {
  const files = input.settings?.files ?? [".env", "id_rsa"];
  // Tools name their file under one of these keys.
  for (const key of ["file_path", "path"]) {
    const path = input.tool_input?.[key];
    if (path === undefined) continue;
    // A throw is an error of the hook, and then the tool does not run.
    if (typeof path !== "string") throw new Error(`\`${key}\` is no text`);
    const name = path.split("/").at(-1);
    if (files.includes(name)) return { decision: "deny", reason: `\`${name}\` is protected` };
  }
  return { decision: "allow" };
}
