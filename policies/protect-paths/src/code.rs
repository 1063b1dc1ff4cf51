//! Programs in the arguments of interpreters: `python -c`, `node -e`, and programs on their standard input.
//!
//! These programs are not parsed, only searched: for texts that are paths, and for calls that are known to change
//! nothing.

use crate::languages::{
    EVALUATE, LANGUAGES, Language, MODES, NAMED, NO_COMMENT, OPENERS, PROGRAMS, READS, STREAMS, WRITERS, WRITES,
};
use crate::lexer::{Lexed, lex};
use crate::names::Names;
use crate::rules::{Target, Verdict};
use crate::shell::Judge;
use crate::sql::CLIENTS;
use crate::unlisted::USERS;
use hookbox_policy::{Command, UNKNOWN, Word, options};
use hookbox_sdk::Access;

/// The maximum depth to which nested programs are searched.
const MAX_DEPTH: usize = 3;

/// How many calls of one name are read. With more, a program counts as one that writes.
const MAX_CALLS: usize = 256;

/// Judges the program in the arguments of a command, if there is one.
pub(crate) fn judge(command: &Command<'_>, judge: &mut Judge<'_>) {
    let known = language(command.name);
    // What these get after `-e` is SQL, or the value of a variable.
    let may_be_code = command.facts.unlisted && !CLIENTS.contains(&command.name) && !USERS.contains(&command.name);
    let Some(language) = known.or_else(|| LANGUAGES.last().filter(|_| may_be_code)) else {
        return;
    };
    let mut programs: Vec<String> = Vec::new();
    let given = options(command.args(), if known.is_some() { language.with_value } else { &[] });
    let mut inline: Vec<&Word> = given.values(language.inline).collect();
    // `node -pe` is one option, and `deno eval` a subcommand.
    if inline.iter().any(|word| word.text() == "e") || command.name == "deno" {
        inline.extend(&given.operands);
    }
    // The options of debuggers are words (`-ex`), not letters.
    if language.is_bare {
        let is_code = |word: &&Word| word.text().contains(|c: char| c.is_whitespace() || c == '(');
        inline = command.args().iter().filter(is_code).collect();
    }
    programs.extend(inline.iter().map(|word| word.text().to_owned()));
    // `dotnet fsi` is an interpreter, too.
    let first = given.operands.iter().find(|word| word.text() != "fsi");
    let reads_input = known.is_some() && first.is_none_or(|word| matches!(word.text(), "-" | "/dev/stdin"));
    if programs.is_empty() && reads_input {
        let input = command.facts.stdin.as_ref().map(Word::from);
        programs.extend(input.map(|word| word.text().to_owned()));
    }
    if !language.is_bare {
        programs.extend(evaluated(command.args()));
    }
    for program in programs {
        search(&program, language, command, judge, 0);
    }
}

/// Returns the programs in options that most interpreters have: `--eval CODE`, `-eval CODE`, `--eval=CODE`.
fn evaluated(args: &[Word]) -> Vec<String> {
    let value = |(at, word): (usize, &Word)| match word.text().split_once(['=', ':']) {
        Some((option, value)) => EVALUATE.contains(&option).then(|| value.to_owned()),
        None if EVALUATE.contains(&word.text()) => args.get(at + 1).map(|value| value.text().to_owned()),
        None => None,
    };
    args.iter().enumerate().filter_map(value).collect()
}

/// Returns the language of an interpreter, ignoring its version.
pub(crate) fn language(name: &str) -> Option<&'static Language> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    LANGUAGES.iter().find(|language| language.names.contains(&plain))
}

fn search(program: &str, language: &Language, command: &Command<'_>, judge: &mut Judge<'_>, depth: usize) {
    let Lexed { mut texts, before, calls } = lex(program, language);
    if language.is_bare {
        let words = program.split(|c: char| c.is_whitespace() || "\"';,[]{}()".contains(c));
        texts.extend(words.filter(|word| word.contains(['/', '.'])).map(str::to_owned));
    }
    let has = |names: &[&str]| calls.iter().any(|call| names.contains(&call.as_str()));
    // `open("|x")` writes to a program.
    let is_program = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    let is_mode = |text: &String| MODES.contains(&text.as_str()) || text.strip_prefix('|').is_some_and(is_program);
    let opens_to_write = has(OPENERS) && texts.iter().any(is_mode)
        || NAMED.iter().any(|&(call, arguments)| has(&[call]) && is_given(program, call, arguments));
    let is_writer = |call: &String| WRITERS.contains(&call.as_str()) || language.writes.contains(&call.as_str());
    // After this, `print` of gnuplot writes into a file.
    let sets = |before: &str| before.trim_end().ends_with("set");
    let prints_to_file = command.name == "gnuplot" && program.split("print").any(sets);
    let is_read = !opens_to_write
        && !prints_to_file
        && !calls.iter().any(is_writer)
        && calls.iter().all(|call| READS.contains(&call.as_str()) && !language.evals.contains(&call.as_str()));
    // Where `'` is not always a quote, a text may be the rest of the program.
    for text in texts.iter().filter(|text| text.contains(['"', '\'']) && depth < MAX_DEPTH) {
        if !is_read || language.comment == NO_COMMENT {
            search(text, language, command, judge, depth + 1);
        }
    }
    if is_read {
        return;
    }
    let writes =
        opens_to_write || calls.iter().chain(&texts).any(|word| WRITES.contains(&word.to_ascii_lowercase().as_str()));
    // A text counts as the file of the call before it.
    let is_written = |at: usize| match before.get(at) {
        Some(count) => calls.get(..*count).and_then(<[String]>::last).is_some_and(is_writer),
        None => calls.iter().any(is_writer),
    };
    let mut paths: Vec<(&str, bool)> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        if text.len() < 1024 && !text.contains("://") && !text.contains(['\n', '(', '<', UNKNOWN]) {
            paths.push((text.as_str(), writes || is_written(at)));
        }
        // The text may be a shell command.
        let words: Vec<&str> =
            text.split([' ', '\n', ';', '|', '&', '"', '\'']).filter(|word| !word.is_empty()).collect();
        let is_command = words.iter().any(|word| *word == ">" || *word == ">>" || PROGRAMS.contains(word));
        if words.len() > 1 && is_command {
            paths.extend(words.iter().map(|word| (word.trim_start_matches('>'), writes)));
        }
    }
    for (text, is_written) in paths {
        judge_path(text, is_written, command, judge);
    }
}

/// Judges a text in a program that may be a path. `is_written` tells whether the program surely writes to its files.
fn judge_path(text: &str, is_written: bool, command: &Command<'_>, judge: &mut Judge<'_>) {
    // This is `open(F, ">file")`.
    let text = text.trim_start_matches(['>', '+', '<', ' ']);
    if text.is_empty() {
        return;
    }
    let cwd = judge.tool.cwd.as_deref();
    let is_home = text.starts_with("~/") || text.starts_with("$HOME/");
    let names = match text.strip_prefix("$HOME/") {
        Some(rest) => Names::new("~").join(rest),
        None if is_home => Names::new(text),
        None => cwd.map(Names::new).unwrap_or_default().join(text),
    };
    let place = judge.place_of(&names);
    let target = Target { names, shown: text.to_owned(), access: Access::Write, place, keeps_content: false };
    let is_named = matches!(judge.rules.protected(&target), Verdict::Deny(_));
    let leads_outside =
        is_written && (is_home || text.len() > 1 && text.starts_with(['/', '.']) || text.contains(":\\"));
    if !is_named && !leads_outside {
        return;
    }
    if let Verdict::Ask(reason) | Verdict::Deny(reason) = judge.rules.judge(&target) {
        judge.found.ask(format!("{} holds a program that may change this: {reason}", command.quote()));
    }
}

/// Whether a program gives a call one of these arguments by its name: `cat("x", file = "y")`.
fn is_given(program: &str, call: &str, arguments: &[&str]) -> bool {
    let is_it = |part: &str| {
        part.split_once('=').is_some_and(|(name, value)| {
            let name = name.trim().trim_matches(['"', '\'', '`']);
            let is_stream = |stream: &&str| value.trim_start().starts_with(*stream);
            arguments.contains(&name) && !value.starts_with('=') && !STREAMS.iter().any(is_stream)
        })
    };
    let insides = program.match_indices(call).filter_map(|(at, _)| {
        let is_part = program.get(..at)?.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        program.get(at + call.len()..)?.trim_start().strip_prefix('(').filter(|_| !is_part)
    });
    // Calls may be inside of others, so that each is read to its end many times.
    insides.enumerate().any(|(count, inside)| count >= MAX_CALLS || own_arguments(inside).split([',', ';']).any(is_it))
}

/// Returns the arguments of a call, without what is in further parentheses. Signs in texts are replaced.
fn own_arguments(inside: &str) -> String {
    let (mut own, mut depth, mut quote) = (String::new(), 0_usize, None);
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            // The next character is no quote.
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(_), ',' | ';' | '=') => own.push('_'),
            (Some(end), c) if c == end => {
                quote = None;
                own.push(c);
            }
            (Some(_), c) => own.push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                own.push(c);
            }
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth == 0 => break,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, c) if depth == 0 => own.push(c),
            (None, _) => {}
        }
    }
    own
}
