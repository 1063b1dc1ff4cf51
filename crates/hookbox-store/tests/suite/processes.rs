//! Tests with many processes at once, killed processes, and full disks.

use crate::support::{Temporary, bucket, limited, namespace, skip, soon};
use hookbox_store::{ErrorKind, Limits, Store};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

/// The variables that tell a process of this program what to do, and in which directory.
const TASK: &str = "HOOKBOX_STORE_TEST_TASK";
const DIR: &str = "HOOKBOX_STORE_TEST_DIR";

/// The quota that processes compete for.
const QUOTA: u64 = 100_000;

/// This is not a test, but the task of the other processes. They answer on stderr, where the test harness writes
/// nothing.
#[test]
fn another_process() {
    let (Some(task), Some(dir)) = (std::env::var_os(TASK), std::env::var_os(DIR)) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = Store::local(Path::new(&dir)).unwrap();
    runtime.block_on(async {
        match task.to_str().unwrap() {
            "fill-quota" => fill_quota(&store).await,
            "fill-disk" => fill_disk(&store).await,
            "fill-and-free-disk" => {
                // The file is removed with the test's own disk.
                let ballast = Path::new(&dir).join("ballast");
                std::fs::write(&ballast, [7; 100_000]).unwrap();
                fill_disk(&store).await;
                std::fs::remove_file(&ballast).unwrap();
                eprintln!("{}", increment(&store).await);
            }
            count => {
                for _ in 0..count.parse::<u64>().unwrap() {
                    eprintln!("{}", increment(&store).await);
                }
            }
        }
    });
}

/// Increments the counter, and tries again while the store is busy, because the counter was not changed then.
async fn increment(store: &Store) -> i64 {
    loop {
        match bucket(store, "hook").increment("counter", 1).await {
            Err(error) if error.kind() == ErrorKind::Busy => {}
            other => return other.unwrap(),
        }
    }
}

async fn fill_quota(store: &Store) {
    let mut written = 0;
    loop {
        let bucket = limited(store, "hook", Limits::default().with_quota(QUOTA));
        match bucket.set(&format!("{}-{written}", std::process::id()), &[7; 1000]).await {
            Ok(()) => written += 1,
            Err(error) if error.kind() == ErrorKind::Full => break,
            Err(error) => assert_eq!(error.kind(), ErrorKind::Busy, "{error}"),
        }
    }
    eprintln!("{written}");
}

/// Writes until the disk is full, and prints the error.
async fn fill_disk(store: &Store) {
    let bucket = limited(store, "hook", Limits::default().with_quota(1 << 30));
    bucket.increment("counter", 1).await.unwrap();
    for number in 0..10_000 {
        if let Err(error) = bucket.set(&number.to_string(), &[7; 10_000]).await {
            let counter = bucket.get("counter").await.unwrap();
            assert_eq!(counter, Some(b"1".to_vec()), "what was written can be read");
            eprintln!("{number} {:?} {:?}", error.kind(), bucket.get(&number.to_string()).await.unwrap().is_some());
            return;
        }
    }
    eprintln!("never full");
}

fn process(dir: &Path, task: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "processes::another_process", "--nocapture", "--test-threads=1"]);
    command.env(TASK, task).env(DIR, dir).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn answers(child: &mut Child) -> BufReader<ChildStderr> {
    BufReader::new(child.stderr.take().unwrap())
}

#[tokio::test]
async fn sixteen_processes_share_a_counter_from_its_creation() {
    const COUNT: i64 = 50;
    let temporary = Temporary::new();
    let mut children: Vec<Child> =
        (0..16).map(|_| process(&temporary.state_dir(), &COUNT.to_string()).spawn().unwrap()).collect();
    let mut seen = BTreeSet::new();
    for child in &mut children {
        for line in answers(child).lines() {
            let line = line.unwrap();
            assert!(seen.insert(line.parse::<i64>().expect(&line)), "{line} came twice");
        }
        assert!(child.wait().unwrap().success());
    }
    assert!(seen.into_iter().eq(1..=16 * COUNT));
    let names = std::fs::read_dir(temporary.state_dir()).unwrap().count();
    assert!(names <= 3, "no unfinished database is left");
}

#[tokio::test]
async fn sixteen_processes_race_for_the_quota() {
    let temporary = Temporary::new();
    let mut children: Vec<Child> =
        (0..16).map(|_| process(&temporary.state_dir(), "fill-quota").spawn().unwrap()).collect();
    let mut written = 0;
    for child in &mut children {
        let mut text = String::new();
        answers(child).read_to_string(&mut text).unwrap();
        assert!(child.wait().unwrap().success(), "{text}");
        written += text.trim().parse::<u64>().unwrap();
    }
    let usage = temporary.store.usage(soon()).await.unwrap();
    assert_eq!(usage[0].keys, written);
    assert!(usage[0].bytes <= QUOTA && usage[0].bytes > QUOTA - 2000, "{}", usage[0].bytes);
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let temporary = Temporary::new();
    let (mut acknowledged, mut begun) = (0, 0);
    for round in 0..20 {
        let mut children: Vec<Child> =
            (0..2).map(|_| process(&temporary.state_dir(), "1000000").spawn().unwrap()).collect();
        let mut readers: Vec<_> = children.iter_mut().map(answers).collect();
        // In the first round, the processes are killed before the first answer was read.
        for _ in 0..round * 3 {
            let mut line = String::new();
            readers[round % 2].read_line(&mut line).unwrap();
            acknowledged += 1;
        }
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        for reader in readers {
            let lines = reader.split(b'\n').map(Result::unwrap).filter(|line| !line.is_empty());
            acknowledged += lines.count() as i64;
        }
        begun += 2;
        let value = bucket(&temporary.reopened(), "hook").increment("counter", 0).await.unwrap();
        assert!(value >= acknowledged && value <= acknowledged + begun, "{value}, {acknowledged} were acknowledged");
    }
    let connection = rusqlite::Connection::open(temporary.file()).unwrap();
    let check: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

/// Checks that the process handled a full disk properly, and that the store works again when there is room. Returns
/// what the process wrote to stderr.
async fn met_a_full_disk(mut command: Command, temporary: &Temporary) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{text}");
    let bucket = limited(&temporary.reopened(), "hook", Limits::default().with_quota(1 << 30));
    if temporary.file().exists() {
        let written: usize = text.split(' ').next().unwrap().parse().expect(&text);
        assert_eq!(bucket.increment("counter", 1).await.unwrap(), 2);
        for number in 0..written {
            assert_eq!(bucket.get(&number.to_string()).await.unwrap(), Some(vec![7; 10_000]));
        }
    }
    text
}

#[tokio::test]
async fn files_that_may_not_grow_are_an_error() {
    let temporary = Temporary::new();
    let inner = process(&temporary.state_dir(), "fill-disk");
    let mut limited = Command::new("sh");
    // The signal would end the process. If it is ignored, the write fails instead.
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"])
        .arg(inner.get_program())
        .args(inner.get_args());
    limited.env(TASK, "fill-disk").env(DIR, temporary.state_dir());
    let text = met_a_full_disk(limited, &temporary).await;
    assert!(text.contains("System false") || text.contains("Full false"), "{text}");
}

#[tokio::test]
async fn a_full_disk_is_an_error() {
    let temporary = Temporary::new();
    std::fs::create_dir(temporary.state_dir()).unwrap();
    let mount = "mount -t tmpfs -o size=600k,mode=700 tmpfs \"$0\"";
    let trial = Command::new("unshare").args(["-rm", "sh", "-c", mount]).arg(temporary.state_dir()).output();
    if !trial.is_ok_and(|output| output.status.success()) {
        skip("this system lets nobody mount a small disk");
        return;
    }
    let inner = process(&temporary.state_dir(), "fill-and-free-disk");
    let mut small = Command::new("unshare");
    small.args(["-rm", "sh", "-c", &format!("{mount} && exec \"$@\"")]).arg(temporary.state_dir());
    small.arg(inner.get_program()).args(inner.get_args());
    small.env(TASK, "fill-and-free-disk").env(DIR, temporary.state_dir());
    let text = met_a_full_disk(small, &temporary).await;
    assert!(text.contains("Full false") && text.ends_with("\n2\n"), "{text}");
}

#[tokio::test]
async fn what_one_process_writes_another_reads() {
    let temporary = Temporary::new();
    bucket(&temporary.store, "hook").increment("counter", 10).await.unwrap();
    assert!(process(&temporary.state_dir(), "5").status().unwrap().success());
    assert_eq!(bucket(&temporary.store, "hook").increment("counter", 0).await.unwrap(), 15);
    let entries = temporary.store.entries(&namespace("hook"), soon()).await.unwrap();
    assert_eq!(entries.len(), 1);
}
