//! `xargs` and `parallel`: commands that get their arguments from the input.

use super::Inner;
use super::prefix::split;
use super::table::{PARALLEL, XARGS};
use crate::shell::collect::MAX_LENGTH;
use crate::shell::command::Stdin;
use crate::shell::marks::{Kind, Marks, kind};
use crate::shell::word::Word;

/// How many lines of input are distinguished.
const MAX_LINES: usize = 16;

/// Returns the words of the input, one line each, or `None` if they are not known.
fn lines(stdin: &Stdin) -> Option<Vec<String>> {
    let Stdin::Text(text) = stdin else {
        return None;
    };
    let lines: Vec<String> =
        text.split(['\n', '\0']).filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    (lines.len() <= MAX_LINES).then_some(lines)
}

/// Returns the commands of `xargs`. They get words of the input at their end, or wherever the placeholder of `-I`
/// appears.
pub(super) fn xargs(arguments: &[Word], stdin: &Stdin, marks: &mut Marks) -> Vec<Inner> {
    let plain: Vec<Word> = arguments
        .iter()
        .map(|word| optional(word).map_or_else(|| word.clone(), |(name, _)| Word::plain(name)))
        .collect();
    let read = XARGS.read(&plain);
    let (options, command) = arguments.split_at_checked(arguments.len() - read.rest.len()).unwrap_or_default();
    let mut inners = Vec::new();
    if command.is_empty() {
        return inners;
    }
    if read.is_doubtful {
        inners.push(Inner::Unknown("a command after an option that is not known"));
    }
    let is_other_input = read.has(&["-a", "--arg-file"]);
    // `lines` splits at these delimiters.
    let delimiter = read.value(&["-d", "--delimiter"]).map_or("\n", Word::text);
    let is_known = matches!(delimiter, "\n" | "\\n" | "\\0" | "\\x00");
    let input = if is_other_input || !is_known { None } else { lines(stdin) };
    let unknown = marks.unknown("…");
    let placeholder =
        match read.options.iter().rev().find(|(name, _)| matches!(name.as_str(), "-I" | "-i" | "--replace" | "-J")) {
            Some((_, Some(value))) => Some(value.text().to_owned()),
            Some((_, None)) => {
                let attached = options.iter().rev().filter_map(optional).find(|(name, _)| name.ends_with('i'));
                let value = attached.map(|(_, value)| value).filter(|value| !value.is_empty());
                Some(value.unwrap_or("{}").to_owned())
            }
            None => None,
        };
    if let Some(name) = placeholder {
        // A line is one argument, but its quotes and backslashes still count. What `find` prints is a path, whatever it
        // contains.
        let is_path = |line: &str| line.contains(|c| kind(c) == Some(Kind::Found));
        let is_plain = |line: &String| is_path(line) || !line.contains(['\'', '"', '\\']);
        let values = input.filter(|lines| lines.iter().all(is_plain)).unwrap_or_else(|| vec![unknown.clone()]);
        let mut room = MAX_LENGTH;
        for value in values {
            let words = command.iter().map(|word| word.with_replaced(&name, value.trim(), &unknown, &mut room));
            inners.push(Inner::command(words.collect::<Vec<_>>()));
        }
        return inners;
    }
    let unknown = [Word::new("…", unknown)];
    let with = |more: &[Word]| Inner::command([command, more].concat());
    let Some(words) = input.and_then(|lines| arguments_of(&lines)) else {
        inners.push(with(&unknown));
        return inners;
    };
    // With these options, the words are distributed over several commands.
    let count: Option<usize> = read.value(&["-n", "--max-args"]).map(|count| count.text().parse().unwrap_or(0));
    let is_odd = read.has(&["-L", "-l", "--max-lines", "-s", "--max-chars"]);
    match count.or(is_odd.then_some(0)) {
        Some(count) if words.len() > count.max(1) => {
            if count == 0 || is_odd || words.len() > MAX_LINES {
                inners.push(with(&words));
                inners.push(with(&unknown));
            } else {
                inners.extend(words.chunks(count).map(with));
            }
        }
        _ => inners.push(with(&words)),
    }
    inners
}

/// Splits a cluster of options behind `e`, `i` or `l`. Their value must be attached, and may be left out.
fn optional(word: &Word) -> Option<(&str, &str)> {
    let letters = word.text().strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let at = letters.find(|letter| XARGS.shorts.contains(letter) || "eil".contains(letter))?;
    letters.get(at..)?.starts_with(['e', 'i', 'l']).then(|| word.text().split_at_checked(at + 2))?
}

/// Returns the words in lines, split at spaces and quotes.
fn arguments_of(lines: &[String]) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    for line in lines {
        // What `find` prints is a path, whatever it contains.
        if line.contains(|c| kind(c) == Some(Kind::Found)) {
            words.push(Word::new(line, line.clone()));
        } else if line.contains('\\') {
            return None;
        } else {
            words.extend(split(line)?);
        }
    }
    Some(words)
}

/// Returns the commands of GNU `parallel`: a text with placeholders, for each input after `:::`.
pub(super) fn parallel(arguments: &[Word], stdin: &Stdin, marks: &mut Marks) -> Vec<Inner> {
    const PLACEHOLDERS: [&str; 6] = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}"];
    let unknown_command = || vec![Inner::Unknown("commands that it makes up")];
    let read = PARALLEL.read(arguments);
    if read.rest.is_empty()
        && arguments.iter().any(|word| matches!(word.text(), "--version" | "-V" | "--help" | "-h" | "--citation"))
    {
        return Vec::new();
    }
    let mut parts = read.rest.split(|word| matches!(word.text(), ":::" | ":::+" | "::::"));
    let command = parts.next().unwrap_or_default();
    let inputs: Vec<&[Word]> = parts.collect();
    let is_plain = !read.is_doubtful
        && !read.has(&["-a", "--arg-file", "-S", "--sshlogin", "-I", "--pipe", "-C", "--colsep"])
        && !arguments.iter().any(|word| matches!(word.text(), ":::+" | "::::"))
        && inputs.len() <= 1;
    let unknown = marks.unknown("…");
    let values: Option<Vec<String>> = match inputs.first() {
        Some(words) => Some(words.iter().map(|word| word.text().to_owned()).collect()),
        // A command's words are quoted, so inserted text does not form another command.
        None if !command.is_empty() => lines(stdin).or_else(|| Some(vec![unknown.clone()])),
        None => lines(stdin),
    };
    let Some(values) = values.filter(|values| is_plain && values.len() <= MAX_LINES) else {
        return unknown_command();
    };
    let text = command.iter().map(Word::text).collect::<Vec<_>>().join(" ");
    if !command.is_empty() && (text.contains("{=") || text.contains("{2")) {
        return unknown_command();
    }
    let mut inners = Vec::new();
    for value in values {
        if command.is_empty() {
            inners.push(Inner::script(&value));
            continue;
        }
        let is_quoted =
            value.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:,@%+=".contains(c) || kind(c).is_some());
        let put = if is_quoted { value.clone() } else { format!("'{}'", value.replace('\'', r"'\''")) };
        let count: usize = PLACEHOLDERS.iter().map(|placeholder| text.matches(placeholder).count()).sum();
        if count.saturating_mul(put.len()) > MAX_LENGTH {
            return unknown_command();
        }
        let mut script = text.clone();
        for placeholder in PLACEHOLDERS {
            let with = if matches!(placeholder, "{}" | "{1}") { &put } else { &unknown };
            script = script.replace(placeholder, with);
        }
        if script == text {
            script = format!("{text} {put}");
        }
        inners.push(Inner::script(&script));
    }
    inners
}
