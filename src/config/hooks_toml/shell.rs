//! A shell hook: a command, with what it sees of the host.

use crate::config::entry::ShellEntry;
use crate::config::fields::{At, Fields};
use crate::runtime::shell::Inherit;

/// Reads a command with its arguments and surroundings.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<ShellEntry> {
    let (command, at) = fields.string("command", r#""./guard.sh""#)?;
    if command.trim().is_empty() {
        fields.bad_value(&at, "`command` is empty", None);
        return None;
    }
    let args: Option<At<Vec<At<&str>>>> = fields.strings("args", r#"["--strict"]"#);
    Some(ShellEntry {
        command: command.to_owned(),
        at,
        args: args.map_or_else(Vec::new, |(args, _)| args.into_iter().map(|(arg, _)| arg.to_owned()).collect()),
        inherit: inherit(fields),
        env: fields.variables("env", r#"{ POLICY = "strict" }"#).unwrap_or_default(),
        cwd: fields.string("cwd", r#""hooks""#).map(|(dir, _)| dir.into()),
        dialect: fields.string("dialect", r#""docker-agent""#).map(|(name, _)| name.to_owned()),
    })
}

/// Reads `inherit`: `"all"`, or the names of the variables that the hook sees.
fn inherit(fields: &mut Fields<'_>) -> Inherit {
    const EXAMPLE: &str = r#""all" or ["PATH", "HOME"]"#;
    if !fields.is_list("inherit") {
        return fields.word("inherit", &[("all", Inherit::All)]).unwrap_or_default();
    }
    let names = fields.strings("inherit", EXAMPLE).map_or_else(Vec::new, |(names, _)| names);
    for (name, at) in &names {
        fields.check_variable_name(name, at);
    }
    Inherit::Names(names.into_iter().map(|(name, _)| name.to_owned()).collect())
}
