//! The place where an agent works, and the directories around it.

use super::path;
use crate::protocol::Place;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Names of directories, anywhere, that contain hookbox's own config.
const HOOKBOX: &[&str] = &[".agents", ".hookbox"];

/// Names of directories and files, anywhere, that say what an agent may do or which hooks it asks.
const AGENT_CONFIG: &[&str] = &[
    ".aider.conf.yml",
    ".claude",
    ".claude.json",
    ".cline",
    ".clinerules",
    ".codex",
    ".continue",
    ".copilot",
    ".cursor",
    ".factory",
    ".gemini",
    ".hygge",
    ".kiro",
    ".mcp.json",
    ".opencode",
    ".qwen",
    ".ub",
    ".windsurf",
    "opencode.json",
    "opencode.jsonc",
];

/// Like `AGENT_CONFIG`, for names that mean nothing without the name of the parent directory.
const AGENT_CONFIG_PAIRS: &[(&str, &str)] = &[
    (".config", "goose"),
    (".config", "opencode"),
    (".github", "copilot"),
    (".github", "hooks"),
    (".vscode", "mcp.json"),
    (".vscode", "settings.json"),
    ("cline", "hooks"),
    ("etc", "claude-code"),
    ("etc", "codex"),
    ("etc", "cursor"),
    ("etc", "gemini-cli"),
    ("etc", "github-copilot"),
];

/// The files and directories that mark the root of a project.
const PROJECT_MARKS: &[&str] = &[".git", ".hg", ".jj", ".agents/hooks.toml", ".hookbox/hooks.toml"];

/// The place where an agent works, and the directories that classify its paths.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    cwd: Option<PathBuf>,
    home: Option<PathBuf>,
    temp: Vec<PathBuf>,
    hookbox: Vec<PathBuf>,
    /// The directories that classify paths, determined when the first path is classified.
    surroundings: OnceLock<Surroundings>,
}

impl Scene {
    /// Creates the scene of an agent that works in this directory, unless an Input names another. `/tmp` and `/var/tmp`
    /// are directories for temporary files.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Scene { cwd: Some(cwd.into()), temp: ["/tmp", "/var/tmp"].map(PathBuf::from).to_vec(), ..Scene::default() }
    }

    /// Sets the user's home directory.
    #[must_use]
    pub fn with_home(self, home: impl Into<PathBuf>) -> Self {
        Scene { home: Some(home.into()), ..self }
    }

    /// Adds a directory for temporary files.
    #[must_use]
    pub fn with_temp(mut self, dir: impl Into<PathBuf>) -> Self {
        self.temp.push(dir.into());
        self
    }

    /// Adds a directory in which hookbox keeps config, state or cache.
    #[must_use]
    pub fn with_hookbox(mut self, dir: impl Into<PathBuf>) -> Self {
        self.hookbox.push(dir.into());
        self
    }

    /// Returns the user's home directory.
    pub(super) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Returns the directory that the paths of a tool call are relative to.
    pub(super) fn base(&self, pwd: Option<&str>) -> Option<PathBuf> {
        match pwd.filter(|pwd| !pwd.is_empty()) {
            Some(pwd) => path::absolute(self.cwd.as_deref(), pwd),
            None => self.cwd.clone(),
        }
    }

    /// Replaces a leading `~`. For a tool that does not replace it, `~` is the name of a file, which is less of a risk.
    pub(super) fn expand(&self, written: &str) -> String {
        let rest = written.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (&self.home, rest) {
            (Some(home), Some(rest)) => format!("{}{rest}", home.display()),
            _ => written.to_owned(),
        }
    }

    /// Returns the directories that classify paths.
    pub(super) fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(|| Surroundings {
            hookbox: self.hookbox.iter().flat_map(|dir| with_real(dir)).collect(),
            project: self.project().map(|dir| with_real(&dir)).unwrap_or_default(),
            temp: self.temp.iter().flat_map(|dir| with_real(dir)).collect(),
            home: self.home.as_deref().map(with_real).unwrap_or_default(),
        })
    }

    /// Returns the root of the project: the nearest directory with a project mark, otherwise the working directory. The
    /// home directory and its parents are not projects.
    fn project(&self) -> Option<PathBuf> {
        let cwd = self.cwd.as_deref()?;
        let is_home = |dir: &Path| self.home.as_deref().is_some_and(|home| home.starts_with(dir));
        let is_project = |dir: &Path| dir.parent().is_some() && !is_home(dir);
        let is_marked = |dir: &Path| PROJECT_MARKS.iter().any(|mark| dir.join(mark).symlink_metadata().is_ok());
        let root = cwd.ancestors().take_while(|dir| is_project(dir)).find(|dir| is_marked(dir));
        root.or_else(|| Some(cwd).filter(|cwd| is_project(cwd))).map(Path::to_owned)
    }
}

/// The directories that classify paths, each with its resolved form.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    hookbox: Vec<PathBuf>,
    project: Vec<PathBuf>,
    temp: Vec<PathBuf>,
    home: Vec<PathBuf>,
}

impl Surroundings {
    /// Classifies where a path leads, both as written and with links followed.
    pub(super) fn place(&self, clean: &Path, real: Option<&Path>) -> Place {
        let place = self.place_of(clean);
        match real {
            // The values of `Place` are ordered from most to least protected.
            Some(real) if real != clean => std::cmp::min_by_key(place, self.place_of(real), |place| *place as u8),
            _ => place,
        }
    }

    fn place_of(&self, path: &Path) -> Place {
        let is_in = |dirs: &[PathBuf]| dirs.iter().any(|dir| path.starts_with(dir));
        let deepest = |dirs: &[PathBuf]| {
            dirs.iter().filter(|dir| path.starts_with(dir)).map(|dir| dir.components().count()).max()
        };
        // Names are compared in lower case, because file systems that ignore case would open the same file.
        let lower = |part: std::path::Component<'_>| part.as_os_str().to_string_lossy().to_lowercase();
        let names: Vec<String> = path.components().map(lower).collect();
        let has = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
        let is_pair = |pair: &[String]| match pair {
            [above, name] => AGENT_CONFIG_PAIRS.contains(&(above.as_str(), name.as_str())),
            _ => false,
        };
        match () {
            () if is_in(&self.hookbox) || has(HOOKBOX) => Place::Hookbox,
            () if has(AGENT_CONFIG) || names.windows(2).any(is_pair) => Place::AgentConfig,
            () if is_in(&self.project) => Place::Project,
            // One of these directories may be inside the other.
            () if deepest(&self.temp) > deepest(&self.home) => Place::Temp,
            () if is_in(&self.home) => Place::Home,
            () => Place::Other,
        }
    }
}

/// Returns a directory and its resolved form, if that differs.
fn with_real(dir: &Path) -> Vec<PathBuf> {
    let real = path::resolve(dir).filter(|real| real != dir);
    std::iter::once(dir.to_owned()).chain(real).collect()
}
