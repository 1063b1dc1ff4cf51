//! Finds hooks that judge a tool call before it has its final form.

use crate::config::entry::{Entry, HookTarget, Reading, Sandboxed};
use crate::config::file::ConfigFile;
use crate::protocol::{Code, Event};
use crate::runtime::Mode;

/// Warns about each hook with a store or the network that comes before a hook that may rewrite what it judged. The
/// first hook is not asked again after the rewrite, because that would count or send something twice.
pub(super) fn check(file: &ConfigFile, reading: &mut Reading) {
    let mut hints = Vec::new();
    for (at, entry) in reading.entries.iter().enumerate().filter(|(_, entry)| is_asked_once(entry)) {
        let mut later = reading.entries.iter().skip(at + 1);
        if let Some(rewriter) = later.find(|later| may_rewrite(later, entry)) {
            let (name, rewriter) = (&entry.info.name, &rewriter.info.name);
            let message = format!(
                "hook `{name}` stands before `{rewriter}`, and is not asked again if that one rewrites the tool call"
            );
            let help = format!("move it behind `{rewriter}`, or set `recheck = true` if asking it twice does no harm");
            hints.push(file.problem(Code::ConfigOrder, Some(name), &entry.at, message, Some(help)));
        }
    }
    hints.into_iter().for_each(|hint| reading.hint(hint));
}

/// Returns whether the hook keeps state or reaches the network, and is not asked again after a rewrite.
fn is_asked_once(entry: &Entry) -> bool {
    match &entry.target {
        HookTarget::Component(component) => {
            let grants = &component.grants;
            (grants.store.is_some() || grants.net.is_some()) && !entry.info.recheck
        }
        _ => false,
    }
}

/// Returns whether `entry` can rewrite what `judge` judges. The policies that ship with hookbox do not rewrite tool
/// calls.
fn may_rewrite(entry: &Entry, judge: &Entry) -> bool {
    let is_policy =
        matches!(&entry.target, HookTarget::Component(component) if matches!(component.kind, Sandboxed::Policy(_)));
    let hears = |entry: &Entry| entry.info.events.contains(&(Event::PreTool, Mode::Sync));
    !is_policy && hears(entry) && hears(judge)
}
