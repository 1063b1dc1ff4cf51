//! Replacement commands: for another package manager, or with another subcommand of the same one.

use crate::managers::{Does, Family};
use crate::order::Order;
use crate::settings::{Choice, Settings};
use hookbox_policy::{Command, Word};
use hookbox_sdk::{Input, Json};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// The replacement that the settings ask for.
pub(crate) enum Wish {
    /// This command line.
    Instead(String),
    /// The equivalent command of this manager, if the command cannot be translated word for word.
    Other(&'static str),
}

/// Returns what the settings ask for in place of this command, or `None` if the command may stay.
pub(crate) fn wish(order: &Order<'_>, settings: &Settings) -> Option<Wish> {
    if let Some(choice) = settings.manager {
        let program = choice.program();
        let is_same = order.program == program || kin(order.program) == program;
        if order.manager.family == family(choice) && !is_same && order.does.is_some_and(is_projects) {
            return Some(match (order.manager.family, translate(order, program)) {
                (Family::JavaScript, Some(text)) => Wish::Instead(text),
                _ => Wish::Other(program),
            });
        }
    }
    let is_install = order.program == "npm" && order.does == Some(Does::Add) && order.operands.is_empty();
    let is_plain = order.read.options.is_empty() && order.read.operands.len() == 1;
    let is_named = !order.read.operands.iter().any(|word| matches!(word.text(), "link" | "ln" | "it" | "install-test"));
    (settings.ci && is_install && is_plain && is_named).then(|| Wish::Instead("npm ci".to_owned()))
}

/// Returns the manager that a runner belongs to.
fn kin(program: &str) -> &str {
    match program {
        "npx" => "npm",
        "pnpx" => "pnpm",
        "bunx" => "bun",
        "yarnpkg" | "jlpm" => "yarn",
        "cnpm" | "tnpm" => "npm",
        "uvx" => "uv",
        "mamba" | "micromamba" => "conda",
        other => other,
    }
}

const fn family(choice: Choice) -> Family {
    match choice {
        Choice::Npm | Choice::Pnpm | Choice::Yarn | Choice::Bun => Family::JavaScript,
        _ => Family::Python,
    }
}

/// Whether the project's manager should do this.
const fn is_projects(does: Does) -> bool {
    matches!(does, Does::Add | Does::AddGlobal | Does::Sync | Does::Run | Does::Script | Does::Approve)
}

/// Returns the same command for another JavaScript manager, if both managers accept it word for word.
fn translate(order: &Order<'_>, to: &str) -> Option<String> {
    let is_safe = |word: &Word| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "@/._:^~=-".contains(c);
        word.known().is_some_and(|text| text.chars().all(is_plain) && !text.is_empty())
    };
    let words: Vec<&str> = order.operands.iter().filter(|word| is_safe(word)).map(Word::text).collect();
    if words.len() < order.operands.len() {
        return None;
    }
    let options: Vec<&str> = order.read.options.iter().map(|option| option.name.as_str()).collect();
    let is_dev = matches!(options.as_slice(), ["-D" | "--save-dev" | "--dev"]);
    let rest = |start: &str| std::iter::once(start).chain(words.iter().copied()).collect::<Vec<_>>().join(" ");
    let verb = order.read.operands.first().map(Word::text).unwrap_or_default();
    match order.does? {
        Does::Add
            if words.is_empty() && options.is_empty() && !matches!(verb, "link" | "ln" | "it" | "install-test") =>
        {
            Some(format!("{to} install"))
        }
        Does::Sync if options.is_empty() && matches!(verb, "ci" | "clean-install" | "ic" | "install-clean") => {
            Some(match to {
                "npm" => "npm ci".to_owned(),
                _ => format!("{to} install --frozen-lockfile"),
            })
        }
        Does::Sync if options.is_empty() && matches!(verb, "" | "install") && words.is_empty() => {
            Some(format!("{to} install"))
        }
        Does::Sync | Does::Add
            if words.is_empty()
                && matches!(options.as_slice(), ["--frozen-lockfile" | "--immutable"])
                && matches!(verb, "" | "install" | "i") =>
        {
            Some(match to {
                "npm" => "npm ci".to_owned(),
                _ => format!("{to} install --frozen-lockfile"),
            })
        }
        Does::Add if !matches!(verb, "link" | "ln") && (options.is_empty() || is_dev) && !words.is_empty() => {
            let add = if to == "npm" { "npm install" } else { &format!("{to} add") };
            Some(rest(&format!("{add}{}", if is_dev { " -D" } else { "" })))
        }
        // Managers disagree about options after the script's name.
        Does::Script if options.is_empty() && words.len() < 2 => Some(match verb {
            "run" | "run-script" if !words.is_empty() => rest(&format!("{to} run")),
            "test" | "t" if words.is_empty() && order.program != "bun" => {
                format!("{to} {}", if to == "bun" { "run test" } else { "test" })
            }
            "start" if words.is_empty() => format!("{to} {}", if to == "bun" { "run start" } else { "start" }),
            _ => return None,
        }),
        _ => None,
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Member {
    Text(String),
    Other(IgnoredAny),
}

/// Replaces this command in the text of the tool's input. Returns the key of the member that contains the command, and
/// the new text, or `None` unless the part that is replaced is certain to be the command.
pub(crate) fn replaced(input: &Input<Settings>, line: &str, command: &Command, by: &str) -> Option<(String, String)> {
    let part = command.facts.text.as_str();
    let mut places = line.match_indices(part);
    let (at, _) = places.next()?;
    if part.is_empty() || places.next().is_some() || command.facts.via.is_some() && command.facts.parent.is_none() {
        return None;
    }
    // The part must begin and end at word boundaries.
    let before = line.get(..at)?.chars().next_back();
    let after = line.get(at + part.len()..)?.chars().next();
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ";&|()'\"`{}".contains(c));
    // The part must consist of the words of the command only, without assignments and redirections.
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_plain =
        words.len() == command.words.len() && words.iter().zip(&command.words).all(|(text, word)| *text == word.text());
    if !is_end(before) || !is_end(after) || !is_plain {
        return None;
    }
    let members: BTreeMap<String, Member> = input.tool_input.as_ref().and_then(|json: &Json| json.to().ok())?;
    let mut keys = members.iter().filter(|(_, member)| matches!(member, Member::Text(text) if text == line));
    let (key, _) = keys.next()?;
    let whole = format!("{}{by}{}", line.get(..at)?, line.get(at + part.len()..)?);
    keys.next().is_none().then(|| (key.clone(), whole))
}
