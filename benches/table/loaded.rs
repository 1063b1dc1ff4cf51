//! Measures the memory of an agent with very many hooks.

use crate::ask::{Asker, INPUT, hook, rule};
use crate::child;
use crate::proc;
use crate::row::{Figure, Goal, Unit, print};
use crate::warm::different;
use hookbox::runtime::component::{ComponentHook, Sandbox};

pub(crate) const NAME: &str = "100 components loaded and called, resident bytes / 50 MB";

const COMPONENTS: usize = 100;

pub(crate) fn row(sandbox: &Sandbox) {
    let dir = tempfile::tempdir().unwrap();
    hooks(&sandbox.clone().cached_in(child::cache(dir.path())));
    let resident = child::figure(&["loaded", dir.path().to_str().unwrap()]);
    print(NAME, Unit::Bytes, [resident, 50e6].map(Figure::exactly), Goal::AtMost(1.0));
}

/// Returns the resident bytes of a process that loads the components from the cache.
pub(crate) fn child(loading: &Sandbox) -> f64 {
    let asker = Asker::of(hooks(loading)).allowing(INPUT);
    let resident = proc::resident_bytes();
    drop(asker);
    resident
}

fn hooks(sandbox: &Sandbox) -> Vec<ComponentHook> {
    (0..COMPONENTS).map(|number| hook(sandbox, &different(rule(), &number.to_string()))).collect()
}
