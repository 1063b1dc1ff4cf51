//! The output of commands, if it is known: `echo`, `printf`, `cat`, `base64 -d` and the like.

use super::call::Run;
use super::{Output, Shell};
use crate::shell::command::Stdin;
use crate::shell::expand::{Dialect, unescaped};
use crate::shell::inner;
use crate::shell::marks::{Kind, kind};
use crate::shell::word::Word;

impl Shell {
    /// Returns the output of a command that does not run others.
    pub(super) fn printed(&mut self, run: &Run<'_>, stdin: &Stdin) -> Output {
        let arguments = run.arguments();
        let text = match stdin {
            Stdin::Text(text) => Some(text.as_ref()),
            _ => None,
        };
        let ends = |text: String| if text.ends_with('\n') || text.is_empty() { text } else { text + "\n" };
        match run.name {
            "echo" => echoed(arguments),
            "printf" => formatted(arguments),
            "print" => match arguments {
                [word] if !word.text().starts_with('-') => Some(format!("{}\n", word.text())),
                _ => None,
            },
            "true" | ":" | "sleep" | "wait" | "mkdir" | "touch" => Some(String::new()),
            "exit" => Some(String::new()),
            "pwd" if arguments.is_empty() => {
                let cwd = self.env.cwd.clone();
                Some(format!("{}\n", self.directory(&cwd, "$(pwd)")))
            }
            "cat" | "tac" | "nl" if arguments.iter().all(|word| matches!(word.text(), "-" | "/dev/stdin")) => {
                text.filter(|_| run.name == "cat").map(str::to_owned).map(ends)
            }
            "cat" => match arguments {
                [file] => self.stream_of(file.text()).and_then(|stream| stream.printed),
                _ => None,
            },
            "tee" => text.map(str::to_owned),
            "base64" => decoded(arguments, text?),
            "xxd" if arguments.iter().any(|word| matches!(word.text(), "-r" | "-rp" | "-r-p" | "-pr")) => {
                from_hex(text?)
            }
            "rev" if arguments.is_empty() => {
                let reversed = text?.lines().map(|line| line.chars().rev().collect::<String>() + "\n");
                Some(reversed.collect())
            }
            "tr" => translated(arguments, text?),
            "which" => match arguments {
                [name] if name.known().is_some() && !name.text().starts_with('-') => Some(format!("{}\n", name.text())),
                _ => None,
            },
            "command" | "type" => match arguments {
                [option, name] if matches!(option.text(), "-v" | "-p" | "-P") => Some(format!("{}\n", name.text())),
                _ => None,
            },
            "basename" => match arguments {
                [path] if path.known().is_some() => {
                    let name = path.text().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                    Some(format!("{name}\n"))
                }
                _ => None,
            },
            "mktemp" | "gmktemp" => self.temporary(arguments),
            "find" | "gfind" => inner::found(arguments, &mut self.marks),
            // A filtered list of paths lies below the same directories.
            "grep" | "egrep" | "fgrep" | "rg" | "head" | "tail" | "sort" | "uniq" | "shuf" => {
                let is_list = text?.contains(|c| kind(c) == Some(Kind::Found));
                let counts =
                    arguments.iter().any(|word| word.text().starts_with('-') && word.text().contains(['o', 'c', 'q']));
                text.filter(|_| is_list && !counts).map(str::to_owned)
            }
            _ => None,
        }
    }
}

impl Shell {
    /// Returns what `mktemp` prints: a new path, known except for its end.
    fn temporary(&mut self, arguments: &[Word]) -> Output {
        let (mut template, mut directory, mut is_temporary) = (None, None, false);
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let text = word.text();
            if let Some(value) = text.strip_prefix("--tmpdir=") {
                directory = Some(value.to_owned());
            } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
                let (flags, has_directory) = letters.strip_suffix('p').map_or((letters, false), |flags| (flags, true));
                if flags.contains(|c| !"dqut".contains(c)) {
                    return None;
                }
                is_temporary |= flags.contains('t');
                if has_directory {
                    directory = Some(words.next()?.text().to_owned());
                }
            } else if text == "--tmpdir" {
                is_temporary = true;
            } else if text.starts_with("--") {
                matches!(text, "--directory" | "--quiet" | "--dry-run").then_some(())?;
            } else if template.replace(text).is_some() {
                return None;
            }
        }
        let name = template.unwrap_or("tmp.XXXXXXXXXX");
        // The generated end can be anything except a path.
        let random = self.marks.unknown("$(mktemp)");
        let name = format!("{}{random}", name.trim_end_matches('X'));
        let is_temporary = is_temporary || template.is_none();
        Some(match directory {
            Some(directory) => format!("{directory}/{name}\n"),
            None if !is_temporary || name.starts_with('/') => format!("{name}\n"),
            None => {
                let set = self.env.get("TMPDIR").map(|variable| variable.values.clone());
                match set.as_deref() {
                    None => format!("/tmp/{name}\n"),
                    Some([directory]) => format!("{directory}/{name}\n"),
                    Some(_) => return None,
                }
            }
        })
    }
}

fn echoed(arguments: &[Word]) -> Output {
    let is_option = |word: &&Word| {
        word.text()
            .strip_prefix('-')
            .is_some_and(|letters| !letters.is_empty() && letters.chars().all(|c| "neE".contains(c)))
    };
    let count = arguments.iter().take_while(is_option).count();
    let (options, words) = arguments.split_at_checked(count)?;
    let has = |letter: char| options.iter().any(|word| word.text().contains(letter));
    let mut text = words.iter().map(Word::text).collect::<Vec<_>>().join(" ");
    if has('e') {
        if is_disputed(&text) {
            return None;
        }
        text = unescaped(&text, Dialect::Printed)?;
    } else if text.contains('\\') {
        // Some shells resolve the escapes even without `-e`.
        let resolved = unescaped(&text, Dialect::Printed);
        if resolved.as_deref() != Some(&text) {
            return None;
        }
    }
    if !has('n') {
        text.push('\n');
    }
    Some(text)
}

/// Whether an escape of `echo -e` or `%b` ends the output, or shells disagree about it.
fn is_disputed(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && chars.next().is_some_and(|c| matches!(c, 'c' | '1'..='7' | '"')) {
            return true;
        }
    }
    false
}

/// Returns what `printf` prints.
pub(super) fn formatted(arguments: &[Word]) -> Output {
    let arguments = match arguments.split_first() {
        Some((first, rest)) if first.text() == "--" => rest,
        _ => arguments,
    };
    let (format, words) = arguments.split_first()?;
    let format = format.text();
    if format.chars().any(|c| kind(c).is_some()) || format.starts_with('-') && format.len() > 1 {
        return None;
    }
    let mut words = words.iter();
    let mut made = String::new();
    loop {
        let left = words.len();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            made.push_str(&unescaped(before, Dialect::Format)?);
            let mut chars = after.chars();
            match chars.next()? {
                '%' => made.push('%'),
                's' => made.push_str(words.next().map_or("", Word::text)),
                'b' => {
                    let text = Some(words.next().map_or("", Word::text)).filter(|text| !is_disputed(text))?;
                    made.push_str(&unescaped(text, Dialect::Printed)?);
                }
                'q' => {
                    let is_unquoted =
                        |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=".contains(c) || kind(c).is_some();
                    let text = words.next().map_or("", Word::text);
                    made.push_str(Some(text).filter(|text| !text.is_empty() && text.chars().all(is_unquoted))?);
                }
                sign @ ('d' | 'i' | 'u') => {
                    let text = words.next().map_or("0", Word::text);
                    // A leading zero makes a number octal.
                    let is_octal = text.len() > 1 && text.trim_start_matches(['-', '+']).starts_with('0');
                    if is_octal || sign == 'u' && text.starts_with('-') {
                        return None;
                    }
                    made.push_str(&text.parse::<i64>().ok()?.to_string());
                }
                'c' => match words.next().and_then(|word| word.text().chars().next()) {
                    // The shell prints the first byte.
                    Some(c) if !c.is_ascii() && kind(c).is_none() => return None,
                    c => made.extend(c),
                },
                _ => return None,
            }
            if made.len() > crate::shell::collect::MAX_LENGTH {
                return None;
            }
            rest = chars.as_str();
        }
        made.push_str(&unescaped(rest, Dialect::Format)?);
        // The format is reused as long as there are words.
        if words.len() == 0 || words.len() == left {
            return Some(made);
        }
    }
}

fn decoded(arguments: &[Word], text: &str) -> Output {
    let is_decode = |word: &Word| {
        let text = word.text();
        matches!(text, "-d" | "-D" | "-di" | "-id") || text.len() > 3 && "--decode".starts_with(text)
    };
    if !arguments.iter().any(is_decode) || arguments.iter().any(|word| !word.text().starts_with('-')) {
        return None;
    }
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.chars().filter(|c| !c.is_whitespace() && *c != '=') {
        let value = match c {
            'A'..='Z' => c as u32 - 'A' as u32,
            'a'..='z' => c as u32 - 'a' as u32 + 26,
            '0'..='9' => c as u32 - '0' as u32 + 52,
            '+' => 62,
            '/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | value) & 0xFF_FFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xFF) as u8);
        }
    }
    readable(bytes)
}

fn from_hex(text: &str) -> Output {
    let digits: Option<Vec<u32>> = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect();
    let digits = digits?;
    let bytes = digits.chunks_exact(2).map(|pair| pair.iter().fold(0_u32, |byte, digit| byte << 4 | digit) as u8);
    readable(bytes.collect())
}

/// Returns bytes as a text, unless a part of it could be mistaken for a mark.
fn readable(bytes: Vec<u8>) -> Output {
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(crate::shell::marks::is_reserved)).then_some(text)
}

/// Translates a text as `tr` does with two sets of plain characters and ranges.
fn translated(arguments: &[Word], text: &str) -> Output {
    // The work is bounded, because each character is searched for in the first set.
    const MAX_SET: usize = 256;
    let (from, to) = match arguments {
        [option, set] if matches!(option.text(), "-d" | "--delete") => (expanded(set.text())?, Vec::new()),
        [from, to] if !from.text().starts_with('-') => (expanded(from.text())?, expanded(to.text())?),
        _ => return None,
    };
    if from.len() > MAX_SET {
        return None;
    }
    let mut made = String::new();
    for c in text.chars() {
        let first = from.iter().position(|wanted| *wanted == c);
        // If a character has two translations, versions of `tr` may disagree.
        if !to.is_empty() && first != from.iter().rposition(|wanted| *wanted == c) {
            return None;
        }
        match first {
            None => made.push(c),
            Some(at) => made.extend(to.get(at).or(to.last())),
        }
    }
    Some(made)
}

fn expanded(set: &str) -> Option<Vec<char>> {
    if set.contains(['[', '\\']) || set.chars().any(|c| kind(c).is_some()) {
        return None;
    }
    let chars: Vec<char> = set.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(end)) if c <= end && *end as u32 - *c as u32 <= 0x100 => {
                all.extend(*c..=*end);
                at += 3;
            }
            _ => {
                all.push(*c);
                at += 1;
            }
        }
    }
    Some(all)
}
