//! Programs that are run by another one without a word such as `exec`: `pnpm prisma`, `yarn workspace api rimraf`,
//! `sail artisan`.
//!
//! The same words also run a script of the project with that name. A policy cannot tell them apart, so it judges what the
//! program would do.

use crate::prefix::is_one_of;
use hookbox_policy::Command;
use hookbox_sdk::{ShellCommand, ShellWord};

/// How these commands are marked.
pub(crate) const VIA: &str = "the name of a program or a script";

/// The maximum number of launchers, one within another: `corepack pnpm dotenv -- prisma`.
const MAX: usize = 4;

/// A program that runs another. `|` separates alternatives.
struct Launcher {
    names: &'static str,
    /// The options whose value is the next word.
    values: &'static str,
    /// The subcommands after which any word is a program, or must be if `needs_verb` is set.
    verbs: &'static str,
    needs_verb: bool,
    /// The subcommands that are followed by something else, and then by a program: `workspace api`.
    of_place: &'static str,
    /// The other subcommands, which are not programs.
    own: &'static str,
}

const fn row(
    names: &'static str,
    values: &'static str,
    verbs: &'static str,
    of_place: &'static str,
    own: &'static str,
) -> Launcher {
    Launcher { names, values, verbs, needs_verb: false, of_place, own }
}

const fn only_after(verbs: &'static str, names: &'static str, values: &'static str) -> Launcher {
    Launcher { names, values, verbs, needs_verb: true, of_place: "", own: "" }
}

/// The subcommands of package managers for JavaScript.
const PACKAGES: &str = "add|a|approve-builds|audit|autoclean|bin|build|c|cache|cat-file|cat-index|check|ci|completion|config|constraints|\
                        create|dedupe|deploy|deprecate|doctor|env|explain|fetch|find-hash|generate-lock-entry|get|global|help|i|import|\
                        info|init|install|install-test|it|launch|licenses|link|list|ln|login|logout|ls|npm|outdated|owner|pack|patch|\
                        patch-add|patch-commit|patch-remove|plugin|pm|policies|prune|publish|rebuild|remove|repl|rm|root|search|\
                        self-update|server|set|setup|stage|start|stop|store|t|tag|team|test|tst|un|uninstall|unlink|unplug|up|update|\
                        upgrade|upgrade-interactive|version|versions|view|whoami|why";

/// The subcommands of programs that manage the containers of a project.
const CONTAINERS: &str = "add-on|attach|auth|auth-ssh|bash|build|clean|config|convert|cp|create|db-export|db-import|debug|delete|describe|\
                          destroy|down|events|export-db|get|help|images|import-db|import-files|info|init|kill|launch|list|login|logs|ls|\
                          open|pause|port|poweroff|ps|publish|pull|push|rebuild|restart|rm|root-bash|root-shell|scale|self-upgrade|setup|\
                          share|shell|snapshot|ssh|start|stats|status|stop|top|unlist|unpause|up|update|version|wait|watch|xdebug";

#[rustfmt::skip] // A table reads better with one row per line.
const LAUNCHERS: &[Launcher] = &[
    row("pnpm", "-C|--dir|--prefix|-F|--filter|--filter-prod|--reporter|--loglevel|--workspace-concurrency|--resume-from", "run|run-script|exec|dlx", "", PACKAGES),
    row("yarn|yarnpkg", "--cwd|--include|--exclude|--from|-j|--jobs|--mutex|--modules-folder|--cache-folder", "run|exec|dlx", "workspace", PACKAGES),
    row("bun", "--cwd|-F|--filter|--env-file|-r|--preload|-c|--config|--shell|-e|--eval|-p|--print", "run|x", "", PACKAGES),
    row("npx|bunx|pnpx|nlx|nr|rushx", "-p|--package|-w|--workspace|-C", "", "", ""),
    row("corepack", "--install-directory", "", "", "cache|disable|enable|hydrate|install|pack|prepare|up|use"),
    row("dotenv|dotenvx|dotenv-cli|env-cmd|cross-env|with-env", "-e|-f|-v|-p|-c|--env-file|--file|--env|--environments|--path", "run", "",
        "decrypt|encrypt|ext|get|keypair|list|ls|rotate|set|unset"),
    row("sail", "-f|-u|--user|-w|--workdir|-e|--env|--index|-p|--profile", "", "exec|run", CONTAINERS),
    row("lando", "", "", "exec", CONTAINERS),
    row("ddev", "-s|--service|-d|--dir", "exec", "", CONTAINERS),
    row("symfony|herd|valet", "", "", "", ""),
    only_after("run|run-script|rum|exec", "npm|lerna|rush", "-C|--prefix|-w|--workspace|--loglevel|--scope|--ignore|--since|--concurrency"),
    only_after("run", "uv", "-p|--python|--with|--from|--index-url|--index|--env-file|--package|--project|--directory"),
    only_after("run|exec|activate", "devbox|infisical|foreman|honcho|opam|stack|cabal|flox", "-e|--env|-f|--path|-c|--config|-p|--switch|--projectId|-d|--dir"),
];

/// Programs whose names are also usual for scripts of a project, which do not stop the machine.
const SCRIPTS: &str = "halt|init|kill|poweroff|reboot|service|shutdown";

/// Words between a launcher and its verb or program: `yarn workspaces foreach run`, `uv tool run`.
const BETWEEN: &str = "foreach|multi|recursive|tool|workspaces";

/// Whether a command is one of those that [`of`] returns.
pub(crate) fn is_one(command: &Command<'_>) -> bool {
    command.facts.via.as_deref() == Some(VIA)
}

/// Returns the words of the program that a command may run.
pub(crate) fn of(command: &ShellCommand) -> Option<Vec<ShellWord>> {
    let mut words = after(command.name.as_deref()?, command.argv.get(1..)?)?;
    for _ in 1..MAX {
        let Some(inner) = name(words).and_then(|name| after(name, words.get(1..)?)) else { break };
        words = inner;
    }
    if is_one_of(name(words)?, SCRIPTS) {
        return None;
    }
    // This is `ddev exec 'drush sql-drop -y'`.
    if let [ShellWord::Known(line)] = words {
        return Some(line.split_whitespace().map(|word| ShellWord::Known(word.to_owned())).collect());
    }
    Some(words.to_vec())
}

/// Returns the name of the program that words begin with.
fn name(words: &[ShellWord]) -> Option<&str> {
    words.first()?.known()?.rsplit('/').next()
}

/// Returns the words of the program that a launcher runs.
fn after<'w>(name: &str, words: &'w [ShellWord]) -> Option<&'w [ShellWord]> {
    let launcher = LAUNCHERS.iter().find(|launcher| is_one_of(name, launcher.names))?;
    let (mut is_told, mut names_place) = (false, false);
    let mut rest = words;
    loop {
        let (word, others) = rest.split_first()?;
        rest = match word.known() {
            Some(option) if option.starts_with('-') => {
                others.get(usize::from(is_one_of(option, launcher.values))..).unwrap_or_default()
            }
            _ if std::mem::take(&mut names_place) => others,
            Some(text) if !is_told && is_one_of(text, launcher.of_place) => {
                names_place = true;
                others
            }
            Some(text) if !is_told && is_one_of(text, launcher.verbs) => {
                is_told = true;
                others
            }
            Some(text) if !is_told && is_one_of(text, BETWEEN) || is_assignment(text) => others,
            Some(text) if is_told || !launcher.needs_verb && !is_one_of(text, launcher.own) => return Some(rest),
            _ => return None,
        };
    }
}

/// Whether a word sets a variable: `NODE_ENV=test`.
fn is_assignment(text: &str) -> bool {
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit());
    text.split_once('=').is_some_and(|(name, _)| is_name(name))
}
