//! One hook of a docker-agent config.

use super::expand::expand;
use super::locate::Flag;
use super::{Fault, Tools, drops_hooks, flag, only_or_later, sequence, text};
use crate::config::{COMPONENT_TIMEOUT, ConfigFile, Entry, HookTarget, HostEnv, NativeEntry, Problem, ShellEntry};
use crate::dialect::component;
use crate::dialect::docker_agent::builtin::TypedHook;
use crate::dialect::docker_agent::event::Traits;
use crate::dialect::docker_agent::{DockerAgent, Generation, ModelClient};
use crate::dialect::go::matcher::whole_matcher;
use crate::dialect::go::scalar;
use crate::dialect::names::short_name;
use crate::dialect::yaml::Node;
use crate::protocol::{Code, Event, Failure, Kind, Manner, OnError, Origin, Source};
use crate::runtime::shell::{Inherit, ShellHook};
use crate::runtime::{Hook, HookInfo, Mode, RefusedHook};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of a hook that sets none, or none above zero.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest time limit: a hundred years. No clock can express billions of years.
const MAX_SECONDS: u64 = 100 * 365 * 24 * 3600;

const V1_KEYS: [&str; 3] = ["type", "command", "timeout"];
const V2_KEYS: [&str; 11] =
    ["name", "type", "command", "args", "timeout", "env", "working_dir", "on_error", "model", "prompt", "schema"];
const V3_KEYS: [&str; 1] = ["strict_output"];

/// A hook as written in a file. An empty field counts as absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition {
    /// The hook's name.
    pub name: String,
    /// `type`: `command`, `builtin`, `model`, or one that a host has added.
    pub kind: String,
    /// The command line, or the name of the builtin.
    pub command: String,
    /// The arguments of a builtin. A command gets none.
    pub args: Vec<String>,
    /// The time limit in seconds. It is 60 if absent or not above zero.
    pub timeout: Option<i64>,
    /// Environment variables to add, for a command.
    pub env: Vec<(String, String)>,
    /// The working directory, for a command, and in the third generation also for a builtin.
    pub working_dir: String,
    /// How a failure counts: `warn`, `ignore` or `block`.
    pub on_error: String,
    /// The model, as `provider/model`.
    pub model: String,
    /// The template of the prompt.
    pub prompt: String,
    /// The schema of the model's answer, which determines what the answer means.
    pub schema: String,
    /// Whether an answer that is not fully understood is a failure, in the third generation.
    pub strict_output: bool,
}

impl Definition {
    /// Creates a hook of this `type`.
    pub fn new(kind: impl Into<String>, command: impl Into<String>) -> Self {
        Definition { kind: kind.into(), command: command.into(), ..Definition::default() }
    }

    /// Creates a hook that asks a model.
    pub fn model(model: impl Into<String>, prompt: impl Into<String>) -> Self {
        Definition { model: model.into(), prompt: prompt.into(), ..Definition::new("model", "") }
    }

    /// Sets the schema of the model's answer.
    #[must_use]
    pub fn with_schema(self, schema: impl Into<String>) -> Self {
        Definition { schema: schema.into(), ..self }
    }

    /// Sets the time limit in seconds.
    #[must_use]
    pub fn with_timeout(self, seconds: i64) -> Self {
        Definition { timeout: Some(seconds), ..self }
    }

    /// Sets whether an answer that is not fully understood is a failure.
    #[must_use]
    pub fn with_strict_output(self, strict_output: bool) -> Self {
        Definition { strict_output, ..self }
    }

    /// Sets how a failure counts: `warn`, `ignore` or `block`.
    #[must_use]
    pub fn with_on_error(self, on_error: impl Into<String>) -> Self {
        Definition { on_error: on_error.into(), ..self }
    }
}

pub(super) struct EntryReader<'a> {
    pub(super) dialect: &'a DockerAgent,
    pub(super) file: &'a ConfigFile,
    pub(super) host: &'a HostEnv<'a>,
    pub(super) traits: &'a Traits,
    /// The client that asks models if the host has set none.
    pub(super) models: Option<Arc<dyn ModelClient>>,
}

impl EntryReader<'_> {
    pub(super) fn read(&self, node: &Node, path: &str, tools: &Tools) -> Result<(Entry, Vec<Problem>), Fault> {
        let definition = self.definition(node, path)?;
        self.check(&definition, node, path)?;
        let mut info = self.info(&definition, tools);
        let at = node.at.clone();
        let mut problems = Vec::new();
        let mut settings = None;
        let target = match definition.kind.as_str() {
            kind if tools.broken.is_some() => {
                let message = tools.broken.clone().unwrap_or_default();
                let kind = if kind == "component" { Kind::Component } else { Kind::Shell };
                if self.traits.gating {
                    info.on_error = OnError::Deny;
                }
                HookTarget::Broken(kind, Failure::new(Code::ConfigValue, message))
            }
            "command" => HookTarget::Shell(self.shell(&definition, at.clone())),
            "component" => {
                self.close_component(&mut info, &definition, node);
                let read = component::read(self.file, &info.name, &at, &component_members(node));
                problems = read.problems;
                settings = read.settings;
                read.target
            }
            _ => self.typed(&info, definition),
        };
        Ok((Entry { info, target, settings, pattern: tools.pattern.clone(), at }, problems))
    }

    /// Returns the entry of a builtin that the file does not list.
    pub(super) fn stock(&self, Flag { builtin, args, at }: &Flag) -> Entry {
        let kind = "builtin".to_owned();
        let definition =
            Definition { kind, command: (*builtin).to_owned(), args: args.clone(), ..Definition::default() };
        // docker-agent asks `safer_shell` before its own rules decide.
        let tools = Tools { early: *builtin == "safer_shell", ..Tools::every() };
        let info = self.info(&definition, &tools);
        let target = self.typed(&info, definition);
        Entry { info, target, settings: None, pattern: None, at: at.clone() }
    }

    /// Returns the entry of a hook from the command line, for every tool.
    pub(super) fn given(&self, command: &str) -> Entry {
        let definition = Definition::new("command", command);
        let info = self.info(&definition, &Tools::every());
        let target = HookTarget::Shell(self.shell(&definition, 0..0));
        Entry { info, target, settings: None, pattern: None, at: 0..0 }
    }

    fn definition(&self, node: &Node, path: &str) -> Result<Definition, Fault> {
        let wrong = || Fault::value(&node.at, format!("{path}: must be a mapping, not {}", node.kind_name()));
        let pairs = node.as_mapping().ok_or_else(wrong)?;
        let mut known: Vec<&str> = match self.dialect.generation {
            Generation::First => V1_KEYS.to_vec(),
            Generation::V1_58 => V2_KEYS.to_vec(),
            Generation::V3 => V2_KEYS.into_iter().chain(V3_KEYS).collect(),
        };
        if node.get("type").and_then(Node::as_str) == Some("component") {
            known.extend(component::KEYS);
            known.push("on_error");
        }
        let later = match self.dialect.generation {
            Generation::First => &[(Generation::V1_58, &V2_KEYS[..]), (Generation::V3, &V3_KEYS[..])][..],
            Generation::V1_58 => &[(Generation::V3, &V3_KEYS[..])],
            Generation::V3 => &[],
        };
        only_or_later(pairs, &known, path, later)?;
        let given = |key: &str| node.get(key).filter(|value| !value.is_null());
        let string = |key: &str| match given(key) {
            Some(value) => text(value, &format!("{path}.{key}")),
            None => Ok(String::new()),
        };
        let timeout = match given("timeout") {
            Some(value) => Some(value.scalar().and_then(scalar::whole_number).ok_or_else(|| {
                let kind = value.kind_name();
                Fault::value(&value.at, format!("{path}.timeout: must be a whole number of seconds, not {kind}"))
            })?),
            None => None,
        };
        let args = match given("args") {
            Some(list) => {
                let path = format!("{path}.args");
                sequence(list, &path)?.iter().map(|item| text(item, &path)).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        let env = match given("env") {
            Some(map) => {
                let path = format!("{path}.env");
                let wrong = || Fault::value(&map.at, format!("{path}: must be a mapping, not {}", map.kind_name()));
                let pairs = map.as_mapping().ok_or_else(wrong)?.iter();
                pairs.map(|(key, value)| Ok((text(key, &path)?, text(value, &path)?))).collect::<Result<_, Fault>>()?
            }
            None => Vec::new(),
        };
        Ok(Definition {
            name: string("name")?,
            kind: string("type")?,
            command: string("command")?,
            args,
            timeout,
            env,
            working_dir: string("working_dir")?,
            on_error: string("on_error")?,
            model: string("model")?,
            prompt: string("prompt")?,
            schema: string("schema")?,
            strict_output: match given("strict_output") {
                Some(node) => flag(node, &format!("{path}.strict_output"))?,
                None => false,
            },
        })
    }

    /// Refuses anything that docker-agent refuses to load.
    fn check(&self, definition: &Definition, node: &Node, path: &str) -> Result<(), Fault> {
        let fault = |message: &str| Err(Fault::key(&node.at, format!("{path}: {message}")));
        let is_v2 = self.dialect.generation.is_second();
        match definition.kind.as_str() {
            "" => fault("type is required"),
            "command" if definition.command.is_empty() => fault("command is required for command hooks"),
            "builtin" if is_v2 && definition.command.is_empty() => fault("command must name the builtin to invoke"),
            "model" if is_v2 && definition.model.is_empty() => fault("model is required for model hooks"),
            "model" if is_v2 && definition.prompt.is_empty() => fault("prompt is required for model hooks"),
            "component" if component_members(node).is_empty() => fault("component is required for component hooks"),
            "command" | "component" => Ok(()),
            "builtin" | "model" if is_v2 => Ok(()),
            kind if self.dialect.types.has_handler(kind) => Ok(()),
            kind if is_v2 => {
                fault(&format!("unsupported hook type '{kind}' (supported: 'command', 'builtin', 'model')"))
            }
            kind => {
                let message = format!("{path}: unsupported hook type '{kind}' (only 'command' is supported)");
                let fault = Fault::key(&node.at, message);
                Err(match kind {
                    "builtin" | "model" => fault.help("a later generation has it: use `--dialect docker-agent`"),
                    _ => fault,
                })
            }
        }
    }

    fn info(&self, definition: &Definition, tools: &Tools) -> HookInfo {
        let event = self.traits.event;
        let names = [&definition.name, &definition.command, &definition.kind];
        let label = names.into_iter().find(|name| !name.is_empty()).cloned();
        let mut info = HookInfo::new(short_name(label.as_deref().unwrap_or_default()), []);
        info.events = vec![(event, Mode::Sync)];
        info.source = self.file.source.clone();
        info.matcher = tools.matcher.clone();
        info.timeout = Some(match definition.timeout.and_then(|seconds| u64::try_from(seconds).ok()) {
            Some(seconds) if seconds > 0 => Duration::from_secs(seconds.min(MAX_SECONDS)),
            _ => DEFAULT_TIMEOUT,
        });
        info.on_error = match (self.dialect.generation, definition.on_error.as_str()) {
            _ if self.dialect.strictness.is_strict() && self.traits.gating => OnError::Deny,
            (Generation::V1_58 | Generation::V3, _) if self.traits.closed => OnError::Deny,
            (Generation::V1_58, "block") => OnError::Deny,
            (Generation::V3, "block") if self.traits.gating => OnError::Deny,
            _ => OnError::Allow,
        };
        let identity = match self.dialect.generation {
            _ if definition.kind == "component" => None,
            Generation::First => Some(format!("{}:{}", definition.kind, definition.command)),
            Generation::V1_58 => {
                let key = [&definition.kind, &definition.command].into_iter().chain(&definition.args);
                Some(key.map(String::as_str).collect::<Vec<_>>().join("\0"))
            }
            Generation::V3 => {
                // The order of variables does not tell hooks apart. The two lanes of `pre_tool_use` do: the system
                // asks them one after the other, so that a hook in both is asked twice.
                let mut env = definition.env.clone();
                env.sort();
                Some(format!("{} {:?}", tools.early, Definition { env, ..definition.clone() }))
            }
        };
        let manner =
            Manner { early: tools.early, strict: definition.strict_output, quiet: definition.on_error == "ignore" };
        let command = vec![definition.command.clone()];
        info.origin = Some(Arc::new(Origin { command, label, identity, manner, ..Origin::default() }));
        info
    }

    /// Makes a component fail closed if its answer can stop something, unless its entry says otherwise.
    fn close_component(&self, info: &mut HookInfo, definition: &Definition, node: &Node) {
        let event = self.traits.event;
        let says_open =
            matches!(definition.on_error.as_str(), "warn" | "ignore") && !self.traits.closed && event != Event::PreTool;
        let closed = definition.on_error == "block" || (event.is_gating() && !says_open);
        if !self.dialect.strictness.is_strict() {
            info.on_error = if closed { OnError::Deny } else { OnError::Allow };
        }
        if definition.timeout.is_none() {
            info.timeout = Some(COMPONENT_TIMEOUT);
        }
        let path = component_members(node).into_iter().find(|(key, _)| *key == "component");
        if let Some(path) = path.and_then(|(_, value)| value.as_str().map(str::to_owned)) {
            let mut origin = info.origin().clone();
            if definition.name.is_empty() {
                info.name = short_name(&path);
                origin.label = Some(path.clone());
            }
            info.origin = Some(Arc::new(Origin { command: vec![path], ..origin }));
        }
    }

    fn shell(&self, definition: &Definition, at: Range<usize>) -> ShellEntry {
        let env = definition.env.iter().map(|(name, value)| (name.clone(), self.expanded(value, false))).collect();
        let shell = self.host.var("SHELL").and_then(|shell| shell.to_str()).filter(|shell| !shell.is_empty());
        ShellEntry {
            command: shell.unwrap_or("/bin/sh").to_owned(),
            at,
            args: vec!["-c".to_owned(), definition.command.clone()],
            inherit: Inherit::All,
            env,
            cwd: self.dir(definition),
            dialect: None,
        }
    }

    /// Returns a text of the entry with its references to the environment replaced, as far as the generation has them.
    fn expanded(&self, text: &str, all: bool) -> String {
        if self.dialect.generation.is_third() { expand(text, self.host, all) } else { text.to_owned() }
    }

    /// Returns the directory that the entry names.
    fn dir(&self, definition: &Definition) -> Option<PathBuf> {
        Some(self.expanded(&definition.working_dir, true)).filter(|dir| !dir.is_empty()).map(PathBuf::from)
    }

    /// Returns a hook whose type is looked up when it is asked.
    fn typed(&self, info: &HookInfo, definition: Definition) -> HookTarget {
        let runs = [&definition.command, &definition.model].into_iter().chain(&definition.args);
        let runs = runs.filter(|text| !text.is_empty()).cloned().collect();
        HookTarget::Native(NativeEntry { hook: Arc::new(self.typed_hook(info.clone(), definition)), runs })
    }

    fn typed_hook(&self, info: HookInfo, definition: Definition) -> TypedHook {
        let dir = self.dir(&definition).map(|dir| self.host.cwd.join(dir).display().to_string());
        let definition = Definition { working_dir: dir.unwrap_or_default(), ..definition };
        TypedHook::new(info, definition, self.dialect).with_models(self.models.clone())
    }
}

/// Returns the members that concern the component. Its path may also be given as `command`.
fn component_members(node: &Node) -> Vec<(&'static str, serde_json::Value)> {
    let mut members: Vec<_> =
        component::KEYS.into_iter().filter_map(|key| Some((key, node.get(key)?.to_json()))).collect();
    if let Some(command) = node.get("command") {
        // Beside `component`, a `command` is one path too many, which the component reader reports.
        let key = if node.get("component").is_none() { "component" } else { "command" };
        members.push((key, command.to_json()));
    }
    members
}

/// Builds a hook from an unchecked definition. `None` if its matcher drops it.
pub(in crate::dialect::docker_agent) fn build(
    dialect: &DockerAgent,
    event: Event,
    matcher: Option<&str>,
    definition: Definition,
    host: &HostEnv<'_>,
) -> Option<Arc<dyn Hook>> {
    let traits = dialect.generation.traits(event)?;
    let pattern = matcher.filter(|_| traits.has_matchers).unwrap_or_default();
    let file = ConfigFile::new("", Source::HOST, "");
    let reader = EntryReader { dialect, file: &file, host, traits, models: None };
    let tools = match whole_matcher(pattern) {
        Ok(matcher) => Tools { matcher, ..Tools::every() },
        Err(error) if drops_hooks(dialect, &error) => return None,
        Err(error) => {
            let mut info = reader.info(&definition, &Tools::every());
            if traits.gating {
                info.on_error = OnError::Deny;
            }
            let message = format!("is not usable: `matcher` cannot be used: {error}");
            return Some(Arc::new(RefusedHook::new(info, Kind::Shell, Failure::new(Code::ConfigValue, message))));
        }
    };
    let info = reader.info(&definition, &tools);
    if definition.kind != "command" || definition.command.is_empty() {
        return Some(Arc::new(reader.typed_hook(info, definition)));
    }
    let shell = reader.shell(&definition, 0..0);
    let command = shell.into_command(host, host.cwd);
    Some(Arc::new(ShellHook::new(info, command, None, Arc::new(dialect.clone()))))
}
