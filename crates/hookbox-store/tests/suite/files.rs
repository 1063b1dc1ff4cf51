//! Tests of what may happen to the files. Each fault is an error that changes nothing, and the store works again
//! afterwards.

use crate::support::{Temporary, bucket, kind, limited, skip, soon};
use hookbox_store::{ErrorKind, Limits, Store};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

/// Creates a store with a counter at 1, which is in the database itself and not in the log.
pub async fn filled() -> Temporary {
    let temporary = Temporary::new();
    bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    drop_log(&temporary.file());
    Temporary { store: temporary.reopened(), ..temporary }
}

fn drop_log(file: &Path) {
    let connection = Connection::open(file).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).unwrap();
}

/// Replaces the database with something else, and expects an error that leaves it alone. Then restores the database.
async fn refused(temporary: &Temporary, replace: impl FnOnce(&Path)) -> ErrorKind {
    let file = temporary.file();
    let away = temporary.state_dir().join("away");
    fs::rename(&file, &away).unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", file.display()));
    }
    replace(&file);
    let facts = |path: &Path| {
        let meta = fs::symlink_metadata(path).unwrap();
        (meta.ino(), meta.mode(), meta.len(), meta.is_file().then(|| fs::read(path).unwrap()))
    };
    let before = facts(&file);
    let kinds = [&temporary.store, &temporary.reopened()].map(|store| bucket(store, "hook"));
    let mut found = None;
    for bucket in kinds {
        let read = kind(bucket.get("counter").await);
        assert_eq!(kind(bucket.increment("counter", 1).await), read);
        assert_eq!(kind(bucket.list_keys(None).await), read);
        assert_eq!(*found.get_or_insert(read), read);
    }
    assert_eq!(facts(&file), before);
    if file.is_dir() { fs::remove_dir(&file) } else { fs::remove_file(&file) }.unwrap();
    fs::rename(&away, &file).unwrap();
    for store in [&temporary.store, &temporary.reopened()] {
        assert_eq!(bucket(store, "hook").get("counter").await.unwrap(), Some(b"1".to_vec()));
    }
    found.unwrap()
}

#[tokio::test]
async fn what_killed_processes_left_behind_is_removed() {
    let temporary = Temporary::new();
    fs::create_dir(temporary.state_dir()).unwrap();
    fs::set_permissions(temporary.state_dir(), Permissions::from_mode(0o700)).unwrap();
    let put = |name: &str, hours: u64| {
        let path = temporary.state_dir().join(name);
        let file = fs::File::create(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
        path
    };
    let unfinished = "state.db.0123456789abcdef.tmp";
    let old = ["", "-wal", "-shm", "-journal"].map(|suffix| put(&format!("{unfinished}{suffix}"), 2));
    let names =
        ["state.db.fedcba9876543210.tmp", "state.db.backup.tmp", "state.db.0123456789abcdef.tmp.gz", "notes.tmp"];
    let kept = [put(names[0], 0), put(names[1], 2), put(names[2], 2), put(names[3], 2)];
    bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    assert!(old.iter().all(|path| !path.exists()), "another process may still fill a new one");
    assert!(kept.iter().all(|path| path.exists()));
    assert_eq!(bucket(&temporary.reopened(), "hook").get("counter").await.unwrap(), Some(b"1".to_vec()));
}

#[tokio::test]
async fn what_is_no_database_of_ours_is_refused_and_kept() {
    let temporary = filled().await;
    let private = |path: &Path, bytes: &[u8]| {
        fs::write(path, bytes).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
    };
    let away = |path: &Path| path.with_file_name("away");
    let damaged = ErrorKind::Damaged;
    assert_eq!(refused(&temporary, |path| private(path, b"")).await, damaged, "empty");
    assert_eq!(refused(&temporary, |path| private(path, b"some text\n")).await, damaged, "text");
    assert_eq!(refused(&temporary, |path| private(path, &[0; 100_000])).await, damaged, "zeros");
    assert_eq!(refused(&temporary, |path| symlink(away(path), path).unwrap()).await, damaged, "symlink");
    assert_eq!(refused(&temporary, |path| fs::create_dir(path).unwrap()).await, damaged, "directory");
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    assert_eq!(refused(&temporary, pipe).await, damaged, "pipe");
    let foreign = |path: &Path| {
        private(path, b"");
        Connection::open(path).unwrap().execute_batch("CREATE TABLE entry(a); PRAGMA user_version = 1").unwrap();
    };
    assert_eq!(refused(&temporary, foreign).await, damaged, "foreign");
    let truncated = |path: &Path| {
        let bytes = fs::read(away(path)).unwrap();
        private(path, &bytes[..bytes.len() / 2]);
    };
    assert_eq!(refused(&temporary, truncated).await, damaged, "cut");
}

/// Replaces the database with a copy that was changed by SQL, and returns the error.
async fn refused_after(sql: &str) -> ErrorKind {
    let temporary = filled().await;
    refused(&temporary, |path| {
        fs::copy(path.with_file_name("away"), path).unwrap();
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(sql).unwrap();
        connection.query_row("PRAGMA journal_mode=DELETE", [], |_| Ok(())).unwrap();
    })
    .await
}

#[tokio::test]
async fn planted_objects_and_other_layouts_are_refused() {
    for sql in [
        "CREATE TRIGGER planted AFTER UPDATE ON entry BEGIN DELETE FROM namespace; END",
        "CREATE TEMP TABLE x(a); CREATE VIEW planted AS SELECT * FROM entry",
        "CREATE TABLE zzz(a)",
        "CREATE INDEX planted ON entry(value)",
        "DROP TRIGGER namespace_full",
        "DROP TRIGGER entry_update; CREATE TRIGGER entry_update AFTER DELETE ON entry BEGIN SELECT 1; END",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 2",
    ] {
        assert_eq!(refused_after(sql).await, ErrorKind::Damaged, "{sql}");
    }
}

#[tokio::test]
async fn files_that_others_could_use_are_refused() {
    let temporary = filled().await;
    let file = temporary.file();
    let get = |store: &Store| {
        let bucket = bucket(store, "hook");
        async move { bucket.get("counter").await }
    };
    get(&temporary.store).await.unwrap();
    let dir = temporary.state_dir();
    for path in [&file, &dir] {
        let mode = fs::metadata(path).unwrap().mode();
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(kind(get(&temporary.reopened()).await), ErrorKind::Denied, "{}", path.display());
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    for suffix in ["-wal", "-shm", "-journal"] {
        let beside = format!("{}{suffix}", file.display());
        let saved = fs::read(&beside).ok();
        let _ = fs::remove_file(&beside);
        symlink("/dev/null", &beside).unwrap();
        assert_eq!(kind(get(&temporary.reopened()).await), ErrorKind::Damaged, "{suffix}");
        fs::remove_file(&beside).unwrap();
        if let Some(saved) = saved {
            fs::write(&beside, saved).unwrap();
            fs::set_permissions(&beside, Permissions::from_mode(0o600)).unwrap();
        }
    }
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&file, Some(12345), None).unwrap();
        assert_eq!(kind(get(&temporary.reopened()).await), ErrorKind::Denied);
        std::os::unix::fs::chown(&file, Some(0), None).unwrap();
    } else {
        skip("it needs root, to give files away");
    }
    get(&temporary.reopened()).await.unwrap();
}

#[tokio::test]
async fn the_files_are_for_the_user_alone() {
    let temporary = filled().await;
    bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap();
    assert_eq!(fs::metadata(temporary.state_dir()).unwrap().mode() & 0o777, 0o700);
    let mut names = Vec::new();
    for entry in fs::read_dir(temporary.state_dir()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().mode() & 0o777, 0o600, "{:?}", entry.file_name());
        names.push(entry.file_name().into_string().unwrap());
    }
    names.sort();
    assert_eq!(names, ["state.db", "state.db-shm", "state.db-wal"]);
}

#[tokio::test]
async fn the_directory_is_one_of_the_users() {
    let temporary = filled().await;
    let link = temporary.dir.path().join("link");
    symlink(temporary.state_dir(), &link).unwrap();
    let file = temporary.dir.path().join("file");
    fs::write(&file, b"").unwrap();
    for wrong in [&link, &file] {
        let store = Store::local(wrong).unwrap();
        assert_eq!(kind(bucket(&store, "hook").get("counter").await), ErrorKind::Denied);
    }
    // A link above the directory is the user's own choice.
    let store = Store::local(&link.join("../link/deeper/state")).unwrap();
    bucket(&store, "hook").increment("counter", 1).await.unwrap();
    assert!(temporary.state_dir().join("deeper/state/state.db").exists());
}

#[tokio::test]
async fn a_store_that_was_removed_or_replaced_is_seen_as_it_is() {
    let temporary = filled().await;
    let other = filled().await;
    assert_eq!(bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap(), 2);
    drop_log(&temporary.file());
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
        let _ = fs::remove_file(temporary.state_dir().join(name));
    }
    assert_eq!(bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap(), 1, "as a new process sees it");
    for name in ["state.db-wal", "state.db-shm"] {
        let _ = fs::remove_file(temporary.state_dir().join(name));
    }
    fs::rename(other.file(), temporary.file()).unwrap();
    assert_eq!(bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap(), 2);
}

#[tokio::test]
async fn flipped_bits_are_no_empty_store() {
    let temporary = Temporary::new();
    let keys: Vec<String> = (0..200).map(|number| format!("key-{number:03}")).collect();
    let entries: Vec<_> = keys.iter().map(|key| (key, [7; 100])).collect();
    bucket(&temporary.store, "hook").set_many(&entries).await.unwrap();
    drop_log(&temporary.file());
    let original = fs::read(temporary.file()).unwrap();
    // These are places in the header of the file and of each page.
    let places =
        (0..100).step_by(4).chain((0..original.len()).step_by(4096).flat_map(|page| [page, page + 3, page + 5]));
    let mut refused = 0;
    for place in places {
        let mut bytes = original.clone();
        bytes[place] ^= 0x55;
        let fresh = tempfile::tempdir().unwrap();
        fs::set_permissions(fresh.path(), Permissions::from_mode(0o700)).unwrap();
        fs::write(fresh.path().join("state.db"), bytes).unwrap();
        fs::set_permissions(fresh.path().join("state.db"), Permissions::from_mode(0o600)).unwrap();
        let store = Store::local(fresh.path()).unwrap();
        let found = match bucket(&store, "hook").get_many(&keys).await {
            Ok(values) => values.iter().flatten().filter(|value| **value == [7; 100]).count(),
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        // SQLite has no checksums, so a page may lose some entries unnoticed, but not all of them.
        assert!(found >= 100, "{place}: {found}");
    }
    assert!(refused > 10, "{refused}");
}

#[tokio::test]
async fn a_lock_that_is_held_for_ever_is_an_error() {
    let temporary = filled().await;
    let holder = Connection::open(temporary.file()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writer = bucket(&temporary.store, "hook");
    assert_eq!(kind(writer.increment("counter", 1).await), ErrorKind::Busy);
    assert_eq!(writer.get("counter").await.unwrap(), Some(b"1".to_vec()), "readers do not wait");
    let namespace = crate::support::namespace("hook");
    let brief = temporary.store.bucket(&namespace, Limits::default(), Instant::now() + Duration::from_millis(100));
    assert_eq!(kind(brief.increment("counter", 1).await), ErrorKind::Deadline);
    // All calls that wait at the same time give up at the same time.
    let waiting: Vec<_> = (0..16)
        .map(|_| {
            let bucket = bucket(&temporary.store, "hook");
            tokio::spawn(async move { kind(bucket.increment("counter", 1).await) })
        })
        .collect();
    for task in waiting {
        assert_eq!(task.await.unwrap(), ErrorKind::Busy);
    }
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(writer.increment("counter", 1).await.unwrap(), 2);
}

#[tokio::test]
async fn work_that_is_cut_off_by_the_deadline_is_undone() {
    let temporary = Temporary::new();
    let all = limited(&temporary.store, "hook", Limits::default().with_quota(1 << 30).with_max_batch(10_000));
    let entries: Vec<_> = (0..10_000).map(|number| (number.to_string(), [7; 100])).collect();
    let (mut late, mut undone) = (0, 0);
    for _ in 0..10 {
        all.set_many(&entries).await.unwrap();
        let deadline = Instant::now() + Duration::from_millis(5);
        let cleared = temporary.store.clear(&crate::support::namespace("hook"), deadline).await;
        let kept = temporary.store.usage(soon()).await.unwrap().first().map_or(0, |usage| usage.keys);
        match cleared {
            Ok(cleared) => assert_eq!((cleared, kept), (10_000, 0)),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Deadline, "{error}");
                assert!(kept == 0 || kept == 10_000, "{kept}");
                late += 1;
                undone += u32::from(kept > 0);
            }
        }
    }
    // A call may also be done just when the deadline passes, but not every time.
    assert!(late == 0 || undone > 0, "{late} were late, and went on to their end");
}

#[tokio::test]
async fn an_abandoned_call_does_no_harm() {
    let temporary = filled().await;
    for round in 0..20 {
        let writer = bucket(&temporary.store, "hook");
        let call = tokio::spawn(async move { writer.increment("counter", 1).await });
        if round % 2 == 0 {
            tokio::task::yield_now().await;
        }
        call.abort();
    }
    let value = bucket(&temporary.store, "hook").increment("counter", 0).await.unwrap();
    assert!((1..=21).contains(&value));
}

#[tokio::test]
async fn a_directory_that_cannot_be_written_is_an_error() {
    if rustix::process::geteuid().is_root() {
        skip("it needs to be another user than root, who may write everywhere");
        return;
    }
    let temporary = Temporary::new();
    fs::create_dir(temporary.state_dir()).unwrap();
    fs::set_permissions(temporary.state_dir(), Permissions::from_mode(0o500)).unwrap();
    let limits = Limits::default();
    assert_eq!(kind(limited(&temporary.store, "hook", limits).increment("counter", 1).await), ErrorKind::Denied);
    fs::set_permissions(temporary.state_dir(), Permissions::from_mode(0o700)).unwrap();
    assert_eq!(limited(&temporary.store, "hook", limits).increment("counter", 1).await.unwrap(), 1);
    assert_eq!(temporary.store.usage(soon()).await.unwrap().len(), 1);
}
