//! What hooks compute and write, which is the same on every machine.

use super::{INPUT, assert_at_most};
use crate::support::{SANDBOX, guests, hook};
use hookbox::runtime::component::{Grants, Limits, Measured};
use hookbox::{Input, MAX_INPUT_BYTES, Registry};
use std::time::Duration;

/// The fuel of the example hook for a typical call: 166,000, since it also looks for a command that only the facts
/// have. It was 340,000 before.
const EXAMPLE: u64 = 169_000;

/// The fuel of the hook of the benches for a typical call: 24,500.
const RULE: u64 = 26_000;

/// The fuel of the same hook for an Input of 1 MiB: 33.3 million.
const LARGE: u64 = 34_000_000;

/// The limit for the memory of the same hook for that Input, which takes 3.1 MiB. This much stays in place from call to
/// call; beyond it, each page faults again at each call.
const LARGE_BYTES: usize = 4 << 20;

async fn measured(component: &str, input: &str) -> Measured {
    measured_with(component, input, false).await
}

/// Measures a call. `commands` says whether another hook of the event wants the commands.
async fn measured_with(component: &str, input: &str, commands: bool) -> Measured {
    // This is more than any of the hooks needs.
    let limits = Limits::default().with_fuel(1 << 40);
    let hook = hook("hook", &guests::read(component), limits, Grants::default(), Duration::from_secs(60));
    let mut input = Input::from_slice(input.as_bytes()).unwrap();
    let registry = Registry::new();
    if commands {
        registry.read_commands_with(SANDBOX.command_reader().unwrap());
    }
    registry.add_facts(&mut input, commands).await;
    assert_eq!(input.facts().is_some_and(|facts| facts.commands.is_some()), commands);
    hook.measure(&input).await.unwrap()
}

#[tokio::test]
async fn a_typical_call_takes_no_more_fuel_than_it_did() {
    for (component, limit) in [("no_destructive_commands.wasm", EXAMPLE), ("rule.wasm", RULE)] {
        let fuel = measured(component, INPUT).await.fuel.unwrap();
        assert_at_most(&format!("fuel of {component}"), fuel, limit);
        assert_eq!(measured(component, INPUT).await.fuel, Some(fuel), "{component}");
    }
}

#[tokio::test]
async fn a_hook_pays_nothing_for_commands_that_only_another_wants() {
    let with = measured_with("rule.wasm", INPUT, true).await;
    assert_eq!(with.fuel, measured("rule.wasm", INPUT).await.fuel);
}

#[tokio::test]
async fn a_large_input_stays_in_the_memory_that_is_kept() {
    const LINE: &str = r"printf '%s' 'one line of a file that is written by a command' >> notes.txt\n";
    // The rest is room for what the engine adds.
    let lines = LINE.repeat((MAX_INPUT_BYTES - 1024) / LINE.len());
    let input = format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"{lines}"}}}}"#);
    let measured = measured("rule.wasm", &input).await;
    assert_at_most("fuel for an Input of 1 MiB", measured.fuel.unwrap(), LARGE);
    assert_at_most("the memory for an Input of 1 MiB", measured.memory_bytes as u64, LARGE_BYTES as u64);
}
