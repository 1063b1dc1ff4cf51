//! Programs: which one a command runs, and how an entry names it.

use crate::entry::Site;
use crate::place::{Leads, Places};
use hookbox_policy::Word;

/// Directories in which a program may be named by its path.
const DIRECTORIES: [&str; 8] = [
    "/bin/",
    "/usr/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/bin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
    "/opt/local/bin/",
];

/// Builtins that only affect the order in which commands run. They need no entry.
const CONTROL: [&str; 9] = [":", "true", "false", "break", "continue", "return", "exit", "[[", "(("];

/// Programs whose subcommands do very different things, so an entry should name one.
const WITH_SUBCOMMANDS: &[&str] = &[
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "conda",
    "deno",
    "dnf",
    "docker",
    "dotnet",
    "flutter",
    "gcloud",
    "gh",
    "git",
    "glab",
    "go",
    "gradle",
    "helm",
    "heroku",
    "jj",
    "just",
    "kubectl",
    "make",
    "mise",
    "mix",
    "mvn",
    "npm",
    "nx",
    "pip",
    "pip3",
    "pipx",
    "pnpm",
    "podman",
    "poetry",
    "pulumi",
    "rails",
    "rake",
    "rustup",
    "stack",
    "svn",
    "swift",
    "systemctl",
    "terraform",
    "tofu",
    "turbo",
    "uv",
    "vault",
    "yarn",
];

/// Whether the command word is this program. A plain name also matches with the path of a system directory; a path must
/// be the command's own path.
pub(crate) fn is_program(program: &str, site: &Site<'_>) -> bool {
    let Some(word) = site.command.words.first() else {
        return false;
    };
    let Some(text) = word.known() else {
        return false;
    };
    if !program.contains('/') {
        return text == program || DIRECTORIES.iter().any(|directory| text.strip_prefix(directory) == Some(program));
    }
    // Without a slash, the shell looks up the command in the `PATH`.
    text.contains('/') && site.places.setting(program).is_some_and(|path| Places::locate(word, site.base) == Some(path))
}

/// Whether the command is a builtin without an effect of its own.
pub(crate) fn is_control(words: &[Word]) -> bool {
    words.first().and_then(Word::known).is_some_and(|name| CONTROL.contains(&name))
}

/// Returns how many of the first arguments are options before the subcommand that do not change it: `git --no-pager`,
/// and `-C` with a directory inside the working directory.
pub(crate) fn harmless_globals(site: &Site<'_>) -> usize {
    let mut at = 0;
    while let Some(word) = site.args.get(at).filter(|_| site.command.name == "git") {
        match word.known() {
            Some("--no-pager" | "-P" | "--no-optional-locks" | "--literal-pathspecs" | "--no-replace-objects") => {
                at += 1;
            }
            // `site.base` already accounts for this option.
            Some("-C") if is_at_home(site) => at += 2,
            _ => break,
        }
    }
    at
}

/// Whether the command runs in the call's own directory, or below it.
fn is_at_home(site: &Site<'_>) -> bool {
    let here = [".".to_owned()];
    site.places.leads(&Word::new("."), site.base, &here) == Leads::Inside
}

/// Returns the entry that would allow a command, for the maintainer of the list.
pub(crate) fn entry_for(site: &Site<'_>) -> Option<String> {
    let word = site.command.words.first()?;
    let text = word.known()?;
    let program = if text.contains('/') && !DIRECTORIES.iter().any(|directory| text.starts_with(directory)) {
        // Relative to another directory, the path as written would be a different file.
        if site.command.facts.cwd.is_some() { Places::locate(word, site.base)? } else { text.to_owned() }
    } else {
        site.command.name.to_owned()
    };
    if !WITH_SUBCOMMANDS.contains(&program.as_str()) {
        return Some(program);
    }
    let is_sub = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c))
    };
    let first = site.args.get(harmless_globals(site)).and_then(Word::known);
    Some(match first {
        Some(sub) if is_sub(&sub) => format!("{program} {sub}"),
        // An entry for an option before the subcommand would allow any subcommand.
        _ => program,
    })
}
