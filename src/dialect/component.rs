//! Components and models in other systems' configs. Their keys are read strictly, as in hookbox's own config, even if
//! the system itself tolerates typos.

use super::toml_text::{key, value};
use super::yaml::Node;
use crate::config::{ConfigFile, HookTarget, Problem, read_hookbox_entry};
use crate::protocol::{Failure, Json, Kind, Source};
use serde_json::Value;
use std::ops::Range;
use toml::de::DeTable;

/// The keys of an entry that only apply to a component.
pub(super) const KEYS: [&str; 5] = ["component", "sha256", "settings", "limits", "grants"];

/// The component part of an entry.
pub(super) struct ComponentRead {
    pub(super) target: HookTarget,
    pub(super) settings: Option<Json>,
    pub(super) problems: Vec<Problem>,
}

/// Reads the component members of an entry. All problems are reported at the entry's place.
pub(super) fn read(file: &ConfigFile, hook: &str, at: &Range<usize>, members: &[(&str, Value)]) -> ComponentRead {
    let mut text = format!("[hooks.{}]\nevents = [\"pre_tool\"]\n", key(hook));
    for (name, member) in members {
        text.push_str(&format!("{} = {}\n", key(name), value(member)));
    }
    let own = ConfigFile::new("", Source::USER, text);
    let document = DeTable::parse(&own.text).ok();
    let hooks = document.as_ref().and_then(|document| document.get_ref().get("hooks")?.get_ref().as_table());
    let Some((name, table)) = hooks.and_then(|hooks| hooks.iter().next()) else {
        let failure = Failure::new(crate::Code::ConfigValue, "is not usable: it has no form in hooks.toml");
        return ComponentRead {
            target: HookTarget::Broken(Kind::Component, failure),
            settings: None,
            problems: Vec::new(),
        };
    };
    let (entry, problems) = read_hookbox_entry(&own, name, table);
    let problems: Vec<Problem> = problems
        .into_iter()
        .map(|problem| file.problem(problem.code, Some(hook), at, problem.message, problem.help))
        .collect();
    let target = match (entry.target, problems.first()) {
        (HookTarget::Component(mut component), _) => {
            component.at = at.clone();
            HookTarget::Component(component)
        }
        (HookTarget::Model(mut model), _) => {
            model.at = at.clone();
            HookTarget::Model(model)
        }
        (HookTarget::Broken(kind, failure), Some(problem)) => {
            HookTarget::Broken(kind, Failure::new(failure.code, format!("is not usable: {problem}")))
        }
        (target, _) => target,
    };
    ComponentRead { target, settings: entry.settings, problems }
}

/// Reads the component members of a YAML entry, like [`read`]. Skips the keys in `but`, which the system reads itself.
pub(super) fn read_node(file: &ConfigFile, hook: &str, at: &Range<usize>, entry: &Node, but: &[&str]) -> ComponentRead {
    let pairs = entry.as_mapping().unwrap_or_default().iter();
    let members: Vec<(&str, Value)> = pairs
        .map(|(key, value)| (key.scalar().map(|scalar| scalar.text.as_str()).unwrap_or_default(), value.to_json()))
        .filter(|(key, _)| !but.contains(key))
        .collect();
    read(file, hook, at, &members)
}
