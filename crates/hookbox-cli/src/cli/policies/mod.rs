//! The policies that ship with hookbox: `hookbox policies`, `add` and `init`.

mod add;
mod entry;
mod init;

use super::{Exit, Format, FormatArg, print_json, print_line};
pub(super) use add::Add;
use anyhow::anyhow;
use clap::Args;
use hookbox::internal::suggest;
use hookbox::policy::Policy;
pub(super) use init::Init;
use serde::Serialize;
use serde_json::Value;
use toml::de::DeTable;

/// The number of cases that are shown for each decision.
const MAX_SHOWN: usize = 12;

/// List the policies that ship inside hookbox, or show what one of them stops
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox policies no-destructive-commands")]
pub(super) struct Policies {
    /// The policy to show
    name: Option<String>,
    /// Show all of its cases
    #[arg(long, requires = "name")]
    cases: bool,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    version: &'a str,
    summary: &'a str,
    events: Vec<&'a str>,
    recommended: bool,
    /// The digest of the component. Absent if this hookbox was built without it.
    sha256: Option<String>,
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    listed: Listed<'a>,
    settings: Vec<ShownSetting>,
    schema: Value,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct ShownSetting {
    name: String,
    description: String,
    default: Value,
}

/// A case that a policy is tested with.
#[derive(Serialize)]
struct Case {
    name: String,
    decision: String,
    /// Whether the call passes with a comment for the agent.
    noted: bool,
}

impl Policies {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        match (&self.name, self.format.format) {
            (None, Format::Json) => print_json(&Policy::all().iter().map(listed).collect::<Vec<_>>())?,
            (None, Format::Text) => {
                for policy in Policy::all() {
                    let mark = if policy.is_recommended { "*" } else { " " };
                    print_line(&format!("{mark} {:<24} {}", policy.name, policy.summary));
                }
                print_line("\n`hookbox add NAME` sets one up, and `hookbox init` those with a *.");
            }
            (Some(name), Format::Json) => print_json(&shown(find(name)?)?)?,
            (Some(name), Format::Text) => self.print(find(name)?)?,
        }
        Ok(Exit::Success)
    }

    fn print(&self, policy: &Policy) -> anyhow::Result<()> {
        let events = policy.events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(", ");
        print_line(&format!("{} {}: {}", policy.name, policy.version, policy.summary));
        print_line(&format!("events   {events}"));
        print_line(&format!("sha256   {}", policy.digest().unwrap_or_else(|| "(not in this hookbox)".to_owned())));
        print_line("\nSettings:");
        for setting in policy.settings() {
            let unset = if setting.default == "null" { "   # not set" } else { "" };
            print_line(&format!("  {} = {}{unset}", setting.name, entry::value(&setting)));
            print_line(&format!("      {}", setting.description.replace('\n', " ")));
        }
        let cases = cases(policy)?;
        for (decision, noted, title) in [
            ("deny", true, "Denied"),
            ("ask", true, "Asked about"),
            ("modify", true, "Changed"),
            ("allow", true, "Passed with a warning"),
            ("allow", false, "Passed"),
        ] {
            let is_one = |case: &&Case| case.decision == decision && (case.decision != "allow" || case.noted == noted);
            let all: Vec<&Case> = cases.iter().filter(is_one).collect();
            if all.is_empty() {
                continue;
            }
            let shown = if self.cases { all.len() } else { MAX_SHOWN };
            print_line(&format!("\n{title}, such as:"));
            // The cases shown are spread over the whole list, because neighbouring cases are similar.
            let step = all.len().div_ceil(shown.max(1)).max(1);
            for case in all.iter().step_by(step) {
                print_line(&format!("  {}", super::render::printable_line(&case.name)));
            }
        }
        print_line(&format!("\nThese are {} of its {} tests.", if self.cases { "all" } else { "some" }, cases.len()));
        Ok(())
    }
}

/// Finds a policy by its name.
///
/// # Errors
/// Returns an error if the policy does not exist.
fn find(name: &str) -> anyhow::Result<&'static Policy> {
    Policy::find(name)
        .ok_or_else(|| anyhow!("no policy {name:?} ships with this hookbox; {}", suggest(name, &Policy::names())))
}

fn listed(policy: &Policy) -> Listed<'_> {
    Listed {
        name: policy.name,
        version: policy.version,
        summary: policy.summary,
        events: policy.events.iter().map(|event| event.as_str()).collect(),
        recommended: policy.is_recommended,
        sha256: policy.digest(),
    }
}

fn shown(policy: &Policy) -> anyhow::Result<Shown<'_>> {
    let settings = policy.settings().into_iter().map(|setting| ShownSetting {
        default: serde_json::from_str(&setting.default).unwrap_or_default(),
        name: setting.name,
        description: setting.description,
    });
    Ok(Shown {
        listed: listed(policy),
        settings: settings.collect(),
        schema: serde_json::from_str(policy.schema)?,
        cases: cases(policy)?,
    })
}

/// Returns the cases that the policy is tested with.
fn cases(policy: &Policy) -> anyhow::Result<Vec<Case>> {
    let document = DeTable::parse(policy.cases).map_err(|error| anyhow!("the cases of `{}`: {error}", policy.name))?;
    let cases = document.get_ref().get("case").and_then(|cases| cases.get_ref().as_array());
    let text =
        |case: &DeTable<'_>, key: &str| case.get(key).and_then(|value| value.get_ref().as_str()).map(str::to_owned);
    let read = |case: &DeTable<'_>| {
        Some(Case { name: text(case, "name")?, decision: text(case, "expect")?, noted: case.contains_key("reason") })
    };
    Ok(cases.into_iter().flatten().filter_map(|case| read(case.get_ref().as_table()?)).collect())
}
