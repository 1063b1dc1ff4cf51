//! The test case for the end of a process.

use hookbox::Event;
use hookbox::config::Reply;
use hookbox::runtime::shell::End;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Exited(u8),
    Signalled(u8),
    TimedOut,
    Cancelled,
    Flooded,
    Broken,
}

pub(super) struct Case<'b> {
    pub(super) event: Event,
    pub(super) way: Way,
    pub(super) stdout: &'b [u8],
    stderr: &'b [u8],
    pub(super) stdout_held: bool,
    stderr_held: bool,
    truncated: bool,
}

impl<'b> Case<'b> {
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let [event, way, flags, output @ ..] = bytes else {
            return None;
        };
        let (event, way, flags) = (usize::from(*event), *way, *flags);
        let mut streams = output.splitn(2, |byte| *byte == 0);
        Some(Case {
            event: *Event::ALL.get(event % Event::ALL.len())?,
            // The exit code is written as a digit, which keeps seeds readable.
            way: match flags >> 4 {
                4 => Way::Signalled(way % 31 + 1),
                5 => Way::TimedOut,
                6 => Way::Cancelled,
                7 => Way::Flooded,
                8 => Way::Broken,
                _ => Way::Exited(way.wrapping_sub(b'0')),
            },
            stdout_held: flags & 1 != 0,
            stderr_held: flags & 2 != 0,
            truncated: flags & 4 != 0,
            stdout: streams.next()?,
            stderr: streams.next().unwrap_or_default(),
        })
    }

    pub(super) fn end(&self) -> End {
        let (stdout, stderr) = (self.stdout.to_vec(), self.stderr.to_vec());
        let ended = |status| End::Ended {
            status: ExitStatus::from_raw(status),
            stdout: self.stdout.to_vec(),
            stderr: self.stderr.to_vec(),
            stdout_held: self.stdout_held,
            stderr_held: self.stderr_held,
            truncated: self.truncated,
        };
        match self.way {
            Way::Exited(code) => ended(i32::from(code) << 8),
            Way::Signalled(signal) => ended(i32::from(signal)),
            Way::TimedOut => End::TimedOut { limit: Duration::from_secs(5), stdout, stderr, truncated: self.truncated },
            Way::Cancelled => End::Cancelled { started: self.truncated, stdout, stderr },
            Way::Flooded => End::Flooded("stdout", 1 << 20),
            Way::Broken => End::Broken {
                given: "hook".into(),
                program: "/bin/hook".into(),
                cwd: "/".into(),
                error: io::ErrorKind::NotFound.into(),
                hint: None,
            },
        }
    }

    pub(super) fn exit_code(&self) -> Option<u8> {
        match self.way {
            Way::Exited(code) => Some(code),
            _ => None,
        }
    }

    pub(super) fn succeeded(&self) -> bool {
        self.exit_code() == Some(0)
    }

    /// Whether another process may still write to an output.
    pub(super) fn is_held(&self) -> bool {
        self.stdout_held || self.stderr_held
    }
}

/// Returns the end of a process that gives this reply.
pub(super) fn of_reply(reply: Reply) -> End {
    End::Ended {
        status: ExitStatus::from_raw(reply.exit_code << 8),
        stdout: reply.stdout.into_bytes(),
        stderr: reply.stderr.into_bytes(),
        stdout_held: false,
        stderr_held: false,
        truncated: false,
    }
}
