//! An entry of the cache. Whatever is found there, it counts only if it is byte for byte what was written with the user's
//! key, and nothing else in it is believed.

use hookbox::runtime::component::{Cache, Compiler, Digest, Grants, Limits, Sandbox};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

/// A component as far as the cache looks at it.
const WASM: &[u8] = b"\0asm\x0d\0\x01\0";

/// A cache with one entry: that the component cannot be compiled, which takes no compiler to find out.
struct Fixture {
    dir: TempDir,
    engine: Sandbox,
    entry: Vec<u8>,
    /// What is said of the component as long as the entry counts.
    remembered: String,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let dir = TempDir::new().unwrap();
    let engine = Sandbox::for_one_call(Compiler::none()).unwrap();
    let script = dir.path().join("compiler");
    std::fs::write(&script, "#!/bin/sh\ncat >/dev/null\nexit 1\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o700)).unwrap();
    let failing = Sandbox::for_one_call(Compiler::program(script)).unwrap().cached_in(Arc::new(cache(&dir)));
    assert!(prepare(&failing).contains("crashed"));
    let entry = std::fs::read(entry_path(&dir)).unwrap();
    let remembered = prepare(&engine.clone().cached_in(Arc::new(cache(&dir))));
    assert!(remembered.contains("0 min ago"), "{remembered}");
    Fixture { dir, engine, entry, remembered }
});

fn cache(dir: &TempDir) -> Cache {
    Cache::new(&dir.path().join("cache"), dir.path().join("state"))
}

fn entry_path(dir: &TempDir) -> PathBuf {
    cache(dir).path().join(Digest::of(WASM).to_string())
}

/// What is said of the component.
fn prepare(sandbox: &Sandbox) -> String {
    sandbox.prepare(WASM, None, Grants::default(), Limits::default()).err().unwrap().message
}

pub fn holds(bytes: &[u8]) {
    believes_only_what_was_written(bytes.to_vec());
    believes_only_what_was_written(changed(&FIXTURE.entry, bytes));
}

/// The entry with changes at the places that the bytes name, and cut off or longer.
fn changed(entry: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut entry = entry.to_vec();
    let mut changes = bytes.chunks_exact(3);
    for change in &mut changes {
        let place = usize::from(change[0]) | usize::from(change[1]) << 8;
        match entry.len() {
            0 => entry.push(change[2]),
            length if place < length => entry[place] ^= change[2],
            length if place % 2 == 0 => entry.truncate(place % length),
            _ => entry.push(change[2]),
        }
    }
    entry
}

fn believes_only_what_was_written(entry: Vec<u8>) {
    let Fixture { dir, engine, entry: original, remembered } = &*FIXTURE;
    std::fs::write(entry_path(dir), &entry).unwrap();
    let cache = Arc::new(cache(dir));
    let said = prepare(&engine.clone().cached_in(Arc::clone(&cache)));
    if entry == *original {
        // Minutes may have passed.
        let stable = |text: &str| text.split(" min ago").next().unwrap().trim_end_matches(char::is_numeric).to_owned();
        assert_eq!(stable(&said), stable(remembered));
        assert_eq!(cache.fault(), None);
    } else {
        assert_eq!(said, "was not compiled: this program has no compiler");
        assert!(cache.fault().is_some());
    }
}
