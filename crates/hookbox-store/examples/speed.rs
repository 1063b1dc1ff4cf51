//! Measures the stores. `speed` prints how long the operations of the local store take, each as the median and the 90th
//! percentile. With the feature `shared`, `speed redis://…` measures the operations of a server.
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use hookbox_store::{Bucket, Layer, Limits, Namespace, Scope, Store};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

const ROUNDS: usize = 5000;
const TIDY_AFTER: usize = 250;
const PROCESSES: usize = 200;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if let Some(dir) = args.next() {
        #[cfg(feature = "shared")]
        if dir.contains("://") {
            return runtime.block_on(warm(&Store::shared(&dir)?));
        }
        let begun = Instant::now();
        let store = Store::local(Path::new(&dir))?;
        runtime.block_on(async { bucket(&store)?.increment("calls", 1).await })?;
        let answered = begun.elapsed();
        // The caller of a hook also tidies the store after the answer is sent.
        runtime.block_on(store.tidy(Instant::now() + Duration::from_secs(60)))?;
        drop(store);
        drop(runtime);
        println!("{} {}", answered.as_nanos(), begun.elapsed().as_nanos());
        return Ok(());
    }
    let temporary = tempfile::tempdir()?;
    let dir = temporary.path().join("state");
    runtime.block_on(warm(&Store::local(&dir)?))?;
    let program = std::env::current_exe()?;
    let (mut answers, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..PROCESSES {
        let output = Command::new(&program).arg(&dir).output()?;
        let text = String::from_utf8(output.stdout)?;
        let (answered, ended) = text.trim().split_once(' ').ok_or("the process failed")?;
        answers.push(Duration::from_nanos(answered.parse()?));
        ends.push(Duration::from_nanos(ended.parse()?));
    }
    report("open, increment in a new process", answers);
    report("the same with tidy and close", ends);
    Ok(())
}

async fn warm(store: &Store) -> Result<(), Failure> {
    let bucket = bucket(store)?;
    bucket.set("text", b"a value").await?;
    let mut times = [const { Vec::new() }; 5];
    let [empty, increment, get, set, swap] = &mut times;
    for round in 0..ROUNDS {
        // A long-lived host also tidies the store from time to time.
        if round % TIDY_AFTER == 0 {
            store.tidy(Instant::now() + Duration::from_secs(60)).await?;
        }
        let begun = Instant::now();
        tokio::task::spawn_blocking(|| ()).await?;
        empty.push(begun.elapsed());
        let begun = Instant::now();
        bucket.increment("calls", 1).await?;
        increment.push(begun.elapsed());
        let begun = Instant::now();
        bucket.get("text").await?;
        get.push(begun.elapsed());
        let begun = Instant::now();
        bucket.set("text", b"a value").await?;
        set.push(begun.elapsed());
        let read = bucket.read("text").await?;
        let begun = Instant::now();
        bucket.swap("text", &read.version, b"another").await?;
        swap.push(begun.elapsed());
    }
    store.tidy(Instant::now() + Duration::from_secs(60)).await?;
    for (what, times) in ["an empty task on a thread", "increment", "get", "set", "swap"].into_iter().zip(times) {
        report(what, times);
    }
    Ok(())
}

fn bucket(store: &Store) -> Result<Bucket, hookbox_store::Error> {
    let namespace = Namespace::new(Layer::user(), "speed", Scope::User)?;
    Ok(store.bucket(&namespace, Limits::default(), Instant::now() + Duration::from_secs(60)))
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
    println!("{what:42} p50 {:>10.1?}  p90 {:>10.1?}", at(50), at(90));
}
