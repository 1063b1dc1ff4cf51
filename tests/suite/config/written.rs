//! A config that is read while a program writes it.

use crate::support::project::Project;
use hookbox::Source;
use hookbox::config::{ConfigFile, ReadRules};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const HOOKS: &str = "[hooks.first]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n\n[hooks.second]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";

/// A delay of the writer after which a read shows nothing: an empty file counts as empty after 100 ms.
const STALLED: Duration = Duration::from_millis(50);

#[test]
fn it_is_read_before_or_after_the_edit_and_never_in_between() {
    let project = Project::new().user(HOOKS);
    let path = project.home().join(".agents/hooks.toml");
    let is_done = AtomicBool::new(false);
    let mut empty: Vec<Span> = Vec::new();
    let mut reads = 0;
    let stalls: Vec<Span> = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let edits: Vec<Span> = (0..40).map(|_| Span::of(|| edit(&path))).collect();
            is_done.store(true, Ordering::Release);
            edits.into_iter().filter(|edit| edit.to - edit.from >= STALLED).collect()
        });
        while !is_done.load(Ordering::Acquire) {
            let mut text = String::new();
            let span = Span::of(|| {
                text = ConfigFile::read(&path, Source::USER, ReadRules::default()).unwrap().unwrap().text;
            });
            reads += 1;
            match text.as_str() {
                "" => empty.push(span),
                text => assert_eq!(text, HOOKS),
            }
        }
        writer.join().unwrap()
    });
    assert!(reads > 0 && stalls.len() < 40, "{reads} reads, {} stalls", stalls.len());
    empty.retain(|read| !stalls.iter().any(|stall| stall.overlaps(read)));
    assert_eq!(empty.len(), 0, "it was emptied, to be written again, and read so");
}

/// Empties the file, and then writes it.
fn edit(path: &Path) {
    let mut file = File::create(path).unwrap();
    thread::sleep(Duration::from_millis(4));
    file.write_all(HOOKS.as_bytes()).unwrap();
    // The file rests for longer than it was empty. Otherwise, a reader that looks again now and then might always come
    // in between.
    thread::sleep(Duration::from_millis(9));
}

/// The time in which something was done.
struct Span {
    from: Instant,
    to: Instant,
}

impl Span {
    fn of(work: impl FnOnce()) -> Self {
        let from = Instant::now();
        work();
        Span { from, to: Instant::now() }
    }

    fn overlaps(&self, other: &Span) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

#[test]
fn an_empty_file_is_empty_once_it_is_at_rest() {
    let project = Project::new().user("");
    let path = project.home().join(".agents/hooks.toml");
    let read = || ConfigFile::read(&path, Source::USER, ReadRules::default()).unwrap().unwrap().text;
    assert_eq!(read(), "");
    let an_hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&path).unwrap().set_modified(an_hour_ago).unwrap();
    // A busy machine delays some reads; a reader that waits delays each of them.
    let is_at_once = || {
        let started = Instant::now();
        assert_eq!(read(), "");
        started.elapsed() < Duration::from_millis(100)
    };
    assert!((0..50).any(|_| is_at_once()), "nobody is waited for");
}
