//! Builtins that set variables from the input: `read` and the like.

use super::call::Run;
use super::{Place, Shell};
use crate::shell::command::Stdin;
use crate::shell::marks::has_mark;
use crate::shell::word::Word;

impl Shell {
    /// Runs `read`, and other builtins that set variables from the input.
    pub(super) fn read(&mut self, run: &Run<'_>, place: &Place) {
        let arguments = ReadArguments::of(run);
        let separators = self.field_separators();
        let text = match &place.stdin {
            Stdin::Text(text) if arguments.is_plain => Some(&**text),
            _ => None,
        };
        if let (true, Some(text), [name]) = (arguments.is_list, text, arguments.names.as_slice())
            && let Some(list) = arguments.list(text, separators.as_deref())
        {
            self.forget_like(name);
            return self.assign_list(name, list);
        }
        let lines: Vec<&str> = match text {
            Some(text) if !arguments.is_list => text.split_terminator('\n').collect(),
            _ => Vec::new(),
        };
        for (at, name) in arguments.names.iter().enumerate() {
            let mut values = arguments.values(at, &lines, separators.as_deref());
            if values.is_empty() || values.len() > 8 {
                values = vec![self.marks.unknown(&format!("${name}"))];
            }
            // The first argument of `getopts` is its options, not a name.
            if run.name != "getopts" || at > 0 {
                self.forget_like(name);
            }
            self.assign(name, values);
        }
    }

    /// Returns the characters that separate the fields of a line, if they are known.
    fn field_separators(&self) -> Option<String> {
        match self.env.get("IFS").map(|variable| &*variable.values) {
            None => Some(" \t\n".to_owned()),
            Some([one]) if !has_mark(one) => Some(one.clone()),
            Some(_) => None,
        }
    }
}

/// What the arguments of `read`, or of another builtin that sets variables from the input, say.
struct ReadArguments {
    /// The names of the variables.
    names: Vec<String>,
    /// Whether the variable becomes a list.
    is_list: bool,
    /// Whether the builtin reads one whole line of its standard input.
    is_plain: bool,
    /// Whether backslashes are kept.
    is_raw: bool,
}

impl ReadArguments {
    fn of(run: &Run<'_>) -> Self {
        let with_value = if run.name == "read" { "dinNptu" } else { "dnOsuCc" };
        let mut names = Vec::new();
        let mut is_list = run.name != "read";
        let mut is_plain = run.name == "read";
        let mut is_raw = false;
        let mut words = run.arguments().iter();
        while let Some(word) = words.next() {
            match word.text().strip_prefix('-') {
                Some(letters) if names.is_empty() && !letters.is_empty() => {
                    is_list |= letters.contains('a');
                    is_plain &= !letters.contains(['d', 'n', 'N', 'u']);
                    let at = letters.find(|letter| with_value.contains(letter));
                    is_raw |= letters.get(..at.unwrap_or(letters.len())).is_some_and(|flags| flags.contains('r'));
                    if at.is_some_and(|at| at + 1 == letters.len()) {
                        words.next();
                    }
                }
                _ => names.push(word.text().to_owned()),
            }
        }
        if letters_name_list(run.arguments()) {
            is_list = true;
        }
        if names.is_empty() {
            names.push(if run.name == "read" { "REPLY" } else { "MAPFILE" }.to_owned());
        }
        if run.name == "getopts" {
            names.push("OPTARG".to_owned());
        }
        ReadArguments { names, is_list, is_plain, is_raw }
    }

    /// Returns the elements of the list that a text is read into, if they are known.
    fn list(&self, text: &str, separators: Option<&str>) -> Option<Vec<String>> {
        let line = text.strip_suffix('\n').unwrap_or(text);
        let is_odd = has_mark(line) || line.contains('\n') || !self.is_raw && line.contains('\\');
        separators.filter(|_| !is_odd).map(|separators| fields(line, separators))
    }

    /// Returns the values that these lines give to the variable at this position. There are none if one is not known.
    fn values(&self, at: usize, lines: &[&str], separators: Option<&str>) -> Vec<String> {
        let last = self.names.len() - 1;
        let value = |line: &&str| {
            // Without `-r`, backslashes are removed. An unknown part may have several fields.
            let is_odd = !self.is_raw && line.contains('\\') || last > 0 && has_mark(line);
            separators.filter(|_| !is_odd).map(|separators| field(line, separators, at, at == last))
        };
        let values: Option<Vec<String>> = lines.iter().map(value).collect();
        let mut values = values.unwrap_or_default();
        values.dedup();
        values
    }
}

/// Returns the fields of a line that `read -a` puts into a list.
fn fields(line: &str, separators: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut rest = line.trim_matches(|c: char| is_blank(c, separators));
    while !rest.is_empty() {
        let (field, after) = first_field(rest, separators);
        list.push(field.to_owned());
        rest = after;
    }
    list
}

/// Returns the field of a line that `read` puts into the variable at this position. The last variable gets the rest of
/// the line.
fn field(line: &str, separators: &str, at: usize, is_last: bool) -> String {
    let mut rest = line.trim_matches(|c: char| is_blank(c, separators));
    for _ in 0..at {
        rest = first_field(rest, separators).1;
    }
    let (field, after) = first_field(rest, separators);
    // A separator after the last field is left out.
    if is_last && !after.is_empty() { rest.to_owned() } else { field.to_owned() }
}

/// Returns the first field and what comes after it. Blanks around a separator belong to it.
fn first_field<'t>(text: &'t str, separators: &str) -> (&'t str, &'t str) {
    let end = text.find(|c: char| separators.contains(c)).unwrap_or(text.len());
    let (field, after) = text.split_at_checked(end).unwrap_or((text, ""));
    let after = after.trim_start_matches(|c: char| is_blank(c, separators));
    let other = after.strip_prefix(|c: char| separators.contains(c));
    (field, other.map_or(after, |after| after.trim_start_matches(|c: char| is_blank(c, separators))))
}

fn is_blank(c: char, separators: &str) -> bool {
    matches!(c, ' ' | '\t') && separators.contains(c)
}

/// Whether the options include `-a NAME`.
fn letters_name_list(arguments: &[Word]) -> bool {
    arguments.iter().any(|word| {
        let text = word.text();
        text.starts_with('-') && !text.starts_with("--") && text.ends_with('a')
    })
}
