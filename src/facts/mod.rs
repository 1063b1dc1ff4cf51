//! What a tool call means, whichever agent makes it: the kind of tool, its command, its paths, what it writes.
//!
//! Every agent names its tools and their arguments differently, so a policy that looks for `command` misses the tool
//! that calls it `script`. [`Facts::find`] knows the names, splits MCP tools into server and tool, reads patches, and
//! follows the links in paths. Anything that it cannot know makes the facts incomplete: it never assumes the harmless
//! case.
//!
//! The names are data: those of the agents are built in, and users can add more in `hooks.toml` ([`Tools`]).

mod arguments;
mod command;
mod commands;
mod files;
pub(crate) mod keys;
mod lines;
mod mcp;
mod members;
mod patch;
mod path;
mod pattern;
mod possible;
mod programs;
mod scene;
pub(crate) mod tools;
mod url;
mod wrapped;

use crate::protocol::{Access, Input, Tool, ToolKind, ToolShell};
use arguments::{Argument, arguments};
pub(crate) use command::shell;
pub(crate) use commands::{ParsedCommands, ShellText};
pub use keys::Role;
pub use scene::Scene;
use std::path::{Path, PathBuf};
pub use tools::{Spec, Tools};

/// The finder of the facts of tool calls.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    scene: Scene,
    tools: Tools,
}

impl Facts {
    /// Creates a finder for an agent in this scene that also knows these tools.
    #[must_use]
    pub const fn new(scene: Scene, tools: Tools) -> Self {
        Facts { scene, tools }
    }

    /// Determines what a tool call means. Returns `None` for an event without a tool.
    ///
    /// Links are followed on the file system, as far as they exist now. Nothing else is read.
    #[must_use]
    pub fn find(&self, input: &Input) -> Option<Tool> {
        let name = input.tool_name.as_deref().filter(|_| input.event.has_tool())?;
        let agent: Option<String> = input.extra("agent").and_then(|agent| agent.to().ok());
        let known = self.tools.spec(agent.as_deref(), name);
        let is_known = known.is_some();
        let mcp = mcp::split(agent.as_deref(), name, input);
        let mut spec = match (known, &mcp) {
            (Some(spec), _) => spec,
            (None, Some(_)) => Spec::new(ToolKind::Mcp),
            (None, None) => Spec::new(input.declared_kind.unwrap_or(ToolKind::Other)),
        };
        let is_unknown = spec.nature.kind == ToolKind::Other && !spec.nature.is_inward;
        let is_open =
            matches!(spec.nature.kind, ToolKind::Mcp | ToolKind::Other) && !spec.nature.is_inward && !spec.is_told();
        let mut arguments = match input.tool_input.as_ref().map(arguments) {
            None => Vec::new(),
            Some(Ok(arguments)) => arguments,
            Some(Err(what)) => {
                let mut tool = Tool::new(spec.nature.kind);
                tool.note_unknown(what);
                return Some(tool);
            }
        };
        let rename = |arguments: &mut Vec<Argument<'_>>| {
            if !is_known {
                wrapped::name(arguments, name);
            }
        };
        rename(&mut arguments);
        if is_unknown && command::is_shell(name, &arguments) {
            spec.nature.kind = ToolKind::Shell;
        }
        spec.follow_subcommand(&arguments);
        if !is_known {
            let tool = mcp.as_ref().map_or(name, |mcp| &mcp.tool);
            spec.nature.is_patch = patch::is_applied_by(tool);
            spec.nature.may_apply = patch::may_be_applied_by(tool);
        }
        let mut has_more = false;
        if is_open {
            // A text that the tool writes is not a call.
            let opens = |argument: &Argument<'_>| !matches!(spec.role(argument), Some(Role::Text | Role::Patch));
            // Other texts in the JSON may be paths, which are looked for below.
            let runs = [Role::Command, Role::Words, Role::Patch];
            let keeps = |argument: &Argument<'_>| match spec.role(argument) {
                Some(role) if runs.contains(&role) => true,
                None | Some(Role::Text) => argument.is_text && lines::is_line(&argument.text),
                Some(_) => false,
            };
            has_more = arguments::unpack(&mut arguments, opens, keeps, rename);
        }
        // The roles are determined once, because the code below asks for them again and again.
        arguments.iter_mut().for_each(|argument| argument.role = spec.role(argument));
        let runner = command::Runner {
            has_own_shells: spec.nature.has_own_shells && agent.as_deref() == Some("cline"),
            is_unknown: !is_known,
            ignores_cwd: self.tools.is_built_in(agent.as_deref(), name) && command::ignores_cwd(agent.as_deref()),
        };
        let tool = Tool::new(spec.nature.kind);
        let mut finding = Finding { tool, spec: &spec, arguments: &arguments, facts: self, runner };
        if let Some(mcp) = mcp.filter(|_| spec.nature.kind == ToolKind::Mcp) {
            finding.tool.server = mcp.server;
            finding.tool.tool = Some(mcp.tool);
            if finding.tool.server.is_none() {
                finding.tool.note_unknown("which MCP server the tool belongs to");
            }
        }
        if has_more {
            finding.tool.note_unknown("more arguments than are read, in JSON in a text");
        }
        let cwd = finding.find(input.pwd.as_deref());
        if is_open {
            finding.possible_lines(name);
        }
        // A known tool may take an object, with names of its own, where a text is usual.
        let is_nested = matches!(finding.spec.nature.kind, ToolKind::Read | ToolKind::Search)
            && finding.arguments.iter().any(|argument| {
                let may_name = argument.is_text || argument.written_key.contains(['/', '.', '~', '*']);
                may_name && argument.at.object > 1 && argument.role.is_none()
            });
        if let Some(arguments) = input.tool_input.as_ref().filter(|_| is_open || is_nested) {
            finding.possible(arguments.as_str(), name, cwd.as_deref());
        }
        // The caller knows more about its tools than their names say.
        if input.declared_kind.is_some() {
            finding.tool.note_unknown("what the agent itself knew of the call before a hook rewrote it");
        }
        Some(finding.tool)
    }

    /// Sets the names by which hooks may refer to the tool of an Input, if the user has added tools.
    pub(crate) fn name_tool(&self, input: &mut Input) {
        if self.tools.is_empty() {
            return;
        }
        let agent: Option<String> = input.extra("agent").and_then(|agent| agent.to().ok());
        if let (Some(agent), Some(tool)) = (agent, input.tool_name.as_deref()) {
            input.tool_aliases = self.tools.aliases(Some(&agent), tool);
        }
    }
}

/// The facts of one call, while they are being collected.
struct Finding<'a> {
    tool: Tool,
    spec: &'a Spec,
    arguments: &'a [Argument<'a>],
    facts: &'a Facts,
    runner: command::Runner,
}

impl<'a> Finding<'a> {
    /// Collects what the arguments say. Returns the directory that relative paths start from.
    fn find(&mut self, pwd: Option<&str>) -> Option<PathBuf> {
        let base = self.facts.scene.base(pwd);
        let cwd = self.start(base.as_deref());
        let cwd = match (cwd, &base) {
            (Some(cwd), base) => path::absolute(base.as_deref(), &self.facts.scene.expand(cwd)),
            (None, Some(base)) => Some(base.clone()),
            (None, None) => None,
        };
        self.tool.cwd = cwd.as_ref().map(|cwd| path::clean(cwd).to_string_lossy().into_owned());
        self.tool.home = self.facts.home();
        match self.spec.nature.kind {
            ToolKind::Shell => self.command(true),
            ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Delete => {
                self.files(cwd.as_deref());
                self.patterns(cwd.as_deref());
                if self.tool.paths.is_empty() {
                    self.tool.note_unknown("which files");
                }
            }
            ToolKind::Search => {
                self.files(cwd.as_deref());
                let access = self.spec.access();
                // A search for names starts in the directory of its pattern; a pattern for contents is relative to this
                // directory.
                if self.tool.paths.is_empty() && access != Access::List {
                    self.add_path(".", access, cwd.as_deref());
                }
                self.patterns(cwd.as_deref());
                if self.tool.paths.is_empty() {
                    self.add_path(".", access, cwd.as_deref());
                }
            }
            ToolKind::Fetch => {
                self.urls();
                self.files_of_urls(cwd.as_deref());
                let searches = self.of_role(Role::Query).next().is_some();
                if self.tool.urls.is_empty() && !searches {
                    self.tool.note_unknown("which URL");
                }
            }
            ToolKind::Agent => {}
            ToolKind::Other if self.spec.nature.is_inward => {}
            ToolKind::Mcp | ToolKind::Other => {
                self.command(false);
                self.files(cwd.as_deref());
                self.urls();
                if !self.arguments.is_empty() && !self.spec.is_told() {
                    self.tool.note_unknown("what the tool does with its arguments");
                }
            }
        }
        cwd
    }

    /// Returns the texts of the arguments with this role.
    fn of_role(&self, role: Role) -> impl Iterator<Item = &'a str> {
        let of_role = self.arguments.iter().filter(move |argument| argument.role == Some(role));
        of_role.map(|argument| argument.text.as_ref())
    }

    /// Returns the directory in which the call says that it runs.
    fn start(&mut self, base: Option<&Path>) -> Option<&'a str> {
        let mut all = self.arguments.iter().filter(|argument| argument.role == Some(Role::Cwd));
        let first = all.next()?;
        let is_certain = first.at.object == 1 && all.all(|other| other.text == first.text);
        let clean = |dir: &str| path::absolute(base, &self.facts.scene.expand(dir)).map(|dir| path::clean(&dir));
        // Whether the tool runs there anyway.
        let is_base = base.is_some() && clean(&first.text) == base.map(path::clean);
        if self.runner.ignores_cwd && !is_base || !is_certain {
            self.tool.note_unknown(format!("whether the tool runs in its `{}`", first.written_key));
        }
        (!self.runner.ignores_cwd).then_some(first.text.as_ref())
    }

    fn command(&mut self, is_required: bool) {
        let is_odd = |argument: &&Argument<'_>| !argument.is_text && !argument.is_item;
        let commands = self.arguments.iter().filter(|argument| argument.role == Some(Role::Command));
        if let Some(odd) = commands.into_iter().find(is_odd) {
            self.tool.note_unknown(format!("`{}`, which is not a text", odd.written_key));
        }
        let found = command::find(self.arguments, self.runner);
        if let Some(command::CommandLines { mut lines, text, is_cut }) = found {
            if is_cut {
                self.tool.note_unknown("more command lines than are read");
            }
            if !url::add_all(&mut self.tool.urls, &text) {
                self.tool.note_unknown(url::TOO_MANY);
            }
            self.tool.command = Some(text);
            match lines.as_mut_slice() {
                [only] => self.tool.argv = only.argv.take(),
                _ => self.tool.shells = lines,
            }
        } else if is_required {
            self.tool.note_unknown("the command");
        }
        if is_required {
            // An argument beside the command sets how the command runs. An argument inside a list or an object may be
            // the command.
            let is_hidden = |argument: &&Argument<'_>| {
                let is_nested = argument.is_text && argument.at.object != 1 && argument.key != "description";
                is_nested && argument.role.is_none()
            };
            if let Some(hidden) = self.arguments.iter().find(is_hidden) {
                self.tool.note_unknown(format!("`{}`, which hookbox does not know", hidden.written_key));
            }
        }
        if self.spec.nature.is_typed_into {
            self.tool.note_unknown("what reads the text that is typed");
        }
    }

    /// Adds the texts that may be command lines, whatever their keys, because the tool is not known.
    fn possible_lines(&mut self, name: &str) {
        let name = self.tool.tool.as_deref().unwrap_or(name);
        let lines::Lines { found, is_cut } = lines::find(self.arguments, name);
        if is_cut {
            self.tool.note_unknown("more texts than are looked at, which may be commands");
        }
        let command = self.tool.command.as_deref().filter(|_| self.tool.shells.is_empty());
        let only = command.map(|command| ToolShell { argv: self.tool.argv.clone(), ..ToolShell::text(command) });
        let is_new = |line: &ToolShell| {
            let is_it = |known: &ToolShell| known.command == line.command;
            !only.iter().chain(&self.tool.shells).any(is_it)
        };
        let new: Vec<ToolShell> = found.into_iter().filter(is_new).collect();
        if !new.is_empty() {
            self.tool.shells.extend(only);
            self.tool.shells.extend(new);
        }
    }

    fn urls(&mut self) {
        for argument in self.arguments {
            let has_room = match argument.role {
                Some(Role::Url) => url::add(&mut self.tool.urls, &argument.text),
                Some(Role::Text | Role::Patch) => true,
                _ => url::add_all(&mut self.tool.urls, &argument.text),
            };
            if !has_room {
                return self.tool.note_unknown(url::TOO_MANY);
            }
        }
    }
}
