//! `hookbox show`: shows one configured hook.

use super::render::printable_line;
use super::scope::Scope;
use super::{Exit, Format, FormatArg, print_json, print_line};
use anyhow::bail;
use clap::Args;
use hookbox::Code;
use hookbox::config::Summary;

/// Show one configured hook
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox show no-destructive-commands")]
pub(super) struct Show {
    /// The hook's name
    name: String,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    format: FormatArg,
}

impl Show {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let loaded = self.scope.load()?;
        let Some(hook) = loaded.hooks.iter().find(|hook| hook.name == self.name) else {
            super::render::problems(&loaded.problems);
            bail!("no hook named {:?} (use `hookbox list` to see what is configured)", self.name);
        };
        if self.format.format == Format::Json {
            print_json(hook)?;
        } else {
            let brief = self.scope.dialect().uses_native_listing();
            for (label, value) in lines(hook, brief) {
                print_line(format!("{label:<13}{}", printable_line(&value)).trim_end());
            }
        }
        // Problems of trust explain why the hook does not run, or does not run as configured.
        let is_trust = |code: Code| matches!(code, Code::Untrusted | Code::Changed);
        let about = loaded.problems.iter().filter(|problem| problem.file == hook.file && is_trust(problem.code));
        super::render::problems(&about.cloned().collect::<Vec<_>>());
        Ok(Exit::Success)
    }
}

fn lines(hook: &Summary, brief: bool) -> Vec<(&'static str, String)> {
    let events: Vec<&str> = hook.events.iter().map(|event| event.as_str()).collect();
    let mut lines = vec![
        ("name:", hook.name.clone()),
        ("source:", hook.source.to_string()),
        ("events:", events.join(", ")),
        ("mode:", hook.mode.to_owned()),
        ("timeout:", hook.timeout.clone()),
        ("description:", hook.description.clone()),
    ];
    if brief {
        return lines;
    }
    lines.push(("kind:", hook.kind.to_string()));
    lines.push(match hook.policy {
        Some(policy) => ("policy:", format!("{} {}", policy.name, policy.version)),
        None => ("runs:", hook.runs.join(" ")),
    });
    lines.push(("match:", hook.pattern.clone().unwrap_or_else(|| "*".to_owned())));
    if !hook.facts.is_empty() {
        lines.push(("facts:", hook.facts.join(", ")));
    }
    lines.push(("on_error:", hook.on_error.to_owned()));
    lines.push(("file:", format!("{}:{}", hook.file.display(), hook.line)));
    if let Some(sha256) = &hook.sha256 {
        lines.push(("sha256:", sha256.clone()));
    }
    if !hook.grants.is_empty() {
        lines.push(("grants:", hook.grants.join("; ")));
    } else if hook.sha256.is_some() {
        lines.push(("grants:", "none: it can only compute".to_owned()));
    }
    if !hook.enforce {
        lines.push(("enforce:", "no: its answers are recorded but never applied".to_owned()));
    }
    if hook.restricted {
        lines.push(("restricted:", "its project is not trusted, so it may only deny or ask".to_owned()));
    }
    if let Some(problem) = &hook.problem {
        lines.push(("problem:", problem.clone()));
    }
    lines
}
