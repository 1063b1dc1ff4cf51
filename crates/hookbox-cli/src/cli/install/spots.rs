//! The files from which an agent reads the same hooks, which of them hide others, and which of them gets which entry.

use super::document::value;
use super::file::Before;
use super::{compare, entries};
use hookbox::agent::{Entries, Precedence};
use serde_json::Value;
use std::path::PathBuf;

/// One of the files from which an agent reads the same hooks.
pub(super) struct Spot {
    /// The entries, with the place of the events in this file.
    pub(super) entries: Entries,
    pub(super) before: Before,
    /// The precedence beside the main file; `None` for the main file itself.
    precedence: Option<Precedence>,
}

/// The hooks that a file has for an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    Nothing,
    /// Nothing but hookbox.
    Ours,
    Others,
}

/// Reads the files of one user or one project, the main file first. `path` returns the path of the file that these
/// entries describe.
///
/// # Errors
/// Returns an error if one of the files cannot be read.
pub(super) fn spots(entries: &Entries, path: impl Fn(&Entries) -> PathBuf) -> anyhow::Result<Vec<Spot>> {
    let others = entries.others.iter().map(|other| (entries.in_other(other), Some(other.precedence)));
    let all = [(*entries, None)].into_iter().chain(others);
    all.map(|(entries, precedence)| Ok(Spot { entries, before: Before::read(&path(&entries))?, precedence })).collect()
}

impl Spot {
    fn has(&self, event: &str, agent: &str) -> Has {
        let document = value(self.before.text()).unwrap_or_default();
        match self.events(&document).and_then(|events| events.get(event)) {
            None => Has::Nothing,
            Some(list) if compare::is_only_ours(list, &self.entries, agent) => Has::Ours,
            Some(_) => Has::Others,
        }
    }

    fn events<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        self.entries.under.map_or(Some(document), |name| document.get(name))
    }

    /// Whether the file existed before hookbox, or has become the user's. A file that is not JSON counts as missing.
    fn is_users(&self, agent: &str) -> bool {
        let text = self.before.text();
        let is_ours = || {
            entries::has_ours(text, &self.entries, agent)
                && entries::remove(text, &self.entries, agent, None)
                    .is_ok_and(|without| entries::is_empty(&without, &self.entries))
        };
        value(text).is_some() && !is_ours()
    }

    /// Whether the file has hooks of others for any event.
    fn has_others(&self, agent: &str) -> bool {
        let document = value(self.before.text()).unwrap_or_default();
        let events = self.events(&document).and_then(Value::as_object);
        events.is_some_and(|events| events.keys().any(|event| self.has(event, agent) == Has::Others))
    }
}

/// Returns the index of the file that each event's entry belongs in: the one where the agent reads the entry, and where
/// the entry hides no hook that the agent reads.
pub(super) fn homes(spots: &[Spot], agent: &str) -> Vec<(&'static str, usize)> {
    let Some(main) = spots.first() else { return Vec::new() };
    let place = |precedence: Precedence| {
        let position = spots.iter().position(|spot| spot.precedence == Some(precedence));
        position.and_then(|index| Some((index, spots.get(index)?)))
    };
    let front = Some((0, main)).into_iter().chain(place(Precedence::InPlace)).find(|(_, spot)| spot.is_users(agent));
    let behind = place(Precedence::Behind);
    let of = |event: &str| {
        if let Some((index, spot)) = front
            && spot.has(event, agent) == Has::Others
        {
            return index;
        }
        if let Some((index, spot)) = behind {
            let has = spot.has(event, agent);
            if has == Has::Others || has == Has::Ours || front.is_none() && spot.has_others(agent) {
                return index;
            }
        }
        front.map_or(0, |(index, _)| index)
    };
    main.entries.events.iter().map(|(event, _)| (*event, of(event))).collect()
}

/// Returns the file that hides the entry of an event in the file at `index`; `None` if the agent reads the entry.
pub(super) fn hidden_by<'s>(spots: &'s [Spot], index: usize, event: &str, agent: &str) -> Option<&'s Spot> {
    let front = spots.iter().filter(|spot| spot.precedence != Some(Precedence::Behind));
    let front = front.clone().find(|spot| value(spot.before.text()).is_some())?;
    match spots.get(index)?.precedence? {
        Precedence::InPlace => (front.precedence.is_none()).then_some(front),
        _ => (front.has(event, agent) != Has::Nothing).then_some(front),
    }
}
