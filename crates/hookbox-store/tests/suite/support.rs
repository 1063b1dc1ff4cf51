//! Helpers of the tests.

use hookbox_store::{Bucket, ErrorKind, Layer, Limits, Namespace, Scope, Store};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A store in a directory that ends with the test.
pub struct Temporary {
    pub store: Store,
    pub dir: TempDir,
}

impl Temporary {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::local(&dir.path().join("state")).unwrap();
        Temporary { store, dir }
    }

    pub fn state_dir(&self) -> PathBuf {
        self.dir.path().join("state")
    }

    pub fn file(&self) -> PathBuf {
        self.state_dir().join("state.db")
    }

    /// Returns the store as another process would see it, without a connection yet.
    pub fn reopened(&self) -> Store {
        Store::local(&self.state_dir()).unwrap()
    }
}

pub fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

pub fn namespace(hook: &str) -> Namespace {
    Namespace::new(Layer::user(), hook, Scope::User).unwrap()
}

pub fn bucket(store: &Store, hook: &str) -> Bucket {
    limited(store, hook, Limits::default())
}

pub fn limited(store: &Store, hook: &str, limits: Limits) -> Bucket {
    store.bucket(&namespace(hook), limits, soon())
}

/// Returns the kind of the expected error. Also checks that the hook learns nothing about the machine.
#[track_caller]
pub fn kind<T: std::fmt::Debug>(result: Result<T, hookbox_store::Error>) -> ErrorKind {
    let error = result.unwrap_err();
    let guest = error.for_guest();
    assert!(!guest.is_empty() && !guest.contains('/') && !guest.contains("state.db"), "{guest}");
    error.kind()
}

/// Lists all keys, page by page.
pub async fn all_keys(bucket: &Bucket) -> Vec<String> {
    let (mut keys, mut cursor) = (Vec::new(), None);
    loop {
        let page = bucket.list_keys(cursor.as_deref()).await.unwrap();
        keys.extend(page.keys);
        cursor = page.cursor;
        if cursor.is_none() {
            keys.sort();
            return keys;
        }
    }
}

/// Records that the current test skips something, and why, for `cargo xtask test`.
pub fn skip(why: &str) {
    use std::io::Write;
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    eprintln!("{test} is skipped: {why}");
    if let Some(file) = std::env::var_os("HOOKBOX_SKIPPED_TESTS") {
        // Each line is a single write, since tests run concurrently.
        let mut file = std::fs::File::options().append(true).create(true).open(file).unwrap();
        file.write_all(format!("{test}\t{why}\n").as_bytes()).unwrap();
    }
}
