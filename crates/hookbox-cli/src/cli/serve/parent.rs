//! Detects that the parent process has ended. The end of stdin shows that too, unless another process has inherited the
//! other end of the pipe.

#[cfg(target_os = "linux")]
use rustix::event::{PollFd, PollFlags, poll};
#[cfg(target_os = "linux")]
use rustix::process::{PidfdFlags, getppid, pidfd_open};

/// Calls `gone` when the parent has ended, if the system can report that. If the parent is init, it is not watched.
pub(super) fn watch(gone: impl FnOnce() + Send + 'static) {
    #[cfg(target_os = "linux")]
    {
        let Some(parent) = getppid().filter(|parent| !parent.is_init()) else { return };
        let Ok(parent) = pidfd_open(parent, PidfdFlags::empty()) else { return };
        // Without this thread, the end of stdin is the only sign.
        let _ = std::thread::Builder::new().name("hookbox-parent".to_owned()).spawn(move || {
            loop {
                let ended = poll(&mut [PollFd::new(&parent, PollFlags::IN)], None);
                match ended {
                    Ok(_) => return gone(),
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => return,
                }
            }
        });
    }
    #[cfg(not(target_os = "linux"))]
    drop(gone);
}
