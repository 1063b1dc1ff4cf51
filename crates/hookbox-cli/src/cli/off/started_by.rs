//! Detects whether an agent started this process, by the environment and the parent processes.
//!
//! A terminal proves nothing, since any program can create one.

use std::ffi::OsStr;
use std::path::{Component, Path};

/// Agents' programs, and editors whose agents type into the same terminals as their users.
const PROGRAMS: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "copilot",
    "cursor",
    "cursor-agent",
    "qwen",
    "droid",
    "cline",
    "opencode",
    "agy",
    "aider",
    "amp",
    "cn",
    "code",
    "code-insiders",
    "crush",
    "devin",
    "goose",
    "grok",
    "kiro",
    "kiro-cli",
    "windsurf",
    // A process started by a hook is not a person either.
    "hookbox",
];

/// The packages of agents that are scripts.
const PACKAGES: &[&str] = &[
    "@anthropic-ai/claude-code",
    "@openai/codex",
    "@google/gemini-cli",
    "@github/copilot",
    "@qwen-code/qwen-code",
    "@cline/cli",
    "cline",
    "opencode-ai",
    "@factory/cli",
    "@continuedev/cli",
    "@sourcegraph/amp",
];

/// Programs that run a script. The script says more about them than their own names.
const INTERPRETERS: &[&str] = &["node", "nodejs", "bun", "deno", "python", "python3", "MainThread"];

/// Variables that agents set for what they start.
const VARIABLES: &[&str] =
    &["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR", "OPENCODE"];

/// The prefixes of the names of further variables that agents set.
const PREFIXES: &[&str] =
    &["CLAUDE_CODE_", "CODEX_", "COPILOT_", "CURSOR_", "QWEN_", "OPENCODE_", "CLINE_", "FACTORY_", "GEMINI_CLI_"];

/// The suffixes of variables with these prefixes that people set in their profiles.
const SETTINGS: &[&str] = &[
    "_HOME",
    "_CONFIG",
    "_CONFIG_DIR",
    "_API_KEY",
    "_TOKEN",
    "_MODEL",
    "_BASE_URL",
    "_USE_BEDROCK",
    "_USE_VERTEX",
    "_MAX_OUTPUT_TOKENS",
    "_DISABLE_NONESSENTIAL_TRAFFIC",
];

/// The maximum number of parent processes that are examined.
const MOST: usize = 256;

/// Returns what shows that an agent started this process, or why that cannot be known; `None` if nothing shows it.
pub(super) fn agent() -> Option<String> {
    let here = std::env::vars_os().find_map(|(name, _)| variable(&name));
    here.map(|name| format!("`{name}` is set, as agents do for what they start")).or_else(above)
}

/// Returns the name if agents set a variable of this name.
fn variable(name: &OsStr) -> Option<String> {
    let name = name.to_str()?;
    let is_set_by_agents = VARIABLES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !SETTINGS.iter().any(|end| name.ends_with(end));
    is_set_by_agents.then(|| name.to_owned())
}

/// What is known about a process.
struct Process {
    name: String,
    parent: u32,
    words: Vec<String>,
    /// The file that the process runs. Empty if the process belongs to another user.
    program: String,
    /// The names of the variables that the process was started with. Empty if the process belongs to another user.
    variables: Vec<String>,
}

fn above() -> Option<String> {
    let mut id = std::os::unix::process::parent_id();
    for _ in 0..MOST {
        // The parents of a container's first process are not visible.
        if id == 0 {
            return None;
        }
        let Some(process) = look_up(id) else {
            return Some(format!("it cannot be known what started this: process {id} above it cannot be looked at"));
        };
        if let Some(sign) = process.sign() {
            return Some(format!("process {id} above this one is {sign}"));
        }
        if id == 1 {
            return None;
        }
        id = process.parent;
    }
    Some(format!("it cannot be known what started this: more than {MOST} processes stand above it"))
}

impl Process {
    fn sign(&self) -> Option<String> {
        let first = self.words.first().map(String::as_str).unwrap_or_default();
        let mut files = vec![self.name.as_str(), first, self.program.as_str()];
        if [self.name.as_str(), base(first), base(&self.program)].iter().any(|name| is_interpreter(name)) {
            // The script is the first word that is not an option. An option's value may come before it.
            files.extend(self.words.iter().skip(1).filter(|word| !word.starts_with('-')).take(2).map(String::as_str));
        }
        if let Some(agent) = files.into_iter().find_map(program) {
            return Some(format!("`{agent}`"));
        }
        let variable = self.variables.iter().find_map(|name| variable(OsStr::new(name)));
        variable.map(|variable| format!("`{}`, which an agent started: it has `{variable}`", self.name))
    }
}

fn base(path: &str) -> &str {
    Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or_default()
}

fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name) || name.starts_with("python3.")
}

/// Returns the agent that this file belongs to, judged by its name, its package, or the folder of its versions.
fn program(path: &str) -> Option<&'static str> {
    // A program can rename itself to `claude` or `codex: working`.
    let own = base(path.split([' ', ':']).next().unwrap_or_default());
    let stem = own.strip_prefix('-').unwrap_or(own).trim_start_matches('.');
    let stem = stem.split_once('.').map_or(stem, |(stem, _)| stem);
    let parts: Vec<&str> = Path::new(path)
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    let by_name = PROGRAMS.iter().find(|known| **known == stem || **known == own);
    let of_versions = || {
        let folder = parts.windows(2).find(|pair| pair.get(1) == Some(&"versions")).and_then(|pair| pair.first());
        PROGRAMS.iter().find(|known| Some(*known) == folder)
    };
    let of_package = || {
        let mut rest = parts.iter().skip_while(|part| **part != "node_modules").skip(1);
        let (one, two) = (rest.next()?, rest.next()?);
        let both = format!("{one}/{two}");
        PACKAGES.iter().find(|known| **known == *one || both == **known || both.starts_with(&format!("{known}-")))
    };
    by_name.or_else(of_versions).or_else(of_package).copied()
}

#[cfg(target_os = "linux")]
fn look_up(id: u32) -> Option<Process> {
    let file = |name: &str| format!("/proc/{id}/{name}");
    let stat = std::fs::read_to_string(file("stat")).ok()?;
    // The name is in parentheses, and may itself contain some.
    let (_, rest) = stat.rsplit_once(')')?;
    let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
    let words = |name: &str| std::fs::read(file(name)).map(|bytes| split(&bytes));
    let variables = words("environ").unwrap_or_default();
    Some(Process {
        name: std::fs::read_to_string(file("comm")).ok()?.trim_end().to_owned(),
        parent,
        words: words("cmdline").ok()?,
        program: std::fs::read_link(file("exe")).map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
        variables: variables.iter().filter_map(|pair| Some(pair.split_once('=')?.0.to_owned())).collect(),
    })
}

#[cfg(target_os = "linux")]
fn split(bytes: &[u8]) -> Vec<String> {
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Looks up a process with `ps`. Without `/proc`, that provides the same except for the environment.
#[cfg(not(target_os = "linux"))]
fn look_up(id: u32) -> Option<Process> {
    let mut command = std::process::Command::new("/bin/ps");
    command.args(["-ww", "-o", "ppid=", "-o", "command=", "-p"]).arg(id.to_string());
    let output = command.output().ok().filter(|output| output.status.success())?;
    let line = String::from_utf8_lossy(&output.stdout).into_owned();
    let (parent, line) = line.trim().split_once(' ')?;
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let program = words.first()?.clone();
    Some(Process {
        name: base(&program).to_owned(),
        parent: parent.parse().ok()?,
        words,
        program,
        variables: Vec::new(),
    })
}
