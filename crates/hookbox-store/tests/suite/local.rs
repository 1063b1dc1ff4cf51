//! Tests of what the local store promises beyond the contract: it copes with clocks that go back, and matches a model.

use crate::contract::contract;
use crate::support::{Temporary, bucket, limited, namespace, soon};
use hookbox_store::{ErrorKind, Limits, Store, Swapped};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

contract!(Some(Temporary::new()));

/// Returns a store with a clock that the test sets, in seconds.
fn with_clock(temporary: &Temporary) -> (Store, Arc<AtomicU64>) {
    let seconds = Arc::new(AtomicU64::new(1_000_000));
    let clock = Arc::clone(&seconds);
    let now = move || SystemTime::UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::SeqCst));
    (temporary.store.clone().with_clock(now), seconds)
}

#[tokio::test]
async fn what_has_expired_does_not_come_back_with_the_clock() {
    let temporary = Temporary::new();
    let (store, clock) = with_clock(&temporary);
    let bucket = limited(&store, "hook", Limits::default().with_ttl(Some(Duration::from_secs(60))));
    for key in ["got", "listed", "tidied"] {
        bucket.set(key, b"1").await.unwrap();
        clock.store(1_000_059, Ordering::SeqCst);
        assert!(bucket.exists(key).await.unwrap());
        clock.store(1_000_060, Ordering::SeqCst);
        match key {
            "got" => assert_eq!(bucket.get(key).await.unwrap(), None),
            "listed" => assert!(bucket.list_keys(None).await.unwrap().keys.is_empty()),
            _ => store.tidy(soon()).await.unwrap(),
        }
        clock.store(1_000_000, Ordering::SeqCst);
        assert_eq!(bucket.get(key).await.unwrap(), None, "{key}");
        assert!(bucket.list_keys(None).await.unwrap().keys.is_empty());
    }
}

#[tokio::test]
async fn a_clock_before_1970_is_no_trouble() {
    let temporary = Temporary::new();
    let store = temporary.store.clone().with_clock(|| SystemTime::UNIX_EPOCH - Duration::from_secs(5));
    let bucket = limited(&store, "hook", Limits::default().with_ttl(Some(Duration::from_secs(60))));
    assert_eq!(bucket.increment("counter", 1).await.unwrap(), 1);
    assert_eq!(bucket.increment("counter", 1).await.unwrap(), 2);
}

#[tokio::test]
async fn tidying_shortens_the_log_and_removes_the_dead() {
    let temporary = Temporary::new();
    let (store, clock) = with_clock(&temporary);
    store.tidy(soon()).await.unwrap();
    assert!(!temporary.state_dir().exists(), "a store that was not used is not made");
    let bucket = limited(&store, "hook", Limits::default().with_ttl(Some(Duration::from_secs(60))));
    for number in 0..100 {
        bucket.set(&format!("{}", number % 10), &[1; 64 << 10]).await.unwrap();
    }
    let log = temporary.state_dir().join("state.db-wal");
    assert!(log.metadata().unwrap().len() > 1 << 20);
    store.tidy(soon()).await.unwrap();
    assert_eq!(log.metadata().unwrap().len(), 0);
    assert_eq!(bucket.get("3").await.unwrap(), Some(vec![1; 64 << 10]));
    clock.store(2_000_000, Ordering::SeqCst);
    store.tidy(soon()).await.unwrap();
    clock.store(1_000_000, Ordering::SeqCst);
    assert!(store.usage(soon()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_store_has_an_absolute_path() {
    let error = Store::local("state".as_ref()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

/// An operation on one of four keys.
#[derive(Clone, Debug)]
enum Step {
    Set(u8, Vec<u8>),
    Delete(u8),
    Increment(u8, i64),
    Swap(u8, Vec<u8>),
    StaleSwap(u8, Vec<u8>),
}

fn step() -> impl Strategy<Value = Step> {
    let value = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        (-20i64..20).prop_map(|number| number.to_string().into_bytes())
    ];
    (0u8..4, value, any::<i64>(), 0u8..5).prop_map(|(key, value, by, what)| match what {
        0 => Step::Set(key, value),
        1 => Step::Delete(key),
        2 => Step::Increment(key, by >> (by & 63)),
        3 => Step::Swap(key, value),
        _ => Step::StaleSwap(key, value),
    })
}

/// The quota of the model, so small that steps often exceed it.
const QUOTA: u64 = 500;

fn fits(model: &BTreeMap<String, Vec<u8>>, key: &str, value: &[u8]) -> bool {
    let others = model.iter().filter(|(other, _)| *other != key);
    let used: usize = others.map(|(key, value)| key.len() + value.len() + 64).sum();
    (used + key.len() + value.len() + 64) as u64 <= QUOTA
}

/// Does the step in the model, and returns the expected result of the store.
fn expected(model: &mut BTreeMap<String, Vec<u8>>, key: &str, value: Option<Vec<u8>>) -> Result<(), ErrorKind> {
    match value {
        Some(value) if fits(model, key, &value) => {
            model.insert(key.to_owned(), value);
            Ok(())
        }
        Some(_) => Err(ErrorKind::Full),
        None => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_store_equals_a_map(steps in proptest::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let temporary = Temporary::new();
            let bucket = limited(&temporary.store, "hook", Limits::default().with_quota(QUOTA));
            let mut model: BTreeMap<String, Vec<u8>> = BTreeMap::new();
            for step in steps {
                match step {
                    Step::Set(key, value) => {
                        let key = key.to_string();
                        let result = bucket.set(&key, &value).await.map_err(|error| error.kind());
                        assert_eq!(result, expected(&mut model, &key, Some(value)));
                    }
                    Step::Delete(key) => {
                        let key = key.to_string();
                        assert_eq!(bucket.delete(&key).await.unwrap(), model.remove(&key).is_some());
                    }
                    Step::Increment(key, by) => {
                        let key = key.to_string();
                        let result = bucket.increment(&key, by).await.map_err(|error| error.kind());
                        let old = model.get(&key).cloned().unwrap_or(b"0".to_vec());
                        let number = String::from_utf8(old.clone()).ok().and_then(|text| text.parse::<i64>().ok());
                        match number.filter(|number| number.to_string().into_bytes() == old) {
                            None => assert_eq!(result, Err(ErrorKind::NotANumber)),
                            Some(number) => match number.checked_add(by) {
                                None => assert_eq!(result, Err(ErrorKind::Overflow)),
                                Some(sum) => {
                                    let value = Some(sum.to_string().into_bytes());
                                    assert_eq!(result, expected(&mut model, &key, value).map(|()| sum));
                                }
                            },
                        }
                    }
                    Step::Swap(key, value) => {
                        let key = key.to_string();
                        let read = bucket.read(&key).await.unwrap();
                        let result = bucket.swap(&key, &read.version, &value).await.map_err(|error| error.kind());
                        assert_eq!(result, expected(&mut model, &key, Some(value)).map(|()| Swapped::Done));
                    }
                    Step::StaleSwap(key, value) => {
                        let key = key.to_string();
                        let stale = bucket.read(&key).await.unwrap();
                        if bucket.increment(&key, 0).await.is_ok() {
                            model.entry(key.clone()).or_insert(b"0".to_vec());
                            let swapped = bucket.swap(&key, &stale.version, &value).await.unwrap();
                            assert!(matches!(swapped, Swapped::Changed(_)));
                        }
                    }
                }
                let entries = temporary.store.entries(&namespace("hook"), soon()).await.unwrap();
                let stored: BTreeMap<_, _> = entries.into_iter().map(|entry| (entry.key, entry.value)).collect();
                assert_eq!(stored, model);
            }
            if let Some(usage) = temporary.store.usage(soon()).await.unwrap().first() {
                assert!(usage.bytes <= QUOTA);
            }
        });
    }
}

#[tokio::test]
async fn a_store_outlives_the_runtime_that_opened_it() {
    let temporary = Temporary::new();
    let store = temporary.store.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { bucket(&store, "hook").increment("counter", 1).await.unwrap() });
    })
    .join()
    .unwrap();
    assert_eq!(bucket(&temporary.store, "hook").increment("counter", 1).await.unwrap(), 2);
    assert_eq!(bucket(&temporary.reopened(), "hook").increment("counter", 1).await.unwrap(), 3);
}
