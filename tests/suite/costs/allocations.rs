//! How often a warm call asks for memory.

use super::{INPUT, assert_at_most};
use crate::support::{SANDBOX, allocations, guests};
use hookbox::runtime::component::{ComponentHook, Grants, Limits};
use hookbox::{Event, HookInfo, Input, Registry, Verdict};

/// The limit for a call of a component, from the text of the Input to the Outcome.
const CALL: u64 = 65;

/// The same limit, with the commands of the call's shell text.
const CALL_WITH_COMMANDS: u64 = 115;

const CALLS: u64 = 100;

#[test]
fn a_warm_call_asks_for_no_more_memory_than_it_did() {
    // Everything happens on this thread.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (wants_commands, limit) in [(false, CALL), (true, CALL_WITH_COMMANDS)] {
        let registry = Registry::new();
        let mut info = HookInfo::new("rule", [Event::PreTool]);
        if wants_commands {
            info = info.with_commands();
            registry.read_commands_with(SANDBOX.command_reader().unwrap());
        }
        let component = guests::read("rule.wasm");
        let prepared = SANDBOX.prepare(&component, None, Grants::default(), Limits::default()).unwrap();
        registry.register(ComponentHook::new(info, prepared, None)).unwrap();
        let ask = || {
            let outcome = runtime.block_on(registry.run_pre(Input::from_slice(INPUT.as_bytes()).unwrap()));
            assert_eq!(outcome.verdict, Verdict::Allow, "{}", outcome.to_json_line());
        };
        (0..CALLS).for_each(|_| ask());
        let before = allocations::count();
        (0..CALLS).for_each(|_| ask());
        // What happens only once in many calls is not part of one call.
        let each = (allocations::count() - before) / CALLS;
        assert_at_most(&format!("allocations, commands: {wants_commands}"), each, limit);
    }
}
