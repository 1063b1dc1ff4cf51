//! Programs that run a command whenever a file changes. Those whose command is the value of an option are in `named`.

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
            (verb.text() == "watch").then(|| cargo_watch(rest))
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
