//! `hookbox inspect`: shows what a component is and needs.

use super::scope::compiler;
use super::{Exit, Format, FormatArg, print_json, print_line};
use anyhow::anyhow;
use clap::Args;
use hookbox::policy::Policy;
use hookbox::runtime::component::{ComponentFile, Effort, Inspection, Sandbox};
use std::path::PathBuf;

/// Show what a component is and which grants it needs; exit status 1 if it cannot be a hook
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox inspect guard.wasm")]
pub(super) struct Inspect {
    /// The component, or the name of a policy that ships inside hookbox
    #[arg(value_name = "FILE.wasm")]
    file: PathBuf,
    #[command(flatten)]
    format: FormatArg,
}

impl Inspect {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let name = self.file.display();
        let policy = self.file.to_str().and_then(Policy::find).filter(|_| !self.file.exists());
        let sandbox = Sandbox::for_one_call(compiler(Effort::PATIENT))
            .map_err(|error| anyhow!("there is no sandbox here: {error:#}"))?;
        let inspected = match policy {
            Some(policy) => sandbox.inspect_policy(policy),
            None => ComponentFile::open(&self.file)
                .map_err(|failure| anyhow!("{}: {failure}", failure.code))
                .map(|file| sandbox.inspect(&file))?,
        };
        let inspection = inspected.map_err(|failure| anyhow!("{}: `{name}` {failure}", failure.code))?;
        if self.format.format == Format::Json {
            print_json(&inspection)?;
        } else {
            if let Some(policy) = policy {
                print_line(&format!("policy   {} {}", policy.name, policy.version));
            }
            for line in lines(&inspection) {
                print_line(&line);
            }
        }
        Ok(if inspection.runnable { Exit::Success } else { Exit::Failure })
    }
}

fn lines(inspection: &Inspection) -> Vec<String> {
    let mut lines = vec![format!("sha256   {}", inspection.sha256), format!("size     {} bytes", inspection.size)];
    let list = |label: &str, items: Vec<String>| {
        let items = if items.is_empty() { vec!["none".to_owned()] } else { items };
        let labels = std::iter::once(label).chain(std::iter::repeat(""));
        labels.zip(items).map(|(label, item)| format!("{label:<9}{item}")).collect::<Vec<_>>()
    };
    lines.extend(list("exports", inspection.exports.clone()));
    let imports = inspection.imports.iter().map(|import| format!("{}  ({})", import.name, import.note));
    lines.extend(list("imports", imports.collect()));
    lines.push(match (&inspection.problem, &inspection.grants_entry) {
        (Some(problem), _) => format!("cannot be a hook: it {problem}"),
        (None, None) => "runs as a hook without any grant".to_owned(),
        (None, Some(grants)) => format!("runs as a hook with grants = {grants}"),
    });
    lines
}
