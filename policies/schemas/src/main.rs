//! Writes the JSON Schemas of the policies' settings into the `schema.json` of each policy. With `--check`, only checks
//! that they are current. hookbox validates the settings in a config against them.

#![allow(clippy::print_stderr, reason = "it is a command for people at a terminal")]

use schemars::{JsonSchema, generate::SchemaSettings};
use std::path::Path;
use std::process::ExitCode;

fn schema<S: JsonSchema>() -> String {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<S>();
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn main() -> ExitCode {
    let is_check = std::env::args().nth(1).as_deref() == Some("--check");
    let schemas = [
        ("command-allowlist", schema::<command_allowlist::Settings>()),
        ("injection-scan", schema::<injection_scan::Settings>()),
        ("mcp-guard", schema::<mcp_guard::Settings>()),
        ("network-egress", schema::<network_egress::Settings>()),
        ("no-destructive-commands", schema::<no_destructive_commands::Settings>()),
        ("no-secret-leaks", schema::<no_secret_leaks::Settings>()),
        ("package-guard", schema::<package_guard::Settings>()),
        ("protect-paths", schema::<protect_paths::Settings>()),
    ];
    let mut ok = true;
    for (name, schema) in schemas {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("schema.json");
        if std::fs::read_to_string(&path).is_ok_and(|old| old == schema) {
            continue;
        }
        if is_check {
            eprintln!("policies/{name}/schema.json is not what its settings are: run `cargo xtask policies`");
            ok = false;
        } else if let Err(error) = std::fs::write(&path, &schema) {
            eprintln!("{}: {error}", path.display());
            ok = false;
        }
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
