//! hookbox's own parser for `hooks.toml`: every key and value is checked, and nothing is guessed.

mod component;
mod hook;
mod log;
mod model;
mod net;
mod order;
mod owner;
mod settings;
mod shell;
mod stores;
mod syntax;
mod tools;

use super::entry::{Entry, Reading};
use super::fields::{Fields, kind_of};
use super::file::ConfigFile;
use super::problem::Problem;
use crate::protocol::Code;
use hook::EntryReader;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) use hook::{COMPONENT_TIMEOUT, MODEL_TIMEOUT, SHELL_MAX_TIMEOUT, SHELL_TIMEOUT};
#[doc(hidden)]
pub use owner::{IGNORE, Owner, owner};
use owner::{of_another_tool, owner_of};
#[doc(hidden)]
pub use settings::json as toml_to_json;

const ROOT_KEYS: [&str; 5] = ["hooks", "tools", "stores", "models", "log"];

/// The maximum number of hooks in one file.
const MAX_HOOKS: usize = 256;

/// Reads all hooks of a file.
pub(super) fn read(file: &ConfigFile) -> Reading {
    let mut reading = Reading::default();
    let document = match DeTable::parse(&file.text) {
        Ok(document) => document,
        Err(error) => {
            reading.break_file(syntax::problem(file, &error));
            return reading;
        }
    };
    match owner_of(&file.text, document.get_ref()) {
        Owner::Hookbox => {}
        Owner::Ignored => {
            reading.is_ignored = true;
            return reading;
        }
        Owner::Other => {
            reading.break_file(of_another_tool(file, document.get_ref()));
            return reading;
        }
    }
    let mut root = Fields::new(file, None, "", document.get_ref());
    root.only(&ROOT_KEYS);
    let hooks = root.table("hooks", "`[hooks.my-hook]`");
    let server = stores::read(file, &mut root);
    let models = model::read_models(file, &mut root);
    let (tools, warnings) = tools::read(file, &mut root);
    reading.tools = tools;
    reading.log = log::read(file, &mut root);
    reading.problems.extend(warnings);
    for problem in root.into_problems() {
        reading.break_file(problem);
    }
    for (index, (name, value)) in hooks.iter().flat_map(|(hooks, _)| hooks.iter()).enumerate() {
        if index == MAX_HOOKS {
            let message = format!("more than {MAX_HOOKS} hooks; those from here on are left out");
            reading.break_file(file.problem(Code::ConfigValue, None, &name.span(), message, None));
            break;
        }
        let (mut entry, problems) = read_entry(file, name, value);
        stores::assign(server.as_ref(), &mut entry);
        model::assign(&models, &mut entry);
        reading.problems.extend(problems);
        reading.entries.push(entry);
    }
    reading.server = server;
    order::check(file, &mut reading);
    reading
}

/// Reads one hook. An entry that cannot be used becomes a hook that denies what the entry might have guarded.
pub(crate) fn read_entry(
    file: &ConfigFile,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> (Entry, Vec<Problem>) {
    // A hook without a name cannot be referred to, but its failure must still be identifiable.
    let name = Some(key.get_ref().trim()).filter(|name| !name.is_empty()).unwrap_or("(unnamed)");
    let empty = DeTable::new();
    let table = value.get_ref().as_table().unwrap_or(&empty);
    let mut fields = Fields::new(file, Some(name), "", table);
    if !value.get_ref().is_table() {
        let message = format!("hook `{name}` must be a table, not {}", kind_of(value.get_ref()));
        fields.bad_value(&value.span(), message, None);
    } else if key.get_ref().trim().is_empty() {
        fields.bad_key(&key.span(), "a hook's name must not be empty", None);
    }
    EntryReader { file, name, at: key.span(), fields }.read()
}
