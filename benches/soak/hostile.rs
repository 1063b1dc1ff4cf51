//! The hooks that misbehave, each in a different way.

use crate::component::{Guest, exiter, sleeper};
use crate::expect::{Expected, Kind, Scenario};
use crate::good::{PATIENCE, info};
use crate::resources::MARK;
use hookbox::runtime::component::{ComponentHook, Grants, Limits, Sandbox};
use hookbox::runtime::shell::{Command, HookboxCodec, ShellHook};
use hookbox::{Code, Hook};
use std::sync::Arc;
use std::time::Duration;

/// The time limit of hooks that would never finish. Their result is right even if they did not start in time.
const BUDGET: Duration = Duration::from_millis(10);
/// The time limit of processes that would never finish. It is long enough for them to start.
const PROCESS_BUDGET: Duration = Duration::from_millis(50);

const ENDLESS: &str = "(loop $l (br $l)) (unreachable)";

pub(crate) fn scenarios(sandbox: &Sandbox) -> Vec<Scenario> {
    let component = |name, wasm: Vec<u8>, timeout, limits: Limits, clocks| {
        let grants = Grants::default().with_clocks(clocks);
        let prepared = sandbox.prepare(&wasm, None, grants, limits).unwrap_or_else(|error| panic!("{name}: {error}"));
        let hook: Box<dyn Hook> = Box::new(ComponentHook::new(info("hostile", timeout), prepared, None));
        Scenario::new(name, Kind::Hostile, [hook], command, Expected::allow)
    };
    let failing = |name, guest: Guest, code| {
        component(name, guest.build(), PATIENCE, small(), false)
            .expecting(move |command| Expected::failure(command, code))
    };
    let late = |name, wasm, clocks| {
        component(name, wasm, BUDGET, small(), clocks).expecting(|command| Expected::failure(command, Code::Timeout))
    };
    let given_up = |name, wasm, clocks| {
        component(name, wasm, PATIENCE, small(), clocks).expecting(Expected::given_up).given_up_after(BUDGET)
    };
    let endless = || Guest::running(ENDLESS).build();
    let endless_realloc = Guest::default().wat().replace("(local $at i32)", "(local $at i32) (loop $l (br $l))");
    let fuelled = small().with_fuel(100_000);
    let mut scenarios = vec![
        late("endless loop", endless(), false),
        late("endless loop when given its Input", wat::parse_str(endless_realloc).unwrap(), false),
        late("asleep in the host", sleeper(), true),
        given_up("endless loop, given up", endless(), false),
        given_up("asleep in the host, given up", sleeper(), true),
        component("endless loop with fuel", endless(), PATIENCE, fuelled, false)
            .expecting(|command| Expected::failure(command, Code::Fuel)),
        failing("memory bomb", Guest::running(BOMB), Code::Memory),
        failing("unreachable", Guest::running("(unreachable)"), Code::Trap),
        failing(
            "endless recursion",
            Guest::running("(call $deeper) (call $answer)").with_items("(func $deeper (call $deeper))"),
            Code::Trap,
        ),
        component("exit", exiter(0), PATIENCE, small(), false)
            .expecting(|command| Expected::failure(command, Code::Exited)),
        failing("not an Action", Guest::answering(r#"{"decision":"sure"}"#), Code::Action),
        failing("an empty answer", Guest::answering(""), Code::Action),
        failing("too large an answer", Guest::running(&answer_of(3 << 20)).with_memory(LARGE), Code::OutputSize),
        failing("an answer outside of its memory", Guest::running(&answer_of(1 << 30)), Code::Trap),
    ];
    scenarios.extend(processes());
    scenarios
}

/// Makes as many different memory bombs, with and without fuel, as an engine could keep memories for. An engine keeps
/// one memory for each component that it knows.
pub(crate) fn fillers(sandbox: &Sandbox) -> Vec<Scenario> {
    let filler = |number: usize| {
        let wasm = Guest::running(BOMB).with_items(&format!("(func (export \"filler-{number}\"))")).build();
        let limits = if number.is_multiple_of(2) { small().with_fuel(u64::MAX) } else { small() };
        let prepared = sandbox.prepare(&wasm, None, Grants::default(), limits).unwrap();
        let hook: Box<dyn Hook> = Box::new(ComponentHook::new(info("filler", PATIENCE), prepared, None));
        Scenario::new("filler", Kind::Hostile, [hook], command, |command| Expected::failure(command, Code::Memory))
    };
    (0..2 * MEMORIES_KEPT).map(filler).collect()
}

/// A number of memories larger than an engine keeps.
const MEMORIES_KEPT: usize = 64;

/// Returns limits that are quickly reached.
fn small() -> Limits {
    Limits::default().with_memory_bytes(8 << 20)
}

/// Code that allocates page after page, and writes to all of them.
const BOMB: &str = "(local $page i32)
    (loop $l
      (local.set $page (memory.grow (i32.const 1)))
      (if (i32.lt_s (local.get $page) (i32.const 0)) (then (unreachable)))
      (memory.fill (i32.mul (local.get $page) (i32.const 65536)) (i32.const 0xa5) (i32.const 65536))
      (br $l))
    (unreachable)";

const LARGE: &str = r#"(memory (export "memory") 100)"#;

/// Makes code that answers with this many bytes.
fn answer_of(bytes: u32) -> String {
    format!(
        "(i32.store8 (i32.const 0) (i32.const 0)) (i32.store (i32.const 4) (i32.const 1024))
        (i32.store (i32.const 8) (i32.const {bytes})) (i32.const 0)"
    )
}

fn processes() -> Vec<Scenario> {
    let scenario = |name, script, timeout| {
        Scenario::new(name, Kind::HostileProcess, [shell(script, timeout)], command, Expected::allow)
    };
    let failing = |name, script, timeout, code| {
        scenario(name, script, timeout).expecting(move |command| Expected::failure(command, code))
    };
    let deaf = "trap '' TERM; (trap '' TERM; sleep 60) & sleep 60; sleep 60";
    vec![
        failing("process that hangs", "exec sleep 60", PROCESS_BUDGET, Code::Timeout),
        failing("process that hangs with a child", "sleep 60 & sleep 60", PROCESS_BUDGET, Code::Timeout),
        failing("process that heeds no signal", deaf, PROCESS_BUDGET, Code::Timeout),
        failing("process that fails", "echo '{}'; exit 3", PATIENCE, Code::Exit),
        failing("process that floods", "exec yes", PATIENCE, Code::OutputSize),
        failing("process that talks", "echo hello", PATIENCE, Code::Action),
        scenario("process that leaves a child", "sleep 60 >/dev/null 2>&1 & echo '{}'", PATIENCE),
        scenario("process, given up", "sleep 60 & sleep 60", PATIENCE)
            .expecting(Expected::given_up)
            .given_up_after(PROCESS_BUDGET),
    ]
}

fn command(number: u64) -> String {
    format!("h{number:015}")
}

/// Makes a hook that runs a script with `sh`. The process and all its children carry this program's mark.
pub(crate) fn shell(script: &str, timeout: Duration) -> Box<dyn Hook> {
    let command = Command::new("sh", "/")
        .with_args(["-c", script])
        .with_env([("PATH".into(), "/usr/bin:/bin".into()), (MARK.into(), std::process::id().to_string().into())])
        .with_search_path(Some("/usr/bin:/bin".into()));
    Box::new(ShellHook::new(info("shell", timeout), command, None, Arc::new(HookboxCodec)))
}
