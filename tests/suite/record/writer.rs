//! The file of the log, as several processes write it, and as these processes are killed.

use hookbox::Outcome;
use hookbox::record::{Decided, Log, Mask, Settings, Via, read};
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The variable that names the log that a process of this test program writes to.
const LOG: &str = "HOOKBOX_TEST_LOG";

fn decided<'a>(outcome: &'a Outcome, id: &'a str) -> Decided<'a> {
    set!(Decided::new("pre_tool", Via::Lib), outcome: Some(outcome), id: Some(id))
}

fn outcome(length: usize) -> Outcome {
    Outcome::allow(crate::support::bash(&"x".repeat(length)))
}

fn all(settings: Settings) -> Log {
    let settings = set!(settings, what: hookbox::record::What::All, inputs: hookbox::record::Inputs::Full);
    Log::new(settings, None)
}

/// Returns the ids of the log. Panics on a broken line, or if an id is there twice.
fn ids(file: &Path) -> HashSet<String> {
    let mut ids = HashSet::new();
    for line in read(file).unwrap() {
        let line = line.unwrap();
        assert!(ids.insert(line.id.clone()), "{} is there twice", line.id);
    }
    ids
}

/// This is not a test of its own: the other tests start it to be killed. Until then, it writes lines, and prints the id
/// of each line that is in the log.
#[test]
#[ignore = "the other tests start it"]
fn a_process_that_writes() {
    let Some(file) = std::env::var_os(LOG) else { return };
    let log = all(set!(Settings::new(file), max_size: 1 << 20, keep: 1000));
    let mut stdout = std::io::stdout();
    for count in 0_usize.. {
        let id = format!("{}-{count}", std::process::id());
        if log.write(&decided(&outcome(count * 977 % 40_000), &id)).is_ok() {
            writeln!(stdout, "\nwrote {id}").unwrap();
        }
    }
}

fn writer(file: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "record::writer::a_process_that_writes"]);
    command.env(LOG, file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns the ids that a process wrote before it was killed. A last line without an end may name half an id.
fn confirmed(child: &mut Child) -> Vec<String> {
    let mut ids = Vec::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap() > 0 {
        if let Some(id) = line.strip_prefix("wrote ").and_then(|id| id.strip_suffix('\n')) {
            ids.push(id.to_owned());
        }
        line.clear();
    }
    ids
}

/// `HOOKBOX_TEST_KILLS=1000` makes this test look for longer.
#[test]
fn a_killed_process_leaves_whole_lines_and_loses_none_that_it_had_written() {
    let kills: usize = std::env::var("HOOKBOX_TEST_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let mut wrote = Vec::new();
    for round in 0..kills / 4 {
        let mut children: Vec<Child> = (0..4).map(|_| writer(&file)).collect();
        let size = || std::fs::metadata(&file).map_or(0, |file| file.len());
        let (before, deadline) = (size(), Instant::now() + Duration::from_secs(60));
        while size() == before {
            assert!(Instant::now() < deadline, "no process writes");
            std::thread::sleep(Duration::from_millis(1));
        }
        // From now on, a kill at any moment may do harm.
        std::thread::sleep(Duration::from_millis((round as u64 * 37) % 60));
        for child in &mut children {
            child.kill().unwrap();
        }
        for mut child in children {
            wrote.extend(confirmed(&mut child));
            child.wait().unwrap();
        }
    }
    assert!(wrote.len() > kills, "the processes wrote {} lines before they were killed", wrote.len());
    // The last process may have left half a line, which the next writer removes.
    all(Settings::new(&file)).write(&decided(&outcome(1), "the end")).unwrap();
    let found = ids(&file);
    let lost: Vec<&String> = wrote.iter().filter(|id| !found.contains(*id)).collect();
    assert!(lost.is_empty(), "{} of {} lines are missing: {lost:?}", lost.len(), wrote.len());
}

#[test]
fn sixteen_writers_and_many_files_keep_each_line_once() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let settings = set!(Settings::new(&file), max_size: 128 << 10, keep: 1000);
    std::thread::scope(|scope| {
        for writer in 0..16 {
            let log = all(settings.clone());
            scope.spawn(move || {
                for count in 0..100 {
                    // A wait for the lock may take longer than a verdict can wait.
                    while log.write(&decided(&outcome(2000), &format!("{writer}-{count}"))).is_err() {}
                }
            });
        }
    });
    assert_eq!(ids(&file).len(), 1600);
    let files = fs::read_dir(dir.path()).unwrap().count();
    assert!(files > 10, "it was to become many files: {files}");
    for entry in fs::read_dir(dir.path()).unwrap() {
        let meta = entry.unwrap().metadata().unwrap();
        assert!(meta.len() <= 128 << 10);
        assert_eq!(meta.permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn old_files_are_deleted() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let log = all(set!(Settings::new(&file), max_size: 128 << 10, keep: 2));
    for count in 0..200 {
        log.write(&decided(&outcome(10_000), &format!("{count:03}"))).unwrap();
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
    let left: Vec<String> = read(&file).unwrap().map(|line| line.unwrap().id).collect();
    assert!(left.is_sorted() && left.last().unwrap() == "199" && left.len() < 100, "{left:?}");
}

/// Two writers that have each filled a file delete the same old ones.
#[test]
fn writers_that_begin_new_files_at_once_lose_no_line_by_it() {
    let dir = TempDir::new().unwrap();
    let settings = set!(Settings::new(dir.path().join("log.jsonl")), max_size: 1, keep: 1);
    let write = |writer: usize| -> Vec<String> {
        let log = all(settings.clone());
        let write = |count: usize| log.write(&decided(&outcome(1), &format!("{writer}-{count}")));
        (0..50).filter_map(|count| Some(write(count).err()?.to_string())).collect()
    };
    let write = &write;
    let errors: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8).map(|writer| scope.spawn(move || write(writer))).collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    // On a busy machine, a thread may get the lock too late.
    let lost: Vec<_> = errors.iter().filter(|error| !error.contains("keep it locked")).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn half_a_line_is_removed_and_reading_does_not_show_it() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let log = all(Settings::new(&file));
    log.write(&decided(&outcome(10), "first")).unwrap();
    let whole = fs::read(&file).unwrap();
    fs::write(&file, [&whole[..], &whole[..whole.len() / 2]].concat()).unwrap();
    assert_eq!(ids(&file).len(), 1);
    log.write(&decided(&outcome(10), "second")).unwrap();
    assert_eq!(ids(&file), HashSet::from(["first".to_owned(), "second".to_owned()]));
    // This is half a line that is longer than any of hookbox's.
    fs::write(&file, [&whole[..], &vec![b'x'; 300 << 10]].concat()).unwrap();
    log.write(&decided(&outcome(10), "third")).unwrap();
    assert_eq!(ids(&file), HashSet::from(["first".to_owned(), "third".to_owned()]));
}

#[test]
fn a_line_that_cannot_be_written_is_counted_and_told_later() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    fs::create_dir(&file).unwrap();
    let log = all(Settings::new(&file));
    for lost in 1..=3 {
        let error = log.write(&decided(&outcome(10), "lost")).unwrap_err();
        assert!(error.to_string().contains("log.jsonl"), "{error}");
        assert_eq!(log.lost(), lost);
    }
    fs::remove_dir(&file).unwrap();
    log.write(&decided(&outcome(10), "written")).unwrap();
    assert_eq!(log.lost(), 0);
    let lines: Vec<_> = read(&file).unwrap().map(Result::unwrap).collect();
    assert_eq!((lines.len(), lines[0].lost), (1, 3));
}

/// A mask that does not return from a text with `together` before two threads have such a text.
struct Meeting(Barrier);

impl Mask for Meeting {
    fn mask(&self, text: &str) -> Option<String> {
        if text.contains("together") {
            self.0.wait();
        }
        None
    }
}

#[test]
fn lines_of_two_threads_report_a_lost_line_once() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    fs::create_dir(&file).unwrap();
    let settings = set!(Settings::new(&file), what: hookbox::record::What::All);
    let log = Log::new(settings, Some(Box::new(Meeting(Barrier::new(2)))));
    log.write(&decided(&outcome(10), "lost")).unwrap_err();
    fs::remove_dir(&file).unwrap();
    std::thread::scope(|scope| {
        for id in ["first", "second"] {
            let log = &log;
            scope.spawn(move || {
                let outcome = Outcome::allow(crate::support::bash("together"));
                // The other thread may hold the lock on the file for longer than a verdict can wait.
                let _ = log.write(&decided(&outcome, id));
            });
        }
    });
    log.write(&decided(&outcome(10), "last")).unwrap();
    let reported: u64 = read(&file).unwrap().map(|line| line.unwrap().lost).sum();
    let missing = 4 - read(&file).unwrap().count() as u64;
    assert_eq!((reported, log.lost()), (missing, 0));
}

#[test]
fn a_log_that_cannot_be_read_is_one_error() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    fs::create_dir(&file).unwrap();
    let mut lines = read(&file).unwrap();
    let error = lines.next().unwrap().unwrap_err();
    assert_eq!((error.file.as_path(), error.offset), (file.as_path(), 0), "{error}");
    assert!(lines.next().is_none());
    lines.refresh().unwrap();
    assert!(lines.next().is_none(), "a reader that follows the log is not told again");
}

#[test]
fn a_locked_log_is_not_waited_for() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let log = all(Settings::new(&file));
    log.write(&decided(&outcome(10), "first")).unwrap();
    let other = fs::File::open(&file).unwrap();
    other.lock().unwrap();
    let error = log.write(&decided(&outcome(10), "second")).unwrap_err();
    assert!(error.to_string().contains("locked"), "{error}");
    other.unlock().unwrap();
    log.write(&decided(&outcome(10), "third")).unwrap();
    assert_eq!(ids(&file).len(), 2);
}

#[test]
fn a_limit_on_the_size_of_files_takes_a_line_and_nothing_else() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let exe = std::env::current_exe().unwrap();
    // The unit is 512 bytes in POSIX shells, 1024 in some others.
    let script = "ulimit -f 100; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(exe);
    command.args(["--ignored", "--exact", "--nocapture", "record::writer::a_process_that_fills_a_file"]);
    let output = command.env(LOG, &file).output().unwrap();
    assert!(output.status.success(), "it was not ended by a signal: {output:?}");
    assert!(ids(&file).len() > 1);
    assert!(fs::metadata(&file).unwrap().size() <= 100 << 10);
}

/// This is not a test of its own: another test runs it under a limit.
#[test]
#[ignore = "the other tests start it"]
fn a_process_that_fills_a_file() {
    let Some(file) = std::env::var_os(LOG) else { return };
    let log = all(Settings::new(file));
    let mut failed = 0;
    for count in 0..30 {
        failed += usize::from(log.write(&decided(&outcome(10_000), &count.to_string())).is_err());
    }
    assert!(failed > 0 && failed < 30, "{failed} of 30");
}

/// A file system that is unmounted when the test ends.
struct Mounted<'d>(&'d Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_takes_a_line_and_nothing_else() {
    if !crate::support::is_root() {
        return;
    }
    let dir = TempDir::new().unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(dir.path()).output().unwrap();
    if !mount.status.success() {
        return crate::support::skip("it needs to mount a small file system");
    }
    let _mounted = Mounted(dir.path());
    let file = dir.path().join("log.jsonl");
    let ballast = dir.path().join("ballast");
    fs::write(&ballast, vec![0; 20 << 10]).unwrap();
    let log = all(Settings::new(&file));
    let failed = (0..20).filter(|count| log.write(&decided(&outcome(5_000), &count.to_string())).is_err()).count();
    assert!(failed > 0 && failed < 20, "{failed} of 20");
    assert_eq!(ids(&file).len(), 20 - failed, "each line is whole");
    fs::remove_file(ballast).unwrap();
    log.write(&decided(&outcome(10), "after")).unwrap();
    let last = read(&file).unwrap().last().unwrap().unwrap();
    assert_eq!((last.id.as_str(), last.lost), ("after", failed as u64));
}

#[test]
fn a_log_that_others_could_change_is_refused() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let write = || all(Settings::new(&file)).write(&decided(&outcome(10), "x")).map_err(|error| error.to_string());
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(write().unwrap_err().contains("chmod go-w"));
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(dir.path().join("elsewhere"), &file).unwrap();
    assert!(write().unwrap_err().contains("symlink"));
    assert!(!dir.path().join("elsewhere").exists());
    fs::remove_file(&file).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(write().is_err());
}

#[test]
fn threads_do_not_wait_for_a_locked_log_one_after_another() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let log = all(Settings::new(&file));
    log.write(&decided(&outcome(10), "first")).unwrap();
    let other = fs::File::open(&file).unwrap();
    other.lock().unwrap();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..300 {
            scope.spawn(|| log.write(&decided(&outcome(10), "lost")).unwrap_err());
        }
    });
    // One after another, they would wait for 6 s.
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
