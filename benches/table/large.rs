//! Compares a hook that gets the largest Input with the same work in this process.

use crate::ask::{Asker, hook, rule};
use crate::row::{Goal, Unit, in_turns, print};
use crate::rule_in_process;
use hookbox::runtime::component::Sandbox;
use hookbox::{Input, MAX_INPUT_BYTES};
use std::hint::black_box;
use std::time::Instant;

pub(crate) const NAME: &str = "Input of 1 MiB / the same rule in process";

pub(crate) fn row(sandbox: &Sandbox) {
    let input = input();
    let rule = Asker::of([hook(sandbox, &rule())]).allowing(&input);
    let in_process = judge(&Input::from_slice(input.as_bytes()).unwrap().to_hook_json(None)).unwrap();
    assert!(in_process.contains("allow"), "{in_process}");
    let mut right = || {
        let started = Instant::now();
        black_box(judge(std::str::from_utf8(black_box(input.as_bytes())).unwrap()).unwrap());
        started.elapsed().as_nanos() as f64
    };
    print(NAME, Unit::Nanoseconds, in_turns(100, [&mut || rule.calls(&input, 1), &mut right]), Goal::AtMost(3.0));
}

/// Judges an Input from text to text, like the component.
fn judge(input: &str) -> Result<String, String> {
    hookbox_sdk::answer(rule_in_process::judge, input)
}

/// Makes an Input with a command of many lines. It leaves room in the limit for what the engine adds.
fn input() -> String {
    const LINE: &str = r"printf '%s' 'one line of a file that is written by a command' >> notes.txt\n";
    let room = MAX_INPUT_BYTES - 1024;
    let lines = LINE.repeat(room / LINE.len());
    format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"{lines}"}}}}"#)
}
