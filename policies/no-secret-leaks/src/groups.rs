//! Groups whose output goes to another descriptor, which the facts about their commands do not contain:
//! `{ env; } >&2 | wc -l`.

use crate::Reads;
use crate::environment::is_dump;
use crate::pipes::is_read;
use crate::printers::is_printer;
use hookbox_policy::{Command, Findings};
use hookbox_sdk::Tool;

/// Judges secrets in such a group, because the commands after the pipe do not read them.
pub(crate) fn judge(commands: &[Command], tool: &Tool, reads: Reads, found: &mut Findings) {
    if reads == Reads::Allow || !tool.command.as_deref().is_some_and(has_diverted) {
        return;
    }
    for (index, command) in commands.iter().enumerate().filter(|(index, _)| is_read(*index, commands)) {
        let is_all = is_dump(index, commands);
        if !is_all && !is_printer(command) {
            continue;
        }
        let what = format!("{} shows secrets past the pipe; redirect only what holds none", command.quote());
        if is_all && reads == Reads::Deny {
            found.deny(what);
        } else {
            found.ask(what);
        }
    }
}

/// Whether the end of a group comes before a redirection to another descriptor and a pipe.
fn has_diverted(text: &str) -> bool {
    ["}", ")", "done", "fi"].into_iter().flat_map(|end| text.match_indices(end)).any(|(at, end)| {
        let rest = text.get(at + end.len()..).unwrap_or_default().trim_start();
        let target = rest.strip_prefix('1').unwrap_or(rest).strip_prefix(">&");
        let after =
            target.and_then(|target| target.trim_start().strip_prefix(['2', '3', '4', '5', '6', '7', '8', '9']));
        after.is_some_and(|after| after.trim_start().starts_with('|') && !after.trim_start().starts_with("||"))
    })
}
