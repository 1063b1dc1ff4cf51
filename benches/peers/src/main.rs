//! Compares a call of a hook in hookbox with the same rule in other engines, in one process and on the same Input.
//!
//! ```sh
//! cargo xtask bench plugin evaluation
//! ```
//!
//! Each row goes to stdout as one line of JSON.

#[path = "../../table/ask.rs"]
mod ask;
#[path = "../../table/row.rs"]
mod row;

use ask::{Asker, INPUT, WARM_CALLS, guest};
use extism::{CompiledPlugin, Plugin, PluginBuilder};
use regorus::Engine;
use row::{Goal, Unit, in_turns, print};
use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

/// The directory of the measured components.
const GUESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/guests");

const ROUNDS: usize = 200;
/// The number of calls in one measurement of a plugin. It is smaller, because a fresh plugin takes longer than the
/// other calls.
const PLUGIN_CALLS: u32 = 10;

const EXTISM: &str = "warm call / fresh extism plugin";
const REGORUS: &str = "warm call / regorus evaluation";
const REGORUS_KEPT: &str = "warm call / regorus evaluation, engine kept";

/// The rule of `benches/rule/src/rule.rs` in Rego.
const POLICY: &str = r#"package hook
import rego.v1

forbidden := ["rm -rf /", "git push --force", "mkfs."]

found := [words | some words in forbidden; contains(input.tool_input.command, words)]

default action := {"decision": "allow"}

action := {"decision": "deny", "reason": concat("", ["`", found[0], "` is not allowed here"])} if {
    input.tool_name == "bash"
    count(found) > 0
}
"#;

const HARMFUL: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"ls; rm -rf / home"}}"#;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |row: &str| names.is_empty() || names.iter().any(|name| row.contains(name.as_str()));
    let hook = ask::hook(&ask::sandbox(), &ask::rule());
    let rule = Asker::of([hook]).allowing(INPUT);
    assert!(rule.ask(HARMFUL).to_json_line().contains("is not allowed here"));
    let mut ours = || rule.calls(INPUT, WARM_CALLS);
    if wanted(EXTISM) {
        let plugin = plugin();
        let mut theirs = || nanos(PLUGIN_CALLS, || call_plugin(&plugin, INPUT));
        print(EXTISM, Unit::Nanoseconds, in_turns(ROUNDS, [&mut ours, &mut theirs]), Goal::AtMost(1.0 / 27.0));
    }
    if wanted(REGORUS) {
        let engine = policy();
        let mut theirs = || nanos(WARM_CALLS, || evaluate(&engine, INPUT));
        print(REGORUS, Unit::Nanoseconds, in_turns(ROUNDS, [&mut ours, &mut theirs]), Goal::AtMost(0.6));
    }
    if wanted(REGORUS_KEPT) {
        // This leaves out the clone that separates the state of one call from that of the next.
        let engine = RefCell::new(policy());
        let mut theirs = || nanos(WARM_CALLS, || evaluate_in(&mut engine.borrow_mut(), INPUT));
        print(REGORUS_KEPT, Unit::Nanoseconds, in_turns(ROUNDS, [&mut ours, &mut theirs]), Goal::AtMost(1.0));
    }
}

fn nanos<T>(times: u32, what: impl Fn() -> T) -> f64 {
    let started = Instant::now();
    for _ in 0..times {
        black_box(what());
    }
    started.elapsed().as_nanos() as f64 / f64::from(times)
}

fn plugin() -> CompiledPlugin {
    let plugin = PluginBuilder::new(guest("peer_rule.wasm")).with_wasi(false).with_cache_disabled().compile().unwrap();
    assert!(call_plugin(&plugin, INPUT).contains("allow"));
    assert!(call_plugin(&plugin, HARMFUL).contains("is not allowed here"));
    plugin
}

fn call_plugin(compiled: &CompiledPlugin, input: &str) -> String {
    let mut plugin = Plugin::new_from_compiled(compiled).unwrap();
    plugin.call("run", input).unwrap()
}

fn policy() -> Engine {
    let mut engine = Engine::new();
    engine.add_policy("hook.rego".to_owned(), POLICY.to_owned()).unwrap();
    // Evaluate once, because what an engine prepares on its first evaluation is shared with its clones.
    evaluate_in(&mut engine, INPUT);
    assert!(evaluate(&engine, INPUT).to_string().contains("allow"));
    assert!(evaluate(&engine, HARMFUL).to_string().contains("is not allowed here"));
    engine
}

fn evaluate(engine: &Engine, input: &str) -> regorus::Value {
    evaluate_in(&mut engine.clone(), input)
}

fn evaluate_in(engine: &mut Engine, input: &str) -> regorus::Value {
    engine.set_input_json(input).unwrap();
    engine.eval_rule("data.hook.action".to_owned()).unwrap()
}
