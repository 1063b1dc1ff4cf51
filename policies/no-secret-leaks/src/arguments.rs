//! Secrets in the texts that a tool would write or send.

use crate::Settings;
use hookbox_policy::network::{Target, traffic};
use hookbox_policy::{Command, Findings};
use hookbox_sdk::{Input, Tool, ToolKind};
use hookbox_secrets::{Finder, Finding};

/// Judges the texts of a call.
pub(crate) fn judge(input: &Input<Settings>, tool: &Tool, commands: &[Command], finder: &Finder, found: &mut Findings) {
    let name = input.tool_name.as_deref().unwrap_or("the tool");
    if let Some(command) = &tool.command {
        let findings = finder.find(command);
        let sends = findings.iter().any(|finding| !finding.is_sure) && reaches_others(commands);
        for finding in &findings {
            let what = format!("the command has {}", place(finding, command));
            match finding.is_sure && !is_public(finding, &findings) {
                true => found.deny(format!("{what}; put it into a variable or a file, and name that")),
                // Passwords of test databases are common in commands.
                false if sends => found.ask(format!("{what}, and reaches another machine; is that meant?")),
                false => {}
            }
        }
    }
    match tool.kind {
        ToolKind::Write | ToolKind::Edit => {
            let is_test = tool.paths.iter().any(|path| path.certain && is_for_tests(&path.path));
            for text in &tool.added_text {
                let findings = finder.find(text);
                for finding in &findings {
                    let what = format!("{name} would write {}", place(finding, text));
                    match finding.is_sure && !is_public(finding, &findings) {
                        true => found
                            .deny(format!("{what}; read it from the environment or from a store of secrets instead")),
                        false if !is_test => found.ask(format!("{what}; read it from the environment instead")),
                        false => {}
                    }
                }
            }
        }
        ToolKind::Shell => {}
        _ => {
            let text = input.tool_input.as_ref().map(|arguments| arguments.as_str()).unwrap_or_default();
            let findings = finder.find(text);
            for finding in &findings {
                let what = format!("{name} would send {}", place(finding, text));
                match finding.is_sure && !is_public(finding, &findings) {
                    true => {
                        found.deny(format!("{what}; let the tool log in by itself, or name the variable that holds it"))
                    }
                    false => found.ask(format!("{what}; is that meant?")),
                }
            }
        }
    }
}

/// Describes a finding and its position, but never its content.
fn place(finding: &Finding, text: &str) -> String {
    let line = text.get(..finding.start).unwrap_or_default().matches('\n').count() + 1;
    let lines = text.matches('\n').count() + 1;
    let article = if finding.kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    if lines > 1 {
        format!("{article} {} (line {line} of {lines})", finding.kind)
    } else {
        format!("{article} {}", finding.kind)
    }
}

/// Whether a finding is not secret by itself. An access key only names an account, and gives no access without its
/// secret key. Signed URLs contain an access key.
fn is_public(finding: &Finding, findings: &[Finding]) -> bool {
    finding.kind == "aws-access-key" && !findings.iter().any(|other| other.kind == "aws-secret-key")
}

fn reaches_others(commands: &[Command]) -> bool {
    (0..commands.len()).any(|index| {
        traffic(index, commands).contacts.iter().any(|contact| match &contact.target {
            Target::Host(host) => {
                !host.address.is_some_and(|address| address.is_loopback()) && host.name != "localhost"
            }
            Target::Opaque => true,
            Target::File | Target::Nowhere => false,
        })
    })
}

/// Whether a file is for tests or documents, in which passwords are made up.
fn is_for_tests(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "test",
        "tests",
        "spec",
        "specs",
        "__tests__",
        "testdata",
        "fixtures",
        "examples",
        "example",
        "docs",
        "doc",
        "mocks",
        "__mocks__",
        "e2e",
        "cypress",
    ];
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    lower.split('/').any(|part| NAMES.contains(&part))
        || name.ends_with(".md")
        || ["test", "spec", "example", "sample", "mock", "fixture"]
            .iter()
            .any(|word| name.split(|c: char| !c.is_alphanumeric()).any(|part| part == *word))
        || name.starts_with("test_")
}
