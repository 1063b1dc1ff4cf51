//! `find -exec` and `fd -x`.

use super::Inner;
use crate::shell::collect::MAX_LENGTH;
use crate::shell::marks::{Kind, Marks};
use crate::shell::word::Word;

/// The maximum number of starting directories for which commands are listed separately.
const MAX_STARTS: usize = 8;

/// Returns the commands of `find … -exec`, one for each starting directory.
pub(super) fn executed(arguments: &[Word], marks: &mut Marks) -> Vec<Inner> {
    let is_action = |word: &Word| matches!(word.text(), "-exec" | "-execdir" | "-ok" | "-okdir");
    if !arguments.iter().any(is_action) {
        return Vec::new();
    }
    let too_long = marks.unknown("{}");
    let is_listed = arguments.iter().any(|word| word.text() == "-files0-from");
    // What a file lists is not known.
    let places = if is_listed { vec![too_long.clone()] } else { places(find_starts(arguments), marks) };
    let mut inners = Vec::new();
    let mut room = MAX_LENGTH;
    for action in arguments.split(is_action).skip(1) {
        // `+` ends a command only after `{}`.
        let ends = |(at, word): (usize, &Word)| match word.text() {
            ";" => true,
            "+" => at.checked_sub(1).and_then(|before| action.get(before)).is_some_and(|before| before.text() == "{}"),
            _ => false,
        };
        let end = action.iter().enumerate().position(ends).unwrap_or(action.len());
        let command = action.get(..end).unwrap_or_default();
        for place in &places {
            let words = command.iter().map(|word| word.with_replaced("{}", place, &too_long, &mut room));
            inners.push(Inner::command(words.collect::<Vec<_>>()));
        }
    }
    inners
}

/// Returns the replacements for `{}`.
fn places(starts: &[Word], marks: &mut Marks) -> Vec<String> {
    let found = marks.add(Kind::Found, "**");
    if starts.is_empty() {
        return vec![format!(".{found}")];
    }
    if starts.len() > MAX_STARTS {
        return vec![marks.unknown("{}")];
    }
    starts.iter().map(|start| format!("{}{found}", start.text())).collect()
}

/// Returns what `find` prints, one line for each starting directory, or `None` if it prints something other than paths.
pub(in crate::shell) fn printed(arguments: &[Word], marks: &mut Marks) -> Option<String> {
    let other = ["-printf", "-fprintf", "-exec", "-execdir", "-ok", "-okdir", "-ls", "-files0-from"];
    if arguments.iter().any(|word| other.contains(&word.text())) {
        return None;
    }
    let mut lines = places(find_starts(arguments), marks).join("\n");
    lines.push('\n');
    Some(lines)
}

/// Returns the starting directories of `find` with these arguments. Empty for the working directory.
#[must_use]
pub fn find_starts(arguments: &[Word]) -> &[Word] {
    let mut options = 0;
    while let Some(word) = arguments.get(options) {
        match word.pattern() {
            "-H" | "-L" | "-P" | "--" => options += 1,
            "-D" => options += 2,
            text if text.starts_with("-O") => options += 1,
            _ => break,
        }
    }
    let starts = arguments.get(options..).unwrap_or_default();
    let is_start = |word: &&Word| !word.pattern().starts_with(['-', '(', '!', ',']);
    let count = starts.iter().take_while(is_start).count();
    starts.get(..count).unwrap_or_default()
}

/// Returns the commands of `fd -x` and `fd -X`. They get the results at their end, or wherever `{}` is.
pub(super) fn fd(arguments: &[Word], marks: &mut Marks) -> Vec<Inner> {
    let action = arguments.iter().enumerate().find_map(|(at, word)| Some((at, fd_action(word)?)));
    let Some((at, attached)) = action else {
        return Vec::new();
    };
    let (before, after) = arguments.split_at_checked(at).unwrap_or_default();
    let command: Vec<Word> = attached.into_iter().chain(after.iter().skip(1).cloned()).collect();
    let mut commands = command.split(|word| word.text() == ";");
    let command = commands.next().unwrap_or_default();
    if command.is_empty() {
        return Vec::new();
    }
    // The first operand is the pattern, the others are directories.
    let mut starts: Vec<Word> = Vec::new();
    let mut words = before.iter();
    let mut operands = 0;
    while let Some(word) = words.next() {
        match word.text() {
            "-d" | "-t" | "-e" | "-E" | "-j" | "-c" | "-S" | "-o" | "--max-depth" | "--type" | "--extension"
            | "--exclude" | "--threads" | "--size" | "--owner" | "--min-depth" | "--exact-depth"
            | "--changed-within" | "--changed-before" => {
                words.next();
            }
            "--search-path" | "--base-directory" | "-C" => starts.extend(words.next().cloned()),
            text if text.starts_with('-') => {
                let names = ["--search-path=", "--base-directory=", "-C"];
                starts.extend(names.iter().find_map(|name| word.after(name)));
            }
            _ => {
                operands += 1;
                if operands > 1 {
                    starts.push(word.clone());
                }
            }
        }
    }
    let unknown = marks.unknown("{}");
    let mut inners = Vec::new();
    let mut room = MAX_LENGTH;
    for place in places(&starts, marks) {
        let mut words: Vec<Word> = Vec::new();
        let mut is_placed = false;
        for word in command {
            let mut word = word.clone();
            for placeholder in ["{}", "{.}", "{//}", "{/}", "{/.}"] {
                if word.text().contains(placeholder) {
                    is_placed = true;
                    let value = if placeholder == "{}" { &place } else { &unknown };
                    word = word.with_replaced(placeholder, value, &unknown, &mut room);
                }
            }
            words.push(word);
        }
        if !is_placed {
            words.push(Word::new("{}", place));
        }
        inners.push(Inner::command(words));
    }
    if commands.flatten().any(|word| fd_action(word).is_some()) {
        inners.push(Inner::Unknown("a second command"));
    }
    inners
}

/// Recognizes an option of `fd` that begins a command. Returns the command's first word if it is attached, as in `-Hx`
/// and `--exec=cat`.
fn fd_action(word: &Word) -> Option<Option<Word>> {
    let text = word.text();
    if matches!(text, "--exec" | "--exec-batch") {
        return Some(None);
    }
    if let Some(program) = word.after("--exec=").or_else(|| word.after("--exec-batch=")) {
        return Some(Some(program));
    }
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    // An option with a value is followed by that value.
    let at = letters.find(|letter| "xXdteEjcSoC".contains(letter))?;
    let rest = letters.get(at..)?.strip_prefix(['x', 'X'])?;
    let before = text.strip_suffix(rest)?;
    Some(word.after(before).filter(|program| !program.text().is_empty()))
}
