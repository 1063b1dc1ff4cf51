//! The law for an entry of the cache. Whatever the cache contains, an entry counts only if it is byte for byte what was
//! written with the user's key. Nothing in any other entry is believed.

use hookbox::runtime::component::{Cache, Compiler, Digest, Grants, Limits, Sandbox};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

/// A component that is rejected because of its bytes.
const WASM: &[u8] = b"\0asm\x0d\0\x01\0\xff";

/// A cache with one entry, which says that the component is rejected. No compiler is needed to determine that.
struct Fixture {
    dir: TempDir,
    engine: Sandbox,
    entry: Vec<u8>,
    /// The error that is reported for the component while the entry counts.
    remembered: String,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let dir = TempDir::new().unwrap();
    let engine = Sandbox::for_one_call(Compiler::none()).unwrap();
    let compiling = Sandbox::for_one_call(Compiler::in_process_for_trusted_bytes()).unwrap();
    let refused = prepare(&compiling.cached_in(Arc::new(cache(&dir))));
    assert!(refused.contains("is not a valid component"), "{refused}");
    let entry = std::fs::read(entry_path(&dir)).unwrap();
    let remembered = prepare(&engine.clone().cached_in(Arc::new(cache(&dir))));
    assert_eq!(remembered, refused);
    Fixture { dir, engine, entry, remembered }
});

fn cache(dir: &TempDir) -> Cache {
    Cache::new(&dir.path().join("cache"), dir.path().join("state"))
}

fn entry_path(dir: &TempDir) -> PathBuf {
    cache(dir).path().join(Digest::of(WASM).to_string())
}

/// Returns the error that is reported for the component.
fn prepare(sandbox: &Sandbox) -> String {
    sandbox.prepare(WASM, None, Grants::default(), Limits::default()).err().unwrap().message
}

/// Checks the law for an entry of these bytes, and for a valid entry that these bytes change.
pub fn holds(bytes: &[u8]) {
    believes_only_what_was_written(bytes.to_vec());
    believes_only_what_was_written(changed(&FIXTURE.entry, bytes));
}

/// Modifies the entry at the positions that the bytes name, and truncates or extends it.
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
        assert_eq!(said, *remembered);
        assert_eq!(cache.fault(), None);
    } else {
        assert_eq!(said, "was not compiled: this program has no compiler");
        assert!(cache.fault().is_some());
    }
}
