//! docker-agent's configs: agent files, or blocks of hooks alone. They are read strictly: any error makes the whole
//! file unusable.

mod entry;
mod expand;
mod locate;
mod user;

use super::event::{Traits, elsewhere, name_of};
use super::{DockerAgent, Generation, ModelClient, builtin};
use crate::config::{ConfigFile, Entry, HookTarget, HostEnv, Reading, suggest};
use crate::dialect::go::matcher::{PatternError, whole_matcher};
use crate::dialect::go::scalar;
use crate::dialect::yaml::{self, Kind as ScalarKind, Node};
use crate::protocol::{Code, Event, Kind};
use crate::runtime::Matcher;
pub use entry::Definition;
use entry::EntryReader;
pub(super) use entry::build;
use locate::{Flag, Located};
use std::ops::Range;
use std::sync::Arc;

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

    /// Adds advice on how to fix the problem.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Fault { help: Some(help.into()), ..self }
    }

    pub(super) fn key(at: &Range<usize>, message: impl Into<String>) -> Self {
        Fault { code: Code::ConfigKey, at: at.clone(), message: message.into(), help: None }
    }
}

pub(super) fn read(dialect: &DockerAgent, file: &ConfigFile, host: &HostEnv<'_>) -> Reading {
    let mut reader = Reader { dialect, file, host, reading: Reading::default(), models: None };
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
    /// The client that asks models if the host has set none.
    models: Option<Arc<dyn ModelClient>>,
}

/// The tools that a list of hooks applies to.
struct Tools {
    matcher: Matcher,
    pattern: Option<String>,
    /// Why the pattern cannot be used.
    broken: Option<String>,
    /// Whether commands with that pattern are never asked.
    never: bool,
    /// Whether the hooks are asked before the agent's own rules decide.
    early: bool,
}

impl Tools {
    fn every() -> Self {
        Tools { matcher: Matcher::default(), pattern: None, broken: None, never: false, early: false }
    }
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<(), Fault> {
        let root = yaml::parse(&yaml::with_whole_characters(&self.file.text)).map_err(|error| Fault {
            code: Code::ConfigSyntax,
            at: error.at,
            message: error.message,
            help: None,
        })?;
        self.models = models(self.dialect, root.as_ref(), self.file, self.host);
        let located = match &root {
            Some(root) => locate::hooks(root, self.dialect.agent.as_deref(), self.dialect.generation)?,
            None => Located::default(),
        };
        if let Some(hooks) = located.hooks {
            self.block(hooks)?;
        }
        self.add_users();
        self.add_given()?;
        let wanted = self.keeps_snapshots().then(|| Flag { builtin: "snapshot", args: Vec::new(), at: 0..0 });
        for flag in located.flags.into_iter().chain(wanted) {
            self.add_stock(&flag);
        }
        // Hooks that are asked before the agent's own rules decide come first, whichever file has them.
        let is_early = |entry: &Entry| entry.info.origin().manner.early;
        let (early, others): (Vec<_>, Vec<_>) = self.reading.entries.drain(..).partition(is_early);
        self.reading.entries.extend(early.into_iter().chain(others));
        Ok(())
    }

    fn entry_reader<'t>(&self, traits: &'t Traits) -> EntryReader<'t>
    where
        'a: 't,
    {
        let (dialect, file, host, models) = (self.dialect, self.file, self.host, self.models.clone());
        EntryReader { dialect, file, host, traits, models }
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
                let help = elsewhere(self.dialect.generation, name).unwrap_or_else(|| suggest(name, &names));
                return Err(Fault::key(&key.at, format!("unknown event `{name}`")).help(help));
            }
        }
        for traits in known {
            let Some(list) = hooks.get(traits.name).filter(|list| !list.is_null()) else {
                continue;
            };
            let path = format!("hooks.{}", traits.name);
            let items = self.one_or_more(list, &path, traits.has_matchers)?;
            if traits.has_matchers {
                self.matchers(traits, &path, items)?;
            } else {
                self.hooks(traits, items, &Tools::every(), |index| format!("{path}[{index}]"))?;
            }
        }
        Ok(())
    }

    /// Returns the items of a list. The third generation also accepts a single item in place of a list.
    fn one_or_more<'n>(&self, node: &'n Node, path: &str, are_matchers: bool) -> Result<&'n [Node], Fault> {
        let is_single = node.as_mapping().is_some();
        if self.dialect.generation.is_third() {
            if is_single {
                return Ok(std::slice::from_ref(node));
            }
            let what = if are_matchers { "a matcher or a list of matchers" } else { "a hook or a list of hooks" };
            let wrong =
                || Fault::value(&node.at, format!("{path}: hook event must be {what}, not {}", node.kind_name()));
            return node.as_sequence().ok_or_else(wrong);
        }
        sequence(node, path).map_err(|fault| match is_single {
            true => fault.help("make it a list, or use `--dialect docker-agent-v3`, which takes a single mapping"),
            false => fault,
        })
    }

    fn matchers(&mut self, traits: &Traits, path: &str, items: &[Node]) -> Result<(), Fault> {
        for (index, item) in items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let pairs = item.as_mapping().ok_or_else(|| {
                Fault::value(&item.at, format!("{path}: must be a mapping, not {}", item.kind_name()))
            })?;
            let has_lanes = self.dialect.generation.is_third() && traits.event == Event::PreTool;
            let keys: &[&str] = if has_lanes { &["matcher", "hooks", LANE] } else { &["matcher", "hooks"] };
            let later: &[_] = if traits.event == Event::PreTool { &[(Generation::V3, &[LANE][..])] } else { &[] };
            only_or_later(pairs, keys, &path, later)?;
            let early = match item.get(LANE).filter(|node| !node.is_null()) {
                Some(node) => flag(node, &format!("{path}.{LANE}"))?,
                None => false,
            };
            let hooks = match item.get("hooks").filter(|hooks| !hooks.is_null()) {
                Some(hooks) => self.one_or_more(hooks, &format!("{path}.hooks"), false)?,
                None => &[],
            };
            if hooks.is_empty() {
                return Err(Fault::key(&item.at, format!("{path}: at least one hook is required")));
            }
            let pattern = match item.get("matcher").filter(|matcher| !matcher.is_null()) {
                Some(node) => Some((text(node, &format!("{path}.matcher"))?, node)),
                None => None,
            };
            let tools = Tools { early, ..self.tools(pattern) };
            let before = self.reading.entries.len();
            self.hooks(traits, hooks, &tools, |index| format!("{path}.hooks[{index}]"))?;
            if tools.never {
                // The hooks must still be valid. A component is a guard, whatever its system thinks of its pattern.
                let added = self.reading.entries.split_off(before);
                let is_component = |entry: &Entry| matches!(entry.target, HookTarget::Broken(Kind::Component, _));
                let components = added.into_iter().filter(is_component);
                self.reading.entries.extend(components);
            }
        }
        Ok(())
    }

    /// Returns the tools that a pattern selects.
    fn tools(&mut self, pattern: Option<(String, &Node)>) -> Tools {
        let Some((pattern, node)) = pattern else {
            return Tools::every();
        };
        let shown = Some(pattern.clone()).filter(|pattern| !pattern.is_empty());
        match whole_matcher(&pattern) {
            Ok(matcher) => Tools { matcher, pattern: shown, ..Tools::every() },
            Err(error) => {
                let never = drops_hooks(self.dialect, &error);
                let message = match never {
                    true => format!("`matcher` is not a regex, so that its hooks are never asked: {error}"),
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
            let reader = self.entry_reader(traits);
            let (entry, problems) = reader.read(item, &path(index), tools)?;
            self.reading.problems.extend(problems);
            self.reading.entries.push(entry);
        }
        Ok(())
    }

    /// Adds the hooks of the command line, after those of the files.
    fn add_given(&mut self) -> Result<(), Fault> {
        for (event, command) in &self.dialect.given {
            let name = name_of(*event);
            let Some(traits) = self.dialect.generation.traits(*event) else {
                let problem = format!("a hook was given for {name}, which this generation does not have");
                let fault = Fault::key(&(0..0), problem);
                return Err(match elsewhere(self.dialect.generation, name) {
                    Some(help) => fault.help(help),
                    None => fault,
                });
            };
            let reader = self.entry_reader(traits);
            self.reading.entries.push(reader.given(command));
        }
        Ok(())
    }

    /// Adds a builtin that an agent's flag requests, after the agent's hooks.
    fn add_stock(&mut self, flag: &Flag) {
        if self.dialect.generation == Generation::First {
            return;
        }
        for event in builtin::events_of(flag.builtin, self.dialect.generation) {
            if let Some(traits) = self.dialect.generation.traits(*event) {
                let entry = self.entry_reader(traits).stock(flag);
                self.reading.entries.push(entry);
            }
        }
    }
}

/// Whether docker-agent drops the hooks of a pattern that it cannot use. A pattern that only hookbox cannot use must not
/// drop a guard.
fn drops_hooks(dialect: &DockerAgent, error: &PatternError) -> bool {
    matches!(error, PatternError::Invalid(_)) && !dialect.generation.is_third() && !dialect.strictness.is_strict()
}

/// Returns the client that asks the models of a file, if the program wants one.
#[cfg(feature = "model")]
fn models(
    dialect: &DockerAgent,
    root: Option<&Node>,
    file: &ConfigFile,
    host: &HostEnv<'_>,
) -> Option<Arc<dyn ModelClient>> {
    dialect.asks_models.then(|| Arc::new(super::model::HttpModels::new(root, file.dir(), host)) as Arc<_>)
}

#[cfg(not(feature = "model"))]
fn models(_: &DockerAgent, _: Option<&Node>, _: &ConfigFile, _: &HostEnv<'_>) -> Option<Arc<dyn ModelClient>> {
    None
}

/// Returns the items of a list.
fn sequence<'n>(node: &'n Node, path: &str) -> Result<&'n [Node], Fault> {
    node.as_sequence()
        .ok_or_else(|| Fault::value(&node.at, format!("{path}: must be a list, not {}", node.kind_name())))
}

/// The key of hooks that are asked before the agent's own rules decide.
const LANE: &str = "preempt_yolo";

/// Refuses unknown keys. If a later generation has the key, the message says so.
fn only_or_later(
    pairs: &[(Node, Node)],
    known: &[&str],
    path: &str,
    later: &[(Generation, &[&str])],
) -> Result<(), Fault> {
    for (key, _) in pairs {
        let name = key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
        let other = later.iter().find(|(_, keys)| keys.contains(&name) && !known.contains(&name));
        if let Some((other, _)) = other {
            let help = format!("a later generation has it: use `--dialect {}`", other.dialect());
            return Err(Fault::key(&key.at, format!("{path}: unknown key `{name}`")).help(help));
        }
    }
    only(pairs, known, path)
}

/// Returns the value of a switch.
fn flag(node: &Node, path: &str) -> Result<bool, Fault> {
    match node.kind() {
        Some(ScalarKind::Bool(flag)) => Ok(flag),
        _ => Err(Fault::value(&node.at, format!("{path}: must be `true` or `false`, not {}", node.kind_name()))),
    }
}

/// Refuses unknown keys.
pub(super) fn only(pairs: &[(Node, Node)], known: &[&str], path: &str) -> Result<(), Fault> {
    for (key, _) in pairs {
        let name = key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default();
        if !known.contains(&name) {
            let fault = Fault::key(&key.at, format!("{path}: unknown key `{name}`"));
            return Err(match (name, known) {
                ("type" | "command", ["matcher", "hooks", ..]) => {
                    fault.help("hooks of this event stand below `hooks`, beside a `matcher`")
                }
                _ => fault.help(suggest(name, known)),
            });
        }
    }
    Ok(())
}

/// Returns the text of a scalar.
pub(super) fn text(node: &Node, path: &str) -> Result<String, Fault> {
    let wrong = || Fault::value(&node.at, format!("{path}: must be a string, not {}", node.kind_name()));
    node.scalar().map(scalar::text).ok_or_else(wrong)
}
