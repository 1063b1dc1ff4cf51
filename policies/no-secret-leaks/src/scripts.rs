//! Secret files in the code that an interpreter gets on its command line or as its input.

use crate::environment::{code, code_options, is_fed, is_other_shell};
use crate::files::marked;
use crate::listed::SHOWING;
use crate::reads::{COPIERS, Reading};
use crate::stores::Class;
use hookbox_policy::{Command, GLOB, UNKNOWN, Word, code_at};

/// The quotes around a string in code.
pub(crate) const QUOTES: [char; 3] = ['\'', '"', '`'];

/// Code that reads a file.
const READS: &[&str] = &[
    "open(",
    "open ",
    ".read",
    "readFile",
    "readText",
    "File.read",
    "File.open",
    "file_get_contents",
    "readfile",
    "cat ",
    "dotenv",
    "read POSIX file",
    "readLines",
    "readlines",
    "read(",
    "eachline(",
    "lines(",
    "file(",
    "slurp",
    "ReadAll",
    "file-contents",
    "contentsOf",
];

/// Code that copies a file. To copy a key is as bad as to show it.
const COPIES: &[&str] = &["copy", "cp(", "move(", "os.link(", "rename", "symlink"];

/// Code that runs a program or other code.
#[rustfmt::skip] // Many words to a line.
const RUNS: &[&str] = &[
    "system", "popen", "subprocess", "exec", "eval", "spawn", "shell", "run(", "qx", "%x", "|'", "|\"", "compile(",
    "Function(", "load(", "loadstring", "parse(",
];

/// The longest line, in bytes, in which the call around a string is searched for.
const MAX_LINE: usize = 4096;

/// Calls whose strings are data, or that use a file without showing it.
#[rustfmt::skip] // Many names to a line.
const DATA: &[&str] = &[
    "replace", "replaceAll", "replace_all", "sub", "gsub", "write", "writelines", "startswith", "endswith",
    "startsWith", "endsWith", "load_dotenv",
];

/// Returns the secret file that a program's code reads: `python3 -c "print(open('…').read())"`.
pub(crate) fn in_code(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    // `python3 - <<'EOF'`
    let input = command.facts.stdin.as_ref().filter(|_| is_fed(command)).map(Word::from);
    let mut told = codes(command);
    told.extend(input.as_ref().map(Word::text));
    let code = told.join("\n");
    // Without a path, these libraries read `.env`.
    if code.contains("dotenv")
        && (code.contains(".parsed") || code.contains("dotenv_values()"))
        && let Some(class) = reading.class(".env")
    {
        return Some((class, ".env".to_owned()));
    }
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    let names = |programs: &[&str]| code.split(QUOTES).any(|part| programs.contains(&base(part)));
    // In Python, backticks do not run a shell.
    let runs = has(RUNS) || code.contains('`') && !command.name.starts_with("python") || is_other_shell(command.name);
    let reads = has(READS) || runs && names(SHOWING);
    let copies = has(COPIES) || runs && names(COPIERS);
    if !reads && !copies && !runs {
        return None;
    }
    let is_meant = |(at, part): &(usize, &str)| !is_data(command.name, &code, *at, part.len(), runs);
    let (lines, texts): (Vec<_>, Vec<_>) =
        parts(&code).partition(|(_, part)| part.contains([' ', '(', ')', GLOB, UNKNOWN]));
    let files = texts.into_iter().filter_map(|(at, part)| Some((reading.class(part)?, (at, part))));
    let files = files.filter(|(class, part)| (reads || copies && *class == Class::Deny) && is_meant(part));
    let files = files.map(|(class, (_, part))| (class, part.to_owned()));
    let lines = lines.into_iter().filter(|part| runs && in_line(part.1, reading).is_some() && is_meant(part));
    let lines = lines.filter_map(|(_, part)| in_line(part, reading));
    files.chain(lines).max_by_key(|(class, _)| *class)
}

/// Returns all code that an interpreter gets on its command line: `perl -e A -e B`.
fn codes<'c>(command: &'c Command) -> Vec<&'c str> {
    let options = code_options(command.name).unwrap_or_default();
    let args = command.args();
    let is_option = |text: &str| options.contains(&text) || code_at(command.name, text) == Some(text.len());
    let next = args.windows(2).filter_map(|pair| match pair {
        [option, code] if is_option(option.text()) => Some(code.text()),
        _ => None,
    });
    let attached = args.iter().map(Word::text).filter_map(|text| text.get(code_at(command.name, text)?..));
    code(command.name, command).into_iter().chain(next).chain(attached).collect()
}

/// Returns the parts of code between its quotes, each with its position.
pub(crate) fn parts(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    code.split(QUOTES).map(move |part| {
        let at = next;
        next += part.len() + 1;
        (at, part)
    })
}

/// Returns the name of a program without its directory.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the secret file that a command line in code shows, or the key that it copies.
fn in_line(text: &str, reading: &Reading) -> Option<(Class, String)> {
    let pieces = text.split(['(', ')', '{', '}', '[', ']', '|', ';', '&', '\n']);
    let files = pieces.flat_map(|piece| {
        let mut words =
            piece.split_whitespace().skip_while(|word| matches!(*word, "sudo" | "env" | "command" | "exec"));
        let verb = base(words.next().unwrap_or_default());
        let (shows, copies) = (SHOWING.contains(&verb), COPIERS.contains(&verb));
        let words = words.map(|word| word.trim_start_matches('<')).filter(move |_| shows || copies);
        let files = words.filter_map(move |word| Some((reading.class_of_text(&marked(word))?, word.to_owned())));
        files.filter(move |(class, _)| shows || *class == Class::Deny)
    });
    files.max_by_key(|(class, _)| *class)
}

/// Whether a part of code is an argument of a call that takes it as data, or is inside a longer string that nothing
/// runs: `s.replace("load_dotenv()", "load_dotenv('.env')")`.
fn is_data(name: &str, code: &str, at: usize, length: usize, runs: bool) -> bool {
    let from = code.floor_char_boundary(at.saturating_sub(MAX_LINE));
    let before = code.get(from..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if from > 0 && line.len() == before.len() {
        return false;
    }
    let rest = code.get(at + length..).unwrap_or_default();
    let ends_with = |quote: char| rest.chars().take(MAX_LINE).take_while(|c| *c != '\n').any(|c| c == quote);
    // The open brackets, and the open string.
    let mut brackets: Vec<(char, usize)> = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let (mut is_escaped, mut has_slash) = (false, false);
    for (at, c) in line.char_indices() {
        let was_escaped = std::mem::take(&mut is_escaped);
        match quote {
            _ if was_escaped => {}
            _ if c == '\\' => is_escaped = true,
            Some((open, _)) => quote = quote.filter(|_| c != open),
            None if QUOTES.contains(&c) => quote = Some((c, at)),
            None if c == '/' => has_slash = true,
            None if matches!(c, '(' | '[' | '{') => brackets.push((c, at)),
            None if matches!(c, ')' | ']' | '}') => {
                brackets.pop();
            }
            None => {}
        }
    }
    let Some((open, start)) = quote else { return false };
    let inside = line.get(start + 1..).unwrap_or_default();
    let is_continued = before.strip_suffix(line).is_some_and(|above| above.ends_with("\\\n"));
    // A regular expression, or the end of a text of several lines, looks like the beginning of a text.
    let is_begun = match name {
        _ if is_continued => false,
        "node" | "nodejs" | "bun" | "deno" => !has_slash,
        _ => name.starts_with("python") && !line.contains("\"\"\"") && !line.contains("'''"),
    };
    // Strings in backticks or with a brace may contain code that runs.
    let is_inner = is_begun && !inside.is_empty() && open != '`' && !inside.contains('{') && ends_with(open);
    let callee = brackets.last().filter(|(bracket, _)| *bracket == '(').and_then(|(_, at)| line.get(..*at));
    let callee = callee.and_then(|callee| callee.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
    let is_argument = callee.is_some_and(|callee| DATA.contains(&callee)) && (inside.is_empty() || is_inner);
    is_argument || is_inner && !runs
}
