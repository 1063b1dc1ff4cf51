//! A command on its own terminal.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The maximum wait for a text.
const PATIENCE: Duration = Duration::from_secs(30);

/// A process whose stdin, stdout and stderr are a terminal, and what it has shown.
pub struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Terminal {
    #[track_caller]
    pub fn start(mut command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let side = || Stdio::from(File::options().read(true).write(true).open(&name).unwrap());
        command.env("TERM", "dumb").env("NO_COLOR", "1");
        let child = command.stdin(side()).stdout(side()).stderr(side()).spawn().unwrap();
        // A handle of the terminal that stays open here would keep the terminal from ending.
        drop(command);
        let keyboard = File::from(master);
        let (sender, screen) = channel();
        let mut output = keyboard.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            // Reading from a terminal that no process has open any more is an error.
            while let Ok(read @ 1..) = output.read(&mut chunk) {
                let _ = sender.send(chunk[..read].to_vec());
            }
        });
        Terminal { child, keyboard, screen, seen: Vec::new() }
    }

    /// Waits until the terminal has shown this text.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !String::from_utf8_lossy(&self.seen).contains(text) {
            let left = deadline.saturating_duration_since(Instant::now());
            let more = self.screen.recv_timeout(left);
            self.seen.extend(more.unwrap_or_else(|_| panic!("{text:?} never came: {}", self.shown())));
        }
    }

    pub fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Ends the process with SIGKILL.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }

    /// Waits until the process ends, and returns its exit status and everything that it has shown.
    #[track_caller]
    pub fn end(mut self) -> (i32, String) {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(Instant::now() < deadline, "it did not end: {}", self.shown()),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        while let Ok(more) = self.screen.recv_timeout(PATIENCE) {
            self.seen.extend(more);
        }
        (status.code().unwrap_or(-1), self.shown())
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.seen).replace("\r\n", "\n")
    }
}
