//! Which of its values a variable has, where it may have several.
//!
//! A command is walked once for each combination of values that its words use, so `rm -rf $d` behind `for d in a b` is
//! listed twice.

/// How many combinations of one command are walked.
const MAX_VARIANTS: usize = 16;

/// The values that are chosen at the moment.
#[derive(Debug, Default)]
pub(in crate::shell) struct Choices {
    picks: Vec<Pick>,
    /// How many of the picks belong to the commands around this one.
    fixed: usize,
    /// How often the own picks have been advanced.
    rounds: usize,
}

#[derive(Debug, Clone, Copy)]
struct Pick {
    id: u32,
    at: usize,
    count: usize,
}

/// What [`Choices::enter`] keeps.
pub(super) struct Outer {
    fixed: usize,
    rounds: usize,
}

impl Choices {
    /// The value to use of the `count` that go by this id; `None` if there are too many combinations.
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

    /// Begins a command of its own: what has been chosen so far stays.
    pub(super) fn enter(&mut self) -> Outer {
        let outer = Outer { fixed: self.fixed, rounds: self.rounds };
        self.fixed = self.picks.len();
        self.rounds = 0;
        outer
    }

    /// Goes back to the command around.
    pub(super) fn leave(&mut self, outer: Outer) {
        self.picks.truncate(self.fixed);
        self.fixed = outer.fixed;
        self.rounds = outer.rounds;
    }

    /// Whether the command has chosen anything that could be chosen otherwise.
    pub(super) fn has_own(&self) -> bool {
        self.picks.len() > self.fixed
    }

    /// Goes on to the next combination; `false` after the last one.
    pub(super) fn advance(&mut self) -> bool {
        if self.rounds >= MAX_VARIANTS {
            return false;
        }
        self.rounds += 1;
        if self.rounds == MAX_VARIANTS {
            // Once more, with whatever has several values as unknown.
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
