// A team's rules for names: those of new git branches, and those of new files.

const BRANCH = "(feat|fix|docs|chore)/[a-z0-9]+(-[a-z0-9]+)*";
const FILE = "[a-z0-9]+([._-][a-z0-9]+)*";

/** Files whose name is somebody else's to choose. */
const KNOWN_FILES = ["README.md", "LICENSE", "CHANGELOG.md", "Cargo.toml", "Cargo.lock", "Dockerfile", "Makefile"];

/**
 * @typedef {{ branch?: string, file?: string, except?: string[] }} Settings regular expressions for whole names, and
 *   names of files to which the rule does not apply
 * @type {import("../../guest-sdk/js/hookbox").Hook<Settings>}
 */
export default function (input, settings = {}) {
  const args = input.tool_input ?? {};
  if (typeof args.command === "string") {
    return judge("branch", newBranches(args.command), settings.branch ?? BRANCH);
  }
  const path = args.file_path ?? args.path;
  // Only a tool that brings the whole text can make a file.
  if (typeof path === "string" && typeof (args.content ?? args.contents) === "string") {
    const except = [...KNOWN_FILES, ...(settings.except ?? [])];
    // A leading dot is no part of the name: `.editorconfig`.
    const name = path.replace(/.*[\\/]/s, "").replace(/^\./, "");
    return judge("file", except.includes(name) ? [] : [name], settings.file ?? FILE);
  }
  return {};
}

/** @returns {import("../../guest-sdk/js/hookbox").Action} */
function judge(what, names, pattern) {
  const rule = new RegExp(`^(?:${pattern})$`, "u");
  const bad = names.find((name) => !rule.test(name));
  if (bad === undefined) return {};
  return { decision: "deny", reason: `the ${what} name "${bad}" does not fit the team's rule: ${pattern}` };
}

/** The names of the branches that a command line would make. */
function newBranches(command) {
  return command.split(/[;&|\n]+/).flatMap((part) => {
    const words = part.trim().split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
    const git = words.indexOf("git");
    if (git < 0) return [];
    const [verb, ...rest] = withoutGlobalOptions(words.slice(git + 1));
    switch (verb) {
      case "checkout":
        return after(rest, ["-b", "-B", "--orphan"]);
      case "switch":
        return after(rest, ["-c", "-C", "--create", "--force-create", "--orphan"]);
      case "worktree":
        return rest[0] === "add" ? after(rest, ["-b", "-B"]) : [];
      case "branch":
        return branch(rest);
      default:
        return [];
    }
  });
}

/** `git -C dir -c key=value branch` is `git branch`. */
function withoutGlobalOptions(words) {
  const first = words.findIndex((word, at) => !word.startsWith("-") && !["-C", "-c"].includes(words[at - 1]));
  return first < 0 ? [] : words.slice(first);
}

/** The word behind one of these options, or joined to it by a `=`. */
function after(words, options) {
  return words.flatMap((word, at) => {
    const [name, value] = word.split(/=(.*)/s);
    if (!options.includes(name)) return [];
    return value ?? words[at + 1] ?? [];
  });
}

/** `git branch NAME`, and `git branch -m [OLD] NAME`. */
function branch(words) {
  const names = words.filter((word) => !word.startsWith("-"));
  const options = words.filter((word) => word.startsWith("-"));
  const renames = ["-m", "-M", "-c", "-C", "--move", "--copy"];
  if (options.some((option) => renames.includes(option))) return names.slice(-1);
  // With other options it lists or deletes, but for those that say how to make one.
  const makes = ["-f", "--force", "-t", "--track", "--no-track", "-q", "--quiet"];
  return options.every((option) => makes.includes(option.split("=")[0])) ? names.slice(0, 1) : [];
}
