//! Commands that leave the shell, function or loop around them: `exit`, `return`, `break`, `continue`.

use super::call::Run;
use super::walk::is_open;
use super::{Output, Place, Shell};
use crate::shell::env::Env;
use crate::shell::inner::is_wholly_unknown;
use rable::{Node, NodeKind};

/// The state at a command that leaves a loop or function.
pub(super) struct Jump {
    /// How many loops or functions the command leaves.
    pub(super) levels: usize,
    env: Env,
}

/// What surrounds the commands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inside {
    /// Whether there is a loop that `break` and `continue` leave. A subshell cannot leave a loop around it.
    pub(super) is_loop: bool,
    /// Whether there is a function or a sourced script that `return` leaves.
    pub(super) is_body: bool,
}

impl Shell {
    /// Remembers the state at a `break`, `continue` or `return`: the shell goes on with it after the loop or function.
    /// Outside a loop or function, the command fails, and the shell goes on after the command.
    pub(super) fn jump(&mut self, run: &Run<'_>) {
        if self.env.dead {
            return;
        }
        let levels = match run.arguments().first() {
            _ if run.name == "return" => usize::MAX,
            None => 1,
            Some(count) => count.text().parse().unwrap_or(usize::MAX),
        };
        self.jumps.push(Jump { levels, env: self.env.clone() });
        let is_inside = if run.name == "return" { self.inside.is_body } else { self.inside.is_loop };
        self.env.dead = is_inside && self.leaves(run);
    }

    /// Whether nothing after an `exit`, `return`, `break` or `continue` runs. The shell may go on if the argument is
    /// not a number, or if a file cannot be opened.
    pub(super) fn leaves(&self, run: &Run<'_>) -> bool {
        let command = self.script.commands.get(run.index);
        let is_plain = command.is_some_and(|command| command.redirects.is_empty() && command.assignments.is_empty());
        // A program may have the same name.
        let is_builtin = run.words.first().is_some_and(|word| word.text() == run.name);
        let is_valid = match (run.name, run.arguments()) {
            (_, []) => true,
            ("break" | "continue", [count]) => count.text().parse::<u32>().is_ok_and(|count| count > 0),
            (_, [status]) => status.text().parse::<i32>().is_ok() || is_wholly_unknown(status.text()),
            _ => false,
        };
        is_plain && is_builtin && is_valid
    }

    /// Walks through a compound command. If a file cannot be opened for it, nothing in it runs, and the shell goes on.
    pub(super) fn enclosed(&mut self, node: &Node, place: &Place) -> Output {
        let before = self.env.clone();
        // A command inside makes its own choices, even if a word of this command uses the same variable.
        let printed = self.each_choice(|shell| shell.compound(node, place));
        let redirects: &[Node] = match &node.kind {
            NodeKind::BraceGroup { redirects, .. }
            | NodeKind::If { redirects, .. }
            | NodeKind::Case { redirects, .. } => redirects,
            _ => &[],
        };
        if self.env.dead && !redirects.iter().all(is_open) {
            self.env = before;
        }
        printed
    }

    /// Walks through a part that runs in a subshell.
    pub(super) fn outside_loops<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let is_loop = std::mem::replace(&mut self.inside.is_loop, false);
        let result = walk(self);
        self.inside.is_loop = is_loop;
        result
    }

    /// Merges the states of these jumps into the end of a loop or function. Jumps that also leave an outer one stay.
    pub(super) fn meet(&mut self, jumps: Vec<Jump>) {
        for Jump { levels, env } in jumps {
            let end = self.env.clone();
            self.env = self.join(&end, &env);
            if levels > 1 {
                self.jumps.push(Jump { levels: levels - 1, env });
            }
        }
    }
}
