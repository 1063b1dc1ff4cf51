//! `hookbox build`: builds a project into a component.

mod c;
mod go;
mod python;
mod rust;
mod script;
mod toolchain;

use super::scope::compiler;
use super::{Exit, Format, FormatArg, output, print_json, print_line, render};
use crate::author::Language;
use crate::author::cases::{Cases, FILE_NAMES};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use hookbox::Event;
use hookbox::runtime::component::{ComponentFile, Effort, Inspection, Sandbox};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Build the hook of a folder as a component, and show the entry for hooks.toml
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox build no-force-push")]
pub(super) struct Build {
    /// The folder of the hook
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true)]
    dir: PathBuf,
    /// Its language, if the folder has files of several
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// The component to write, in place of the folder's name with `.wasm` in the folder
    #[arg(short, long, value_name = "FILE.wasm")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
}

/// The result of a build.
#[derive(Serialize)]
pub(super) struct Built {
    /// The component.
    pub path: PathBuf,
    #[serde(flatten)]
    inspection: Inspection,
    /// The entry for `hooks.toml` that makes the component a hook.
    entry: String,
}

impl Build {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let built = build(&self.dir, self.lang, self.output)?;
        if self.format.format == Format::Json {
            print_json(&built)?;
        } else {
            for line in built.lines() {
                print_line(&line);
            }
        }
        Ok(if built.inspection.runnable { Exit::Success } else { Exit::Failure })
    }
}

/// Builds the hook of a folder, and prints its progress to stderr.
///
/// # Errors
/// Returns an error if the language cannot be determined, if its toolchain is missing or fails, or if its output is not
/// a component.
pub(super) fn build(dir: &Path, lang: Option<Language>, output: Option<PathBuf>) -> anyhow::Result<Built> {
    if !dir.is_dir() {
        bail!("`{}` is not a folder", dir.display());
    }
    let language = match lang {
        Some(lang) => lang,
        None => Language::detect(dir).map_err(|undecided| anyhow!("`{}` {undecided}", dir.display()))?,
    };
    let path = match output {
        Some(path) => path,
        None => {
            let path = dir.join(format!("{}.wasm", name(dir)?));
            // The author of the folder must not be able to make hookbox replace a file elsewhere.
            if path.is_symlink() {
                bail!(
                    "`{}` is a link, which is not followed: remove it, or name the file with --output",
                    path.display()
                );
            }
            path
        }
    };
    let component = match language {
        Language::Rust => rust::build(dir),
        Language::TypeScript | Language::JavaScript => script::build(dir, language),
        Language::Go => go::build(dir),
        Language::Python => python::build(dir),
        Language::C => c::build(dir),
    }?;
    output::write(&path, &component).with_context(|| format!("`{}` could not be written", path.display()))?;

    let file = ComponentFile::open(&path).map_err(|failure| anyhow!("{}: {failure}", failure.code))?;
    let sandbox = Sandbox::for_one_call(compiler(Effort::PATIENT))
        .map_err(|error| anyhow!("there is no sandbox here: {error:#}"))?;
    let inspection = sandbox.inspect(&file).map_err(|failure| anyhow!("{}: {failure}", failure.code))?;
    let entry = entry(&name(dir)?, &events(dir), &path, &inspection);
    Ok(Built { path, inspection, entry })
}

impl Built {
    fn lines(&self) -> Vec<String> {
        let Inspection { sha256, size, imports, problem, .. } = &self.inspection;
        let imports: Vec<&str> = imports.iter().map(|import| import.name.as_str()).collect();
        let imports = if imports.is_empty() { "none".to_owned() } else { imports.join(", ") };
        let mut lines = vec![
            format!("component  {}", self.path.display()),
            format!("size       {size} bytes"),
            format!("sha256     {sha256}"),
            format!("imports    {imports}"),
        ];
        match problem {
            Some(problem) => lines.push(format!("it cannot be a hook: it {problem}")),
            None => {
                lines.extend([String::new(), "For hooks.toml:".to_owned(), String::new()]);
                lines.extend(self.entry.lines().map(str::to_owned));
            }
        }
        lines
    }
}

/// Returns the hook's name, which is that of its folder.
fn name(dir: &Path) -> anyhow::Result<String> {
    let dir = dir.canonicalize().with_context(|| format!("`{}` cannot be reached", dir.display()))?;
    let name = dir.file_name().context("the root of the file system has no name that a hook could take")?;
    Ok(name.to_string_lossy().into_owned())
}

/// Returns the events that the hook's cases use. If there are no readable cases, returns the event that most hooks are
/// for.
fn events(dir: &Path) -> Vec<Event> {
    let file = FILE_NAMES.iter().map(|name| dir.join(name)).find(|file| file.is_file());
    let cases = file.and_then(|file| Cases::read(&file, true).ok()).map(|cases| cases.cases).unwrap_or_default();
    let mut events = Vec::new();
    for case in cases {
        if !events.contains(&case.input.event) {
            events.push(case.input.event);
        }
    }
    if events.is_empty() { vec![Event::PreTool] } else { events }
}

fn entry(name: &str, events: &[Event], path: &Path, inspection: &Inspection) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let key = if is_plain { name.to_owned() } else { quoted(name) };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // `hookbox test` gives the hook these facts; without them in the entry, a tested hook would see less.
    let is_about_tools = events.iter().any(|event| event.has_tool());
    let facts = is_about_tools && hookbox::runtime::component::reads_commands();
    let events: Vec<String> = events.iter().map(|event| quoted(event.as_str())).collect();
    let events = events.join(", ");
    let mut entry = format!(
        "[hooks.{key}]\nevents    = [{events}]\ncomponent = {}\nsha256    = \"{}\"\n",
        quoted(&path.display().to_string()),
        inspection.sha256
    );
    if facts {
        entry.push_str("facts     = [\"commands\"]\n");
    }
    if let Some(grants) = &inspection.grants_entry {
        entry.push_str(&format!("grants    = {grants}\n"));
    }
    entry
}

/// Prints the progress of the build to stderr.
fn say(text: &str) {
    render::progress(text);
}
