//! The commands of a shell text, as reported by the component that parses it.

use super::{Facts, patch, path};
use crate::protocol::{Access, Json, MAX_ACTION_BYTES, ObjectWriter, Tool, ToolShell, check};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};

/// The maximum number of command lines of one call that are read.
const MAX_SHELLS: usize = 64;

/// The command lines of a tool call and their context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShellText<'a> {
    pub(crate) text: &'a str,
    /// The text as words, if they are known.
    pub(crate) argv: Option<&'a [String]>,
    /// The command lines in place of `text` and `argv`, if each runs in a shell of its own.
    pub(crate) shells: &'a [ToolShell],
    pub(crate) home: Option<&'a str>,
    pub(crate) cwd: Option<&'a str>,
}

/// What a shell text would run, as parsed by the component.
pub(crate) struct ParsedCommands {
    /// A JSON list with an object for each command.
    pub(crate) list: Json,
    /// The files that the commands name.
    pub(crate) files: Vec<CommandFile>,
    /// The patches that the commands apply.
    patches: Vec<CommandPatch>,
    /// What could not be determined.
    pub(crate) unknown: Vec<String>,
    pub(crate) complete: bool,
}

/// A file that a command names.
pub(crate) struct CommandFile {
    /// The directory that the command runs in, if it is not that of the text.
    pub(crate) cwd: Option<Word>,
    pub(crate) path: Word,
    pub(crate) access: Access,
    /// Whether the command certainly runs.
    certain: bool,
}

/// A patch that a command applies.
struct CommandPatch {
    /// The directory that the command runs in, as in [`CommandFile`].
    cwd: Option<Word>,
    /// The text of the patch, if it is known.
    text: Option<Word>,
    /// Whether the command certainly runs.
    certain: bool,
}

/// The agents' names for their program that applies a patch.
const PATCHERS: [&str; 2] = ["apply_patch", "applypatch"];

/// A word of a command.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Word {
    /// Every character is known.
    Known(String),
    /// Some parts are known only when the command runs.
    Partly {
        raw: String,
        #[serde(default)]
        parts: Vec<WordPart>,
    },
}

/// A part of a word.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum WordPart {
    Known(String),
    Glob {
        glob: String,
    },
    Unknown {
        #[serde(rename = "unknown")]
        _written: String,
    },
}

impl Word {
    /// Returns the word, with file patterns as written; `None` if a part of it is not known.
    pub(crate) fn text(&self) -> Option<String> {
        let part = |part: &WordPart| match part {
            WordPart::Known(text) | WordPart::Glob { glob: text } => Some(text.clone()),
            WordPart::Unknown { .. } => None,
        };
        match self {
            Word::Known(text) => Some(text.clone()),
            Word::Partly { parts, .. } if parts.is_empty() => None,
            Word::Partly { parts, .. } => parts.iter().map(part).collect(),
        }
    }

    /// Returns the word as written in the command, as far as it is known.
    pub(crate) fn written(&self) -> &str {
        match self {
            Word::Known(text) | Word::Partly { raw: text, .. } => text,
        }
    }
}

/// The component's answer.
#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    commands: &'a RawValue,
    #[serde(default)]
    unknown: Vec<String>,
    complete: bool,
}

/// The parts of a command that the facts of the tool call use.
#[derive(Deserialize)]
struct Command {
    name: Option<String>,
    #[serde(default)]
    argv: Vec<Word>,
    /// The command's input, if it is in the shell text.
    stdin: Option<Word>,
    cwd: Option<Word>,
    #[serde(default)]
    reads_from: Vec<usize>,
    #[serde(default)]
    files: Vec<File>,
    #[serde(default = "yes")]
    certain: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct File {
    path: Word,
    access: Access,
}

impl ShellText<'_> {
    /// Returns the request to the component.
    pub(crate) fn request(&self) -> String {
        let mut request = ObjectWriter::with_capacity(self.text.len() + 128);
        if self.shells.is_empty() {
            say(&mut request, self.text, self.argv);
        } else {
            let line = |shell: &ToolShell| {
                let mut line = ObjectWriter::with_capacity(shell.command.len() + 16);
                say(&mut line, &shell.command, shell.argv.as_deref());
                if !shell.certain {
                    line.flag("certain", false);
                }
                line.finish()
            };
            request.list("shells", self.shells.iter().take(MAX_SHELLS).map(line));
        }
        request.optional_text("home", self.home).optional_text("cwd", self.cwd);
        request.finish()
    }
}

/// Programs whose output is a file, or a diff of what is in the repository already.
const PRINTERS: [&str; 11] =
    ["bzcat", "bzip2", "cat", "git", "gunzip", "gzcat", "gzip", "xz", "xzcat", "zcat", "zstdcat"];

impl Command {
    /// Returns whether the command applies a patch that another command generates.
    fn applies_unseen(&self, all: &[Command]) -> bool {
        let is_word = |words: &[&str]| self.argv.iter().skip(1).any(|word| words.contains(&word.written()));
        let applies = match self.name.as_deref() {
            Some("patch" | "gpatch" | "git-apply" | "git-am") => true,
            Some("git") => is_word(&["apply", "am"]),
            Some("hg") => is_word(&["import", "patch"]),
            _ => false,
        };
        let looks = ["--check", "--dry-run", "--numstat", "--stat", "--summary"];
        let applies = applies && (is_word(&["--apply"]) || !is_word(&looks));
        let prints = |at: &usize| {
            let name = all.get(*at).and_then(|command| command.name.as_deref());
            name.is_some_and(|name| PRINTERS.contains(&name))
        };
        applies && self.stdin.is_none() && !self.reads_from.iter().all(prints)
    }
}

/// Writes a command line in the form that the component reads.
fn say(out: &mut ObjectWriter, text: &str, argv: Option<&[String]>) {
    match argv {
        Some(argv) => out.texts("argv", argv),
        None => out.text("text", text),
    };
}

impl ParsedCommands {
    /// Parses the component's answer.
    ///
    /// # Errors
    /// Returns an error if the answer does not have the expected form.
    pub(crate) fn from_answer(answer: &str) -> Result<Self, String> {
        check(answer.as_bytes(), MAX_ACTION_BYTES).map_err(|error| error.message)?;
        let Answer { commands, unknown, complete } = serde_json::from_str(answer).map_err(|error| error.to_string())?;
        let list: Vec<Command> = serde_json::from_str(commands.get()).map_err(|error| error.to_string())?;
        let (mut files, mut patches) = (Vec::new(), Vec::new());
        let unseen: Vec<bool> = list.iter().map(|command| command.applies_unseen(&list)).collect();
        for (Command { name, argv, stdin, cwd, files: named, certain, .. }, is_unseen) in list.into_iter().zip(unseen) {
            if is_unseen {
                patches.push(CommandPatch { cwd: cwd.clone(), text: None, certain });
            }
            if name.is_some_and(|name| PATCHERS.contains(&name.as_str())) {
                let text = argv.into_iter().nth(1).or(stdin);
                patches.push(CommandPatch { cwd: cwd.clone(), text, certain });
            }
            let file = |File { path, access }| CommandFile { cwd: cwd.clone(), path, access, certain };
            files.extend(named.into_iter().map(file));
        }
        Ok(ParsedCommands { files, patches, list: Json::checked(commands), unknown, complete })
    }
}

impl Facts {
    /// Returns the user's home directory.
    pub(crate) fn home(&self) -> Option<String> {
        self.scene.home().map(|home| home.to_string_lossy().into_owned())
    }

    /// Adds the commands of a shell text to the facts of its tool, and the files that they name to the paths.
    pub(crate) fn add_commands(&self, tool: &mut Tool, commands: ParsedCommands) {
        let start = tool.cwd.as_ref().map(PathBuf::from);
        let dir_of = |cwd: Option<Word>| match cwd.map(|cwd| cwd.text()) {
            None => start.clone(),
            Some(cwd) => cwd.and_then(|cwd| path::absolute(start.as_deref(), &cwd)),
        };
        for CommandPatch { cwd, text, certain } in commands.patches {
            let dir = dir_of(cwd);
            let Some(Word::Known(text)) = text else {
                if certain {
                    tool.note_unknown("a patch that the command makes up");
                }
                continue;
            };
            let patch = patch::read(&text);
            for (path, access) in patch.files {
                self.add_command_path(tool, &path, &path, access, certain, dir.as_deref());
            }
            if !certain {
                continue;
            }
            tool.added_text.extend(patch.added);
            if let Some(what) = patch.unknown {
                tool.note_unknown(what);
            }
        }
        for CommandFile { cwd, path: file, access, certain } in commands.files {
            let dir = dir_of(cwd);
            match file.text() {
                // The component has already replaced each `~` that a shell would.
                Some(text) => self.add_command_path(tool, &text, file.written(), access, certain, dir.as_deref()),
                None if !certain => {}
                None => tool.note_unknown(format!("a path that the command makes up: {}", file.written())),
            }
        }
        if tool.shells.len() > MAX_SHELLS {
            tool.note_unknown("more command lines than are read");
        }
        tool.complete &= commands.complete;
        commands.unknown.into_iter().for_each(|what| tool.note_unknown(what));
        tool.commands = Some(commands.list);
    }

    /// Adds a path that a command names. Unless it is `certain`, the call only possibly runs the command.
    fn add_command_path(
        &self,
        tool: &mut Tool,
        path: &str,
        written: &str,
        access: Access,
        certain: bool,
        cwd: Option<&Path>,
    ) {
        if certain {
            self.add_path(tool, path, written, access, cwd);
        } else {
            self.add_possible_path(tool, path, written, access, cwd);
        }
    }
}
