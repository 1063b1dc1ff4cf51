//! `hookbox bench`: what is measured, and what a budget does.

use super::stable;
use crate::support::component::{Guest, allowing, sleeper};
use crate::support::project::{Project, Ran};
use serde_json::Value;

fn bench(project: &Project, args: &[&str]) -> Ran {
    let args: Vec<&str> = ["bench", "--calls", "1"].into_iter().chain(args.iter().copied()).collect();
    stable(project, project.run(&args, ""))
}

#[test]
fn a_component_is_measured() {
    let project = Project::new();
    let loops = |count: u32| {
        let run = format!(
            "(local $n i32) (loop $again (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) \
             (i32.const {count})))) (drop (memory.grow (i32.const 4))) (call $answer)"
        );
        Guest::running(&run).build()
    };
    let report = |count| {
        let wasm = loops(count);
        project.write("project/guard.wasm", &wasm);
        let ran = bench(&project, &["guard.wasm", "--format", "json"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let report = ran.json();
        assert_eq!(report["size"], wasm.len());
        report
    };
    let (few, many): (Value, Value) = (report(10), report(1010));
    // The memory has four pages, and four more.
    assert_eq!(
        (&few["memory"], &few["imports"], &few["kind"]),
        (&(8 << 16).into(), &serde_json::json!([]), &"component".into())
    );
    let fuel = |report: &Value| report["fuel"].as_u64().unwrap();
    let per_round = (fuel(&many) - fuel(&few)) as f64 / 1000.0;
    assert!((1.0..20.0).contains(&per_round) && per_round.fract() == 0.0, "{per_round}");
    assert_eq!(report(10)["fuel"], few["fuel"]);
    for time in ["compile_us", "load_us", "instantiate_us", "call_us", "call_p99_us", "sh_us"] {
        assert!(few[time].as_f64().unwrap() > 0.0, "{time}: {few}");
    }
    assert!(few["instantiate_us"].as_f64() < few["compile_us"].as_f64(), "{few}");
    assert!(few["call_us"].as_f64() <= few["call_p99_us"].as_f64(), "{few}");
    assert_eq!((&few["calls"], &few["over"]), (&100.into(), &serde_json::json!([])));
}

#[test]
fn each_exceeded_budget_is_named() {
    let project = Project::new();
    let wasm = allowing();
    project.write("project/guard.wasm", &wasm);
    let size = wasm.len();
    let fits =
        format!("memory=256KiB,size={size}B,fuel=1_000_000,call=10s,call-p99=10s,instantiate=10s,load=10s,compile=60s");
    let ran = bench(&project, &["--budget", &fits]);
    assert!(ran.status == 0 && !ran.stdout.contains("over budget"), "{ran:?}");
    let ran = bench(
        &project,
        &["--budget", "memory=255KiB", "--budget", "compile=1ns,size=100B", "--budget", "fuel=1000000"],
    );
    assert_eq!(ran.status, 1);
    let over: Vec<&str> = ran.stdout.lines().filter_map(|line| line.strip_prefix("over budget: ")).collect();
    let [memory, compile, bytes] = over.as_slice() else { panic!("{over:?}") };
    assert_eq!(*memory, "memory is 256.0 KiB (262144 bytes), the budget is 255.0 KiB (261120 bytes)");
    assert!(compile.starts_with("compile is ") && compile.ends_with(", the budget is 1 ns"), "{compile}");
    assert!(bytes.starts_with("size is ") && bytes.ends_with(", the budget is 100 B (100 bytes)"), "{bytes}");
}

#[test]
fn a_budget_for_nothing_does_not_pass() {
    let project = Project::new();
    project.script("project/guard.sh", "cat >/dev/null");
    project.write("project/guard.wasm", allowing());
    for (args, words) in [
        (vec!["guard.sh", "--budget", "fuel=1"], "there is no `fuel` of this hook that a budget could be for"),
        (vec!["guard.wasm", "--no-cache", "--budget", "load=1s"], "there is no `load` of this hook"),
        (vec!["guard.wasm", "--budget", "momory=1"], "there is no budget for `momory`, but for call, "),
        (vec!["guard.wasm", "--budget", "memory"], "`memory` takes a limit such as memory=2MiB"),
        (vec!["guard.wasm", "--budget", "call=5"], "`call` takes a limit such as call=50us"),
    ] {
        let ran = bench(&project, &args[..]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_shell_hook_is_measured_too() {
    let project = Project::new();
    project.script("project/guard.sh", "cat >/dev/null");
    let ran = bench(&project, &["guard.sh", "--budget", "call=10s"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let labels: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(labels, ["hook", "call", "sh"]);
}

#[test]
fn what_fails_is_not_measured() {
    let project = Project::new();
    project.write("project/trap.wasm", Guest::running("unreachable").build());
    project.write("project/invalid.wasm", Guest::answering("yes").build());
    project.write("project/guard.wasm", allowing());
    project.write(
        "project/hooks.toml",
        "[hooks.guard]\nevents = [\"pre_tool\"]\ncomponent = \"guard.wasm\"\nmatch = \"edit\"\n",
    );
    let input = |text: &str| project.write("project/input.json", text);
    input(r#"{"event":"post_tool"}"#);
    let named = ["--config", "hooks.toml", "--input", "input.json"];
    for (args, words) in [
        (&["trap.wasm"][..], "error[E103]: hook `trap` crashed"),
        (&["invalid.wasm"], "error[E105]: hook `invalid` returned an invalid Action"),
        (&["--config", "hooks.toml"], "was not asked: its `match` does not concern the tool of the Input"),
        (&named, "was not asked: it does not hear post_tool, but pre_tool"),
        (&["guard.wasm", "--input", "none.json"], "`none.json` cannot be read"),
        (&["guard.wasm", "--input", "hooks.toml"], "E601: `hooks.toml`"),
    ] {
        let ran = bench(&project, args);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
    input(r#"{"event":"pre_tool","tool_name":"edit"}"#);
    assert_eq!(bench(&project, &named).status, 0);
}

#[test]
fn a_measured_call_has_the_deadline_of_a_real_one() {
    let project = Project::new();
    project.write("project/asleep.wasm", sleeper());
    project.write("project/busy.wasm", Guest::running("(loop $l (br $l)) (unreachable)").build());
    for guest in ["asleep", "busy"] {
        let entry =
            format!("[hooks.{guest}]\nevents = [\"pre_tool\"]\ncomponent = \"{guest}.wasm\"\ntimeout = \"100ms\"\n");
        project.write("project/hooks.toml", format!("{entry}[hooks.{guest}.grants]\nclocks = true\n"));
        let started = std::time::Instant::now();
        let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
        command.args(["bench", "--calls", "1", "--config", "hooks.toml"]).current_dir(project.dir());
        let command = command.env("HOME", project.home()).timeout(std::time::Duration::from_secs(60));
        let ran = crate::support::project::run(command);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{guest}: {ran:?}");
        let words = format!("error[E101]: hook `{guest}` did not answer within 100ms");
        assert!(ran.stderr.contains(&words), "{guest}: {}", ran.stderr);
        assert!(started.elapsed() < std::time::Duration::from_secs(30), "{guest}: {:?}", started.elapsed());
    }
}
