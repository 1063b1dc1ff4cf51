//! Budgets: limits on what a hook may use.

use super::super::render::span;
use crate::author::cost::Cost;
use bytesize::ByteSize;
use hookbox::config::parse_duration;
use std::str::FromStr;
use std::time::Duration;

/// A limit for one quantity.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    what: &'static Quantity,
    limit: Amount,
}

/// An amount of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Time(Duration),
    Bytes(u64),
    Fuel(u64),
}

/// A quantity that a budget can limit.
#[derive(Debug)]
struct Quantity {
    name: &'static str,
    unit: fn(&str) -> Option<Amount>,
    example: &'static str,
    used: fn(&Cost) -> Option<Amount>,
}

const QUANTITIES: [Quantity; 8] = [
    Quantity { name: "call", unit: time, example: "50us", used: |cost| Some(Amount::Time(cost.call.p50)) },
    Quantity { name: "call-p99", unit: time, example: "200us", used: |cost| Some(Amount::Time(cost.call.p99)) },
    Quantity {
        name: "instantiate",
        unit: time,
        example: "20us",
        used: |cost| Some(Amount::Time(cost.component.as_ref()?.instantiate.p50)),
    },
    Quantity {
        name: "load",
        unit: time,
        example: "1ms",
        used: |cost| Some(Amount::Time(cost.component.as_ref()?.load?)),
    },
    Quantity {
        name: "compile",
        unit: time,
        example: "2s",
        used: |cost| Some(Amount::Time(cost.component.as_ref()?.compile)),
    },
    Quantity {
        name: "memory",
        unit: bytes,
        example: "2MiB",
        used: |cost| Some(Amount::Bytes(cost.component.as_ref()?.memory)),
    },
    Quantity {
        name: "size",
        unit: bytes,
        example: "1MiB",
        used: |cost| Some(Amount::Bytes(cost.component.as_ref()?.size)),
    },
    Quantity {
        name: "fuel",
        unit: fuel,
        example: "1000000",
        used: |cost| Some(Amount::Fuel(cost.component.as_ref()?.fuel)),
    },
];

fn time(text: &str) -> Option<Amount> {
    parse_duration(text).filter(|time| !time.is_zero()).map(Amount::Time)
}

fn bytes(text: &str) -> Option<Amount> {
    text.parse().ok().map(|ByteSize(bytes)| Amount::Bytes(bytes))
}

fn fuel(text: &str) -> Option<Amount> {
    text.replace('_', "").parse().ok().map(Amount::Fuel)
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, limit) = text.split_once('=').unwrap_or((text, ""));
        let Some(what) = QUANTITIES.iter().find(|what| what.name == name.trim()) else {
            let names: Vec<&str> = QUANTITIES.iter().map(|what| what.name).collect();
            return Err(format!("there is no budget for `{name}`, but for {}", names.join(", ")));
        };
        match (what.unit)(limit.trim()) {
            Some(limit) => Ok(Budget { what, limit }),
            None => Err(format!("`{name}` takes a limit such as {name}={}", what.example)),
        }
    }
}

impl Budget {
    pub(super) const fn name(&self) -> &'static str {
        self.what.name
    }

    /// Returns how the hook exceeds the limit, in words; `Some(None)` if it does not exceed it, `None` if it has no
    /// such quantity.
    pub(super) fn exceeded(&self, cost: &Cost) -> Option<Option<String>> {
        let used = (self.what.used)(cost)?;
        let is_over = match (used, self.limit) {
            (Amount::Time(used), Amount::Time(limit)) => used > limit,
            (Amount::Bytes(used), Amount::Bytes(limit)) | (Amount::Fuel(used), Amount::Fuel(limit)) => used > limit,
            // This cannot happen, because a limit is parsed in the unit of its quantity.
            _ => true,
        };
        Some(is_over.then(|| format!("{} is {}, the budget is {}", self.what.name, spell(used), spell(self.limit))))
    }
}

fn spell(amount: Amount) -> String {
    match amount {
        Amount::Time(time) => span(time),
        Amount::Bytes(bytes) => format!("{} ({bytes} bytes)", ByteSize(bytes)),
        Amount::Fuel(fuel) => fuel.to_string(),
    }
}
