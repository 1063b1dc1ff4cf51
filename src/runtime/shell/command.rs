//! The command of a shell hook, and its environment.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The variables that a shell hook inherits from the host, if they are set. All others are withheld, because API keys
/// are kept in the host's environment.
pub const INHERITED_VARS: [&str; 7] = ["PATH", "HOME", "LANG", "USER", "TERM", "LC_ALL", "LC_CTYPE"];

/// The part of the host's environment that a shell hook sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inherit {
    /// The [`INHERITED_VARS`].
    #[default]
    Common,
    /// These variables.
    Names(Vec<String>),
    /// All variables, including secrets.
    All,
}

/// A command and its environment. The command gets nothing from the host's process that is not named here.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Command {
    /// The program: a name to look up in `search_path`, or a path. There is no shell and no expansion.
    pub program: OsString,
    /// The arguments.
    pub args: Vec<OsString>,
    /// The complete environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub cwd: PathBuf,
    /// Whether the hook's config sets `cwd`. Otherwise `cwd` is the agent's working directory.
    pub cwd_is_given: bool,
    /// The directory that a relative path in `program` starts from.
    pub base: PathBuf,
    /// The host's `PATH`. It is separate from `env`, because a hook's own `env` must not change which program runs.
    pub search_path: Option<OsString>,
}

impl Command {
    /// Creates a command with an empty environment, which runs in this directory.
    pub fn new(program: impl Into<OsString>, cwd: impl Into<PathBuf>) -> Self {
        let cwd = cwd.into();
        Command {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            base: cwd.clone(),
            cwd,
            cwd_is_given: false,
            search_path: None,
        }
    }

    /// Sets the arguments.
    #[must_use]
    pub fn with_args(self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Command { args: args.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the complete environment.
    #[must_use]
    pub fn with_env(self, env: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Command { env: env.into_iter().collect(), ..self }
    }

    /// Sets the `PATH` in which the program is looked up: the host's.
    #[must_use]
    pub fn with_search_path(self, path: Option<OsString>) -> Self {
        Command { search_path: path, ..self }
    }

    /// Returns the environment of a hook: the variables that it inherits from the host, overridden by its own.
    pub fn environment<'a>(
        host: &[(OsString, OsString)],
        inherit: &Inherit,
        own: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Vec<(OsString, OsString)> {
        let inherits = |name: &OsString| match inherit {
            Inherit::Common => INHERITED_VARS.iter().any(|inherited| name == inherited),
            Inherit::Names(names) => names.iter().any(|inherited| name.to_str() == Some(inherited)),
            Inherit::All => true,
        };
        let mut env: Vec<(OsString, OsString)> = host.iter().filter(|(name, _)| inherits(name)).cloned().collect();
        for (name, value) in own {
            env.retain(|(other, _)| other != name);
            env.push((name.into(), value.into()));
        }
        env
    }

    /// Checks that there is a file to execute. If the command is a shell command line that begins with a path, also
    /// checks the file at that path.
    ///
    /// # Errors
    /// Returns an error if a file does not exist or is not executable.
    pub fn probe(&self) -> io::Result<()> {
        let file =
            self.resolve().map_err(|error| io::Error::other(format!("`{}`: {error}", self.program.display())))?;
        let script = match self.args.as_slice() {
            [flag, line] if flag == "-c" => line.to_str().and_then(|line| line.split_whitespace().next()),
            _ => None,
        };
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
        let script = script.filter(|word| word.contains('/') && word.chars().all(is_plain));
        for file in std::iter::once(file).chain(script.map(|script| self.cwd.join(script))) {
            if !is_executable(&file) {
                let why = if file.is_file() { "is not executable" } else { "is not a file" };
                return Err(io::Error::other(format!("`{}` {why}", file.display())));
            }
        }
        Ok(())
    }

    /// Finds the file to execute.
    ///
    /// # Errors
    /// Returns `NotFound` if no directory of the search path contains the name. A path is not checked here, because
    /// only executing it tells without a race whether it exists.
    pub(super) fn resolve(&self) -> io::Result<PathBuf> {
        let program = Path::new(&self.program);
        if program.as_os_str().is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the command is empty"));
        }
        if self.program.as_encoded_bytes().contains(&b'/') {
            // `components` drops the `.` of `./guard.sh`, which would only make messages longer.
            return Ok(self.base.join(program).components().collect());
        }
        let search_path = self.search_path.as_deref().unwrap_or(OsStr::new(""));
        std::env::split_paths(search_path)
            // A relative entry would let the project decide which program runs.
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(program))
            .find(|file| is_executable(file))
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "not found in PATH"))
    }
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
