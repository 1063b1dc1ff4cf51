//! Advice on which setting would change the decision about an event.

use super::super::scope::Scope;
use super::decisive::{Decisive, decisive};
use hookbox::config::Summary;
use hookbox::policy::Policy;
use hookbox::record::Line;

/// Returns what a person can change, one sentence each. `hooks` are those of the current config, which `scope` names.
pub(super) fn advice(line: &Line, hooks: &[Summary], scope: &Scope) -> Vec<String> {
    if line.off {
        return vec!["hookbox was turned off; `hookbox on` turns it on again".to_owned()];
    }
    if line.verdict == "none" {
        return vec!["hookbox does not know this event, so no hook can decide it".to_owned()];
    }
    if line.verdict == "allow" || line.verdict == "modify" {
        return allowed(line);
    }
    let mut advice = Vec::new();
    let asked = line
        .by
        .as_ref()
        .and_then(|by| line.hooks.iter().find(|hook| hook.name == *by && hook.decision == line.verdict));
    let Some(asked) = asked else {
        advice.extend(line.codes.iter().filter_map(|code| of_code(code, None)));
        return advice;
    };
    let summary = hooks.iter().find(|hook| hook.name == asked.name && hook.source.to_string() == asked.source);
    let Some(summary) = summary else {
        return vec![format!("the hook `{}` is no longer in the config", asked.name)];
    };
    let place = format!("[hooks.{}] in {}, line {}", toml_key(&summary.name), summary.file.display(), summary.line);
    if let Some(code) = &asked.code {
        advice.extend(of_code(code, Some(&place)));
        advice.push(format!("`on_error` of {place} says what its failures count as: now `{}`", summary.on_error));
        return advice;
    }
    match summary.policy {
        Some(policy) => {
            let name = policy.name;
            advice.extend(decisive(line, asked, summary, scope).into_iter().map(
                |Decisive { name, value, decision }| {
                    format!(
                        "`{name}` in `settings` of {place} decided this: with `{name} = {value}`, it would {decision}"
                    )
                },
            ));
            let settings = Policy::find(name).map(Policy::settings).unwrap_or_default();
            let settings: Vec<String> = settings.iter().map(|setting| format!("`{}`", setting.name)).collect();
            let settings = settings.join(", ");
            advice.push(format!("`settings` of {place} ({settings}): `hookbox policies {name}` says what each does"));
        }
        None => advice.push(format!("`settings` of {place}, if the hook has any")),
    }
    if line.tool.is_some() {
        advice.push(format!("`match` of {place} says about which tools it is asked"));
    }
    advice.push(format!("`enforce = false` in {place} lets it only record what it would decide"));
    advice
}

fn allowed(line: &Line) -> Vec<String> {
    if line.hooks.is_empty() {
        return vec!["no hook hears of it; `hookbox add` sets up a policy that does".to_owned()];
    }
    let monitors = line.hooks.iter().filter(|hook| !hook.enforce && hook.decision != "allow");
    monitors
        .map(|hook| format!("without `enforce = false`, the answer of `{}` would count: {}", hook.name, hook.decision))
        .collect()
}

/// Returns what helps against a failure with this code.
fn of_code(code: &str, place: Option<&str>) -> Option<String> {
    let place = place.unwrap_or("its entry");
    Some(match code {
        "E101" | "E113" => format!("`timeout` of {place}"),
        "E102" | "E106" | "E107" | "E109" => format!("`limits` of {place}"),
        "E201" | "E206" => format!("`grants` of {place}; `hookbox inspect` lists what the component imports"),
        "E301" | "E302" => "`hookbox trust` lets the project's hooks run".to_owned(),
        "E303" => format!("`sha256` of {place} is the pin of another component"),
        "E501" | "E502" | "E503" | "E504" => "the config; `hookbox check` shows where it is wrong".to_owned(),
        _ => return None,
    })
}

fn toml_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match name.chars().all(is_bare) && !name.is_empty() {
        true => name.to_owned(),
        false => hookbox::internal::toml_string(name),
    }
}
