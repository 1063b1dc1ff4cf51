//! Reads `[tools.<agent>]`: tools that hookbox does not know by name, and what their arguments mean.

use crate::config::fields::{Fields, suggest};
use crate::config::file::ConfigFile;
use crate::config::problem::{Problem, Severity};
use crate::facts::{Role, Spec, Tools};
use crate::protocol::{Access, Code, Source, ToolKind};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The keys of arguments, by what their values mean.
const ROLES: [(&str, Role); 11] = [
    ("command", Role::Command),
    ("args", Role::Words),
    ("cwd", Role::Cwd),
    ("read", Role::Path(Access::Read)),
    ("write", Role::Path(Access::Write)),
    ("create", Role::Path(Access::Create)),
    ("delete", Role::Path(Access::Delete)),
    ("list", Role::Path(Access::List)),
    ("text", Role::Text),
    ("patch", Role::Patch),
    ("url", Role::Url),
];

const KEYS: [&str; 12] =
    ["kind", "command", "args", "cwd", "read", "write", "create", "delete", "list", "text", "patch", "url"];

const EXAMPLE: &str = r#"`[tools.claude]` with `deploy = "shell"`, or `[tools.claude.deploy]` with `kind = "shell"`"#;

/// Reads the tools of a file. Problems with them are noted in `root`; the returned ones are only warnings.
pub(super) fn read(file: &ConfigFile, root: &mut Fields<'_>) -> (Tools, Vec<Problem>) {
    let mut tools = Tools::default();
    let mut warnings = Vec::new();
    let Some((agents, at)) = root.table("tools", EXAMPLE) else { return (tools, warnings) };
    if file.source == Source::PROJECT {
        let help = "write `[tools.…]` into your own hooks.toml";
        root.bad_key(&at, "a project cannot say what your agent's tools do", Some(help.to_owned()));
        return (tools, warnings);
    }
    for (agent, value) in agents {
        let name: &str = agent.get_ref();
        let Some(table) = value.get_ref().as_table() else {
            root.bad_value(&value.span(), format!("`tools.{name}` must be a table"), Some(EXAMPLE.to_owned()));
            continue;
        };
        if !Tools::AGENTS.contains(&name) {
            let message = format!("`{name}` is not an agent that hookbox knows");
            let help = Some(suggest(name, Tools::AGENTS));
            let problem = file.problem(Code::ConfigKey, None, &agent.span(), message, help);
            warnings.push(Problem { severity: Severity::Warning, ..problem });
        }
        for (tool, value) in table {
            if let Some(spec) = spec(file, tool.get_ref(), value.get_ref(), &value.span(), root) {
                tools.add(name, tool.get_ref().as_ref(), spec);
            }
        }
    }
    (tools, warnings)
}

/// Reads one tool: its kind, or a table.
fn spec(file: &ConfigFile, tool: &str, value: &DeValue<'_>, at: &Range<usize>, outer: &mut Fields<'_>) -> Option<Spec> {
    let kinds: Vec<&str> = ToolKind::WORDS.iter().map(|(word, _)| *word).collect();
    let kind = |word: &str| ToolKind::WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
    if let Some(word) = value.as_str() {
        if kind(word).is_none() {
            outer.bad_value(at, format!("the kind of `{tool}` is {word:?}"), Some(suggest(word, &kinds)));
        }
        return kind(word).map(Spec::new);
    }
    let empty = DeTable::new();
    let table = value.as_table().unwrap_or(&empty);
    let mut fields = Fields::new(file, None, "", table);
    if value.as_table().is_none() {
        fields.bad_value(at, format!("`{tool}` must be a kind or a table"), Some(EXAMPLE.to_owned()));
    }
    fields.only(&KEYS);
    let found = fields.word("kind", ToolKind::WORDS);
    if found.is_none() && fields.is_clean() {
        fields.bad_key(at, format!("the tool `{tool}` has no `kind`"), Some(format!("one of: {}", kinds.join(", "))));
    }
    let mut spec = Spec::new(found.unwrap_or(ToolKind::Other));
    for (key, role) in ROLES {
        for argument in fields.words_of(key, r#""script", or ["script", "code"]"#) {
            spec = spec.with_key(argument, role);
        }
    }
    let is_clean = fields.is_clean();
    outer.absorb(fields.into_problems());
    is_clean.then_some(spec)
}
