//! Reading a log back, whatever it contains and whatever files are next to it.

use hookbox::Outcome;
use hookbox::record::{Decided, Inputs, Log, Settings, Via, What, read};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Writes lines to a log that begins a new file with each line.
fn write(file: &Path, lines: usize) {
    let log = Log::new(set!(Settings::new(file), what: What::All, inputs: Inputs::Full, max_size: 1, keep: 3), None);
    let outcome = Outcome::allow(crate::support::bash("ls"));
    for _ in 0..lines {
        log.write(&set!(Decided::new("pre_tool", Via::Lib), outcome: Some(&outcome))).unwrap();
    }
}

/// Returns a directory with this many lines in its log, and the log.
fn written(lines: usize) -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    write(&file, lines);
    (dir, file)
}

#[test]
fn a_log_that_is_moved_away_is_not_read_again() {
    let (dir, file) = written(3);
    let mut lines = read(&file).unwrap();
    assert_eq!(lines.by_ref().count(), 3);
    fs::rename(&file, dir.path().join("away")).unwrap();
    lines.refresh().unwrap();
    assert_eq!(lines.by_ref().count(), 0);
    write(&file, 1);
    lines.refresh().unwrap();
    assert_eq!(lines.by_ref().count(), 1);
}

#[test]
fn only_files_of_the_log_count() {
    let (dir, file) = written(4);
    let name = |last: char| dir.path().join(format!("log-ffffffff-ffff-7fff-bfff-fffffffffff{last}.jsonl"));
    // A reader of a FIFO would wait for a writer.
    rustix::fs::mknodat(rustix::fs::CWD, name('0'), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    fs::create_dir(name('1')).unwrap();
    if crate::support::is_root() {
        fs::write(name('2'), "forged\n").unwrap();
        std::os::unix::fs::chown(name('2'), Some(12_345), None).unwrap();
    }
    assert_eq!(read(&file).unwrap().filter(Result::is_ok).count(), 4);
    assert!(read(&file).unwrap().all(|line| line.is_ok()));
    // The other files do not replace the full ones, and are not deleted instead of them.
    write(&file, 1);
    assert_eq!(read(&file).unwrap().count(), 4);
    assert!(name('1').exists());
}

#[test]
fn a_line_without_an_end_takes_no_memory() {
    let (_dir, file) = written(1);
    let line = fs::read(&file).unwrap();
    fs::write(&file, [&vec![0_u8; 5 << 20][..], b"\n", &line].concat()).unwrap();
    let lines: Vec<_> = read(&file).unwrap().collect();
    let error = lines[0].as_ref().unwrap_err();
    assert!(error.offset == 0 && error.message.contains("longer"), "{error}");
    assert!(lines.len() == 2 && lines[1].is_ok());
}

#[test]
fn a_line_of_a_later_format_is_not_guessed_at() {
    let (_dir, file) = written(1);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"schema\":1", "\"schema\":2")).unwrap();
    let error = read(&file).unwrap().next().unwrap().unwrap_err();
    assert!(error.message.contains("later hookbox"), "{error}");
}
