//! The creation of new hook projects.

use super::Language;
use include_dir::{Dir, DirEntry, include_dir};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The templates. Each language's folder contains the files specific to its projects.
static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/author/templates");
static SDKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk");
/// The file that every project contains.
const WIT: &str = include_str!("../../../../wit/hook.wit");

/// Folders of an SDK that are not copied into a project.
const UNWANTED: [&str; 4] = ["tests", "target", "node_modules", "__pycache__"];

/// The maximum length of a hook's name, in bytes. The name becomes that of a folder, a crate and a module.
const MAX_NAME_BYTES: usize = 64;

/// Why a project was not created. Nothing was written, unless the error says otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NewError {
    /// The name is not valid.
    #[error(
        "`{0}` cannot be the name of a hook: it takes lowercase letters, digits and `-`, a letter first, {MAX_NAME_BYTES} at most"
    )]
    Name(String),
    /// The path already exists.
    #[error("`{}` already exists, and nothing in it was changed: choose another name", .0.display())]
    Exists(PathBuf),
    /// A file could not be written.
    #[error("`{}` could not be written: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

/// Creates a hook project in the new folder `dir`, and the missing folders above it. The last component of `dir` is the
/// hook's name. Returns the project's files in order, as paths relative to the folder.
///
/// # Errors
/// Returns an error if the name is not valid, the folder already exists, or a file cannot be written.
pub fn create(dir: &Path, language: Language) -> Result<Vec<PathBuf>, NewError> {
    let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    check(&name)?;
    let mut files = vec![(PathBuf::from("wit/hook.wit"), WIT.as_bytes().to_vec())];
    for folder in ["common", language.name()] {
        collect(TEMPLATES.get_dir(folder), folder, &mut files);
    }
    for (from, to) in sdk(language) {
        let start = files.len();
        collect(SDKS.get_dir(from), from, &mut files);
        if let Some(sdk) = files.get_mut(start..) {
            sdk.iter_mut().for_each(|(path, _)| *path = Path::new(to).join(&*path));
        }
    }
    files.sort();

    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => NewError::Exists(path),
            _ => NewError::Write { path, error },
        }
    };
    if let Some(parent) = dir.parent() {
        fs::create_dir_all(parent).map_err(failed(parent))?;
    }
    fs::create_dir(dir).map_err(failed(dir))?;
    for (path, content) in &files {
        let path = dir.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(parent))?;
        }
        fs::write(&path, filled(content, &name)).map_err(failed(&path))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// Returns the parts of `guest-sdk/` that a project gets, and their destinations.
const fn sdk(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::Rust => &[("rust", "hookbox-sdk")],
        Language::TypeScript | Language::JavaScript => &[("js", "")],
        Language::Go => &[("go", "hookbox")],
        Language::Python => &[("python", "")],
        Language::C => &[("c", "")],
    }
}

fn check(name: &str) -> Result<(), NewError> {
    let is_start = name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    // The name must suit a crate, a Go module and a Python module, where some endings have a special meaning.
    if is_start && is_name && !name.ends_with('-') && name.len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    Err(NewError::Name(name.to_owned()))
}

/// Collects the files below a folder, with their paths relative to `root`.
fn collect(dir: Option<&Dir<'_>>, root: &str, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in dir.map(Dir::entries).unwrap_or_default() {
        match entry {
            DirEntry::Dir(dir) => collect(Some(dir), root, files),
            DirEntry::File(file) => {
                let path = file.path().strip_prefix(root).unwrap_or(file.path());
                // An SDK's own tests and build output are not for projects.
                let is_wanted =
                    |part: std::path::Component<'_>| !UNWANTED.iter().any(|unwanted| part.as_os_str() == *unwanted);
                if !path.components().all(is_wanted) {
                    continue;
                }
                // The prefix and suffix keep Cargo and git from treating the templates as their own files.
                let path = path.to_string_lossy().replace("dot-", ".").replace(".tmpl", "");
                files.push((PathBuf::from(path), file.contents().to_vec()));
            }
        }
    }
}

/// Returns the content of a template for a hook of this name.
fn filled(content: &[u8], name: &str) -> Vec<u8> {
    match std::str::from_utf8(content) {
        Ok(text) => text.replace("{{name}}", name).replace("{{name_}}", &name.replace('-', "_")).into_bytes(),
        Err(_) => content.to_vec(),
    }
}
