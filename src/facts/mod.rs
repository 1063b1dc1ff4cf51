//! What a tool call means, whichever agent makes it: the kind of tool, its command, its paths, what it writes.
//!
//! Every agent names its tools and their arguments differently, so a policy that looks for `command` misses the tool
//! that says `script`. [`Facts::find`] knows the names, splits MCP tools into server and tool, reads patches, and
//! follows the links in paths. Anything that it cannot know makes the facts incomplete: it never assumes the harmless
//! case.
//!
//! The names are data: those of the agents are built in, and users can add more in `hooks.toml` ([`Tools`]).

mod arguments;
mod command;
mod commands;
pub(crate) mod keys;
mod mcp;
mod patch;
mod path;
mod scene;
pub(crate) mod tools;
mod url;

use crate::protocol::{Access, Input, Tool, ToolKind, ToolPath};
use arguments::{Argument, arguments};
pub(crate) use command::shell;
pub(crate) use commands::{Commands, ShellText};
pub use keys::Role;
pub use scene::Scene;
use std::path::Path;
pub use tools::{Spec, Tools};

/// The most paths of one call that are looked at. Each takes a few system calls.
const MAX_PATHS: usize = 256;

/// Finds the facts of tool calls.
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

    /// Determines what a tool call means. `None` for an event without a tool.
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
        let arguments = match input.tool_input.as_ref().map(arguments) {
            None => Vec::new(),
            Some(Ok(arguments)) => arguments,
            Some(Err(what)) => {
                let mut tool = Tool::new(spec.nature.kind);
                tool.note_unknown(what);
                return Some(tool);
            }
        };
        if is_unknown && command::is_shell(name, &arguments) {
            spec.nature.kind = ToolKind::Shell;
        }
        spec.follow_subcommand(&arguments);
        let runner = command::Runner {
            has_own_shells: spec.nature.has_own_shells && agent.as_deref() == Some("cline"),
            is_unknown: !is_known,
            stays: self.tools.is_built_in(agent.as_deref(), name) && command::stays(agent.as_deref()),
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
        finding.find(input.pwd.as_deref());
        // The caller knows more about its tools than their names say.
        if input.declared_kind.is_some() {
            finding.tool.note_unknown("what the agent itself knew of the call before a hook rewrote it");
        }
        Some(finding.tool)
    }

    /// Sets the names by which hooks may call the tool of an Input, if the user has added tools.
    pub(crate) fn name_tool(&self, input: &mut Input) {
        if self.tools.is_empty() {
            return;
        }
        let agent: Option<String> = input.extra("agent").and_then(|agent| agent.to().ok());
        if let (Some(agent), Some(tool)) = (agent, input.tool_name.as_deref()) {
            input.tool_aliases = self.tools.aliases(Some(&agent), tool);
        }
    }

    /// Adds a path to the facts of a tool call. `path` is how the tool interprets the text `written`.
    fn add_path(&self, tool: &mut Tool, path: &str, written: &str, access: Access, cwd: Option<&Path>) {
        let is_known = |known: &ToolPath| known.as_written == written && known.access == access;
        if tool.paths.len() >= MAX_PATHS {
            return tool.note_unknown("more paths than are looked at");
        }
        if path.contains('\0') || path.len() > path::MAX_BYTES {
            return tool.note_unknown("a path that no file can have");
        }
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let Some(absolute) = path::absolute(cwd, path) else {
            tool.note_unknown("the directory that relative paths start from");
            let clean = text(&path::clean(Path::new(path)));
            if !tool.paths.iter().any(is_known) {
                tool.paths.push(ToolPath { as_written: written.to_owned(), ..ToolPath::new(clean, access) });
            }
            return;
        };
        let clean = path::clean(&absolute);
        let real = path::resolve(&clean);
        if real.is_none() {
            tool.note_unknown("where the links of a path lead");
        }
        // After a link, `..` leads to different places for a tool that cleans paths and one that asks the system.
        let physical = path::resolve(&absolute).filter(|_| clean != absolute);
        let physical = physical.filter(|physical| Some(physical) != real.as_ref()).map(Some);
        for real in [real].into_iter().chain(physical) {
            let place = self.scene.surroundings().place(&clean, real.as_deref());
            let path = ToolPath {
                real: real.as_deref().map(text),
                place,
                as_written: written.to_owned(),
                ..ToolPath::new(text(&clean), access)
            };
            if !tool.paths.contains(&path) {
                tool.paths.push(path);
            }
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
    fn find(&mut self, pwd: Option<&str>) {
        let base = self.facts.scene.base(pwd);
        let cwd = self.start();
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
                if self.tool.paths.is_empty() {
                    self.tool.note_unknown("which files");
                }
            }
            ToolKind::Search => {
                self.files(cwd.as_deref());
                if self.tool.paths.is_empty() {
                    self.add_path(".", self.spec.nature.access.unwrap_or(Access::List), cwd.as_deref());
                }
            }
            ToolKind::Fetch => {
                self.urls();
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
    }

    /// The texts of the arguments with this role.
    fn of_role(&self, role: Role) -> impl Iterator<Item = &'a str> {
        let (spec, arguments) = (self.spec, self.arguments);
        arguments
            .iter()
            .filter(move |argument| spec.role(argument) == Some(role))
            .map(|argument| argument.text.as_ref())
    }

    /// The directory that the call says it runs in.
    fn start(&mut self) -> Option<&'a str> {
        let (spec, arguments) = (self.spec, self.arguments);
        let mut all = arguments.iter().filter(|argument| spec.role(argument) == Some(Role::Cwd));
        let first = all.next()?;
        let is_certain = first.at.object == 1 && all.all(|other| other.text == first.text);
        if self.runner.stays || !is_certain {
            self.tool.note_unknown(format!("whether the tool runs in its `{}`", first.written_key));
        }
        (!self.runner.stays).then_some(first.text.as_ref())
    }

    fn command(&mut self, is_required: bool) {
        let is_odd = |argument: &&Argument<'_>| !argument.is_text && !argument.is_item;
        let commands = self.arguments.iter().filter(|argument| self.spec.role(argument) == Some(Role::Command));
        if let Some(odd) = commands.into_iter().find(is_odd) {
            self.tool.note_unknown(format!("`{}`, which is not a text", odd.written_key));
        }
        let found = command::find(self.arguments, |argument| self.spec.role(argument), self.runner);
        if let Some(command::Commands { mut lines, text, is_cut }) = found {
            if is_cut {
                self.tool.note_unknown("more command lines than are read");
            }
            self.tool.urls = url::all(&text);
            self.tool.command = Some(text);
            match lines.as_mut_slice() {
                [only] => self.tool.argv = only.argv.take(),
                _ => self.tool.shells = lines,
            }
        } else if is_required {
            self.tool.note_unknown("the command");
        }
        if is_required {
            // Beside the command, an argument sets how it runs. Inside of a list or an object, it may be the command.
            let is_hidden = |argument: &&Argument<'_>| {
                let is_nested = argument.is_text && argument.at.object != 1 && argument.key != "description";
                is_nested && self.spec.role(argument).is_none()
            };
            if let Some(hidden) = self.arguments.iter().find(is_hidden) {
                self.tool.note_unknown(format!("`{}`, which hookbox does not know", hidden.written_key));
            }
        }
        if self.spec.nature.is_typed_into {
            self.tool.note_unknown("what reads the text that is typed");
        }
    }

    fn files(&mut self, cwd: Option<&Path>) {
        let arguments = self.arguments;
        for argument in arguments {
            match self.spec.role(argument) {
                Some(Role::Path(_) | Role::Text | Role::Patch) if !argument.is_text => {
                    self.tool.note_unknown(format!("`{}`, which is not a text", argument.written_key));
                }
                Some(Role::Path(access)) => self.add_path(&argument.text, access, cwd),
                Some(Role::Pattern) => {
                    if let Some(start) = path::start_of_pattern(&argument.text) {
                        self.add_path(start, Access::List, cwd);
                    }
                }
                Some(Role::Text) => self.tool.added_text.push(argument.text.clone().into_owned()),
                _ => {}
            }
        }
        // Other arguments say more about the file than a diff does.
        let patches: Vec<&str> = self.of_role(Role::Patch).collect();
        for patch in patches {
            self.patch(patch, cwd);
        }
    }

    fn patch(&mut self, text: &str, cwd: Option<&Path>) {
        let patch = patch::read(text);
        for (path, access) in patch.files {
            // A diff beside the path of its file spells that path differently.
            let is_told = |told: &ToolPath| Path::new(&told.path).ends_with(&*path);
            if !patch.is_diff || !self.tool.paths.iter().any(is_told) {
                self.add_path(&path, access, cwd);
            }
        }
        self.tool.added_text.extend(patch.added);
        if let Some(what) = patch.unknown {
            self.tool.note_unknown(what);
        }
    }

    fn add_path(&mut self, written: &str, access: Access, cwd: Option<&Path>) {
        let plain = url::file_path(written).unwrap_or_else(|| written.to_owned());
        let expanded = self.facts.scene.expand(&plain);
        self.facts.add_path(&mut self.tool, &expanded, written, access, cwd);
    }

    fn urls(&mut self) {
        for argument in self.arguments {
            match self.spec.role(argument) {
                Some(Role::Url) => url::add(&mut self.tool.urls, &argument.text),
                Some(Role::Text | Role::Patch) => {}
                _ => url::all(&argument.text).iter().for_each(|found| url::add(&mut self.tool.urls, found)),
            }
        }
    }
}
