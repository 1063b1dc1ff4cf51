//! Which hooks hear an event.

use crate::protocol::Event;
use crate::runtime::{Hook, Mode, ToolName};
use std::collections::HashSet;
use std::sync::Arc;

/// The hooks of each event, in order.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) by_event: [Vec<Entry>; Event::ALL.len()],
}

impl Default for Table {
    fn default() -> Self {
        Table { by_event: std::array::from_fn(|_| Vec::new()) }
    }
}

/// A hook on one event.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) hook: Arc<dyn Hook>,
    pub(super) mode: Mode,
}

impl Table {
    /// Adds a hook after the existing ones.
    pub(super) fn add(&mut self, hook: &Arc<dyn Hook>) {
        for (event, mode) in &hook.info().events {
            if let Some(entries) = self.by_event.get_mut(*event as usize) {
                entries.push(Entry { hook: Arc::clone(hook), mode: *mode });
            }
        }
    }

    pub(super) fn for_event(&self, event: Event) -> &[Entry] {
        self.by_event.get(event as usize).map_or(&[], Vec::as_slice)
    }
}

/// Returns the entries that concern this tool. If several entries are the same hook, only the first is returned.
pub(super) fn concerned<'e>(entries: &'e [Entry], event: Event, tool: ToolName<'_>) -> Vec<&'e Entry> {
    let mut identities = HashSet::new();
    let concerned = entries.iter().filter(|entry| entry.hook.info().concerns(event, tool));
    concerned
        .filter(|entry| match &entry.hook.info().origin().identity {
            Some(identity) => identities.insert(identity.as_str()),
            None => true,
        })
        .collect()
}
