//! The contract of every store. Each function is a test of the local store and of the shared store.

use crate::support::{all_keys, bucket, kind, limited};
use hookbox_store::{ErrorKind, Limits, Store, Swapped};
use std::collections::BTreeSet;
use std::time::Duration;

/// Creates a test from each function, with a store from the expression.
macro_rules! contract {
    ($fresh:expr) => {
        $crate::contract::contract!($fresh;
            values_are_set_read_and_deleted, counters_count, what_is_no_number_is_not_incremented,
            counters_do_not_overflow, swaps_replace_what_was_read, one_of_many_swaps_wins, batches_are_whole,
            lists_are_complete, lists_end_while_keys_are_deleted, cursors_belong_to_their_list, keys_are_data,
            sizes_are_limited, the_quota_holds, a_lowered_quota_still_lets_go, keys_are_counted,
            tasks_race_for_the_quota, tasks_share_a_counter, entries_expire, the_dead_make_room,
            expiry_has_no_extremes, a_life_is_not_prolonged, a_passed_deadline_does_nothing,
            the_operator_sees_and_clears,
        );
    };
    ($fresh:expr; $($name:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let Some(fresh) = $fresh else { return };
                $crate::contract::$name(&fresh.store).await;
            }
        )*
    };
}
pub(crate) use contract;

pub use crate::contract_limits::*;

pub async fn values_are_set_read_and_deleted(store: &Store) {
    let bucket = bucket(store, "hook");
    assert_eq!(bucket.get("key").await.unwrap(), None);
    assert!(!bucket.exists("key").await.unwrap());
    assert!(!bucket.delete("key").await.unwrap());
    for value in [b"".as_slice(), b"text", &[0, 255, 10, 13], &vec![7; 64 << 10]] {
        bucket.set("key", value).await.unwrap();
        assert_eq!(bucket.get("key").await.unwrap().as_deref(), Some(value));
        assert!(bucket.exists("key").await.unwrap());
    }
    assert!(bucket.delete("key").await.unwrap());
    assert_eq!(bucket.get("key").await.unwrap(), None);
}

pub async fn counters_count(store: &Store) {
    let bucket = bucket(store, "hook");
    for (by, sum) in [(1, 1), (41, 42), (0, 42), (-50, -8), (8, 0)] {
        assert_eq!(bucket.increment("counter", by).await.unwrap(), sum);
        assert_eq!(bucket.get("counter").await.unwrap(), Some(sum.to_string().into_bytes()));
    }
    // This number is beyond the range of exact doubles.
    let big = (1 << 53) + 1;
    assert_eq!(bucket.increment("counter", big).await.unwrap(), big);
    assert_eq!(bucket.increment("counter", 2).await.unwrap(), big + 2);
    bucket.set("given", b"-9007199254740993").await.unwrap();
    assert_eq!(bucket.increment("given", -1).await.unwrap(), -9_007_199_254_740_994);
}

pub async fn what_is_no_number_is_not_incremented(store: &Store) {
    let bucket = bucket(store, "hook");
    let texts: [&[u8]; 18] = [
        b"",
        b" 1",
        b"1 ",
        b"01",
        b"+1",
        b"1e3",
        b"-0",
        b"--1",
        b"-",
        b"0x1",
        b"1.0",
        b"1\n",
        b"1\0",
        b"nan",
        b"\xff",
        b"9223372036854775808",
        b"-9223372036854775809",
        b"99999999999999999999999999",
    ];
    for text in texts {
        bucket.set("text", text).await.unwrap();
        assert_eq!(kind(bucket.increment("text", 1).await), ErrorKind::NotANumber, "{text:?}");
        assert_eq!(bucket.get("text").await.unwrap().as_deref(), Some(text));
    }
}

pub async fn counters_do_not_overflow(store: &Store) {
    let bucket = bucket(store, "hook");
    for (start, by) in [(i64::MAX, 1), (i64::MIN, -1), (i64::MAX, i64::MAX), (i64::MIN, i64::MIN), (-1, i64::MIN)] {
        bucket.set("counter", start.to_string().as_bytes()).await.unwrap();
        assert_eq!(kind(bucket.increment("counter", by).await), ErrorKind::Overflow, "{start} {by}");
        assert_eq!(bucket.increment("counter", 0).await.unwrap(), start);
    }
    bucket.delete("counter").await.unwrap();
    assert_eq!(bucket.increment("counter", i64::MIN).await.unwrap(), i64::MIN);
    assert_eq!(bucket.increment("counter", i64::MAX).await.unwrap(), -1);
}

pub async fn swaps_replace_what_was_read(store: &Store) {
    let bucket = bucket(store, "hook");
    let absent = bucket.read("key").await.unwrap();
    assert_eq!(absent.value, None);
    assert_eq!(bucket.swap("key", &absent.version, b"one").await.unwrap(), Swapped::Done);
    let Swapped::Changed(now) = bucket.swap("key", &absent.version, b"two").await.unwrap() else { panic!("swapped") };
    assert_eq!(now.value.as_deref(), Some(b"one".as_slice()));
    assert_eq!(bucket.swap("key", &now.version, b"two").await.unwrap(), Swapped::Done);
    assert!(matches!(bucket.swap("key", &now.version, b"two").await.unwrap(), Swapped::Changed(_)), "twice");
    // Writing the same bytes again creates a new version.
    let read = bucket.read("key").await.unwrap();
    bucket.set("key", b"other").await.unwrap();
    bucket.set("key", b"two").await.unwrap();
    assert!(matches!(bucket.swap("key", &read.version, b"x").await.unwrap(), Swapped::Changed(_)), "ABA");
    let read = bucket.read("key").await.unwrap();
    bucket.delete("key").await.unwrap();
    let swapped = bucket.swap("key", &read.version, b"x").await.unwrap();
    assert_eq!(swapped, Swapped::Changed(absent.clone()));
    assert_eq!(bucket.get("key").await.unwrap(), None);
    let short = limited(store, "hook", Limits::default().with_ttl(Some(Duration::from_millis(5))));
    short.set("short", b"lived").await.unwrap();
    let read = short.read("short").await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(short.swap("short", &read.version, b"x").await.unwrap(), Swapped::Changed(absent), "expired");
}

pub async fn one_of_many_swaps_wins(store: &Store) {
    let bucket = bucket(store, "hook");
    bucket.set("key", b"old").await.unwrap();
    let version = bucket.read("key").await.unwrap().version;
    let tasks: Vec<_> = (0..16u8)
        .map(|task| {
            let bucket = bucket.clone();
            tokio::spawn(async move { bucket.swap("key", &version, &[task]).await.unwrap() })
        })
        .collect();
    let mut done = Vec::new();
    for (task, handle) in tasks.into_iter().enumerate() {
        if handle.await.unwrap() == Swapped::Done {
            done.push(task as u8);
        }
    }
    assert_eq!(done.len(), 1);
    assert_eq!(bucket.get("key").await.unwrap(), Some(done));
}

pub async fn batches_are_whole(store: &Store) {
    let bucket = limited(store, "hook", Limits::default().with_quota(2000).with_max_batch(4));
    bucket.set_many(&[("a", "1"), ("b", "2"), ("a", "3")]).await.unwrap();
    let many = bucket.get_many(&["b", "none", "a", "b"]).await.unwrap();
    let many: Vec<_> = many.iter().map(Option::as_deref).collect();
    assert_eq!(many, [Some(b"2".as_slice()), None, Some(b"3"), Some(b"2")]);
    // The last value does not fit.
    let full = bucket.set_many(&[("c", vec![0; 10]), ("b", vec![9]), ("d", vec![0; 3000])]).await;
    assert_eq!(kind(full), ErrorKind::Full);
    assert_eq!(bucket.get_many(&["a", "b", "c"]).await.unwrap(), [Some(b"3".to_vec()), Some(b"2".to_vec()), None]);
    assert_eq!(bucket.delete_many(&["a", "none", "a"]).await.unwrap(), 1);
    assert_eq!(all_keys(&bucket).await, ["b"]);
    let none: [&str; 0] = [];
    assert!(bucket.get_many(&none).await.unwrap().is_empty());
    assert_eq!(bucket.delete_many(&none).await.unwrap(), 0);
    let none: [(&str, &str); 0] = [];
    bucket.set_many(&none).await.unwrap();
    let million = vec!["a"; 1_000_000];
    assert_eq!(kind(bucket.get_many(&million).await), ErrorKind::TooLarge);
    assert_eq!(kind(bucket.delete_many(&million).await), ErrorKind::TooLarge);
    assert_eq!(kind(bucket.set_many(&vec![("a", "b"); 1_000_000]).await), ErrorKind::TooLarge);
    assert_eq!(kind(bucket.set_many(&[("a", "x"), ("", "x")]).await), ErrorKind::Invalid);
    assert_eq!(all_keys(&bucket).await, ["b"]);
}

pub async fn lists_are_complete(store: &Store) {
    let bucket = bucket(store, "hook");
    let empty = bucket.list_keys(None).await.unwrap();
    assert_eq!((empty.keys.len(), empty.cursor), (0, None));
    let keys: BTreeSet<String> = (0..1000).map(|number| format!("key-{number}")).collect();
    for batch in keys.iter().map(|key| (key, "value")).collect::<Vec<_>>().chunks(250) {
        bucket.set_many(batch).await.unwrap();
    }
    let first = bucket.list_keys(None).await.unwrap();
    assert!(first.keys.len() < 1000 && first.cursor.is_some());
    assert!(all_keys(&bucket).await.iter().eq(&keys));
}

pub async fn lists_end_while_keys_are_deleted(store: &Store) {
    let bucket = bucket(store, "hook");
    let keys: Vec<String> = (0..600).map(|number| format!("key-{number}")).collect();
    for batch in keys.chunks(200) {
        bucket.set_many(&batch.iter().map(|key| (key, "value")).collect::<Vec<_>>()).await.unwrap();
    }
    bucket.set("kept", b"value").await.unwrap();
    let (mut seen, mut cursor, mut pages) = (BTreeSet::new(), None, 0);
    loop {
        let page = bucket.list_keys(cursor.as_deref()).await.unwrap();
        for key in page.keys.iter().filter(|key| *key != "kept") {
            bucket.delete(key).await.unwrap();
        }
        seen.extend(page.keys);
        pages += 1;
        assert!(pages < 100);
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(seen.contains("kept"));
}

pub async fn cursors_belong_to_their_list(store: &Store) {
    let (mine, other) = (bucket(store, "mine"), bucket(store, "other"));
    for bucket in [&mine, &other] {
        for batch in 0..3 {
            let entries: Vec<_> = (0..200).map(|number| (format!("{batch}-{number}"), "value")).collect();
            bucket.set_many(&entries).await.unwrap();
        }
    }
    let cursor = mine.list_keys(None).await.unwrap().cursor.unwrap();
    mine.list_keys(Some(&cursor)).await.unwrap();
    assert_eq!(kind(other.list_keys(Some(&cursor)).await), ErrorKind::Invalid);
    let changed = format!("{cursor}00");
    for wrong in ["", "0", "17", "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}", &changed] {
        assert_eq!(kind(mine.list_keys(Some(wrong)).await), ErrorKind::Invalid, "{wrong}");
    }
}

pub async fn keys_are_data(store: &Store) {
    let bucket = bucket(store, "hook");
    let keys = [
        "*",
        "?",
        "[a-z]",
        "a\r\nSET b c",
        "{tag}",
        "a:b",
        "7:x",
        "\0",
        "a\0b",
        "a",
        "A",
        "../x",
        "'",
        "\"",
        "%s",
        "é",
        "e\u{301}",
        "\u{202e}",
        "n",
        "u",
        "kn",
        " ",
    ];
    for (number, key) in keys.iter().enumerate() {
        bucket.set(key, number.to_string().as_bytes()).await.unwrap();
    }
    for (number, key) in keys.iter().enumerate() {
        assert_eq!(bucket.get(key).await.unwrap(), Some(number.to_string().into_bytes()), "{key:?}");
    }
    let mut sorted: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    sorted.sort();
    assert_eq!(all_keys(&bucket).await, sorted);
    assert!(bucket.delete("*").await.unwrap());
    assert_eq!(all_keys(&bucket).await.len(), keys.len() - 1);
}

pub async fn sizes_are_limited(store: &Store) {
    let bucket = bucket(store, "hook");
    let (longest, longer) = ("k".repeat(1024), "k".repeat(1025));
    bucket.set(&longest, &[1; 64 << 10]).await.unwrap();
    assert_eq!(kind(bucket.set("key", &[1; (64 << 10) + 1]).await), ErrorKind::TooLarge);
    let version = bucket.read("key").await.unwrap().version;
    assert_eq!(kind(bucket.swap("key", &version, &[1; 1 << 20]).await), ErrorKind::TooLarge);
    for (key, expected) in
        [("", ErrorKind::Invalid), (&longer, ErrorKind::TooLarge), (&"k".repeat(1 << 20), ErrorKind::TooLarge)]
    {
        assert_eq!(kind(bucket.get(key).await), expected);
        assert_eq!(kind(bucket.exists(key).await), expected);
        assert_eq!(kind(bucket.read(key).await), expected);
        assert_eq!(kind(bucket.set(key, b"").await), expected);
        assert_eq!(kind(bucket.delete(key).await), expected);
        assert_eq!(kind(bucket.increment(key, 1).await), expected);
        assert_eq!(kind(bucket.swap(key, &version, b"").await), expected);
        assert_eq!(kind(bucket.get_many(&[key]).await), expected);
    }
    assert_eq!(all_keys(&bucket).await, [longest]);
}
