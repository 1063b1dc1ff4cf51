//! `cache_response`: keeps the answer to a message, for the agent to give again.
//!
//! docker-agent keeps a cache without a `path` in memory, where it ends with the process. So without a `path`, this
//! builtin keeps nothing.

use crate::protocol::{Action, Event, Field, Input};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_tempfile::TempFile;
use serde_json::{Map, Value};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The largest cache that is read, in bytes.
const MAX_CACHE: u64 = 16 << 20;

/// Keeps an answer. The arguments are the cache's settings: `path=…`, `case_sensitive` and `trim_spaces`.
pub(super) fn run(input: &Input, args: &[String]) -> Result<Option<Action>, String> {
    let is_set = |name: &str| args.iter().any(|arg| arg == name);
    let path = args.iter().find_map(|arg| arg.strip_prefix("path=")).filter(|path| !path.is_empty());
    let text = |field| input.text(field).unwrap_or_default();
    let (question, answer) = (text(Field::LastUserMessage), input.message.as_deref().unwrap_or_default());
    let is_complete = !text(Field::AgentName).is_empty() && !question.is_empty() && !answer.trim().is_empty();
    let Some(path) = path.filter(|_| is_complete && input.event == Event::PostMessage) else {
        return Ok(None);
    };
    let question = if is_set("trim_spaces") { question.trim().to_owned() } else { question };
    let question = if is_set("case_sensitive") { question } else { question.to_lowercase() };
    let path = Path::new(input.pwd.as_deref().unwrap_or_default()).join(path);
    keep(&path, question, answer).map_err(|error| format!("cache_response: `{}`: {error}", path.display()))?;
    Ok(None)
}

/// Adds the answer to the file. A file that is not a cache stays as it is.
fn keep(path: &Path, question: String, answer: &str) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    let mut cache: Map<String, Value> = match std::fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() || found.len() > MAX_CACHE => {
            return Err("it is not a file, or too large".to_owned());
        }
        Ok(_) => {
            let cache = std::fs::read(path).map_err(text)?;
            serde_json::from_slice(&cache).map_err(|_| "it is not a cache: a JSON object of strings".to_owned())?
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(text(error)),
    };
    if cache.values().any(|value| !value.is_string()) {
        return Err("it is not a cache: a JSON object of strings".to_owned());
    }
    cache.insert(question, answer.into());
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir).map_err(text)?;
    // The file is replaced as a whole, so that a reader sees either the old cache or the new one.
    let dir = Dir::open_ambient_dir(dir, ambient_authority()).map_err(text)?;
    let mut file = TempFile::new(&dir).map_err(text)?;
    let json = serde_json::to_vec(&cache).map_err(|error| error.to_string())?;
    file.write_all(&json).map_err(text)?;
    file.replace(path.file_name().ok_or("it has no name")?).map_err(text)
}
