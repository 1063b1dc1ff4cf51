//! A hook with one rule, written with the SDK and built with settings that make its calls cheap.

mod rule;

hookbox_sdk::hook!(rule::judge);
