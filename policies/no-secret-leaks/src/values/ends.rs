//! What comes after a value: methods and indices, of which some take only a part of it.

use super::{Code, is_name};
use crate::pipes::is_few;
use hookbox_policy::Names;

/// The maximum number of methods after a value.
const MAX_METHODS: usize = 16;

/// Methods whose result has all of the value.
#[rustfmt::skip] // Many words to a line.
static METHODS: Names = Names::new(&[
    "strip", "rstrip", "lstrip", "trim", "trimStart", "trimEnd", "encode", "decode", "upper", "lower", "title",
    "toString", "to_s", "toUpperCase", "toLowerCase", "upcase", "downcase", "chars", "bytes", "reverse", "split",
    "join", "inspect", "dump", "hex", "unpack", "unpack1", "dup", "freeze", "itself", "valueOf", "concat", "padEnd",
    "padStart", "normalize", "repeat", "center", "ljust", "rjust", "zfill", "swapcase", "casefold", "ord",
    "codepoints", "to_a", "map", "format", "chomp", "squeeze",
]);

/// Methods whose result is a part of the value. The argument of the last three is a number of characters.
const CUTTERS: [&str; 6] = ["slice", "substring", "substr", "first", "last", "take"];

/// Methods that change a certain text in the value, if their argument is a text. A pattern may mask all of it.
const REPLACERS: [&str; 3] = ["replace", "replaceAll", "gsub"];

impl Code<'_> {
    /// Whether nothing is taken from a value that ends at this position, and it is not only compared.
    pub(super) fn is_whole(&self, mut end: usize) -> bool {
        // These join texts by dots.
        let has_dots = matches!(self.name, "php" | "perl");
        for _ in 0..MAX_METHODS {
            let rest = self.text.get(end..).unwrap_or_default();
            if let Some(after) = rest.strip_prefix('!').filter(|after| !after.starts_with('=')) {
                // This is Swift's mark for a value that is there, or `!r` in a text of Python.
                let is_form =
                    after.starts_with(['r', 's', 'a']) && after.get(1..).is_some_and(|c| c.starts_with(['}', ':']));
                end += if is_form { 2 } else { 1 };
            } else if rest.starts_with('[') {
                let close = self.close(end + 1);
                let inside = self.text.get(end + 1..close - 1).unwrap_or_default();
                if !is_slice(inside) || is_part(inside) {
                    return false;
                }
                end = close;
            } else if let Some(after) = rest.strip_prefix("?.").or_else(|| rest.strip_prefix('.')).filter(|_| !has_dots)
            {
                let length = after.find(|c: char| !is_name(c)).unwrap_or(after.len());
                let Some((method, behind)) = after.split_at_checked(length).filter(|(method, _)| !method.is_empty())
                else {
                    break;
                };
                end += rest.len() - behind.len();
                let close = if behind.starts_with('(') { self.close(end + 1) } else { end };
                let inside = self.text.get(end + 1..close.saturating_sub(1)).unwrap_or_default();
                // A single number says where the rest begins.
                let is_rest = matches!(method, "slice" | "substring" | "substr") && !inside.contains([',', '-']);
                let is_cut = || !CUTTERS.contains(&method) || !is_rest && is_part(inside);
                let is_text = || inside.trim_start_matches([' ', '\\']).starts_with(['"', '\'']);
                let keeps = METHODS.contains(method) || REPLACERS.contains(&method) && is_text();
                if !keeps && is_cut() {
                    return false;
                }
                end = close;
            } else {
                break;
            }
        }
        self.goes_on(self.text.get(end..).unwrap_or_default().trim_start_matches(' '))
    }

    /// Whether what comes after a value only adds something to it, or ends the expression.
    fn goes_on(&self, rest: &str) -> bool {
        const ADDS: [&str; 12] = ["for ", "if ", "unless ", "end", "<<", "<>", ">>=", "||", "??", "or ", "-join", "=}"];
        const COMPARES: [&str; 6] = ["==", "!=", "?", "~", "<", ">"];
        const PIPES: [&str; 7] = ["puts", "inspect", "print", "echo", "Write-", "Out-", "log"];
        let begins = |marks: &[&str]| marks.iter().any(|mark| rest.starts_with(mark));
        let is_piped = || {
            let next = rest.strip_prefix("|>").or_else(|| rest.strip_prefix('|'));
            next.is_some_and(|next| {
                let next = next.trim_start();
                let next = next.strip_prefix("IO.").unwrap_or(next);
                PIPES.iter().any(|print| next.starts_with(print))
            })
        };
        rest.is_empty()
            || rest.starts_with(|c: char| ";,)}]\n\\\"'`+.%~:".contains(c))
            || begins(&ADDS)
            || self.is_awk() && !begins(&COMPARES)
            || is_piped()
    }
}

/// Whether the text of an index is a range: `:4`, `0..3`, `0, 4`.
fn is_slice(index: &str) -> bool {
    let rest = index.trim_start().trim_start_matches('-').trim_start_matches(|c: char| c.is_ascii_digit());
    rest.trim_start().starts_with([':', '.', ','])
}

/// Whether a range has only a few characters: `:4`, `-4:`, `0, 4`.
fn is_part(range: &str) -> bool {
    let range = range.trim();
    let mut numbers = range.split(|c: char| !c.is_ascii_digit() && c != '-').filter(|number| !number.is_empty());
    let is_from_end = range.starts_with('-');
    let Some(last) = numbers.next_back().filter(|_| !range.contains("::")) else { return false };
    let is_open = range.ends_with([':', '.']);
    is_few(last.trim_start_matches('-')) && (is_from_end || !is_open && !last.starts_with('-'))
}
