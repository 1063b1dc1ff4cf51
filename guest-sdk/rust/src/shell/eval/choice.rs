//! Chooses the value of a variable that may have several.
//!
//! A command is walked once for each combination of values that its words use, so `rm -rf $d` after `for d in a b` is
//! listed twice.

/// How many combinations of one command are walked.
const MAX_VARIANTS: usize = 16;

/// The currently chosen values.
#[derive(Debug, Default)]
pub(in crate::shell) struct Choices {
    picks: Vec<Pick>,
    /// How many of the picks belong to the enclosing commands.
    fixed: usize,
    /// How often this command's own picks have been advanced.
    rounds: usize,
}

#[derive(Debug, Clone, Copy)]
struct Pick {
    id: u32,
    at: usize,
    count: usize,
}

/// The state that [`Choices::enter`] saves.
pub(super) struct Outer {
    fixed: usize,
    rounds: usize,
}

impl Choices {
    /// Returns which of the `count` values with this id to use, or `None` if there are too many combinations.
    pub(in crate::shell) fn pick(&mut self, id: u32, count: usize) -> Option<usize> {
        if count <= 1 {
            return Some(0);
        }
        if let Some(pick) = self.picks.iter().find(|pick| pick.id == id) {
            return Some(pick.at);
        }
        if self.rounds >= MAX_VARIANTS {
            return None;
        }
        self.picks.push(Pick { id, at: 0, count });
        Some(0)
    }

    /// Makes a choice for all nested commands, until [`Choices::leave`].
    pub(super) fn fix(&mut self, id: u32, at: usize, count: usize) {
        self.picks.push(Pick { id, at, count });
    }

    /// Begins a nested command. The choices so far stay.
    pub(super) fn enter(&mut self) -> Outer {
        let outer = Outer { fixed: self.fixed, rounds: self.rounds };
        self.fixed = self.picks.len();
        self.rounds = 0;
        outer
    }

    /// Returns to the enclosing command.
    pub(super) fn leave(&mut self, outer: Outer) {
        self.picks.truncate(self.fixed);
        self.fixed = outer.fixed;
        self.rounds = outer.rounds;
    }

    /// Whether the command has made any choice with alternatives.
    pub(super) fn has_own(&self) -> bool {
        self.picks.len() > self.fixed
    }

    /// Advances to the next combination. Returns `false` after the last one.
    pub(super) fn advance(&mut self) -> bool {
        if self.rounds >= MAX_VARIANTS {
            return false;
        }
        self.rounds += 1;
        if self.rounds == MAX_VARIANTS {
            // There is one more round, in which variables with several values are unknown.
            let own = self.picks.len() > self.fixed;
            self.picks.truncate(self.fixed);
            return own;
        }
        while self.picks.len() > self.fixed {
            match self.picks.last_mut() {
                Some(pick) if pick.at + 1 < pick.count => {
                    pick.at += 1;
                    return true;
                }
                _ => drop(self.picks.pop()),
            }
        }
        false
    }
}
