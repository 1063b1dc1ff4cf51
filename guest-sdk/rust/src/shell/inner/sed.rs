//! What a sed program runs, reads and writes.

use super::options::Spec;
use super::{Context, Inner, is_wholly_unknown, languages};
use crate::Access;
use crate::shell::marks;
use crate::shell::word::Word;

const UNKNOWN: &str = "what a sed program makes up";

/// What a program does besides editing text.
#[derive(Debug, Default)]
pub(in crate::shell) struct Program {
    scripts: Vec<String>,
    /// Whether it may run something unknown.
    is_open: bool,
    pub(in crate::shell) files: Vec<(String, Access)>,
}

/// The options of sed. What follows `-i` is a suffix.
pub(in crate::shell) const SED: Spec =
    Spec { shorts: "efl", longs: &["expression", "file", "line-length"], flags: &["in-place", "quiet", "silent"] };

/// Returns the arguments of sed, with a cluster such as `-i.bak` cut after its `i`, so that the suffix is not split.
pub(in crate::shell) fn plain(arguments: &[Word]) -> Vec<Word> {
    let whole = |word: &Word| {
        let text = word.text();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
        let at = letters.find('i')?;
        let before = letters.get(..at)?;
        // `e`, `f` and `l` take what follows.
        (!before.contains(['e', 'f', 'l'])).then(|| Word::plain(&format!("-{before}i")))
    };
    let mut words: Vec<Word> = Vec::with_capacity(arguments.len());
    for word in arguments {
        // On macOS, `-i` takes the next word, which may then be empty. Elsewhere, an empty word is a program that only
        // prints.
        let is_suffix = word.text().is_empty() && words.last().is_some_and(|before| is_in_place(before.text()));
        if !is_suffix {
            words.push(whole(word).unwrap_or_else(|| word.clone()));
        }
    }
    words
}

/// Whether a text is `-i`, or a cluster that ends in it.
fn is_in_place(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--") && text.ends_with('i')
}

/// Returns the whole program, whose parts are lines of one text, or `None` if it is only in files.
pub(in crate::shell) fn program(arguments: &[Word]) -> Option<String> {
    let (options, operands) = SED.all(&plain(arguments));
    let named = options.iter().filter(|(name, _)| matches!(name.as_str(), "-e" | "--expression"));
    let texts: Vec<&str> = named.filter_map(|(_, value)| Some(value.as_ref()?.text())).collect();
    let has_file = options.iter().any(|(name, _)| matches!(name.as_str(), "-f" | "--file"));
    match texts.as_slice() {
        [] if has_file => None,
        [] => operands.first().map(|word| word.text().to_owned()),
        texts => Some(texts.join("\n")),
    }
}

/// Returns the commands that sed runs with these arguments.
pub(super) fn inner(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let mut inners = program(arguments).map(|text| of_text(&text)).unwrap_or_default();
    for (name, value) in SED.all(&plain(arguments)).0 {
        if matches!(name.as_str(), "-f" | "--file") {
            languages::of_file(value.as_ref(), context, &mut inners, of_text);
        }
    }
    inners
}

fn of_text(text: &str) -> Vec<Inner> {
    if is_wholly_unknown(text) {
        return vec![Inner::Unknown(UNKNOWN)];
    }
    let program = read(text);
    let unknown = program.is_open.then_some(Inner::Unknown(UNKNOWN));
    program.scripts.iter().map(|script| Inner::script(script)).chain(unknown).collect()
}

/// Reads a program. Where versions of sed differ about a delimiter in brackets, both count.
pub(in crate::shell) fn read(text: &str) -> Program {
    let mut program = Program::default();
    let mut reader = Reader { rest: text, in_lists: false, program: &mut program };
    while reader.command().is_some() {}
    if text.contains('[') {
        let mut other = Program::default();
        let mut reader = Reader { rest: text, in_lists: true, program: &mut other };
        while reader.command().is_some() {}
        program.is_open |= other.is_open;
        let scripts = other.scripts.into_iter().filter(|script| !program.scripts.contains(script));
        let scripts: Vec<String> = scripts.collect();
        program.scripts.extend(scripts);
        let files: Vec<_> = other.files.into_iter().filter(|file| !program.files.contains(file)).collect();
        program.files.extend(files);
    }
    program
}

struct Reader<'t, 'p> {
    rest: &'t str,
    /// Whether a delimiter in brackets does not count.
    in_lists: bool,
    program: &'p mut Program,
}

impl<'t> Reader<'t, '_> {
    /// Reads a command with its addresses. Returns `None` at the end, and after what sed itself would refuse.
    fn command(&mut self) -> Option<()> {
        self.skip(|c| c.is_whitespace() || c == ';' || c == '{' || c == '}');
        self.address()?;
        self.skip(|c| c.is_whitespace() || c == '!');
        let command = self.next()?;
        match command {
            '#' => drop(self.line()),
            '{' | '}' | ';' => {}
            ':' | 'b' | 't' | 'T' | 'v' => self.skip(|c| c != ';' && c != '\n' && c != '}'),
            'a' | 'i' | 'c' => self.text(),
            'r' | 'R' => self.file(Access::Read),
            'w' | 'W' => self.file(Access::Write),
            'q' | 'Q' | 'l' | 'L' => self.skip(|c| c.is_ascii_digit() || c == ' '),
            'e' => {
                let script = self.line().trim();
                if script.is_empty() {
                    self.program.is_open = true;
                } else {
                    self.program.scripts.push(script.to_owned());
                }
            }
            's' => {
                let delimiter = self.next()?;
                self.until(delimiter, true)?;
                self.until(delimiter, false)?;
                self.flags();
            }
            'y' => {
                let delimiter = self.next()?;
                self.until(delimiter, false)?;
                self.until(delimiter, false)?;
            }
            'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' | '=' => {}
            // A mark can be an address, a command, or the whole program.
            c if marks::kind(c).is_some() => {}
            _ => return None,
        }
        Some(())
    }

    /// Skips `1,5`, `/x/I,+3`, `$`, `\,x,`.
    fn address(&mut self) -> Option<()> {
        loop {
            self.skip(|c| c.is_ascii_digit() || "$,~+ \t".contains(c) || marks::kind(c).is_some());
            match self.rest.chars().next() {
                Some('/') => {
                    self.next();
                    self.until('/', true)?;
                }
                Some('\\') => {
                    self.next();
                    let delimiter = self.next()?;
                    self.until(delimiter, true)?;
                }
                _ => return Some(()),
            }
            self.skip(|c| matches!(c, 'I' | 'M'));
        }
    }

    /// Reads the flags of `s`.
    fn flags(&mut self) {
        while let Some(c) = self.rest.chars().next() {
            match c {
                'e' => self.program.is_open = true,
                'w' => {
                    self.next();
                    return self.file(Access::Write);
                }
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' => {}
                c if c.is_ascii_digit() || marks::kind(c).is_some() => {}
                _ => return,
            }
            self.next();
        }
    }

    /// Skips the text of `a`, `i` and `c`, up to the end of a line that is not continued.
    fn text(&mut self) {
        while self.line().ends_with('\\') && !self.rest.is_empty() {}
    }

    /// Reads the name of a file, up to the end of the line.
    fn file(&mut self, access: Access) {
        let name = self.line().trim_start();
        if !matches!(name, "" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin") {
            self.program.files.push((name.to_owned(), access));
        }
    }

    /// Takes the rest of the line.
    fn line(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        line
    }

    /// Skips the text up to the delimiter, and the delimiter itself.
    fn until(&mut self, delimiter: char, is_regex: bool) -> Option<()> {
        let mut in_list = false;
        let mut before = None;
        while let Some(c) = self.next() {
            match c {
                '\\' if !in_list => drop(self.next()),
                '[' if is_regex && self.in_lists && !in_list => {
                    in_list = true;
                    // As the first character of a list, it is literal.
                    let skipped = ["^]", "]", "^"].iter().find_map(|start| self.rest.strip_prefix(start));
                    self.rest = skipped.unwrap_or(self.rest);
                }
                ']' if in_list && before != Some('[') => in_list = false,
                c if c == delimiter && !in_list => return Some(()),
                _ => {}
            }
            before = Some(c);
        }
        None
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(is_skipped);
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }
}
