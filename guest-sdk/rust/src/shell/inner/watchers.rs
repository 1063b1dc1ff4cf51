//! Programs that run a command whenever a file changes, and what cargo runs besides. Programs whose command is the value
//! of an option are in `named`.

use super::Inner;
use super::options::Spec;
use crate::shell::word::Word;

const CARGO_WATCH: Spec = Spec {
    shorts: "xsdiwBCL",
    longs: &["exec", "shell", "delay", "ignore", "watch", "features", "workdir", "use-shell", "env"],
    flags: &[],
};

/// Returns what a program runs, or `None` for other programs.
pub(super) fn inner(name: &str, arguments: &[Word]) -> Option<Vec<Inner>> {
    match name {
        "cargo" => {
            // A toolchain may come first: `cargo +nightly watch`.
            let at = arguments.iter().position(|word| !word.text().starts_with('+'))?;
            let (verb, rest) = arguments.get(at..)?.split_first()?;
            let mut inners = cargo_settings(arguments);
            if verb.text() == "watch" {
                inners.extend(cargo_watch(rest));
                return Some(inners);
            }
            (!inners.is_empty()).then_some(inners)
        }
        "cargo-watch" => Some(cargo_watch(arguments)),
        // What comes before `--` are patterns.
        "onchange" => {
            let at = arguments.iter().position(|word| word.text() == "--")?;
            let words = arguments.get(at + 1..).filter(|words| !words.is_empty())?;
            Some(vec![Inner::command(words)])
        }
        _ => None,
    }
}

/// Returns the programs that `cargo --config 'target.x.runner = "…"'` names, each with its arguments.
fn cargo_settings(arguments: &[Word]) -> Vec<Inner> {
    let next = arguments.windows(2).filter_map(|pair| match pair {
        [option, setting] if option.text() == "--config" => Some(setting.text()),
        _ => None,
    });
    let attached = arguments.iter().filter_map(|word| word.text().strip_prefix("--config="));
    let commands = next.chain(attached).flat_map(cargo_programs);
    commands.filter(|words| !words.is_empty()).map(Inner::command).collect()
}

/// Returns the commands in the values of a setting of cargo, which may be a table: `target.x = {runner = ["…"]}`.
fn cargo_programs(setting: &str) -> Vec<Vec<Word>> {
    const KEYS: [&str; 6] = ["runner", "linker", "rustc", "rustc-wrapper", "rustc-workspace-wrapper", "rustdoc"];
    const QUOTES: [char; 2] = ['"', '\''];
    let values = KEYS.into_iter().flat_map(|key| {
        setting.match_indices(key).filter_map(move |(at, _)| {
            let is_whole = !setting.get(..at)?.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            let rest = setting.get(at + key.len()..)?.trim_start_matches(QUOTES).trim_start();
            rest.strip_prefix('=').filter(|_| is_whole).map(str::trim_start)
        })
    });
    let words = values.map(|value| match value.strip_prefix('[') {
        Some(list) => list.split(']').next().unwrap_or_default().split(QUOTES).skip(1).step_by(2).collect::<Vec<_>>(),
        None => value.split(QUOTES).nth(1).unwrap_or(value).split_whitespace().collect(),
    });
    words.map(|words| words.into_iter().map(Word::plain).collect()).collect()
}

/// Returns what `cargo watch -s 'make' -x test -- make` runs.
fn cargo_watch(arguments: &[Word]) -> Vec<Inner> {
    let read = CARGO_WATCH.read(arguments);
    let mut inners = Vec::new();
    for (option, value) in &read.options {
        let Some(value) = value else { continue };
        match option.as_str() {
            "-s" | "--shell" => inners.push(Inner::script(value.text())),
            "-x" | "--exec" => inners.push(Inner::script(&format!("cargo {}", value.text()))),
            _ => {}
        }
    }
    if !read.rest.is_empty() {
        // A shell gets the words.
        inners.push(Inner::joined(read.rest));
    }
    inners
}
