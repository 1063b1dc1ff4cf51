//! Measures the work of the example hook in a unit that is the same on every machine. The tests check the same limit.

use crate::ask::{PATIENCE, guest, info, runtime};
use crate::row::{Figure, Goal, Unit, print};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Input, Registry};

pub(crate) const NAME: &str = "fuel of the example hook / limit";

const LIMIT: f64 = 166_000.0;

/// An amount of fuel that is more than the hook needs.
const PLENTY: u64 = 1 << 32;

/// The Input. Its time is fixed; otherwise, every run would have a different Input.
const INPUT: &str = r#"{"event":"pre_tool","session_id":"0d3f5c1e-8a7b-4c39-9f61-2b7a1c0e5d44","pwd":"/home/me/src/project","tool_name":"bash","tool_use_id":"call_7f3a9b","turn":12,"now":"2026-01-01T00:00:00.000Z","tool_input":{"command":"cargo test --workspace --locked -- --nocapture 2>&1 | tail -50","description":"Run the tests","timeout":120000}}"#;

pub(crate) fn row(sandbox: &Sandbox) {
    let component = guest("no_destructive_commands.wasm");
    let limits = Limits::default().with_fuel(PLENTY);
    let prepared = sandbox.prepare(&component, None, Grants::default(), limits).unwrap();
    let hook = ComponentHook::new(info(PATIENCE), prepared, None);
    let mut input = Input::from_slice(INPUT.as_bytes()).unwrap();
    let measured = runtime().block_on(async {
        Registry::new().add_facts(&mut input, false).await;
        hook.measure(&input).await.unwrap()
    });
    let fuel = measured.fuel.unwrap() as f64;
    print(NAME, Unit::Count, [fuel, LIMIT].map(Figure::exactly), Goal::AtMost(1.0));
}
