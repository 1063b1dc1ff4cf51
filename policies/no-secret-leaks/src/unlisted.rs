//! Files among the arguments of an unknown program, script or piece of code, which may show them.

use crate::encrypted::is_encryptor;
use crate::environment::code;
use crate::files::may_be_path;
use crate::listed::{SHOWING, is_shell};
use crate::logins::is_login;
use crate::reads::{COPIERS, Reading, unversioned};
use crate::stores::Class;
use crate::users::USERS;
use hookbox_policy::{
    Command, Findings, Program, Word, attached, is_value_of, program, unlisted_words, words_before_run,
};

/// Words that include a file, in the languages of various programs.
const INCLUDING: &[&str] = &["include", "input", "insert", "load", "open", "read", "require", "source", "type"];

/// Judges which files an unlisted program may read.
pub(crate) fn judge(index: usize, commands: &[Command], reading: &Reading, found: &mut Findings) {
    let Some(command) = commands.get(index) else { return };
    let name = unversioned(command.name);
    let is_known = USERS.contains(name) || COPIERS.contains(&name) || is_encryptor(command);
    let words = if is_known { Vec::new() } else { unlisted_words(index, commands) };
    let words = words.into_iter().chain(passed(index, commands));
    let mut words = words.filter(|(at, _)| !is_login(command, *at)).map(|(_, word)| word);
    if let Some(word) = words.find(|word| is_secret(word, reading)) {
        found.ask(format!(
            "{} may read {}, which may hold secrets, and show it; use a program that is known, or add the file to `readable`",
            command.quote(),
            word.raw()
        ));
    }
}

/// Returns the words that an interpreter passes to its script, module or code, each with its index. Returns none for a
/// shell's code, whose commands are judged themselves, for a module that may use secret files, and for a program that
/// loads a file of variables.
fn passed<'c>(index: usize, commands: &'c [Command]) -> Vec<(usize, &'c Word)> {
    const NAMES: [&str; 6] = ["cert", "certfile", "env", "envfile", "key", "keyfile"];
    let Some(command) = commands.get(index) else { return Vec::new() };
    let args = command.args();
    let told = match program(command) {
        _ if matches!(command.name, "source" | "." | "eval" | "crontab" | "iex" | "Invoke-Expression") => None,
        Program::Code(_) if is_shell(command.name) => None,
        Program::Code(word) | Program::File(word) => args.iter().position(|arg| std::ptr::eq(arg, word)),
        Program::Input => args.iter().position(|word| word.text() == "-"),
        Program::Nothing => None,
    };
    // Code may be attached to its option, and what looks like that option may belong to a script.
    let inline = code(command.name, command).and_then(|code| args.iter().position(|word| word.text().ends_with(code)));
    let Some(told) = told.into_iter().chain(inline).min() else { return Vec::new() };
    let loads = |word: &Word| {
        let text = word.text();
        text.trim_start_matches("-r") == "dotenv" || text.ends_with("dotenv/config")
    };
    let is_module = told.checked_sub(1).and_then(|at| args.get(at)).is_some_and(|word| word.text().ends_with('m'));
    let uses = |word: &Word| USERS.contains(word.text()) || matches!(word.text(), "venv" | "virtualenv");
    let is_user = is_module && args.get(told).is_some_and(uses);
    if is_user || args.iter().take(told + 1).any(loads) {
        return Vec::new();
    }
    let end = words_before_run(index, commands).unwrap_or(usize::MAX).saturating_sub(1);
    // Files that the interpreter itself reads or writes are judged elsewhere.
    let judged: Vec<Word> = command.facts.files.iter().map(|file| Word::from(&file.path)).collect();
    let words = args.iter().enumerate().take(end).skip(told + 1);
    // The options of a script may name login files. Inline code decides itself what its options mean.
    let logs_in = |at: usize| inline != Some(told) && is_value_of(command, at, &NAMES);
    words.filter(|(at, word)| !logs_in(*at) && !judged.contains(*word)).collect()
}

/// Whether a word names a secret file, has one attached, or has one in its code.
fn is_secret(word: &Word, reading: &Reading) -> bool {
    let text = word.text();
    let is_class = |class: Option<Class>| matches!(class, Some(Class::Ask | Class::Deny));
    if may_be_path(text) && is_class(reading.class_of_word(word)) {
        return true;
    }
    let mut parts = attached(text).chain(in_code(text)).filter(|part| may_be_path(part));
    parts.any(|part| is_class(reading.class_of_text(part)))
}

/// Returns the words of a command line or a piece of code inside one word: `!cat .env`, `source .env`, `\\input{.env}`.
/// Returns none for prose.
fn in_code(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| "(){}\"'`!\\".contains(c);
    let mut words = text.split(move |c: char| c.is_whitespace() || is_mark(c)).filter(|word| !word.is_empty());
    let verb = words.next().unwrap_or_default();
    let is_code = match text.contains(char::is_whitespace) {
        true => SHOWING.contains(&verb) || INCLUDING.contains(&verb),
        false => text.contains(is_mark),
    };
    words.filter(move |_| is_code)
}
