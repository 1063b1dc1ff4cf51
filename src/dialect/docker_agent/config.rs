//! docker-agent's reading of an agent file, or of a block of hooks alone. It is strict: any error makes the whole file
//! unusable.

mod entry;
mod locate;

use super::event::Traits;
use super::{DockerAgent, Generation, builtin};
use crate::config::{ConfigFile, Entry, HookTarget, HostEnv, Reading, Severity, suggest};
use crate::dialect::go::matcher::{PatternError, whole_matcher};
use crate::dialect::yaml::{self, Node};
use crate::protocol::{Code, Kind};
use crate::runtime::Matcher;
pub use entry::Definition;
use entry::EntryReader;
pub(super) use entry::build;
use std::ops::Range;

/// Why a file cannot be used, and where the problem is.
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) at: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn value(at: &Range<usize>, message: impl Into<String>) -> Self {
        Fault { code: Code::ConfigValue, at: at.clone(), message: message.into(), help: None }
    }

    /// Adds advice on how to fix it.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Fault { help: Some(help.into()), ..self }
    }

    pub(super) fn key(at: &Range<usize>, message: impl Into<String>) -> Self {
        Fault { code: Code::ConfigKey, at: at.clone(), message: message.into(), help: None }
    }
}

pub(super) fn read(dialect: &DockerAgent, file: &ConfigFile, host: &HostEnv<'_>) -> Reading {
    let mut reader = Reader { dialect, file, host, reading: Reading::default() };
    if let Err(Fault { code, at, message, help }) = reader.read() {
        reader.reading.entries.clear();
        let problem = file.problem(code, None, &at, message, help);
        reader.reading.break_file(problem);
    }
    reader.reading
}

struct Reader<'a> {
    dialect: &'a DockerAgent,
    file: &'a ConfigFile,
    host: &'a HostEnv<'a>,
    reading: Reading,
}

/// The tools that a list of hooks applies to.
struct Tools {
    matcher: Matcher,
    pattern: Option<String>,
    /// Why the pattern cannot be used.
    broken: Option<String>,
    /// Whether commands with that pattern are never asked.
    never: bool,
}

impl Tools {
    fn every() -> Self {
        Tools { matcher: Matcher::default(), pattern: None, broken: None, never: false }
    }
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Fault> {
        let root = yaml::parse(&yaml::with_whole_characters(&self.file.text)).map_err(|error| Fault {
            code: Code::ConfigSyntax,
            at: error.at,
            message: error.message,
            help: None,
        })?;
        let Some(root) = root else {
            return Ok(());
        };
        let located = locate::hooks(&root, self.dialect.agent.as_deref())?;
        if let Some(hooks) = located.hooks {
            self.block(hooks)?;
        }
        for flag in located.flags {
            self.add_stock(&flag);
        }
        for (name, at) in located.unknown_flags {
            let message = format!("`{name}` asks for a builtin that hookbox does not have; it is left out");
            let mut problem = self.file.problem(Code::ConfigKey, None, &at, message, None);
            problem.severity = Severity::Warning;
            self.reading.problems.push(problem);
        }
        Ok(())
    }

    fn block(&mut self, hooks: &Node) -> Result<(), Fault> {
        let events = hooks.as_mapping().ok_or_else(|| {
            Fault::value(&hooks.at, format!("`hooks` must be a mapping of events, not {}", hooks.kind_name()))
        })?;
        let known = self.dialect.generation.events();
        for (key, _) in events {
            let name = key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
            if known.iter().all(|traits| traits.name != name) {
                let names: Vec<&str> = known.iter().map(|traits| traits.name).collect();
                return Err(Fault::key(&key.at, format!("unknown event `{name}`")).help(suggest(name, &names)));
            }
        }
        for traits in known {
            let Some(list) = hooks.get(traits.name).filter(|list| !list.is_null()) else {
                continue;
            };
            let path = format!("hooks.{}", traits.name);
            let items = sequence(list, &path)?;
            if traits.has_matchers {
                self.matchers(traits, &path, items)?;
            } else {
                self.hooks(traits, items, &Tools::every(), |index| format!("{path}[{index}]"))?;
            }
        }
        Ok(())
    }

    fn matchers(&mut self, traits: &Traits, path: &str, items: &[Node]) -> Result<(), Fault> {
        for (index, item) in items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let pairs = item.as_mapping().ok_or_else(|| {
                Fault::value(&item.at, format!("{path}: must be a mapping, not {}", item.kind_name()))
            })?;
            only(pairs, &["matcher", "hooks"], &path)?;
            let hooks = match item.get("hooks").filter(|hooks| !hooks.is_null()) {
                Some(hooks) => sequence(hooks, &format!("{path}.hooks"))?,
                None => &[],
            };
            if hooks.is_empty() {
                return Err(Fault::key(&item.at, format!("{path}: at least one hook is required")));
            }
            let pattern = match item.get("matcher").filter(|matcher| !matcher.is_null()) {
                Some(node) => Some((text(node, &format!("{path}.matcher"))?, node)),
                None => None,
            };
            let tools = self.tools(pattern);
            let before = self.reading.entries.len();
            self.hooks(traits, hooks, &tools, |index| format!("{path}.hooks[{index}]"))?;
            if tools.never {
                // The hooks must still be valid, and a component is a guard whatever its system thinks of its pattern.
                let added = self.reading.entries.split_off(before);
                let is_component = |entry: &Entry| matches!(entry.target, HookTarget::Broken(Kind::Component, _));
                let components = added.into_iter().filter(is_component);
                self.reading.entries.extend(components);
            }
        }
        Ok(())
    }

    /// The tools that a pattern selects.
    fn tools(&mut self, pattern: Option<(String, &Node)>) -> Tools {
        let Some((pattern, node)) = pattern else {
            return Tools::every();
        };
        let shown = Some(pattern.clone()).filter(|pattern| !pattern.is_empty());
        match whole_matcher(&pattern) {
            Ok(matcher) => Tools { matcher, pattern: shown, ..Tools::every() },
            Err(error) => {
                // docker-agent drops the hooks of a pattern that it cannot use. A pattern that only hookbox cannot use
                // must not drop a guard.
                let never = matches!(error, PatternError::Invalid(_)) && !self.dialect.strictness.is_strict();
                let message = match never {
                    true => format!("`matcher` is no regex, so that its hooks are never asked: {error}"),
                    false => format!("`matcher` cannot be used: {error}"),
                };
                let problem = self.file.problem(Code::ConfigValue, None, &node.at, message, None);
                let broken = Some(format!("is not usable: {problem}"));
                self.reading.problems.push(problem);
                Tools { pattern: shown, broken, never, ..Tools::every() }
            }
        }
    }

    fn hooks(
        &mut self,
        traits: &Traits,
        items: &[Node],
        tools: &Tools,
        path: impl Fn(usize) -> String,
    ) -> Result<(), Fault> {
        for (index, item) in items.iter().enumerate() {
            let reader = EntryReader { dialect: self.dialect, file: self.file, host: self.host, traits };
            let (entry, problems) = reader.read(item, &path(index), tools)?;
            self.reading.problems.extend(problems);
            self.reading.entries.push(entry);
        }
        Ok(())
    }

    /// Adds a builtin that an agent's flag puts after the agent's hooks.
    fn add_stock(&mut self, flag: &locate::Flag) {
        if self.dialect.generation == Generation::First {
            return;
        }
        for event in builtin::events_of(flag.builtin) {
            let reader = EntryReader {
                dialect: self.dialect,
                file: self.file,
                host: self.host,
                traits: match self.dialect.generation.traits(*event) {
                    Some(traits) => traits,
                    None => continue,
                },
            };
            self.reading.entries.push(reader.stock(flag.builtin, &flag.at));
        }
    }
}

/// The items of a list.
fn sequence<'n>(node: &'n Node, path: &str) -> Result<&'n [Node], Fault> {
    node.as_sequence()
        .ok_or_else(|| Fault::value(&node.at, format!("{path}: must be a list, not {}", node.kind_name())))
}

/// Refuses unknown keys.
pub(super) fn only(pairs: &[(Node, Node)], known: &[&str], path: &str) -> Result<(), Fault> {
    for (key, _) in pairs {
        let name = key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
        if !known.contains(&name) {
            let fault = Fault::key(&key.at, format!("{path}: unknown key `{name}`"));
            return Err(match (name, known) {
                ("type" | "command", ["matcher", "hooks"]) => {
                    fault.help("hooks of this event stand below `hooks`, beside a `matcher`")
                }
                _ => fault.help(suggest(name, known)),
            });
        }
    }
    Ok(())
}

/// The text of a scalar.
pub(super) fn text(node: &Node, path: &str) -> Result<String, Fault> {
    let scalar = node.scalar();
    let wrong = || Fault::value(&node.at, format!("{path}: must be a string, not {}", node.kind_name()));
    scalar.map(|scalar| scalar.text.clone()).ok_or_else(wrong)
}
