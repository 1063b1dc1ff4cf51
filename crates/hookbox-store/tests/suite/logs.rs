//! Tests of what may happen to a store's log, which has the values that are not in the database yet.

use crate::files::filled;
use crate::support::{Temporary, bucket, kind, soon};
use hookbox_store::{ErrorKind, Store};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

#[tokio::test]
async fn a_log_without_its_database_is_no_new_store() {
    let temporary = filled().await;
    bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    let away = temporary.state_dir().join("away");
    fs::rename(temporary.file(), &away).unwrap();
    for store in [&temporary.store, &temporary.reopened()] {
        assert_eq!(kind(bucket(store, "hook").get("counter").await), ErrorKind::Damaged);
    }
    assert!(!temporary.file().exists());
    fs::rename(&away, temporary.file()).unwrap();
    for store in [&temporary.store, &temporary.reopened()] {
        assert_eq!(bucket(store, "hook").get("counter").await.unwrap(), Some(b"2".to_vec()));
    }
}

#[tokio::test]
async fn a_cut_log_leaves_an_earlier_state_or_an_error() {
    let temporary = filled().await;
    for _ in 0..50 {
        bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    }
    let original = fs::read(temporary.file()).unwrap();
    let log = fs::read(temporary.state_dir().join("state.db-wal")).unwrap();
    let mut earlier = 0;
    for part in 0..=16 {
        let copy = Temporary::new();
        bucket(&copy.store, "other").get("x").await.unwrap();
        drop(copy.reopened());
        let fresh = tempfile::tempdir().unwrap();
        let dir = fresh.path();
        fs::set_permissions(dir, Permissions::from_mode(0o700)).unwrap();
        for (name, bytes) in [("state.db", &original[..]), ("state.db-wal", &log[..log.len() * part / 16])] {
            fs::write(dir.join(name), bytes).unwrap();
            fs::set_permissions(dir.join(name), Permissions::from_mode(0o600)).unwrap();
        }
        let store = Store::local(dir).unwrap();
        let value = bucket(&store, "hook").increment("counter", 0).await.unwrap();
        assert!(value >= 1.max(earlier) && value <= 51, "{value}");
        earlier = value;
    }
    assert_eq!(earlier, 51);
}

/// Creates a store whose values are only in the log, as a killed process leaves it.
async fn logged() -> Temporary {
    let temporary = Temporary::new();
    for _ in 0..5 {
        bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    }
    Temporary { store: temporary.reopened(), ..temporary }
}

#[tokio::test]
async fn a_log_that_is_gone_is_no_empty_store() {
    let temporary = logged().await;
    let (log, away) = (temporary.state_dir().join("state.db-wal"), temporary.state_dir().join("away"));
    assert_eq!(bucket(&temporary.store, "hook").get("counter").await.unwrap(), Some(b"5".to_vec()));
    fs::rename(&log, &away).unwrap();
    for store in [&temporary.store, &temporary.reopened()] {
        assert_eq!(kind(bucket(store, "hook").get("counter").await), ErrorKind::Damaged);
        assert_eq!(kind(bucket(store, "hook").increment("counter", 1).await), ErrorKind::Damaged);
        assert_eq!(kind(store.usage(soon()).await), ErrorKind::Damaged);
    }
    fs::rename(&away, &log).unwrap();
    assert_eq!(bucket(&temporary.reopened(), "hook").get("counter").await.unwrap(), Some(b"5".to_vec()));
}

#[tokio::test]
async fn a_damaged_log_is_no_empty_store() {
    let temporary = logged().await;
    drop(temporary.reopened());
    let log = fs::read(temporary.state_dir().join("state.db-wal")).unwrap();
    let database = fs::read(temporary.file()).unwrap();
    assert!(log.len() > 2 * 4120);
    let open = |log: &[u8]| {
        let fresh = tempfile::tempdir().unwrap();
        fs::set_permissions(fresh.path(), Permissions::from_mode(0o700)).unwrap();
        for (name, bytes) in [("state.db", &database[..]), ("state.db-wal", log)] {
            fs::write(fresh.path().join(name), bytes).unwrap();
            fs::set_permissions(fresh.path().join(name), Permissions::from_mode(0o600)).unwrap();
        }
        (Store::local(fresh.path()).unwrap(), fresh)
    };
    let (store, _dir) = open(&log);
    assert_eq!(bucket(&store, "hook").get("counter").await.unwrap(), Some(b"5".to_vec()));
    let whole = [("noise", vec![0xa5; log.len()]), ("zeros", vec![0; log.len()])];
    let places = (0..32)
        .step_by(3)
        .chain((32..log.len()).step_by(4120).flat_map(|frame| [frame, frame + 5, frame + 17, frame + 999]));
    let flipped = places.map(|place| {
        let mut bytes = log.clone();
        bytes[place] ^= 0x10;
        ("a flipped bit", bytes)
    });
    for (what, bytes) in whole.into_iter().chain(flipped) {
        let (store, _dir) = open(&bytes);
        assert_eq!(kind(bucket(&store, "hook").get("counter").await), ErrorKind::Damaged, "{what}");
    }
}

#[tokio::test]
async fn a_tidied_store_needs_no_log() {
    let temporary = logged().await;
    bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    temporary.store.tidy(soon()).await.unwrap();
    drop(temporary.reopened());
    for name in ["state.db-wal", "state.db-shm"] {
        fs::remove_file(temporary.state_dir().join(name)).unwrap();
    }
    assert_eq!(bucket(&temporary.reopened(), "hook").get("counter").await.unwrap(), Some(b"6".to_vec()));
}
