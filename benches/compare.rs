//! What hookbox costs beside what it takes the place of, each pair measured in turns in one run.
//!
//! ```sh
//! cargo bench
//! ```

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "it is a program for a terminal, and one that cannot measure has nothing to say"
)]

use hookbox::runtime::component::{Compiler, ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Event, HookInfo, Input, NativeHook, Registry};
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A tool call of about 300 bytes.
const INPUT: &str = r#"{"event":"pre_tool","session_id":"0d3f5c1e-8a7b-4c39-9f61-2b7a1c0e5d44","pwd":"/home/me/src/project","tool_name":"bash","tool_use_id":"call_7f3a9b","turn":12,"tool_input":{"command":"cargo test --workspace --locked -- --nocapture 2>&1 | tail -50","description":"Run the tests","timeout":120000}}"#;

fn main() {
    let guests = build_guests();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = |registry: &Registry| {
        let input = Input::from_slice(INPUT.as_bytes()).unwrap();
        black_box(runtime.block_on(registry.run_pre(input)));
    };
    let pure = registry(&guests.join("no_destructive_commands.wasm"));
    let stock = registry(&guests.join("no_destructive_commands.wasip2.wasm"));
    let plain = registry(&guests.join("plain.wasm"));
    let native = Registry::new();
    native.register(NativeHook::new("native", [Event::PreTool], |_| Ok(hookbox::Action::allow()))).unwrap();
    let empty = Registry::new();
    let sh = || spawn(Command::new("sh").args(["-c", "cat >/dev/null; echo {}"]));
    let sh_true = || spawn(Command::new("sh").args(["-c", "true"]));

    println!("{:<52} {:<34} {:>12} {:>12} {:>9}", "left", "right", "left", "right", "ratio");
    for (name, registry) in [
        ("example hook, pure", &pure),
        ("example hook, stock wasm32-wasip2", &stock),
        ("small stock wasm32-wasip2 hook", &plain),
        ("native hook", &native),
        ("event without hooks, reading included", &empty),
    ] {
        let warm = || (0..WARM_CALLS).for_each(|_| ask(registry));
        compare((&format!("{name}, warm"), WARM_CALLS, warm), (SH, 1, sh));
        compare((&format!("{name}, now and then"), 1, || ask(registry)), (SH, 1, sh));
    }
    let config = demo_config(&guests);
    compare(("hookbox run, compiling the example hook", 1, || hookbox(&config)), ("sh -c true", 1, sh_true));
    let empty = guests.join("empty.toml");
    std::fs::write(&empty, "").unwrap();
    compare(("hookbox run, no hooks", 1, || hookbox(&empty)), ("sh -c true", 1, sh_true));
}

/// Calls in a row that count as one measurement of a warm call.
const WARM_CALLS: u32 = 50;

const SH: &str = "sh -c 'cat >/dev/null; echo {}'";

/// Prints the medians of two things that are done in turns, so that both meet the same noise. Each comes with its
/// name and how often it does what is measured.
fn compare(left: (&str, u32, impl Fn()), right: (&str, u32, impl Fn())) {
    const ROUNDS: usize = 200;
    const BUDGET: Duration = Duration::from_secs(20);
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    let started = Instant::now();
    for round in 0..ROUNDS {
        let (took_left, took_right) = (time(&left.2) / left.1, time(&right.2) / right.1);
        // The first calls pay for what later ones find in place.
        if round >= 5 {
            lefts.push(took_left);
            rights.push(took_right);
        }
        if started.elapsed() > BUDGET && !lefts.is_empty() {
            break;
        }
    }
    let (left_median, right_median) = (median(lefts), median(rights));
    println!(
        "{:<52} {:<34} {:>12} {:>12} {:>9}",
        left.0,
        right.0,
        format!("{left_median:.1?}"),
        format!("{right_median:.1?}"),
        ratio(left_median, right_median),
    );
}

fn ratio(left: Duration, right: Duration) -> String {
    if left < right {
        format!("1/{:.0}", right.as_secs_f64() / left.as_secs_f64())
    } else {
        format!("{:.1}", left.as_secs_f64() / right.as_secs_f64())
    }
}

fn time(what: impl Fn()) -> Duration {
    let started = Instant::now();
    what();
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap()
}

fn registry(component: &Path) -> Registry {
    let bytes = std::fs::read(component).unwrap();
    let prepared = Sandbox::new(Compiler::in_process_for_trusted_bytes())
        .unwrap()
        .prepare(&bytes, None, Grants::default(), Limits::default())
        .unwrap();
    let registry = Registry::new();
    registry.register(ComponentHook::new(HookInfo::new("hook", [Event::PreTool]), prepared, None)).unwrap();
    registry
}

fn spawn(command: &mut Command) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(INPUT.as_bytes());
    black_box(child.wait_with_output().unwrap());
}

fn hookbox(config: &Path) {
    spawn(Command::new(env!("CARGO_BIN_EXE_hookbox")).args(["run", "--config"]).arg(config));
}

fn demo_config(guests: &Path) -> PathBuf {
    let file = guests.join("bench.toml");
    let entry = "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"no_destructive_commands.wasm\"\n";
    std::fs::write(&file, entry).unwrap();
    file
}

fn build_guests() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(env!("CARGO")).args(["xtask", "guests"]).current_dir(root).stderr(Stdio::null()).status();
    assert!(status.unwrap().success(), "`cargo xtask guests` failed");
    root.join("target/guests")
}
