//! The process of a hook on Linux.

use super::command::Command;
use super::vfork::{self, Image};
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus};
use rustix::process::{kill_process_group, pidfd_open, waitid};
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};
use tokio::io::unix::AsyncFd;
use tokio::task::JoinHandle;

/// A process that leads its own session and process group.
#[derive(Debug)]
pub(super) struct Process {
    id: Pid,
    end: End,
}

#[derive(Debug)]
enum End {
    /// The process's descriptor, which is readable when the process has ended.
    Awaited(AsyncFd<OwnedFd>),
    /// The kernel has no descriptors for processes (before Linux 5.3, and in some sandboxes), so a thread waits. It is
    /// started once: a second thread would find the process already reaped.
    Blocking(Option<JoinHandle<rustix::io::Result<Option<WaitIdStatus>>>>),
    Known(ExitStatus),
}

impl Process {
    /// Starts a program with these streams.
    pub(super) fn start(command: &Command, program: &Path, streams: [OwnedFd; 3]) -> io::Result<Self> {
        let image = image(command, program, streams)?;
        let id = if is_main_thread() { vfork::start(&image) } else { on_lasting_thread(image) }?;
        let Ok(descriptor) = pidfd_open(id, PidfdFlags::empty()) else {
            return Ok(Process { id, end: End::Blocking(None) });
        };
        match vfork::watch(descriptor) {
            Ok(descriptor) => Ok(Process { id, end: End::Awaited(descriptor) }),
            Err(error) => {
                let _ = kill_process_group(id, Signal::KILL);
                let _ = waitid(WaitId::Pid(id), WaitIdOptions::EXITED);
                Err(error)
            }
        }
    }

    /// Returns the process's id, or `None` once the process has been reaped: the id may then be reused for another
    /// process.
    pub(super) const fn id(&self) -> Option<Pid> {
        match self.end {
            End::Known(_) => None,
            End::Awaited(_) | End::Blocking(_) => Some(self.id),
        }
    }

    /// Waits for the process to end. This is cancel safe.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        let id = self.id;
        let status = match &mut self.end {
            End::Known(status) => return Ok(*status),
            End::Awaited(descriptor) => loop {
                let mut ready = descriptor.readable().await?;
                match waitid(WaitId::PidFd(descriptor.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG)? {
                    Some(status) => break status,
                    None => ready.clear_ready(),
                }
            },
            End::Blocking(thread) => {
                let wait = move || rustix::io::retry_on_intr(|| waitid(WaitId::Pid(id), WaitIdOptions::EXITED));
                let ended = thread.get_or_insert_with(|| tokio::task::spawn_blocking(wait)).await;
                *thread = None;
                ended.map_err(io::Error::other)??.ok_or(io::ErrorKind::NotFound)?
            }
        };
        let status = exit_status(&status)?;
        self.end = End::Known(status);
        Ok(status)
    }
}

/// Returns the status in the encoding that the system uses.
///
/// # Errors
/// Returns an error if the process neither exited nor was ended by a signal. A status of 0 would be wrong: a hook that
/// succeeds without output allows.
fn exit_status(status: &WaitIdStatus) -> io::Result<ExitStatus> {
    if let Some(code) = status.exit_status() {
        return Ok(ExitStatus::from_raw((code & 0xff) << 8));
    }
    let signal = status.terminating_signal().ok_or_else(|| io::Error::other("it ended in an unknown way"))?;
    Ok(ExitStatus::from_raw(if status.dumped() { signal | 0x80 } else { signal }))
}

fn image(command: &Command, program: &Path, streams: [OwnedFd; 3]) -> io::Result<Image> {
    let text = |text: &OsStr| Ok::<_, io::Error>(CString::new(text.as_bytes())?);
    // If a variable occurs twice, the last value counts.
    let env: BTreeMap<_, _> = command.env.iter().map(|(name, value)| (name, value)).collect();
    let env = env.into_iter().map(|(name, value)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()));
    let [stdin, stdout, stderr] = streams;
    Ok(Image {
        program: text(program.as_os_str())?,
        // The name as it was requested, because programs use this as their own name.
        args: std::iter::once(&command.program).chain(&command.args).map(|arg| text(arg)).collect::<Result<_, _>>()?,
        env: env.collect::<Result<_, _>>()?,
        cwd: text(command.cwd.as_os_str())?,
        streams: [beyond_standard(stdin)?, beyond_standard(stdout)?, beyond_standard(stderr)?],
    })
}

/// Moves a descriptor above the standard numbers, which are overwritten while the streams are put in place. A host may
/// have closed its own standard streams.
fn beyond_standard(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    use std::os::fd::AsRawFd;
    match descriptor.as_raw_fd() {
        0..=2 => Ok(rustix::io::fcntl_dupfd_cloexec(&descriptor, 3)?),
        _ => Ok(descriptor),
    }
}

/// Returns whether this is the thread that `main` runs on, which ends with the process.
fn is_main_thread() -> bool {
    rustix::thread::gettid() == rustix::process::getpid()
}

type Job = (Image, SyncSender<io::Result<Pid>>);

/// Starts the program on a thread that lives as long as this process: a hook is killed when the thread that started it
/// ends, and a host's own threads may end at any time.
fn on_lasting_thread(image: Image) -> io::Result<Pid> {
    /// The channel to the thread, and the process that owns the thread: a copy of the process made by `fork` does not
    /// have the thread.
    static JOBS: Mutex<Option<(Pid, Sender<Job>)>> = Mutex::new(None);
    let (reply, started) = sync_channel(1);
    {
        let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
        let this = rustix::process::getpid();
        let sender = match &*jobs {
            Some((owner, sender)) if *owner == this => sender,
            _ => &jobs.insert((this, start_thread()?)).1,
        };
        sender.send((image, reply)).map_err(io::Error::other)?;
    }
    // Blocking here costs nothing extra, since starting takes just as long on either thread.
    started.recv().map_err(io::Error::other)?
}

fn start_thread() -> io::Result<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    let work = move || {
        for (image, reply) in jobs {
            let _ = reply.send(vfork::start(&image));
        }
    };
    thread::Builder::new().name("hookbox-spawn".to_owned()).spawn(work)?;
    Ok(sender)
}
