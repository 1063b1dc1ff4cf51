//! Rules about arguments.

use crate::argument::Value;
use crate::name::{Fit, Name, Pattern};
use crate::settings::Verdict;
use crate::text::{has_prefix, is_path_glob};
use hookbox_policy::Findings;
use hookbox_policy::sql::{Sql, read_only};
use hookbox_sdk::Error;

/// A rule from the settings, with its patterns parsed.
pub(crate) struct Rule<'s> {
    tools: Vec<Pattern>,
    settings: &'s crate::settings::Rule,
}

/// The reason why an argument is refused.
enum Fault {
    Broken(String),
    Unknown(String),
}

impl<'s> Rule<'s> {
    pub(crate) fn new(settings: &'s crate::settings::Rule) -> Result<Self, Error> {
        let what = |what: &str| Err(Error::new(format!("a rule for `{}` {what}", settings.argument)));
        let tools = Pattern::list(settings.tools.texts())?;
        if tools.is_empty() {
            return what("names no `tools`");
        }
        if settings.argument.is_empty() {
            return Err(Error::new("a rule names no `argument`"));
        }
        if !settings.functions.is_empty() && settings.read_only_sql != Some(true) {
            return what("has `functions` without `read_only_sql = true`");
        }
        let is_empty = settings.read_only_sql.is_none()
            && settings.one_of.is_none()
            && settings.prefix.texts().is_empty()
            && settings.matches.texts().is_empty()
            && settings.max_length.is_none();
        if is_empty {
            return what(
                "says nothing about it: give it `read_only_sql`, `one_of`, `prefix`, `matches` or `max_length`",
            );
        }
        Ok(Rule { tools, settings })
    }

    /// Whether the rule allows any SQL in this argument.
    pub(crate) fn frees(&self, name: &Name, key: &str) -> bool {
        let last = self.settings.argument.rsplit('.').next().unwrap_or_default();
        self.settings.read_only_sql == Some(false) && last.eq_ignore_ascii_case(key) && name.is_surely(&self.tools)
    }

    /// Checks the arguments of a call.
    pub(crate) fn check(&self, name: &Name, arguments: &Value, found: &mut Findings) {
        let (fit, _) = name.may_be(&self.tools);
        if fit == Fit::No {
            return;
        }
        let Err(fault) = self.argument(arguments) else { return };
        let (argument, tool) = (&self.settings.argument, &name.shown);
        match (fault, self.settings.otherwise) {
            (_, Verdict::Allow) => {}
            (Fault::Unknown(what), _) => found.unknown(format!("`{argument}` of `{tool}` {what}")),
            // The rule may be meant for another server.
            (Fault::Broken(what), _) if fit == Fit::Maybe => found.unknown(format!("`{argument}` of `{tool}` {what}")),
            (Fault::Broken(what), Verdict::Ask) => found.ask(format!("`{argument}` of `{tool}` {what}")),
            (Fault::Broken(what), Verdict::Deny) => found.deny(format!("`{argument}` of `{tool}` {what}")),
        }
    }

    fn argument(&self, arguments: &Value) -> Result<(), Fault> {
        let mut values = Vec::new();
        arguments.at(&self.settings.argument, &mut values);
        let mut leaves = Vec::new();
        values.iter().for_each(|value| value.leaves(&mut leaves));
        if leaves.is_empty() {
            let what = "is missing, and a rule in hooks.toml says what it must be: give it".to_owned();
            return if self.settings.required { Err(Fault::Broken(what)) } else { Ok(()) };
        }
        leaves.into_iter().try_for_each(|leaf| self.leaf(leaf))
    }

    fn leaf(&self, value: &str) -> Result<(), Fault> {
        let broken = |what: String| Err(Fault::Broken(what));
        let quoted = || quote(value);
        if self.settings.read_only_sql == Some(true) {
            match read_only(value, &self.settings.functions) {
                Sql::ReadOnly => {}
                Sql::Writes(what) => {
                    return broken(format!("must be a single statement that only reads: {what}. Use one `SELECT`"));
                }
                Sql::Unsure(what) => {
                    return Err(Fault::Unknown(format!(
                        "must be a single statement that only reads, which is not sure: {what}. Use one plain `SELECT`"
                    )));
                }
            }
        }
        if let Some(values) = &self.settings.one_of
            && !values.iter().any(|known| known == value)
        {
            return broken(format!("is {}, but must be one of {}", quoted(), list(values)));
        }
        let prefixes = self.settings.prefix.texts();
        if !prefixes.is_empty() && !prefixes.iter().any(|prefix| has_prefix(prefix, value)) {
            return broken(format!("is {}, but must begin with {}", quoted(), list(prefixes)));
        }
        let patterns = self.settings.matches.texts();
        if !patterns.is_empty() && !patterns.iter().any(|pattern| is_path_glob(pattern, value)) {
            return broken(format!("is {}, but must match {}", quoted(), list(patterns)));
        }
        match self.settings.max_length {
            Some(most) if value.chars().nth(most).is_some() => {
                broken(format!("is longer than {most} characters: shorten it"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns a shortened text, for use in reasons.
pub(crate) fn plain(text: &str) -> String {
    let clean = |c: char| if c.is_control() || c == '`' { ' ' } else { c };
    let short: String = text.chars().take(60).map(clean).collect();
    if text.chars().nth(60).is_some() { short + "…" } else { short }
}

fn quote(text: &str) -> String {
    format!("`{}`", plain(text))
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().take(5).map(|text| quote(text)).collect();
    let more = if texts.len() > quoted.len() { " or others" } else { "" };
    quoted.join(", ") + more
}
