//! Measures the cost of a store for a hook.

use crate::ask::{Asker, INPUT, PATIENCE, guest, info};
use crate::processes::Prepared;
use crate::row::{Goal, Unit, in_turns, print, print_missing};
use hookbox::Json;
use hookbox::runtime::component::{ComponentHook, Grants, Limits, Sandbox, StoreGrant, StorePlace, StoreScope};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const COUNT: &str = "call that increments a counter / the same without, and 30 µs";
const RUN: &str = "hookbox run, a hook that increments a counter / a hook without a store, and 1.5 ms";

const ROUNDS: usize = 200;
const CALLS: u32 = 50;

/// How much longer a call that increments a counter may take, in nanoseconds.
const INCREMENT: f64 = 30_000.0;
/// How much longer `hookbox run` may take with a hook that increments a counter, in nanoseconds.
const PROCESS: f64 = 1_500_000.0;

/// The component that does what its settings say. `cargo xtask guests` builds it.
pub(crate) const GUEST: &str = "powers.wasm";
const STEPS: &str = r#"{ "do": [["increment", "calls", 1]] }"#;
pub(crate) const NO_STEPS: &str = r#"{ "do": [] }"#;

pub(crate) fn rows(sandbox: &Sandbox, wanted: &dyn Fn(&str) -> bool, hookbox: Option<&Path>) {
    if wanted(COUNT) {
        count(sandbox);
    }
    if wanted(RUN) {
        run(hookbox);
    }
}

fn count(sandbox: &Sandbox) {
    let dir = tempfile::Builder::new().permissions(Permissions::from_mode(0o700)).tempdir().unwrap();
    let asker = |steps: &str| {
        let store = StoreGrant::new(StoreScope::User).at(StorePlace::new(dir.path(), "bench", "hook"));
        asker(sandbox, GUEST, Grants::default().with_store(store), steps)
    };
    let (with, without) = (asker(STEPS), asker(NO_STEPS));
    let answer = |asker: &Asker| asker.ask(INPUT).reason.unwrap();
    assert_eq!((answer(&with), answer(&with), answer(&without)), ("[1]".into(), "[2]".into(), "[]".into()));
    let mut right = || without.calls(INPUT, CALLS) + INCREMENT;
    let figures = in_turns(ROUNDS, [&mut || with.calls(INPUT, CALLS), &mut right]);
    print(COUNT, Unit::Nanoseconds, figures, Goal::AtMost(1.0));
    // Each call was counted.
    let counted: u32 = answer(&with).trim_matches(['[', ']']).parse().unwrap();
    assert!(counted > u32::try_from(ROUNDS).unwrap() * CALLS, "{counted}");
}

/// Returns what asks a component that does what its settings say.
pub(crate) fn asker(sandbox: &Sandbox, file: &str, grants: Grants, settings: &str) -> Asker {
    let prepared = sandbox.prepare(&guest(file), None, grants, Limits::default()).unwrap();
    Asker::of([ComponentHook::new(info(PATIENCE), prepared, Some(Json::parse(settings).unwrap()))])
}

fn run(hookbox: Option<&Path>) {
    let prepared =
        Prepared::new(hookbox, &[GUEST]).and_then(|with| Ok((with, Prepared::new(hookbox, &["rule.wasm"])?)));
    let (with, without) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => return print_missing(RUN, &why),
    };
    let figures = in_turns(ROUNDS, [&mut || with.run(), &mut || without.run() + PROCESS]);
    print(RUN, Unit::Nanoseconds, figures, Goal::AtMost(1.0));
}
