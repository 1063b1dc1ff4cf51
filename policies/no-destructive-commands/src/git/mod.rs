//! Judges `git` by its subcommand.

mod hosted;
mod lost;
mod moved;
mod push;
mod reversed;
mod skipped;

use crate::scene::{Scene, text_of};
use crate::settings::SkipHooks;
use hookbox_policy::{Command, Findings, Word};
pub(crate) use push::Rewrite;

/// The options of git itself whose value is the next word.
const GLOBAL: [&str; 10] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--super-prefix",
    "--config-env",
    "--exec-path",
    "--attr-source",
    "--shallow-file",
];

/// Built-in subcommands of git, which an alias cannot replace.
const BUILT_IN: [&str; 30] = [
    "add",
    "am",
    "bisect",
    "blame",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "describe",
    "diff",
    "fetch",
    "grep",
    "init",
    "log",
    "ls-files",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "remote",
    "reset",
    "rm",
    "show",
    "stash",
    "status",
    "tag",
];

/// Subcommands that an alias may stand for without a risk.
const HARMLESS: [&str; 14] = [
    "status", "log", "diff", "show", "branch", "add", "commit", "fetch", "describe", "blame", "grep", "ls-files",
    "shortlog", "remote",
];

/// Whether the environment of a command may define its subcommand as an arbitrary alias.
fn is_made_up(command: &Command<'_>, subcommand: &str) -> bool {
    let alias = format!("alias.{subcommand}");
    let value_of =
        |name: &str| command.facts.assignments.iter().find(|set| set.name == name).map(|set| text_of(Some(&set.value)));
    let is_risky = |value: &str| {
        let first = value.trim_matches(['\'', '"']).split_whitespace().next().unwrap_or_default();
        !HARMLESS.contains(&first)
    };
    command.facts.assignments.iter().any(|set| {
        let text = text_of(Some(&set.value));
        if set.name == "GIT_CONFIG_PARAMETERS" {
            return text.split_once(&alias).is_some_and(|(_, rest)| is_risky(rest.trim_start_matches(['=', '\''])));
        }
        match set.name.strip_prefix("GIT_CONFIG_KEY_") {
            Some(number) if text.eq_ignore_ascii_case(&alias) => {
                value_of(&format!("GIT_CONFIG_VALUE_{number}")).is_none_or(|value| is_risky(&value))
            }
            _ => false,
        }
    })
}

/// A parsed git command.
pub(crate) struct Git<'a> {
    pub(crate) subcommand: &'a Word,
    pub(crate) args: &'a [Word],
    /// The settings on the command line, in lower case: `clean.requireforce=false`.
    pub(crate) config: Vec<String>,
}

impl<'a> Git<'a> {
    fn read(command: &'a Command<'_>) -> Option<Self> {
        let args = command.args();
        let mut config = Vec::new();
        let mut at = 0;
        loop {
            let word = args.get(at)?;
            let text = word.text();
            if GLOBAL.contains(&text) {
                if text == "-c" {
                    config.extend(args.get(at + 1).map(|value| value.text().to_ascii_lowercase()));
                }
                at += 2;
            } else if text.starts_with('-') {
                at += 1;
            } else {
                return Some(Git { subcommand: word, args: args.get(at + 1..).unwrap_or_default(), config });
            }
        }
    }

    /// Whether the command sets `name` to one of these values.
    fn sets(&self, name: &str, values: &[&str]) -> bool {
        self.config.iter().any(|set| {
            let (key, value) = set.split_once('=').unwrap_or((set, "true"));
            key == name && values.contains(&value)
        })
    }
}

/// Judges a git command. Returns how to make a forced push safer, if that is the only problem.
pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) -> Option<Rewrite> {
    if reversed::loses(command, scene) {
        let instead = "keep a copy with `git stash`, or do it yourself";
        found.ask(format!("{} would throw away changes that are not committed, for good; {instead}", command.quote()));
    }
    if !matches!(command.name, "git" | "hub") {
        if let Some(how) = skipped::removes(command).filter(|_| scene.settings.skip_hooks != SkipHooks::Allow) {
            let what = "the checks that this repository runs before commits and pushes";
            found.ask(format!("{} would remove {what} (`{how}`); is that meant?", command.quote()));
        }
        if let Some(how) = skipped::by_committer(command, scene) {
            skip(command, &how, scene, found);
        }
        if let Some(how) = skipped::disables(command, scene) {
            skip(command, how, scene, found);
        }
        hosted::judge(command, scene, found);
        return None;
    }
    let git = Git::read(command)?;
    if git.args.iter().take_while(|word| word.text() != "--").any(|word| word.text() == "--help") {
        return None;
    }
    // An alias cannot replace a built-in git command.
    let parent = scene.parent(command).filter(|parent| parent.name == "git").and_then(Git::read);
    let is_aliased = |parent: &Git<'_>| parent.config.iter().any(|set| set.starts_with("alias."));
    if parent.is_some_and(|parent| is_aliased(&parent) && BUILT_IN.contains(&parent.subcommand.text())) {
        return None;
    }
    if is_made_up(command, git.subcommand.text()) {
        found.unknown(format!("{} makes up an alias by its environment; name the git command itself", command.quote()));
    }
    if let Some(how) = skipped::by(&git, command, scene) {
        skip(command, &how, scene, found);
    }
    if git.subcommand.text() == "push" {
        return push::judge(command, &git, &scene.settings.branches, found);
    }
    // `git send-pack` does not support `--force-with-lease`.
    if git.subcommand.text() == "send-pack" && push::judge(command, &git, &scene.settings.branches, found).is_some() {
        found.deny(format!("{} would overwrite commits of others without notice; use `git push`", command.quote()));
    }
    if moved::sets_force(&git) {
        let would = "would make every later push overwrite commits of others";
        found.ask(format!("{} {would}; is that meant?", command.quote()));
    }
    if let Some(branch) = moved::overwritten(&git) {
        let what = "which may have commits that are on no other";
        found.ask(format!("{} would overwrite the branch {branch}, {what}; is that meant?", command.quote()));
    }
    if let Some((what, is_final)) = lost::what(&git, command, scene) {
        let instead = "keep a copy with `git stash` or a branch, or do it yourself";
        let reason = format!("{} would throw away {what}, for good; {instead}", command.quote());
        if is_final { found.deny(reason) } else { found.ask(reason) }
    }
    None
}

/// Judges a command that skips the repository's own hooks.
fn skip(command: &Command<'_>, how: &str, scene: &Scene<'_>, found: &mut Findings) {
    let instead = "fix what they find, or do it yourself";
    let reason = format!("{} would skip the checks of this repository (`{how}`); {instead}", command.quote());
    match scene.settings.skip_hooks {
        SkipHooks::Deny => found.deny(reason),
        SkipHooks::Ask => found.ask(reason),
        SkipHooks::Allow => {}
    }
}
