//! The commands that code runs, read from the texts in its calls.

use super::calls::Deed;
use super::lexer::Token;
use super::{Call, Code};
use hookbox_sdk::{ShellCommand, ShellWord};

/// The maximum number of calls in one piece of code whose commands are read. If there are more, the policy asks.
pub(super) const MAX: usize = 32;

/// The value of `via` for a command that code runs.
const VIA: &str = "code";

/// Programs that run the words after them.
const WRAPPERS: [&str; 12] =
    ["sudo", "doas", "env", "nohup", "exec", "command", "time", "nice", "setsid", "busybox", "builtin", "eval"];

/// Shells that run the text after `-c`.
const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "ash"];

/// Whether a command was read from code.
pub(super) fn is_made(command: &ShellCommand) -> bool {
    command.via.as_deref() == Some(VIA)
}

/// Returns the commands that are run by the code of the command at `at`.
pub(super) fn of(code: &Code, facts: &ShellCommand, at: usize) -> Vec<ShellCommand> {
    let mut made = Vec::new();
    for Call { at: call, .. } in code.calls().into_iter().filter(|call| call.deed == Deed::Runs).take(MAX) {
        let Some(texts) = texts(code, call) else { continue };
        for argv in split(texts) {
            made.extend(make(facts, argv, at));
        }
    }
    made
}

/// Returns the words of a command that a call runs: one text, or a list. Returns `None` if no word is known.
pub(super) fn texts(code: &Code, at: usize) -> Option<Vec<ShellWord>> {
    if let Some(Token::Command(text)) = code.tokens.get(at) {
        return text.clone().map(|text| vec![ShellWord::Known(text)]);
    }
    let unknown = || ShellWord::Partly { raw: "…".to_owned(), parts: Vec::new() };
    let mut words: Vec<ShellWord> = Vec::new();
    let arguments = code.arguments(at);
    for (place, token) in arguments.iter().enumerate() {
        match token {
            Token::Text(Some(text)) | Token::Command(Some(text)) => words.push(ShellWord::Known(text.clone())),
            Token::Text(None) | Token::Command(None) => words.push(unknown()),
            // A named argument or a block begins the options of the call.
            Token::Name(_) if matches!(arguments.get(place + 1), Some(Token::Sign('=' | ':'))) => break,
            Token::Sign('{') => break,
            Token::Name(_) if !matches!(words.last(), Some(ShellWord::Partly { .. })) => words.push(unknown()),
            _ => {}
        }
    }
    words.iter().any(|word| word.known().is_some()).then_some(words)
}

/// Splits a text for a shell into simple commands. A list of words is a single command.
fn split(texts: Vec<ShellWord>) -> Vec<Vec<ShellWord>> {
    let (Some(first), rest) = (texts.first(), texts.get(1..).unwrap_or_default()) else { return Vec::new() };
    let is_script = rest.is_empty() || first.known().is_some_and(|text| text.contains(' '));
    if !is_script {
        return vec![texts];
    }
    let Some(text) = first.known() else { return vec![texts] };
    let mut all: Vec<Vec<ShellWord>> = Vec::new();
    for part in text.split([';', '|', '&', '\n', '(', ')', '`']) {
        let words = part.split_whitespace().map(|word| word.trim_matches(['"', '\''])).filter(|word| !word.is_empty());
        let words = words.map(|word| match word.contains('$') {
            true => ShellWord::Partly { raw: word.to_owned(), parts: Vec::new() },
            false => ShellWord::Known(word.to_owned()),
        });
        let words: Vec<ShellWord> = words.collect();
        if !words.is_empty() {
            all.push(words);
        }
    }
    // These are values that the code adds to the text.
    if let Some(last) = all.last_mut() {
        last.extend(rest.iter().cloned());
    }
    all
}

/// Creates a command, without the words that only run it, such as `sudo` or `sh -c`.
fn make(facts: &ShellCommand, mut argv: Vec<ShellWord>, at: usize) -> Option<ShellCommand> {
    for _ in 0..8 {
        let name = name_of(&argv)?;
        let is_option = |word: &ShellWord| word.known().is_some_and(|word| word.starts_with('-') || word.contains('='));
        let skip = if WRAPPERS.contains(&name.as_str()) {
            1 + argv.iter().skip(1).take_while(|word| is_option(word)).count()
        } else if SHELLS.contains(&name.as_str()) {
            match argv
                .iter()
                .position(|word| word.known().is_some_and(|word| word.starts_with('-') && word.ends_with('c')))
            {
                Some(option) => option + 1,
                None => break,
            }
        } else {
            break;
        };
        argv = argv.get(skip..)?.to_vec();
        // After `-c`, a whole script may be one word.
        if let [ShellWord::Known(text)] = argv.as_slice() {
            argv = text.split_whitespace().map(|word| ShellWord::Known(word.to_owned())).collect();
        }
    }
    let name = name_of(&argv)?;
    let mut made = ShellCommand::default();
    made.name = (!name.is_empty()).then_some(name);
    made.argv = argv;
    made.text.clone_from(&facts.text);
    made.cwd.clone_from(&facts.cwd);
    made.parent = Some(at);
    made.via = Some(VIA.to_owned());
    Some(made)
}

/// Returns the program's name, which is empty if it is not known.
fn name_of(argv: &[ShellWord]) -> Option<String> {
    let program = argv.first()?.known().unwrap_or_default();
    Some(program.rsplit('/').next().unwrap_or_default().to_owned())
}
