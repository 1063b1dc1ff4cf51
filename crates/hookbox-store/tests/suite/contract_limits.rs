//! The part of the contract about quotas, expiry and deadlines, and about what the operator sees.

use crate::support::{all_keys, bucket, kind, limited, namespace, soon};
use hookbox_store::{ENTRY_OVERHEAD, ErrorKind, Limits, Store};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const HOUR: Option<Duration> = Some(Duration::from_secs(3600));

/// Returns how much an entry with this key and a value of this size counts.
fn cost(key: &str, value: usize) -> u64 {
    (key.len() + value) as u64 + ENTRY_OVERHEAD
}

pub async fn the_quota_holds(store: &Store) {
    let bucket = limited(store, "hook", Limits::default().with_quota(cost("a", 1000)));
    bucket.set("a", &[1; 1000]).await.unwrap();
    assert_eq!(kind(bucket.set("a", &[2; 1001]).await), ErrorKind::Full);
    assert_eq!(kind(bucket.set("b", b"").await), ErrorKind::Full);
    assert_eq!(kind(bucket.increment("b", 1).await), ErrorKind::Full);
    let absent = bucket.read("b").await.unwrap();
    assert_eq!(kind(bucket.swap("b", &absent.version, b"").await), ErrorKind::Full);
    assert_eq!(bucket.get("a").await.unwrap(), Some(vec![1; 1000]));
    bucket.set("a", &[3; 10]).await.unwrap();
    bucket.set("b", &[4; 10]).await.unwrap();
    bucket.delete("a").await.unwrap();
    bucket.delete("b").await.unwrap();
    bucket.set("c", &[5; 1000]).await.unwrap();
    // Another hook has its own quota.
    assert_eq!(crate::support::bucket(store, "other").increment("b", 1).await.unwrap(), 1);
}

pub async fn a_lowered_quota_still_lets_go(store: &Store) {
    let wide = bucket(store, "hook");
    for key in ["a", "b", "c"] {
        wide.set(key, &[1; 1000]).await.unwrap();
    }
    let narrow = limited(store, "hook", Limits::default().with_quota(500).with_max_keys(1));
    assert_eq!(kind(narrow.set("d", b"").await), ErrorKind::Full);
    narrow.set("a", &[1; 900]).await.unwrap();
    assert_eq!(kind(narrow.set("a", &[1; 901]).await), ErrorKind::Full);
    assert_eq!(narrow.delete_many(&["a", "b", "c"]).await.unwrap(), 3);
    narrow.set("d", &[1; 400]).await.unwrap();
    wide.set("e", &[1; 1000]).await.unwrap();
}

pub async fn keys_are_counted(store: &Store) {
    let bucket = limited(store, "hook", Limits::default().with_max_keys(3));
    for key in ["a", "b", "c"] {
        bucket.set(key, b"").await.unwrap();
    }
    assert_eq!(kind(bucket.set("d", b"").await), ErrorKind::Full);
    bucket.set("c", b"more").await.unwrap();
    bucket.delete("a").await.unwrap();
    bucket.increment("d", 1).await.unwrap();
}

pub async fn tasks_race_for_the_quota(store: &Store) {
    let fitting = 10;
    let limits = Limits::default().with_quota(fitting * cost("00", 500));
    let tasks: Vec<_> = (0..64)
        .map(|task| {
            let bucket = limited(store, "hook", limits);
            tokio::spawn(async move { bucket.set(&format!("{task:02}"), &[1; 500]).await })
        })
        .collect();
    let mut stored = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(()) => stored += 1,
            Err(error) => assert_eq!(error.kind(), ErrorKind::Full, "{error}"),
        }
    }
    assert_eq!(stored, fitting);
    assert_eq!(all_keys(&limited(store, "hook", limits)).await.len() as u64, fitting);
}

pub async fn tasks_share_a_counter(store: &Store) {
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let bucket = bucket(store, "hook");
            tokio::spawn(async move {
                let mut seen = Vec::new();
                for _ in 0..50 {
                    seen.push(bucket.increment("counter", 1).await.unwrap());
                }
                seen
            })
        })
        .collect();
    let mut seen = BTreeSet::new();
    for task in tasks {
        seen.extend(task.await.unwrap());
    }
    assert!(seen.into_iter().eq(1..=800));
}

pub async fn entries_expire(store: &Store) {
    let brief = limited(store, "hook", Limits::default().with_ttl(Some(Duration::from_millis(30))));
    let lasting = bucket(store, "hook");
    brief.set_many(&[("a", "1"), ("counter", "5")]).await.unwrap();
    lasting.set("kept", b"1").await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert_eq!(lasting.get("a").await.unwrap(), None);
    assert!(!lasting.exists("a").await.unwrap());
    assert!(!lasting.delete("a").await.unwrap());
    assert_eq!(lasting.increment("counter", 1).await.unwrap(), 1, "a new counter");
    assert_eq!(all_keys(&lasting).await, ["counter", "kept"]);
    brief.set("b", b"").await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert_eq!(all_keys(&lasting).await, ["counter", "kept"], "the list drops them by itself");
    assert_eq!(lasting.get_many(&["b", "kept"]).await.unwrap(), [None, Some(b"1".to_vec())]);
    store.tidy(soon()).await.unwrap();
    assert_eq!(all_keys(&lasting).await, ["counter", "kept"]);
}

pub async fn the_dead_make_room(store: &Store) {
    let quota = Limits::default().with_quota(4 * cost("a", 100));
    // Without this entry, all entries of the namespace would be dead.
    limited(store, "hook", quota).set("k", &[0; 100]).await.unwrap();
    let bucket = limited(store, "hook", quota.with_ttl(Some(Duration::from_millis(30))));
    bucket.set_many(&[("a", [0; 100]), ("b", [0; 100]), ("c", [0; 100])]).await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    bucket.set("d", &[0; 300]).await.unwrap();
    assert_eq!(kind(bucket.set("e", &[0; 3000]).await), ErrorKind::Full);
    assert_eq!(bucket.get("k").await.unwrap(), Some(vec![0; 100]));
    // Dead entries do not count as keys either.
    let bucket = limited(store, "other", Limits::default().with_max_keys(2).with_ttl(Some(Duration::from_millis(30))));
    limited(store, "other", Limits::default()).set("k", b"").await.unwrap();
    bucket.set("a", b"").await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert_eq!(bucket.increment("b", 1).await.unwrap(), 1);
}

pub async fn expiry_has_no_extremes(store: &Store) {
    let at_once = limited(store, "hook", Limits::default().with_ttl(Some(Duration::ZERO)));
    at_once.set("zero", b"1").await.unwrap();
    assert_eq!(at_once.get("zero").await.unwrap(), None);
    assert_eq!(at_once.increment("zero", 1).await.unwrap(), 1);
    assert_eq!(at_once.increment("zero", 1).await.unwrap(), 1);
    for (key, ttl) in [("century", Duration::from_secs(3_155_760_000)), ("ever", Duration::MAX)] {
        let bucket = limited(store, "hook", Limits::default().with_ttl(Some(ttl)));
        bucket.set(key, b"1").await.unwrap();
        assert_eq!(bucket.increment(key, 1).await.unwrap(), 2);
    }
    assert_eq!(store.entries(&namespace("hook"), soon()).await.unwrap().len(), 2);
}

pub async fn a_life_is_not_prolonged(store: &Store) {
    let hour = limited(store, "hook", Limits::default().with_ttl(HOUR));
    hour.increment("counter", 1).await.unwrap();
    let expiry = || async { store.entries(&namespace("hook"), soon()).await.unwrap()[0].expiry };
    let first = expiry().await.unwrap();
    tokio::time::sleep(Duration::from_millis(5)).await;
    hour.increment("counter", 1).await.unwrap();
    bucket(store, "hook").increment("counter", 1).await.unwrap();
    let read = hour.read("counter").await.unwrap();
    hour.swap("counter", &read.version, b"7").await.unwrap();
    assert_eq!(expiry().await, Some(first));
    hour.set("counter", b"8").await.unwrap();
    assert!(expiry().await.unwrap() > first);
    bucket(store, "hook").set("counter", b"9").await.unwrap();
    assert_eq!(expiry().await, None);
}

pub async fn a_passed_deadline_does_nothing(store: &Store) {
    let late = store.bucket(&namespace("hook"), Limits::default(), Instant::now());
    assert_eq!(kind(late.get("key").await), ErrorKind::Deadline);
    assert_eq!(kind(late.increment("key", 1).await), ErrorKind::Deadline);
    assert_eq!(kind(late.set("key", b"1").await), ErrorKind::Deadline);
    assert_eq!(kind(late.list_keys(None).await), ErrorKind::Deadline);
    assert_eq!(bucket(store, "hook").get("key").await.unwrap(), None);
}

pub async fn the_operator_sees_and_clears(store: &Store) {
    assert!(store.usage(soon()).await.unwrap().is_empty());
    let (one, two) = (limited(store, "one", Limits::default().with_ttl(HOUR)), bucket(store, "two"));
    one.set("b", &[1; 10]).await.unwrap();
    one.increment("a", 7).await.unwrap();
    two.set("c", b"x").await.unwrap();
    bucket(store, "empty").delete("nothing").await.unwrap();
    let brief = limited(store, "brief", Limits::default().with_ttl(Some(Duration::ZERO)));
    brief.set("gone", b"1").await.unwrap();
    let usage = store.usage(soon()).await.unwrap();
    let seen: Vec<_> = usage
        .iter()
        .map(|usage| (usage.namespace.hook(), usage.keys, usage.bytes, usage.quota, usage.first_expiry.is_some()))
        .collect();
    let bytes = cost("b", 10) + cost("a", 1);
    assert_eq!(seen, [("one", 2, bytes, 1 << 20, true), ("two", 1, cost("c", 1), 1 << 20, false)]);
    let entries = store.entries(&namespace("one"), soon()).await.unwrap();
    let seen: Vec<_> = entries.iter().map(|entry| (entry.key.as_str(), entry.value.as_slice())).collect();
    assert_eq!(seen, [("a", b"7".as_slice()), ("b", &[1; 10])]);
    assert!(entries.iter().all(|entry| entry.expiry.is_some()));
    assert!(store.entries(&namespace("none"), soon()).await.unwrap().is_empty());
    assert_eq!(store.clear(&namespace("one"), soon()).await.unwrap(), 2);
    assert_eq!(store.clear(&namespace("one"), soon()).await.unwrap(), 0);
    assert!(all_keys(&one).await.is_empty());
    assert_eq!(all_keys(&two).await, ["c"]);
    assert_eq!(one.increment("a", 1).await.unwrap(), 1);
}
