//! What `find` passes to a command that changes files: the names that it searches for tell which.

use crate::names::Names;
use crate::rules::Target;
use crate::shell::Judge;
use hookbox_policy::Command;
use hookbox_sdk::Access;

/// The tests of `find` whose value is a pattern of names.
const TESTS: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"];

/// Judges the patterns of a `find` that deletes, or whose results another command changes.
pub(crate) fn judge(at: usize, command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    if !matches!(command.name, "find" | "gfind") {
        return;
    }
    let changes = |other: &Command<'_>| other.facts.files.iter().any(|file| file.access.changes());
    let is_run = |other: &Command<'_>| {
        let via = other.facts.via.as_deref();
        let parent = other.facts.parent;
        let by_pipe = |index: usize| all.get(index).is_some_and(|xargs| xargs.facts.reads_from.contains(&at));
        via == Some("find") && parent == Some(at)
            || matches!(via, Some("xargs" | "parallel")) && parent.is_some_and(by_pipe)
    };
    let deletes = command.args().iter().any(|word| word.text() == "-delete");
    if !deletes && !all.iter().any(|other| is_run(other) && changes(other)) {
        return;
    }
    let words = command.args();
    for (at, word) in words.iter().enumerate() {
        let Some(pattern) = words.get(at + 1).filter(|_| TESTS.contains(&word.text())) else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map_or("", |word| word.text());
        let after = words.get(at + 2).map_or("", |word| word.text());
        // Excluded files are safe.
        if matches!(before, "!" | "-not") || after == "-prune" {
            continue;
        }
        let names = Names::with_wildcards(pattern.text());
        let target = Target {
            names,
            shown: pattern.text().to_owned(),
            access: Access::Delete,
            place: None,
            keeps_content: false,
        };
        judge.rules.protected(&target).tell(judge.found);
    }
}
