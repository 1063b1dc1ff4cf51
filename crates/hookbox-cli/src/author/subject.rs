//! The hook to try: described by an entry of a config, either a real one or one made up for a file.

use super::language::Language;
use hookbox::config::{ConfigFile, Dialect, Entry, HookTarget, HookboxDialect, HostEnv, Problem, Sandboxed};
use hookbox::internal::{suggest, toml_string};
use hookbox::runtime::Mode;
use hookbox::{Code, Event, Failure, Source};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first bytes of a component.
const WASM_MAGIC: &[u8] = b"\0asm";

/// A hook to try.
pub struct Subject {
    pub(super) file: ConfigFile,
    pub(super) entry: Entry,
    pub(super) dialect: Arc<dyn Dialect>,
    dir: PathBuf,
}

/// The reason why there is no hook to try.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    /// It is unclear which hook is meant.
    #[error("{0}")]
    Unclear(String),
    /// The hook's config entry is invalid.
    #[error("the config cannot be used")]
    Config(Vec<Problem>),
}

/// Returns the error with this message.
fn unclear<T>(message: impl Into<String>) -> Result<T, SubjectError> {
    Err(SubjectError::Unclear(message.into()))
}

impl Subject {
    /// Returns the hook that a path names: a component, a script, an executable shell hook, or a directory with one of
    /// these. `dialect` is what a shell hook speaks, if not hookbox's own protocol; `hook` names the entry of a
    /// directory's `hooks.toml`. The path must be absolute.
    ///
    /// # Errors
    /// Returns an error if there is no hook at the path, or more than one.
    pub fn of_path(
        path: &Path,
        hook: Option<&str>,
        dialect: Option<&str>,
        host: &HostEnv<'_>,
    ) -> Result<Self, SubjectError> {
        let shown = path.display();
        if path.is_dir() {
            return Subject::of_dir(path, hook, dialect, host);
        }
        if let Some(hook) = hook {
            return unclear(format!("`{shown}` is one hook, of which none is called `{hook}`"));
        }
        let Some(text) = path.to_str() else {
            return unclear(format!("`{shown}` is not UTF-8, as paths in a config must be"));
        };
        let meta = match fs::metadata(path) {
            Ok(meta) => meta,
            Err(error) => return unclear(format!("`{shown}` cannot be read: {error}")),
        };
        let entry = match kind_of(path) {
            Some(key) if dialect.is_none() => format!("{key} = {}\n", toml_string(text)),
            Some(key) => return unclear(format!("`{shown}` is a {key}: only a shell hook speaks another dialect")),
            None if meta.permissions().mode() & 0o111 != 0 => shell(text, &[], dialect),
            None => {
                return unclear(format!(
                    "`{shown}` is not a component (.wasm) or a script (.js), and not executable: `chmod +x` makes it a shell hook"
                ));
            }
        };
        let name = path.file_stem().map_or_else(|| "hook".to_owned(), |stem| stem.to_string_lossy().into_owned());
        Ok(made_up(&name, path, &entry, host)?.waited_for())
    }

    /// Returns a command line for `sh` as a shell hook. Its cases are in `dir`.
    ///
    /// # Errors
    /// Returns an error if the command line is empty.
    pub fn of_command(line: &str, dir: &Path, dialect: Option<&str>, host: &HostEnv<'_>) -> Result<Self, SubjectError> {
        if line.trim().is_empty() {
            return unclear("the command is empty");
        }
        Ok(made_up("command", &dir.join("command"), &shell("sh", &["-c", line], dialect), host)?.waited_for())
    }

    /// Returns one hook of a config: the one with this name, or the only one.
    ///
    /// # Errors
    /// Returns an error if the config cannot be read or has no such hook, or if the entry cannot be used.
    pub fn of_config(
        path: &Path,
        hook: Option<&str>,
        dialect: &Arc<dyn Dialect>,
        host: &HostEnv<'_>,
    ) -> Result<Self, SubjectError> {
        let file = match ConfigFile::read(path, Source::USER, dialect.read_rules()) {
            Ok(Some(file)) => file,
            Ok(None) => {
                let problem = Problem::about_file(path, Code::ConfigUnreadable, "does not exist");
                return Err(SubjectError::Config(vec![problem]));
            }
            Err(unreadable) => return Err(SubjectError::Config(vec![*unreadable.problem])),
        };
        let reading = dialect.read(&file, host);
        let names: Vec<String> = reading.entries.iter().map(|entry| entry.info.name.clone()).collect();
        let problems = reading.problems;
        let mut entries = reading.entries.into_iter().filter(|entry| hook.is_none_or(|hook| entry.info.name == hook));
        let shown = path.display();
        match (entries.next(), entries.next()) {
            (Some(entry), None) => {
                let about = |problem: &Problem| problem.hook.as_deref().is_none_or(|hook| hook == entry.info.name);
                let mine: Vec<Problem> = problems.into_iter().filter(about).collect();
                if matches!(entry.target, HookTarget::Broken(..)) && !mine.is_empty() {
                    return Err(SubjectError::Config(mine));
                }
                let dir = file.dir().to_owned();
                Ok(Subject { file, entry, dialect: Arc::clone(dialect), dir }.waited_for())
            }
            (None, _) if !problems.is_empty() => Err(SubjectError::Config(problems)),
            (None, _) => match hook {
                Some(hook) if !names.is_empty() => {
                    let known: Vec<&str> = names.iter().map(String::as_str).collect();
                    unclear(format!("`{shown}` has no hook `{hook}`: {}", suggest(hook, &known)))
                }
                _ => unclear(format!("`{shown}` has no hook")),
            },
            (Some(_), Some(_)) => match hook {
                Some(hook) => unclear(format!("`{shown}` has several hooks that are called `{hook}`")),
                None => unclear(format!("`{shown}` has several hooks: name one with --hook ({})", names.join(", "))),
            },
        }
    }

    /// Returns the hook of a directory: from its `hooks.toml`, otherwise its `hook.js`, its only component, or its only
    /// script. The caller has already built the hook.
    fn of_dir(dir: &Path, hook: Option<&str>, dialect: Option<&str>, host: &HostEnv<'_>) -> Result<Self, SubjectError> {
        let shown = dir.display();
        let config = dir.join("hooks.toml");
        if config.is_file() {
            let own: Arc<dyn Dialect> = Arc::new(HookboxDialect);
            return Subject::of_config(&config, hook, &own, host);
        }
        let script = dir.join(Language::JavaScript.marker());
        if script.is_file() {
            return Subject::of_path(&script, hook, dialect, host);
        }
        let mut files: Vec<PathBuf> = match fs::read_dir(dir) {
            Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
            Err(error) => return unclear(format!("`{shown}` cannot be read: {error}")),
        };
        files.sort_unstable();
        for (extension, what) in [("wasm", "components"), ("js", "scripts")] {
            let has = |file: &&PathBuf| file.extension().is_some_and(|found| found == extension) && file.is_file();
            let found: Vec<&PathBuf> = files.iter().filter(has).collect();
            match found.as_slice() {
                [] => {}
                [file] => return Subject::of_path(file, hook, dialect, host),
                several => {
                    let names: Vec<_> = several.iter().filter_map(|file| file.file_name()?.to_str()).collect();
                    return unclear(format!("`{shown}` has several {what}: name one ({})", names.join(", ")));
                }
            }
        }
        unclear(format!("`{shown}` has no `hooks.toml`, no component (*.wasm) and no script (*.js)"))
    }

    /// Returns the hook adjusted for trying: the chain waits for it on all its events.
    fn waited_for(mut self) -> Self {
        for (_, mode) in &mut self.entry.info.events {
            *mode = Mode::Sync;
        }
        self
    }

    /// Returns the hook's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.entry.info.name
    }

    /// Returns the directory in which the hook's cases are looked up.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the size of the component in bytes, if the hook is a component.
    ///
    /// # Errors
    /// Returns an error if the component's file cannot be read, or if hookbox was built without the policy.
    pub fn component_size(&self) -> Result<Option<u64>, Failure> {
        let HookTarget::Component(component) = &self.entry.target else { return Ok(None) };
        let size = match component.kind {
            Sandboxed::Policy(policy) => policy.component().map(|bytes| bytes.len() as u64),
            _ => None,
        };
        let of_file = || {
            let path = self.file.dir().join(&component.path);
            let meta = fs::metadata(&path);
            meta.map(|meta| meta.len())
                .map_err(|error| Failure::new(Code::Unreadable, format!("`{}`: {error}", path.display())))
        };
        size.map_or_else(of_file, Ok).map(Some)
    }

    /// Returns the first event that the hook is registered for.
    #[must_use]
    pub fn first_event(&self) -> Option<Event> {
        self.entry.info.events.first().map(|(event, _)| *event)
    }
}

/// Returns the config key for this kind of file, as far as the file itself shows.
fn kind_of(path: &Path) -> Option<&'static str> {
    let mut magic = [0; WASM_MAGIC.len()];
    let is_wasm = File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == WASM_MAGIC;
    match path.extension().and_then(|extension| extension.to_str()) {
        _ if is_wasm => Some("component"),
        Some("wasm") => Some("component"),
        Some("js" | "mjs") => Some("script"),
        _ => None,
    }
}

fn shell(command: &str, args: &[&str], dialect: Option<&str>) -> String {
    let args: Vec<String> = args.iter().map(|arg| toml_string(arg)).collect();
    let dialect = dialect.map(|dialect| format!("dialect = {}\n", toml_string(dialect))).unwrap_or_default();
    format!("command = {}\nargs = [{}]\n{dialect}", toml_string(command), args.join(", "))
}

/// Returns a hook that is registered for every event, from a made-up config next to the file at `path`.
fn made_up(name: &str, path: &Path, keys: &str, host: &HostEnv<'_>) -> Result<Subject, SubjectError> {
    let events: Vec<String> = Event::ALL.iter().map(|event| toml_string(event.as_str())).collect();
    let text = format!("[hooks.{}]\nevents = [{}]\n{keys}", toml_string(name), events.join(", "));
    let file = ConfigFile::new(path, Source::USER, text);
    let dialect: Arc<dyn Dialect> = Arc::new(HookboxDialect);
    let reading = dialect.read(&file, host);
    let dir = file.dir().to_owned();
    match reading.entries.into_iter().next() {
        Some(mut entry) if reading.problems.is_empty() => {
            // A made-up entry does not say which facts it wants.
            entry.info.wants_commands = hookbox::runtime::component::reads_commands();
            Ok(Subject { file, entry, dialect, dir })
        }
        _ => match reading.problems.into_iter().next() {
            // The position is left out: it refers to the generated config.
            Some(problem) => unclear(format!("{}: {}", problem.code, problem.message)),
            None => unclear("there is no hook"),
        },
    }
}
