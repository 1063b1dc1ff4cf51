//! Conversion of another system's config to a `hooks.toml`.

mod grants;

use super::go::regex::translate;
use super::toml_text::{key, string, value};
use crate::config::{
    COMPONENT_TIMEOUT, ConfigFile, Dialect, Entry, HookTarget, HostEnv, Reading, SHELL_MAX_TIMEOUT, SHELL_TIMEOUT,
    ShellEntry, format_duration,
};
use crate::protocol::{Event, OnError};
use crate::runtime::Mode;
use crate::runtime::component::{Grants, Limits, MAX_TIMEOUT};
use crate::runtime::shell::Inherit;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

/// A config in hookbox's own format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted {
    /// The text of the `hooks.toml`.
    pub text: String,
    /// The parts that the format cannot express, one sentence each.
    pub left_out: Vec<String>,
}

/// Writes the hooks of a file as a `hooks.toml`. Shell hooks keep speaking their system's protocol.
///
/// # Errors
/// Returns the reading of a file that cannot be used, with its problems.
pub fn convert(dialect: &dyn Dialect, file: &ConfigFile, host: &HostEnv<'_>) -> Result<Converted, Box<Reading>> {
    let reading = dialect.read(file, host);
    if reading.broken.is_some() {
        return Err(Box::new(reading));
    }
    let mut writer = Writer { dialect, file, host, names: HashMap::new(), out: Converted::new() };
    writer.header();
    for entry in &reading.entries {
        writer.entry(entry);
    }
    writer.never_asked(&reading);
    Ok(writer.out)
}

impl Converted {
    const fn new() -> Self {
        Converted { text: String::new(), left_out: Vec::new() }
    }
}

struct Writer<'a> {
    dialect: &'a dyn Dialect,
    file: &'a ConfigFile,
    host: &'a HostEnv<'a>,
    /// How often each name was requested.
    names: HashMap<String, usize>,
    out: Converted,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.out.text.push_str(line);
        self.out.text.push('\n');
    }

    fn comment(&mut self, text: &str) {
        for line in text.lines() {
            // A control character would make the file unreadable.
            let line = line.replace(|c: char| c.is_control() && c != '\t', " ");
            self.line(format!("# {line}").trim_end());
        }
    }

    fn header(&mut self) {
        let name = self.dialect.name();
        self.comment(&format!("Made of {}, whose hooks are written for {name}.", self.file.path.display()));
        self.comment(
            "Paths of components are relative to the file that they stand in: put this one beside the old one.",
        );
        for difference in self.dialect.differences() {
            self.comment(&format!("Other than in {name}: {difference}"));
        }
    }

    /// Tells of the hooks that the system itself does not ask, such as for a pattern that it cannot use.
    fn never_asked(&mut self, reading: &Reading) {
        let lines: Vec<_> = reading.entries.iter().map(|entry| self.file.locate(&entry.at).line).collect();
        for problem in reading.problems.iter().filter(|problem| problem.hook.is_some()) {
            let Some(line) = problem.location.as_ref().map(|location| location.line) else { continue };
            if !lines.contains(&line) {
                self.line("");
                self.comment(&format!("LEFT OUT: line {line}: {}", problem.message));
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let line = self.file.locate(&entry.at).line;
        self.line("");
        let manner = entry.info.origin().manner;
        match &entry.target {
            // Without `strict_output` or `preempt_yolo`, the hook would restrain less or permit more.
            _ if manner.strict || manner.early => {
                let key = if manner.strict { "strict_output" } else { "preempt_yolo" };
                self.leave_out(entry, format!("line {line}: its `{key}` has no form here"));
            }
            HookTarget::Builtin(builtin) => {
                self.open(entry, line);
                self.line(&format!("builtin = {}", string(&builtin.name)));
                let args: Vec<String> = builtin.args.iter().map(|arg| string(arg)).collect();
                self.line(&format!("args = [{}]", args.join(", ")));
                self.close(entry);
            }
            HookTarget::Native(native) => {
                let what = format!("line {line}: `{}` has no form here", native.runs.join(" "));
                self.leave_out(entry, what);
            }
            // Only hookbox's own config has hooks that ask models.
            HookTarget::Model(model) => self.leave_out(entry, format!("line {line}: it asks `{}`", model.model)),
            HookTarget::Broken(_, failure) => self.leave_out(entry, format!("line {line}: it {}", failure.message)),
            HookTarget::Shell(_)
                if entry.info.origin().command.is_empty() && self.dialect.overlooks_empty_commands() =>
            {
                self.comment(&format!("LEFT OUT: line {line}: it has no command, and so never blocked anything"));
            }
            HookTarget::Shell(shell) if shell.command.trim().is_empty() => {
                let what = format!("line {line}: its command is empty, so that it always fails");
                if entry.info.on_error == OnError::Allow {
                    self.comment(&format!("LEFT OUT: {what}, which never blocked anything"));
                } else {
                    self.leave_out(entry, what);
                }
            }
            HookTarget::Shell(shell) => {
                self.open(entry, line);
                self.shell(shell);
                self.close(entry);
            }
            HookTarget::Component(component) => {
                self.open(entry, line);
                let key = if entry.target.policy().is_some() { "policy" } else { "component" };
                self.line(&format!("{key} = {}", string(&component.path)));
                if let Some(sha256) = &component.sha256 {
                    self.line(&format!("sha256 = {}", string(sha256)));
                }
                self.close(entry);
                self.limits(&component.limits);
                self.grants(&component.grants);
            }
        }
    }

    /// Records a hook that the format cannot express. If the hook could have stopped an event, a hook that denies takes
    /// its place until somebody replaces it.
    fn leave_out(&mut self, entry: &Entry, what: String) {
        self.comment(&format!("LEFT OUT: {what}"));
        let rule = self.dialect.rule();
        let guards = entry.info.events.iter().any(|(event, _)| rule(*event).gating && event.is_gating());
        if guards {
            self.comment("This stands for it and denies: put a hook in its place, or take it away.");
            self.table(entry);
            self.line("command = \"false\"");
            if let Some(pattern) = &entry.pattern {
                self.pattern(pattern);
            }
        }
        self.out.left_out.push(what);
    }

    fn open(&mut self, entry: &Entry, line: usize) {
        self.comment(&format!("Line {line}."));
        if entry.info.events.iter().any(|(event, mode)| *event == Event::PostMessage && *mode == Mode::Sync) {
            self.comment("Nobody waits for it here: post_message is always async.");
        }
        self.table(entry);
    }

    fn table(&mut self, entry: &Entry) {
        let name = self.name(entry);
        self.line(&format!("[hooks.{}]", key(&name)));
        if !entry.info.description.is_empty() {
            self.line(&format!("description = {}", string(&entry.info.description)));
        }
        let mut events: Vec<String> = entry.info.events.iter().map(|(event, _)| string(event.as_str())).collect();
        events.dedup();
        self.line(&format!("events = [{}]", events.join(", ")));
    }

    /// Writes the keys that both kinds of hook share.
    fn close(&mut self, entry: &Entry) {
        if let Some(pattern) = &entry.pattern {
            self.pattern(pattern);
        }
        let is_component = matches!(entry.target, HookTarget::Component(_));
        let most = if is_component { MAX_TIMEOUT } else { SHELL_MAX_TIMEOUT };
        let default = if is_component { COMPONENT_TIMEOUT } else { SHELL_TIMEOUT };
        let timeout = match entry.info.timeout {
            // A `hooks.toml` cannot have a timeout of zero.
            Some(Duration::ZERO) => Duration::from_millis(1),
            Some(timeout) if timeout <= most => timeout,
            longer => {
                let was = longer.map_or_else(|| "none".to_owned(), format_duration);
                self.comment(&format!("timeout was: {was}. This is the longest here."));
                most
            }
        };
        if timeout != default {
            self.line(&format!("timeout = {}", string(&format_duration(timeout))));
        }
        let has = |wanted: Mode| {
            entry.info.events.iter().any(|(event, mode)| *mode == wanted && *event != Event::PostMessage)
        };
        // In a `hooks.toml`, all other events of a hook have the same mode.
        if has(Mode::Async) && !has(Mode::Sync) {
            self.line("mode = \"async\"");
        }
        // A hook that cannot stop an event in its own system must not start stopping it by failing.
        let rule = self.dialect.rule();
        let stops_more = entry.info.events.iter().any(|(event, _)| event.is_gating() && !rule(*event).gating);
        if stops_more {
            self.comment("In its system it cannot stop this.");
        }
        let on_error = if stops_more { OnError::Allow } else { entry.info.on_error };
        if on_error != OnError::Deny {
            self.line(&format!("on_error = {}", string(on_error.as_str())));
        }
        if let Some(settings) = entry.settings.as_ref().and_then(|json| json.to().ok()) {
            self.line(&format!("settings = {}", value(&settings)));
        }
    }

    /// Writes a pattern so that every engine reads it alike.
    fn pattern(&mut self, pattern: &str) {
        if pattern.is_empty() {
            // This matches a tool without a name. hookbox refuses an empty pattern.
            return self.line("match = \"(?:)\"");
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|' | '.' | '*');
        match translate(pattern) {
            Ok(translated) if !pattern.chars().all(is_plain) => {
                self.comment(&format!("match was: {pattern}"));
                // A pattern like `a)|(?:b` is only partly anchored. In a `hooks.toml`, every pattern is anchored.
                let is_anchored = translated.starts_with(r"(?:\A") && translated.ends_with(r"\z)");
                let whole = if is_anchored { translated } else { format!("(?s:.*){translated}(?s:.*)") };
                self.line(&format!("match = {}", string(&whole)));
            }
            _ => self.line(&format!("match = {}", string(pattern))),
        }
    }

    fn shell(&mut self, shell: &ShellEntry) {
        let list = |items: &[String]| items.iter().map(|item| string(item)).collect::<Vec<_>>().join(", ");
        self.line(&format!("dialect = {}", string(self.dialect.name())));
        // A relative path would be relative to the new file.
        let relative = shell.command.contains('/') && !shell.command.starts_with('/');
        let command = match relative {
            true => {
                self.comment(&format!("command was: {}", shell.command));
                self.host.cwd.join(&shell.command).components().collect::<PathBuf>().display().to_string()
            }
            false => shell.command.clone(),
        };
        self.line(&format!("command = {}", string(&command)));
        if !shell.args.is_empty() {
            self.line(&format!("args = [{}]", list(&shell.args)));
        }
        match &shell.inherit {
            Inherit::Common => {}
            Inherit::All => self.line("inherit = \"all\""),
            Inherit::Names(names) => {
                let names: Vec<String> = names.iter().filter(|name| is_variable(name)).cloned().collect();
                self.line(&format!("inherit = [{}]", list(&names)));
            }
        }
        let env: Vec<_> = shell.env.iter().filter(|(name, _)| is_variable(name)).collect();
        if !env.is_empty() {
            let pairs: Vec<String> =
                env.iter().map(|(name, value)| format!("{} = {}", key(name), string(value))).collect();
            self.line(&format!("env = {{ {} }}", pairs.join(", ")));
        }
        if let Some(cwd) = &shell.cwd {
            self.line(&format!("cwd = {}", string(&cwd.display().to_string())));
        }
    }

    fn limits(&mut self, limits: &Limits) {
        let default = Limits::default();
        let mut parts = Vec::new();
        if limits.memory_bytes != default.memory_bytes {
            parts.push(format!("memory = \"{}B\"", limits.memory_bytes));
        }
        if limits.output_bytes != default.output_bytes {
            parts.push(format!("output = \"{}B\"", limits.output_bytes));
        }
        parts.extend(limits.fuel.map(|fuel| format!("fuel = {fuel}")));
        if !parts.is_empty() {
            self.line(&format!("limits = {{ {} }}", parts.join(", ")));
        }
    }

    fn grants(&mut self, granted: &Grants) {
        if let Some(grants) = grants::toml(granted) {
            self.line(&format!("grants = {grants}"));
        }
    }

    /// Returns a name that is unique in the file: the hook's own, or else the program's, or else the event's.
    fn name(&mut self, entry: &Entry) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let given = &entry.info.name;
        let program = given.split_whitespace().next().unwrap_or_default();
        let stem = program.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or_default();
        let base = if !given.is_empty() && given.chars().all(is_plain) {
            given.clone()
        } else if program.contains('/') && !stem.is_empty() && stem.chars().all(is_plain) {
            stem.to_owned()
        } else {
            let event = entry.info.events.first().map_or("hook", |(event, _)| event.as_str());
            event.replace('_', "-")
        };
        let mut name = base.clone();
        while self.names.contains_key(&name) {
            let count = self.names.entry(base.clone()).or_default();
            *count += 1;
            name = format!("{base}-{count}");
        }
        self.names.insert(name.clone(), 1);
        name
    }
}

/// Whether an environment variable can have this name.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}
