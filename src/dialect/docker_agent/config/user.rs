//! What a user adds to every agent: `settings.snapshot` in `config.yaml` and, in the third generation, `settings.hooks`
//! and then the files in `hooks.d`.

use super::{Fault, Reader};
use crate::config::{ConfigFile, Dialect, HostEnv, Problem, Reading, Severity};
use crate::dialect::yaml::{self, Kind};
use crate::protocol::{Code, Source};
use std::path::{Path, PathBuf};

/// The variables that name the user's directory; the first that is set counts.
const VARIABLES: [&str; 2] = ["DOCKER_AGENT_CONFIG_DIR", "CAGENT_CONFIG_DIR"];

impl Reader<'_> {
    /// Adds the user's hooks, after those of the agent. A file that cannot be used is left out with a warning.
    pub(super) fn add_users(&mut self) {
        let Some(dir) = directory(self.host).filter(|_| self.dialect.generation.is_third()) else {
            return;
        };
        self.add_file(&dir.join("config.yaml"), true);
        for path in drop_ins(&dir.join("hooks.d")) {
            self.add_file(&path, false);
        }
    }

    /// Whether the user's settings ask for `snapshot`. Settings that cannot be read do not ask for it.
    pub(super) fn keeps_snapshots(&self) -> bool {
        let dir = directory(self.host).filter(|_| self.dialect.generation.is_second());
        let file = dir.map(|dir| dir.join("config.yaml"));
        let file =
            file.and_then(|file| ConfigFile::read(&file, Source::USER, self.dialect.read_rules()).ok().flatten());
        file.and_then(|file| yaml::parse(&yaml::with_whole_characters(&file.text)).ok().flatten())
            .and_then(|root| root.get("settings")?.get("snapshot")?.kind().map(|kind| matches!(kind, Kind::Bool(true))))
            .unwrap_or_default()
    }

    fn add_file(&mut self, path: &Path, is_settings: bool) {
        let file = match ConfigFile::read(path, Source::USER, self.dialect.read_rules()) {
            Ok(Some(file)) => file,
            Ok(None) => return,
            Err(unreadable) => return self.leave_out(*unreadable.problem),
        };
        let mut reader = Reader {
            dialect: self.dialect,
            file: &file,
            host: self.host,
            reading: Reading::default(),
            models: self.models.clone(),
        };
        match reader.user_hooks(is_settings) {
            Ok(()) => {
                self.reading.entries.extend(reader.reading.entries);
                self.reading.problems.extend(reader.reading.problems);
            }
            Err(Fault { code, at, message, help }) => {
                self.leave_out(file.problem(code, None, &at, message, help));
            }
        }
    }

    fn user_hooks(&mut self, is_settings: bool) -> Result<(), Fault> {
        let root = yaml::parse(&yaml::with_whole_characters(&self.file.text)).map_err(|error| Fault {
            code: Code::ConfigSyntax,
            at: error.at,
            message: error.message,
            help: None,
        })?;
        let hooks = root.as_ref().and_then(|root| match is_settings {
            true => root.get("settings")?.get("hooks"),
            false => Some(root),
        });
        hooks.filter(|hooks| !hooks.is_null()).map_or(Ok(()), |hooks| self.block(hooks))
    }

    fn leave_out(&mut self, mut problem: Problem) {
        if self.dialect.strictness.is_strict() {
            self.reading.break_file(problem);
        } else {
            problem.severity = Severity::Warning;
            problem.message.push_str("; the file is left out");
            self.reading.problems.push(problem);
        }
    }
}

/// Returns the directory in which docker-agent keeps the user's configuration.
fn directory(host: &HostEnv<'_>) -> Option<PathBuf> {
    let named = VARIABLES.iter().find_map(|name| host.var(name).filter(|dir| !dir.is_empty()));
    let own = || Some(Path::new(host.var("HOME")?).join(".config").join("cagent"));
    named.map(PathBuf::from).or_else(own).filter(|dir| dir.is_absolute())
}

/// Returns the YAML files of a directory, sorted by name.
fn drop_ins(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "yaml" || ext == "yml");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_yaml).collect();
    files.retain(|path| !path.is_dir());
    files.sort();
    files
}
