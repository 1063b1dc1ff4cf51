//! Typed access to a TOML table that notes every problem with its location instead of stopping at the first.

use super::file::ConfigFile;
use super::problem::Problem;
use crate::policy::SettingProblem;
use crate::protocol::Code;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its byte range in the file.
pub(super) type At<T> = (T, Range<usize>);

/// The maximum number of problems reported for one table. More would not help the reader.
const MAX_PROBLEMS: usize = 50;

/// A table of a config file.
pub(super) struct Fields<'a> {
    file: &'a ConfigFile,
    hook: Option<&'a str>,
    /// The table's name in messages, such as `limits.`.
    prefix: &'static str,
    table: &'a DeTable<'a>,
    problems: Vec<Problem>,
}

impl<'a> Fields<'a> {
    pub(super) const fn new(
        file: &'a ConfigFile,
        hook: Option<&'a str>,
        prefix: &'static str,
        table: &'a DeTable<'a>,
    ) -> Self {
        Fields { file, hook, prefix, table, problems: Vec::new() }
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    pub(super) fn absorb(&mut self, problems: Vec<Problem>) {
        self.problems.extend(problems);
    }

    /// Notes a problem in the settings of a policy.
    pub(super) fn bad_setting(&mut self, problem: SettingProblem) {
        let code = if problem.is_key { Code::ConfigKey } else { Code::ConfigValue };
        self.note(code, &problem.at, problem.message, problem.help);
    }

    pub(super) const fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub(super) fn is_list(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| value.get_ref().is_array())
    }

    pub(super) fn is_empty_list(&self, key: &str) -> bool {
        self.table.get(key).and_then(|value| value.get_ref().as_array()).is_some_and(|array| array.is_empty())
    }

    /// Notes a value that its key does not accept.
    pub(super) fn bad_value(&mut self, at: &Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.note(Code::ConfigValue, at, message.into(), help);
    }

    /// Notes a key that is missing, or that must not be there.
    pub(super) fn bad_key(&mut self, at: &Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.note(Code::ConfigKey, at, message.into(), help);
    }

    fn note(&mut self, code: Code, at: &Range<usize>, message: String, help: Option<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(self.file.problem(code, self.hook, at, message, help));
        }
    }

    /// Returns the byte range of a key.
    pub(super) fn key_at(&self, key: &str) -> Option<Range<usize>> {
        self.table.get_key_value(key).map(|(key, _)| key.span())
    }

    /// Notes every key that is not in `known`.
    pub(super) fn only(&mut self, known: &[&str]) {
        self.only_besides(known, &[]);
    }

    /// Like [`only`](Self::only), but also ignores the keys in `besides`, which are never suggested.
    pub(super) fn only_besides(&mut self, known: &[&str], besides: &[&str]) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) && !besides.contains(&name) {
                let message = format!("unknown key `{}{name}`", self.prefix);
                self.bad_key(&key.span(), message, Some(suggest(name, known)));
            }
        }
    }

    fn get<T>(
        &mut self,
        key: &str,
        expected: &str,
        example: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Option<At<T>> {
        let value: &'a Spanned<DeValue<'a>> = self.table.get(key)?;
        if let Some(read) = read(value.get_ref()) {
            return Some((read, value.span()));
        }
        let message = format!("`{}{key}` must be {expected}, not {}", self.prefix, kind_of(value.get_ref()));
        self.bad_value(&value.span(), message, Some(format!("such as {example}")));
        None
    }

    pub(super) fn string(&mut self, key: &str, example: &str) -> Option<At<&'a str>> {
        self.get(key, "a string", example, |value| value.as_str())
    }

    pub(super) fn boolean(&mut self, key: &str) -> Option<At<bool>> {
        self.get(key, "true or false", "true", |value| value.as_bool())
    }

    pub(super) fn integer(&mut self, key: &str, example: &str) -> Option<At<i64>> {
        self.get(key, "a whole number", example, |value| {
            let integer = value.as_integer()?;
            i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
        })
    }

    /// Reads a number that is not negative, with or without a fraction.
    pub(super) fn amount(&mut self, key: &str, example: &str) -> Option<At<f64>> {
        self.get(key, "a number of 0 or more", example, |value| {
            let text =
                value.as_integer().map(|number| number.as_str()).or(value.as_float().map(|number| number.as_str()));
            let number: f64 = text?.replace('_', "").parse().ok()?;
            (number.is_finite() && number >= 0.0).then_some(number)
        })
    }

    pub(super) fn strings(&mut self, key: &str, example: &str) -> Option<At<Vec<At<&'a str>>>> {
        self.items(key, "strings", example, |value| value.as_str())
    }

    /// Reads a string, or an array of strings.
    pub(super) fn words_of(&mut self, key: &str, example: &str) -> Vec<String> {
        let words = match self.is_list(key) {
            true => self.strings(key, example).map(|(words, _)| words),
            false => self.string(key, example).map(|word| vec![word]),
        };
        words.unwrap_or_default().into_iter().map(|(word, _)| word.to_owned()).collect()
    }

    pub(super) fn tables(&mut self, key: &str, example: &str) -> Option<At<Vec<At<&'a DeTable<'a>>>>> {
        self.items(key, "tables", example, |value| value.as_table())
    }

    /// Reads an array whose items are all of one kind.
    fn items<T>(
        &mut self,
        key: &str,
        kind: &str,
        example: &str,
        read: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Option<At<Vec<At<T>>>> {
        let (array, at) = self.get(key, &format!("an array of {kind}"), example, |value| value.as_array())?;
        let mut items = Vec::new();
        for item in array {
            let Some(read) = read(item.get_ref()) else {
                let message = format!("`{}{key}` must hold {kind}, not {}", self.prefix, kind_of(item.get_ref()));
                self.bad_value(&item.span(), message, Some(format!("such as {example}")));
                return None;
            };
            items.push((read, item.span()));
        }
        Some((items, at))
    }

    pub(super) fn table(&mut self, key: &str, example: &str) -> Option<At<&'a DeTable<'a>>> {
        self.get(key, "a table", example, |value| value.as_table())
    }

    /// Reads a table of environment variables.
    pub(super) fn variables(&mut self, key: &str, example: &str) -> Option<Vec<(String, String)>> {
        let variables = self.texts(key, example)?;
        for ((name, at), _) in &variables {
            self.check_variable_name(name, at);
        }
        Some(variables.into_iter().map(|((name, _), text)| (name.to_owned(), text.to_owned())).collect())
    }

    /// Reads a table of strings.
    pub(super) fn texts(&mut self, key: &str, example: &str) -> Option<Vec<(At<&'a str>, &'a str)>> {
        let (table, _) = self.table(key, example)?;
        let mut texts = Vec::new();
        for (name, value) in table {
            match value.get_ref().as_str() {
                Some(text) => texts.push(((name.get_ref().as_ref(), name.span()), text)),
                None => {
                    let kind = kind_of(value.get_ref());
                    let message = format!("`{}{key}` must hold strings, not {kind}", self.prefix);
                    self.bad_value(&value.span(), message, Some(format!("such as {example}")));
                }
            }
        }
        Some(texts)
    }

    /// Notes a name that no environment variable can have.
    pub(super) fn check_variable_name(&mut self, name: &str, at: &Range<usize>) {
        if name.is_empty() || name.contains(['=', '\0']) {
            self.bad_value(at, format!("{name:?} is not the name of a variable"), None);
        }
    }

    /// Reads a string that must be one of these words.
    pub(super) fn word<T: Clone>(&mut self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let (text, at) = self.string(key, &format!("{:?}", names.first().unwrap_or(&"")))?;
        let word = words.iter().find(|(name, _)| *name == text).map(|(_, word)| word.clone());
        if word.is_none() {
            let message = format!("`{}{key}` is {text:?}", self.prefix);
            self.bad_value(&at, message, Some(suggest(text, &names)));
        }
        word
    }
}

/// Suggests the closest known word, or lists all of them.
#[must_use]
pub fn suggest(word: &str, known: &[&str]) -> String {
    match alike(word, known) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => format!("one of: {}", known.join(", ")),
    }
}

/// Returns the known word that `word` most likely means.
pub(super) fn alike<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    /// The similarity below which a suggestion would be a guess.
    const ALIKE: f64 = 0.8;
    known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(&word.to_lowercase(), &candidate.to_lowercase()), *candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

pub(crate) const fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
