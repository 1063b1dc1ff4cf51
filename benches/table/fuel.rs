//! Measures the work of the example hook in a unit that is the same on every machine, so the cost of a change shows
//! immediately.

use crate::ask::{Asker, PATIENCE, guest, info};
use crate::child;
use crate::row::{Figure, Goal, Unit, print};
use hookbox::runtime::component::{ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Code, Verdict};

pub(crate) const NAME: &str = "fuel of the example hook / recorded";

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/fuel.txt");

const RUNS: usize = 100;

/// More than the hook needs.
const PLENTY: u64 = 1 << 32;

/// The time is fixed; otherwise, every run would have a different Input.
const INPUT: &str = r#"{"event":"pre_tool","session_id":"0d3f5c1e-8a7b-4c39-9f61-2b7a1c0e5d44","pwd":"/home/me/src/project","tool_name":"bash","tool_use_id":"call_7f3a9b","turn":12,"now":"2026-01-01T00:00:00.000Z","tool_input":{"command":"cargo test --workspace --locked -- --nocapture 2>&1 | tail -50","description":"Run the tests","timeout":120000}}"#;

pub(crate) fn row(sandbox: &Sandbox, record: bool) {
    let dir = tempfile::tempdir().unwrap();
    let tank = Tank { sandbox: sandbox.clone().cached_in(child::cache(dir.path())), component: guest(GUEST) };
    let fuel = tank.least();
    let (enough, too_little) = (tank.filled(fuel), tank.filled(fuel - 1));
    let is_same = (0..RUNS).all(|_| suffices(&enough) && !suffices(&too_little));
    assert!(is_same, "the hook does not need {fuel} each time");
    if record {
        std::fs::write(RECORD, format!("{fuel}\n")).unwrap();
    }
    let recorded = std::fs::read_to_string(RECORD).ok().and_then(|text| text.trim().parse().ok());
    let recorded: u64 = recorded.unwrap_or_else(|| panic!("`{RECORD}` has no number: `cargo xtask bench --record`"));
    print(NAME, Unit::Count, [fuel as f64, recorded as f64].map(Figure::exactly), Goal::Exactly(1.0));
}

const GUEST: &str = "no_destructive_commands.wasm";

struct Tank {
    sandbox: Sandbox,
    component: Vec<u8>,
}

impl Tank {
    /// The least fuel with which the hook finishes.
    fn least(&self) -> u64 {
        let (mut too_little, mut enough) = (0, PLENTY);
        while enough - too_little > 1 {
            let middle = too_little + (enough - too_little) / 2;
            if suffices(&self.filled(middle)) {
                enough = middle;
            } else {
                too_little = middle;
            }
        }
        enough
    }

    fn filled(&self, fuel: u64) -> Asker {
        let limits = Limits::default().with_fuel(fuel);
        let prepared = self.sandbox.prepare(&self.component, None, Grants::default(), limits).unwrap();
        Asker::of([ComponentHook::new(info(PATIENCE), prepared, None)])
    }
}

fn suffices(asker: &Asker) -> bool {
    let outcome = asker.ask(INPUT);
    match outcome.hooks.first().and_then(|hook| hook.code) {
        None => {
            assert_eq!(outcome.verdict, Verdict::Allow, "{}", outcome.to_json_line());
            true
        }
        Some(Code::Fuel) => false,
        Some(_) => panic!("{}", outcome.to_json_line()),
    }
}
