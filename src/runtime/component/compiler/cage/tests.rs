//! Tests of what a process in the cage cannot do. Each action is tried twice, in a separate process: outside of the
//! cage, where it works, and inside the compiler's real cage.

#![allow(unsafe_code, reason = "an attacker would make system calls as well")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::wire::CageGaps;
use super::{enter, shut};
use rustix::process::{Pid, getppid, test_kill_process};
use std::env;
use std::fs::{self, File};
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, exit};
use std::ptr::null_mut;
use std::thread;

/// The variables that tell the process which action to try, and how much of the cage to enter.
const TRY: &str = "HOOKBOX_TEST_TRY";
const CAGED: &str = "HOOKBOX_TEST_CAGED";
/// The variable that names a directory that contains a file.
const DIR: &str = "HOOKBOX_TEST_DIR";

/// The exit statuses of the process that tries an action.
const DID_IT: i32 = 50;
const FAILED: i32 = 51;
const NO_CAGE: i32 = 52;

type Try = fn(&Path) -> io::Result<()>;

const THINGS: [(&str, Try); 20] = [
    ("read the key of the cache", |dir| fs::read(dir.join("cache.key")).map(drop)),
    ("read a file that all may read", |_| fs::read("/etc/passwd").map(drop)),
    ("look at its own memory map", |_| fs::read("/proc/self/maps").map(drop)),
    ("make a file", |dir| File::create(dir.join("new")).map(drop)),
    ("remove a file", |dir| fs::remove_file(dir.join("victim"))),
    ("list a directory", |dir| fs::read_dir(dir).map(drop)),
    ("make a UDP socket", |_| UdpSocket::bind("127.0.0.1:0").map(drop)),
    ("make a TCP socket", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    ("make a pair of sockets", |_| UnixStream::pair().map(drop)),
    ("start a program", |_| Command::new("/bin/true").status().map(drop)),
    ("start a thread", |_| thread::Builder::new().spawn(|| ()).map(|thread| thread.join().unwrap())),
    ("become another program", |_| Err(Command::new("/bin/sh").args(["-c", &format!("exit {DID_IT}")]).exec())),
    ("signal its parent", |_| test_kill_process(parent()).map_err(Into::into)),
    // SAFETY: the call changes nothing in this process.
    ("trace its parent", |_| system(unsafe { libc::ptrace(libc::PTRACE_SEIZE, raw_parent(), 0, 0) })),
    ("read its parent's memory", |_| {
        let mut byte = [0_u8];
        let here = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
        // The address need not be valid in the parent: the test only checks whether the call can be made.
        let there = libc::iovec { iov_base: null_mut(), iov_len: 1 };
        // SAFETY: the call writes to `byte` at most.
        let read = unsafe { libc::process_vm_readv(raw_parent(), &raw const here, 1, &raw const there, 1, 0) };
        made(read as libc::c_long)
    }),
    ("map executable memory", |_| {
        let (read, flags) = (libc::PROT_READ | libc::PROT_EXEC, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: this creates a new mapping, which nothing uses.
        let mapped = unsafe { libc::mmap(null_mut(), 4096, read, flags, -1, 0) };
        if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
    }),
    // SAFETY, also for the calls below: the arguments are not valid pointers, which the system detects.
    ("set up io_uring", |_| made(unsafe { libc::syscall(libc::SYS_io_uring_setup, 0, 0) })),
    ("load a BPF program", |_| made(unsafe { libc::syscall(libc::SYS_bpf, 0, 0, 0) })),
    ("mount", |_| made(unsafe { libc::syscall(libc::SYS_mount, 0, 0, 0, 0, 0) })),
    ("have a name space of its own", |_| made(unsafe { libc::syscall(libc::SYS_unshare, -1) })),
];

fn parent() -> Pid {
    getppid().unwrap()
}

fn raw_parent() -> libc::pid_t {
    parent().as_raw_nonzero().get()
}

fn system<T: Into<i64>>(result: T) -> io::Result<()> {
    if result.into() == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Succeeds if the system got as far as checking the arguments, which are invalid.
fn made(result: libc::c_long) -> io::Result<()> {
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EPERM | libc::EACCES | libc::ENOSYS) if result == -1 => Err(error),
        _ => Ok(()),
    }
}

fn try_it(what: &str) -> ! {
    let (_, thing) = THINGS.iter().find(|(name, _)| *name == what).unwrap();
    let dir = env::var_os(DIR).unwrap();
    let gaps = match env::var(CAGED).unwrap_or_default().as_str() {
        "half" => enter(60),
        "whole" => enter(60).and_then(|gaps| shut(gaps, 8 << 30)),
        _ => Ok(CageGaps::default()),
    };
    if !gaps.is_ok_and(|gaps| gaps == CageGaps::default()) {
        exit(NO_CAGE);
    }
    exit(if thing(Path::new(&dir)).is_ok() { DID_IT } else { FAILED })
}

fn process(what: &str, cage: &str, dir: &Path) -> ExitStatus {
    let mut command = Command::new(env::current_exe().unwrap());
    // Run the same test in a separate process.
    let name = thread::current().name().unwrap().to_owned();
    command.args([name.as_str(), "--exact", "--nocapture", "--test-threads=1"]).env(TRY, what).env(DIR, dir);
    command.env(CAGED, cage).output().unwrap().status
}

#[test]
fn nothing_is_left_but_to_compute() {
    if let Ok(what) = env::var(TRY) {
        try_it(&what);
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("cache.key"), [7; 32]).unwrap();
    for (what, _) in THINGS {
        let process = |cage| {
            fs::write(dir.path().join("victim"), "").unwrap();
            process(what, cage, dir.path())
        };
        // Some actions need rights that the user running the tests may lack.
        let outside = process("none");
        let needs_root = ["trace its parent", "load a BPF program", "mount", "set up io_uring"].contains(&what);
        let may_fail = needs_root && outside.code() == Some(FAILED);
        assert!(outside.code() == Some(DID_IT) || may_fail, "outside of the cage, to {what}: {outside}");
        let inside = process("whole");
        let is_denied = inside.code() == Some(FAILED) || inside.signal() == Some(libc::SIGSYS);
        assert!(is_denied, "in the cage, to {what}: {inside}");
        // Opening fails; everything else kills the process.
        let opens =
            ["read the key", "read a file", "look at", "make a file", "list"].iter().any(|it| what.starts_with(it));
        assert!(opens || inside.signal() == Some(libc::SIGSYS), "in the cage, to {what}: {inside}");
    }
    // Half of the cage is landlock and the limits alone.
    for what in ["read the key of the cache", "make a file", "remove a file", "list a directory", "make a UDP socket"] {
        assert_eq!(process(what, "half", dir.path()).code(), Some(FAILED), "in half of the cage, to {what}");
    }
    assert!(dir.path().join("victim").exists() && dir.path().join("new").exists());
}
