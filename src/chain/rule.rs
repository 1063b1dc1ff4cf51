//! How the hooks of one event are asked. Hook systems differ here; hookbox's own rule is the default.

use crate::protocol::Event;

/// In which order hooks are asked, and when that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after another, each on the Input as those before left it. On a gating event the first deny ends the chain.
    FirstDeny,
    /// One after another, all of them.
    All,
    /// All at once, on the same Input. Their rewrites are put together in the order of the hooks: where two fit one
    /// place the first stays, but for members of a tool's input, where the last does.
    AtOnce,
}

/// What the members of an `updated_input` are put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The tool's input as it is, so that its other members stay.
    Current,
    /// Nothing: together they are the tool's new input.
    Empty,
}

/// How the hooks of one event are asked, and what their answers amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Whom to ask when.
    pub order: Order,
    /// Whether an answer can stop the thing.
    pub gating: bool,
    /// Whether to stop the agent's loop is also to stop the thing.
    pub stop_denies: bool,
    /// What an `updated_input` is put into, where hooks are asked at once.
    pub base: Base,
}

impl Rule {
    /// hookbox's own rule for this event.
    #[must_use]
    pub const fn hookbox(event: Event) -> Self {
        Rule { order: Order::FirstDeny, gating: event.is_gating(), stop_denies: false, base: Base::Current }
    }
}
