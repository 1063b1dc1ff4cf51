//! A hook with one rule, on the SDK, with the settings that make a call of it cheap.

mod rule;

hookbox_sdk::hook!(rule::judge);
