//! How the hooks of one event are asked. Hook systems differ here; hookbox's own rule is the default.

use crate::protocol::Event;

/// The order in which hooks are asked, and when asking ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// One after another, each on the Input as the hooks before it left it. On a gating event the first deny ends the
    /// chain.
    FirstDeny,
    /// One after another, until all have answered.
    All,
    /// Concurrently, on the same Input. Their rewrites are merged in the order of the hooks: if two rewrite the same
    /// thing, the first wins, except for members of a tool's input, where the last wins.
    AtOnce,
}

/// The value that the members of an `updated_input` are merged into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Base {
    /// The current input of the tool, so its other members stay.
    Current,
    /// Nothing: the members become the tool's new input.
    Empty,
}

/// The rule by which the hooks of one event are asked, and by which their answers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Which hooks to ask, and when.
    pub order: Order,
    /// Whether an answer can stop the action that the event announces.
    pub gating: bool,
    /// Whether stopping the agent's loop also counts as a deny.
    pub stop_denies: bool,
    /// The value that an `updated_input` is merged into if hooks are asked concurrently.
    pub base: Base,
}

impl Rule {
    /// Returns hookbox's own rule for this event.
    #[must_use]
    pub const fn hookbox(event: Event) -> Self {
        Rule { order: Order::FirstDeny, gating: event.is_gating(), stop_denies: false, base: Base::Current }
    }

    /// Sets which hooks to ask, and when.
    #[must_use]
    pub const fn with_order(self, order: Order) -> Self {
        Rule { order, ..self }
    }

    /// Sets whether an answer can stop the action that the event announces.
    #[must_use]
    pub const fn with_gating(self, gating: bool) -> Self {
        Rule { gating, ..self }
    }

    /// Sets whether stopping the agent's loop also counts as a deny.
    #[must_use]
    pub const fn with_stop_denies(self, stop_denies: bool) -> Self {
        Rule { stop_denies, ..self }
    }

    /// Sets what an `updated_input` is merged into if hooks are asked concurrently.
    #[must_use]
    pub const fn with_base(self, base: Base) -> Self {
        Rule { base, ..self }
    }
}
