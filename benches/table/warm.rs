//! Compares calls of hooks with the processes that they replace.

use crate::ask::{self, Asker, INPUT, PATIENCE, WARM_CALLS, guest, hook, info, rule};
use crate::processes::sh;
use crate::row::{Figure, Goal, Unit, in_turns, print};
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Input, Registry, Tool, ToolKind};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;
const PAUSE: Duration = Duration::from_millis(20);
const CHAIN: usize = 10;

pub(crate) const PURE: &str = "warm call / sh -c 'cat >/dev/null; echo {}'";
pub(crate) const STOCK: &str = "warm call, stock wasm32-wasip2 / sh -c 'cat >/dev/null; echo {}'";
pub(crate) const PAUSED: &str = "call after a pause of 20 ms / sh -c 'cat >/dev/null; echo {}'";
pub(crate) const CHAIN_ONE: &str = "chain of 10 components / one component";
pub(crate) const CHAIN_SH: &str = "chain of 10 components / sh -c 'cat >/dev/null; echo {}'";
pub(crate) const CHAIN_FACTS: &str = "chain of 10 components, facts with commands / facts that the host sends";
pub(crate) const NO_HOOKS: &str = "event without hooks / 50 ns";

pub(crate) fn pure(sandbox: &Sandbox) {
    let rule = Asker::of([hook(sandbox, &rule())]).allowing(INPUT);
    let figures = in_turns(ROUNDS, [&mut || rule.calls(INPUT, WARM_CALLS), &mut sh]);
    print(PURE, Unit::Nanoseconds, figures, Goal::AtMost(1.0 / 280.0));
}

pub(crate) fn stock(sandbox: &Sandbox) {
    let rule = Asker::of([hook(sandbox, &guest("rule.wasip2.wasm"))]).allowing(INPUT);
    let figures = in_turns(ROUNDS, [&mut || rule.calls(INPUT, WARM_CALLS), &mut sh]);
    print(STOCK, Unit::Nanoseconds, figures, Goal::AtMost(1.0 / 100.0));
}

/// Compares calls with pauses between them, like those of an agent that calls a hook now and then.
pub(crate) fn paused(sandbox: &Sandbox) {
    let rule = Asker::of([hook(sandbox, &rule())]).allowing(INPUT);
    let after_pause = |call: &dyn Fn() -> f64| {
        std::thread::sleep(PAUSE);
        call()
    };
    let mut left = || after_pause(&|| rule.calls(INPUT, 1));
    let figures = in_turns(ROUNDS / 2, [&mut left, &mut || after_pause(&sh)]);
    print(PAUSED, Unit::Nanoseconds, figures, Goal::AtMost(1.0 / 10.0));
}

pub(crate) fn chain(sandbox: &Sandbox, wanted: &dyn Fn(&str) -> bool) {
    let hooks: Vec<ComponentHook> =
        (0..CHAIN).map(|number| hook(sandbox, &different(rule(), &number.to_string()))).collect();
    let chain = Asker::of(hooks).allowing(INPUT);
    let mut left = || chain.calls(INPUT, WARM_CALLS / 10);
    if wanted(CHAIN_ONE) {
        let one = Asker::of([hook(sandbox, &rule())]).allowing(INPUT);
        let figures = in_turns(ROUNDS, [&mut left, &mut || one.calls(INPUT, WARM_CALLS)]);
        print(CHAIN_ONE, Unit::Nanoseconds, figures, Goal::AtMost(8.0));
    }
    if wanted(CHAIN_SH) {
        print(CHAIN_SH, Unit::Nanoseconds, in_turns(ROUNDS, [&mut left, &mut sh]), Goal::AtMost(1.0 / 10.0));
    }
}

/// Measures how long it takes to determine the facts of a tool call and to parse its command, once for the chain,
/// compared with a host that sends them.
pub(crate) fn facts(sandbox: &Sandbox) {
    let asker = |wants: bool| {
        let hooks = (0..CHAIN).map(|number| {
            let component = different(rule(), &number.to_string());
            let prepared = sandbox.prepare(&component, None, Grants::default(), Limits::default()).unwrap();
            let info = info(PATIENCE);
            ComponentHook::new(if wants { info.with_commands() } else { info }, prepared, None)
        });
        let asker = Asker::of(hooks);
        let scene = Scene::new("/home/me/src/project").with_home("/home/me");
        asker.registry.find_facts_with(Facts::new(scene, Tools::default()));
        asker.registry.read_commands_with(sandbox.command_reader().unwrap());
        asker
    };
    let found = asker(true).allowing(INPUT);
    let facts = found.ask(INPUT).input.unwrap().facts().unwrap().clone();
    assert!(facts.complete && facts.commands.is_some(), "{facts:?}");
    let sent = INPUT.replacen('{', &format!(r#"{{"tool":{},"#, Tool::new(ToolKind::Shell).to_json()), 1);
    let told = asker(false).allowing(&sent);
    let mut left = || found.calls(INPUT, WARM_CALLS / 10);
    let figures = in_turns(ROUNDS, [&mut left, &mut || told.calls(&sent, WARM_CALLS / 10)]);
    print(CHAIN_FACTS, Unit::Nanoseconds, figures, Goal::AtMost(1.4));
}

/// Returns the same component with different bytes, by appending a custom section with this name.
pub(crate) fn different(mut component: Vec<u8>, name: &str) -> Vec<u8> {
    let length = u8::try_from(name.len()).ok().filter(|length| *length < 0x7f).unwrap();
    component.extend([0, length + 1, length]);
    component.extend(name.as_bytes());
    component
}

/// Measures a chain without hooks. The Input is passed in and taken out again, so neither its creation nor its drop
/// counts.
pub(crate) fn no_hooks() {
    const CALLS: u32 = 10_000;
    let registry = Registry::new();
    let runtime = ask::runtime();
    let mut round = || {
        let mut input = Box::new(Input::from_slice(INPUT.as_bytes()).unwrap());
        runtime.block_on(async {
            let started = Instant::now();
            for _ in 0..CALLS {
                let outcome = registry.run_pre(input).await;
                black_box(&outcome);
                input = outcome.input.unwrap();
            }
            started.elapsed().as_nanos() as f64 / f64::from(CALLS)
        })
    };
    let [left, _] = in_turns(ROUNDS, [&mut round, &mut || 0.0]);
    print(NO_HOOKS, Unit::Nanoseconds, [left, Figure::exactly(50.0)], Goal::AtMost(1.0));
}
