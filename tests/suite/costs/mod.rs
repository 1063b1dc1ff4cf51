//! The costs of hookbox, as far as they can be counted. The counts do not depend on the machine or its load, so a
//! change that costs more is seen with the change. Times are compared by `cargo xtask bench`.
//!
//! Each limit is the count at the time of writing, plus the stated room. Whoever lowers a count lowers the limit;
//! whoever must raise a limit says why in the commit.

mod allocations;
mod fuel;
#[cfg(target_os = "linux")]
mod loaded;
#[cfg(target_os = "linux")]
mod processes;
mod sizes;

/// A tool call of typical size, at a fixed time, because another time could change the counts.
const INPUT: &str = r#"{"event":"pre_tool","session_id":"0d3f5c1e-8a7b-4c39-9f61-2b7a1c0e5d44","pwd":"/home/me/src/project","tool_name":"bash","tool_use_id":"call_7f3a9b","turn":12,"now":"2026-01-01T00:00:00.000Z","tool_input":{"command":"cargo test --workspace --locked -- --nocapture 2>&1 | tail -50","description":"Run the tests","timeout":120000}}"#;

/// Fails if more was counted than the limit. `--nocapture` shows each count.
#[track_caller]
fn assert_at_most(what: &str, count: u64, limit: u64) {
    eprintln!("{what}: {count}, limit {limit}");
    assert!(count <= limit, "{what}: {count}; the limit is {limit}");
}
