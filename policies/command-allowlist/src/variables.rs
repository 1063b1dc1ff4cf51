//! The variables that a command sets.

use crate::entry::Site;
use hookbox_policy::{UNKNOWN, Word};
use hookbox_sdk::ShellWord;

/// Lower-case variables that have a meaning for programs or for zsh.
#[rustfmt::skip] // A list reads better on few lines.
const SPECIAL: &[&str] = &[
    "path", "fpath", "cdpath", "manpath", "module_path", "mailpath", "fignore", "prompt", "psvar", "watch", "histchars",
    "aliases", "galiases", "saliases", "functions", "commands", "options", "parameters", "nameddirs", "userdirs",
    "dirstack", "argv", "auto_resume", "precmd_functions", "preexec_functions", "chpwd_functions",
    "periodic_functions", "zshexit_functions", "zshaddhistory_functions",
];

/// The builtins that set the variables that they name, and their options that take a value.
const SETTERS: &[(&str, &str)] = &[
    ("read", "adinNptu"),
    ("mapfile", "dnOsuCc"),
    ("readarray", "dnOsuCc"),
    ("getopts", ""),
    ("export", ""),
    ("declare", ""),
    ("typeset", ""),
    ("local", ""),
    ("readonly", ""),
    ("integer", ""),
    ("float", ""),
    ("setenv", ""),
    ("set_color", ""),
    ("unset", ""),
];

/// Returns the first variable that the command sets and that is not listed. The inner `None` means that its name is
/// known only when the command runs.
pub(crate) fn unlisted(site: &Site<'_>) -> Option<Option<String>> {
    let facts = site.command.facts;
    let is_listed = |name: &str| site.settings.env.iter().any(|listed| listed == name);
    // A variable set before a command is passed to the program; set on its own, it belongs to the script.
    let is_open = |name: &str| !is_listed(name) && !is_local(name);
    let is_script_own = facts.argv.is_empty();
    let mut assigned = facts.assignments.iter().map(|set| set.name.as_str());
    if let Some(name) = assigned.find(|name| if is_script_own { is_open(name) } else { !is_listed(name) }) {
        return Some(Some(name.to_owned()));
    }
    let words = facts.argv.iter().chain(facts.redirects.iter().filter_map(|redirect| redirect.target.as_ref()));
    let words = words.chain(facts.assignments.iter().map(|set| &set.value)).chain(facts.stdin.iter());
    if let Some(name) = words.filter_map(by_expansion).find(|name| is_open(name)) {
        return Some(Some(name.to_owned()));
    }
    by_builtin(site).into_iter().find_map(|word| {
        let name = word.text().split(['=', '[', '+']).next().unwrap_or_default();
        match Word::new(name).known() {
            Some(name) => is_open(name).then(|| Some(name.to_owned())),
            None => Some(None),
        }
    })
}

/// Whether only the script uses the variable: it is in lower case and has no meaning for programs or for zsh.
fn is_local(name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let is_for_programs = name.ends_with("_proxy") || name.starts_with("npm_") || name.starts_with("pnpm_");
    is_plain && !is_for_programs && !SPECIAL.contains(&name)
}

/// Returns the variable that `${name:=value}` or `${name=value}` sets. With a `!` before the name, this is the variable
/// whose name is in that one.
fn by_expansion(word: &ShellWord) -> Option<&str> {
    let ShellWord::Partly { raw, .. } = word else {
        return None;
    };
    raw.match_indices("${").find_map(|(at, open)| {
        let inside = raw.get(at + open.len()..)?;
        let start = usize::from(inside.starts_with('!'));
        let end = inside.get(start..)?.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let (name, rest) = inside.split_at_checked(start + end)?;
        (rest.starts_with(":=") || rest.starts_with('=')).then_some(name)
    })
}

/// Returns the variables that a builtin sets, and the assignments of `env` without a command.
fn by_builtin(site: &Site<'_>) -> Vec<Word> {
    let arguments = site.args;
    match site.command.name {
        "printf" => {
            let option = arguments.iter().position(|word| word.text().starts_with("-v"));
            // After the format, `-v` is plain text.
            let option = option.filter(|at| *at == 0);
            option
                .and_then(|at| match arguments.get(at) {
                    Some(word) if word.text().len() > 2 => Some(word.after(2)),
                    _ => arguments.get(at + 1).cloned(),
                })
                .into_iter()
                .collect()
        }
        "env" => {
            let is_assignment = |word: &&Word| {
                word.text().split_once('=').is_some_and(|(name, _)| {
                    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                })
            };
            arguments.iter().filter(is_assignment).cloned().collect()
        }
        "getopts" => arguments.get(1).cloned().into_iter().collect(),
        name => {
            let Some((_, with_value)) = SETTERS.iter().find(|(setter, _)| *setter == name) else {
                return Vec::new();
            };
            let with_value: Vec<String> = with_value.chars().map(|letter| format!("-{letter}")).collect();
            let with_value: Vec<&str> = with_value.iter().map(String::as_str).collect();
            let read = hookbox_policy::options(arguments, &with_value);
            // `read -a NAME` fills an array.
            let arrays = if name == "read" { read.value(&["-a"]).cloned() } else { None };
            // With `-n`, the name stands for another variable, which later assignments set.
            let is_reference = matches!(name, "declare" | "typeset" | "local") && read.has(&["-n"]);
            let referred = |word: &Word| match word.text().find('=') {
                Some(at) => word.after(at + 1),
                None => Word::new(&UNKNOWN.to_string()),
            };
            let others: Vec<Word> = read.operands.iter().filter(|_| is_reference).map(referred).collect();
            arrays.into_iter().chain(read.operands).chain(others).collect()
        }
    }
}
