//! The component runtime's only file with `unsafe` outside of tests: it loads machine code into the process, handles
//! signals, and closes inherited files in the compiler's process.

#![allow(
    unsafe_code,
    reason = "nothing can check machine code, signal handlers or who owns a file; this is where they are vouched for"
)]

use super::compiler::Compiler;
use super::compiler::open_beside;
use super::digest::Digest;
use super::engines::Engines;
use blake3::{Hash, Hasher};
use signal_hook_registry::SigId;
use std::fs::File;
use std::io::{self, Read};
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
#[cfg(feature = "cross")]
use wasmtime::Config;
use wasmtime::Engine;
use wasmtime::component::Component;
#[cfg(target_os = "linux")]
use {
    rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create},
    std::io::Write,
    std::os::fd::AsRawFd,
};

/// The number of bytes that are copied at a time: as many as BLAKE3 hashes at once.
const CHUNK_BYTES: usize = 16 << 10;

/// The number of bytes that are copied at a time for code of more than [`LARGE_BYTES`]. The larger chunk is 5 % faster
/// and saves system calls, but touches a dozen more pages, which costs small code more than it gains.
const LARGE_CHUNK_BYTES: usize = 64 << 10;
const LARGE_BYTES: u64 = 512 << 10;

/// The path of a compiler that the embedding program vouches for.
#[derive(Clone, Debug)]
pub(super) struct VouchedProgram(PathBuf);

impl VouchedProgram {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Compiler {
    /// Creates a compiler from the program at this path, which is run the same way as `hookbox-compiler`. Use this in
    /// installations where `hookbox-compiler` is not next to the program that calls hooks. [`found`](Compiler::found)
    /// needs no `unsafe`.
    ///
    /// ```compile_fail,E0133
    /// // Safe code cannot name a program.
    /// let compiler = hookbox::runtime::component::Compiler::program("/opt/hookbox-compiler");
    /// ```
    ///
    /// # Safety
    /// The program's output is run as machine code in this process. Whenever a component is compiled, the file must be
    /// a `hookbox-compiler`, or a program whose `main` begins with [`serve_if_asked`](super::serve_if_asked), of the
    /// same version as this library. No one else may be able to change or replace it.
    #[must_use]
    pub unsafe fn program(path: impl Into<PathBuf>) -> Self {
        Compiler::vouched(VouchedProgram(path.into()))
    }
}

/// Sets the target, so that components are compiled for all of its processors.
///
/// # Errors
/// Returns an error if the compiler does not know the target.
#[cfg(feature = "cross")]
pub(super) fn set_target(config: &mut Config, target: &str) -> wasmtime::Result<()> {
    config.target(target)?;
    let features: &[&str] = if target.starts_with("x86_64-") { &X86_64_V2 } else { &[] };
    for feature in features {
        // SAFETY: these flags only name instructions that the processor has; they do not change how code is compiled
        // otherwise. The code records which ones it needs, and an engine on a processor without them refuses it.
        unsafe { config.cranelift_flag_enable(feature) };
    }
    Ok(())
}

/// The features that processors have had since 2009. Some Linux distributions no longer start without them. Code for
/// these features runs as fast as code for all features of this machine.
#[cfg(feature = "cross")]
const X86_64_V2: [&str; 6] = ["has_cmpxchg16b", "has_popcnt", "has_sse3", "has_sse41", "has_sse42", "has_ssse3"];

/// Closes all files except stdin, stdout and stderr. This is for a process that was just started to compile: it may
/// have inherited files from whatever started the program, and must not keep them.
#[cfg(all(feature = "compiler", target_os = "linux"))]
pub(super) fn close_inherited() {
    // SAFETY: nothing in this process owns a file yet, except the standard library's streams. `serve_if_asked` calls
    // this first, must itself be the first call in `main`, and does not return after this call.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
    if closed != 0 {
        // Linux before 5.9 has no `close_range`. A file above the usual limit was not left open by accident.
        for file in 3..1024 {
            // SAFETY: as above.
            unsafe { libc::close(file) };
        }
    }
}

/// Machine code made by this program's own compiler: it was just compiled, authenticated with the user's key, or
/// installed with this program. Safe code cannot create a value from code of any other origin.
#[derive(Debug)]
pub(super) struct NativeCode(Kept);

#[derive(Debug)]
enum Kept {
    Bytes(Vec<u8>),
    /// A file without a name that no one can change any more, or a file that was installed with this program: anyone
    /// who can change the latter can change the program as well. The engine maps the file, which avoids a copy.
    #[cfg(target_os = "linux")]
    Sealed(File),
}

impl NativeCode {
    /// Wraps code that a compiler just produced. The caller must make sure that the compiler is this program's own, or
    /// one named by [`Compiler::program`].
    pub(super) const fn compiled(bytes: Vec<u8>) -> Self {
        NativeCode(Kept::Bytes(bytes))
    }

    /// Reads the rest of `source`, which has `size` bytes. Returns `None` if `mac` does not yield `tag` for it. The
    /// code is copied to where no one can change it, so the bytes that were checked are the bytes that run. A wrong
    /// `size` only makes this slower.
    ///
    /// # Errors
    /// Returns an error if `source` cannot be read, or if there is no room for the copy.
    pub(super) fn authenticated(
        source: &mut impl Read,
        size: u64,
        mut mac: Hasher,
        tag: Hash,
    ) -> io::Result<Option<Self>> {
        let mut copy = Copy::new();
        let mut chunk = vec![0; if size > LARGE_BYTES { LARGE_CHUNK_BYTES } else { CHUNK_BYTES }];
        loop {
            let read = source.read(&mut chunk)?;
            let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
            copy.write_all(bytes)?;
            mac.update(bytes);
        }
        let kept = copy.seal()?;
        // The comparison of hashes takes the same time wherever they differ.
        Ok((mac.finalize() == tag).then_some(NativeCode(kept)))
    }

    /// Opens the file with this name next to this program, which was installed with the program. Returns `None` if the
    /// file does not exist, if others could have put it there, or if it does not end with the mark of its component and
    /// of this version: it is then the code of another one, or incomplete. The caller must make sure that hookbox uses
    /// no other file of that name.
    pub(super) fn installed(name: &str, mark: &Digest) -> Option<Self> {
        let file = match open_beside(name) {
            Ok((_, handle)) => File::from(handle),
            Err(failure) => {
                tracing::debug!(file = name, "not used: {}", failure.message);
                return None;
            }
        };
        if !ends_with(&file, mark.as_bytes()) {
            tracing::warn!(file = name, "not used: it is not the machine code of this component");
            return None;
        }
        #[cfg(target_os = "linux")]
        return Some(NativeCode(Kept::Sealed(file)));
        #[cfg(not(target_os = "linux"))]
        {
            let mut bytes = Vec::new();
            let read = { file }.read_to_end(&mut bytes).ok()?;
            bytes.truncate(read.saturating_sub(mark.as_bytes().len()));
            Some(NativeCode(Kept::Bytes(bytes)))
        }
    }

    /// Returns the bytes to store in the cache, or `None` if the code is in a file.
    pub(super) const fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Kept::Bytes(bytes) => Some(bytes.as_slice()),
            #[cfg(target_os = "linux")]
            Kept::Sealed(_) => None,
        }
    }

    /// Moves the code to where several engines can map it.
    pub(super) fn shared(self) -> Self {
        let sealed = |bytes: &[u8]| {
            let mut copy = Copy::new();
            copy.write_all(bytes)?;
            copy.seal()
        };
        match self.bytes().map(sealed) {
            Some(Ok(copy)) => NativeCode(copy),
            // If there is no room for the copy, each engine copies the bytes.
            Some(Err(_)) | None => self,
        }
    }

    /// Loads the code as a component of this engine.
    ///
    /// # Errors
    /// Returns an error if the code is for another version of the engine, other settings, or another processor.
    pub(super) fn load(&self, engine: &Engine) -> wasmtime::Result<Component> {
        match &self.0 {
            // SAFETY: these bytes come from `Engine::precompile_component`, which this type guarantees. The engine
            // checks version and settings itself.
            Kept::Bytes(bytes) => unsafe { Component::deserialize(engine, bytes) },
            #[cfg(target_os = "linux")]
            Kept::Sealed(file) => {
                let path = format!("/proc/self/fd/{}", file.as_raw_fd());
                // SAFETY: as above. The file is sealed, so the mapping keeps the content that was checked.
                let mapped = unsafe { Component::deserialize_file(engine, path) };
                mapped.or_else(|error| {
                    // If /proc is not mounted, read the file instead. Another thread may read it at the same time, and
                    // both have the same position in it, so that neither may depend on the position.
                    match whole(file) {
                        // SAFETY: as above.
                        Ok(bytes) => unsafe { Component::deserialize(engine, bytes) },
                        Err(_) => Err(error),
                    }
                })
            }
        }
    }
}

/// Returns the content of a file, regardless of the position in it.
#[cfg(target_os = "linux")]
fn whole(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// Returns whether these are the last bytes of a file.
fn ends_with(file: &File, mark: &[u8; 32]) -> bool {
    let mut end = [0; 32];
    let start = file.metadata().ok().and_then(|file| file.len().checked_sub(end.len() as u64));
    start.is_some_and(|start| file.read_exact_at(&mut end, start).is_ok()) && end == *mark
}

/// A copy in progress.
struct Copy(Kept);

impl Copy {
    fn new() -> Self {
        #[cfg(target_os = "linux")]
        if let Ok(file) = memfd_create("hookbox-code", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING) {
            return Copy(Kept::Sealed(File::from(file)));
        }
        Copy(Kept::Bytes(Vec::new()))
    }

    fn write_all(&mut self, chunk: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Kept::Bytes(bytes) => bytes.extend_from_slice(chunk),
            #[cfg(target_os = "linux")]
            Kept::Sealed(file) => file.write_all(chunk)?,
        }
        Ok(())
    }

    /// Seals the copy: from then on no one can change it, not even through an open handle.
    fn seal(self) -> io::Result<Kept> {
        #[cfg(target_os = "linux")]
        if let Kept::Sealed(file) = &self.0 {
            fcntl_add_seals(file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
        }
        Ok(self.0)
    }
}

/// A handler for `SIGALRM`, and the timer that sends the signal. It spares a short-lived process a second thread, and
/// with it the cost of keeping memory consistent between two processors.
pub(super) struct Alarm(SigId);

/// The number of users of the timer, over all alarms: a process has only one timer.
static USERS: Mutex<usize> = Mutex::new(0);

impl Alarm {
    /// Creates an alarm that makes guests check their deadlines on each signal, until it is dropped.
    ///
    /// # Errors
    /// Returns an error if the signal handler cannot be installed.
    pub(super) fn for_engines(engines: &Arc<Engines>) -> io::Result<Self> {
        let engines = Arc::clone(engines);
        // SAFETY: a signal handler may call only a few functions. `tick` makes one atomic addition per engine, which
        // wasmtime documents as safe for this purpose.
        let id = unsafe { signal_hook_registry::register(libc::SIGALRM, move || engines.tick()) }?;
        let_through(libc::SIGALRM)?;
        Ok(Alarm(id))
    }

    /// Sends the signal at this interval until [`stop`](Alarm::stop) has been called as often as this function.
    pub(super) fn start(interval: Duration) {
        let mut users = USERS.lock().unwrap_or_else(PoisonError::into_inner);
        *users += 1;
        if *users == 1 {
            set_timer(interval);
        }
    }

    pub(super) fn stop() {
        let mut users = USERS.lock().unwrap_or_else(PoisonError::into_inner);
        *users = users.saturating_sub(1);
        if *users == 0 {
            set_timer(Duration::ZERO);
        }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        signal_hook_registry::unregister(self.0);
    }
}

/// Unblocks a signal. The parent of this process may have blocked it, and a guest would then run forever.
fn let_through(signal: libc::c_int) -> io::Result<()> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the first call initializes the set, and the pointers are valid for the calls.
    let failed = unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), ptr::null_mut())
    };
    if failed == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(failed)) }
}

/// Sets the timer. An interval of zero stops it.
fn set_timer(interval: Duration) {
    let interval = libc::timeval { tv_sec: 0, tv_usec: interval.subsec_micros() as _ };
    let timer = libc::itimerval { it_interval: interval, it_value: interval };
    // SAFETY: the pointer is valid for the call, and nothing is written to the null pointer. The call cannot fail: both
    // times are less than a second.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, ptr::null_mut()) };
}
