//! A server for the tests, and a client that sends exactly what a test wants.

use crate::support::project::Project;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub struct Server {
    child: Child,
    socket: Option<PathBuf>,
    pub port: u16,
    pub token: String,
}

pub enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Server {
    pub fn tcp(project: &Project) -> Self {
        Server::start(project, None)
    }

    pub fn unix(project: &Project) -> Self {
        Server::start(project, Some(project.home().join("hookbox.sock")))
    }

    fn start(project: &Project, socket: Option<PathBuf>) -> Self {
        let address = socket.as_ref().map_or("127.0.0.1:0".to_owned(), |socket| format!("unix:{}", socket.display()));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookbox"));
        command.args(["serve", "--listen", &address]).stdin(Stdio::null());
        Server::run(project, socket, command)
    }

    /// Starts the server with a command of any kind.
    pub fn run(project: &Project, socket: Option<PathBuf>, mut command: Command) -> Self {
        command.current_dir(project.dir()).env("HOME", project.home());
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("hookbox serves on") {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended");
        }
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(0);
        let file = project.home().join(".local/state/hookbox/serve.token");
        let token = std::fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
        if socket.is_none() {
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(token.len(), 64);
        }
        Server { child, socket, port, token }
    }

    pub fn socket(&self) -> PathBuf {
        self.socket.clone().unwrap()
    }

    pub fn connect(&self) -> Stream {
        match &self.socket {
            Some(socket) => Stream::Unix(UnixStream::connect(socket).unwrap()),
            None => Stream::Tcp(TcpStream::connect(("127.0.0.1", self.port)).unwrap()),
        }
    }

    /// Returns a request with these headers in place of the usual ones of the same name.
    pub fn text(&self, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> String {
        let usual = [
            ("Host", format!("127.0.0.1:{}", self.port)),
            ("Authorization", format!("Bearer {}", self.token)),
            ("Content-Length", body.len().to_string()),
            ("Connection", "close".to_owned()),
        ];
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in usual.iter().filter(|(name, _)| !headers.iter().any(|(given, _)| given == name)) {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text + "\r\n" + body
    }

    pub fn request(&self, method: &str, path: &str, body: &str, headers: &[(&str, &str)]) -> String {
        self.raw(&self.text(method, path, body, headers))
    }

    pub fn post(&self, path: &str, body: &str) -> String {
        self.request("POST", path, body, &[])
    }

    /// Returns the server's answer to exactly this text.
    pub fn raw(&self, text: &str) -> String {
        let mut stream = self.connect();
        // The server may refuse the request before it has all of it.
        let _ = stream.write_all(text.as_bytes());
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Returns the exit status, which comes soon.
    pub fn end(mut self) -> i32 {
        let end = Instant::now() + Duration::from_secs(15);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Stream {
    pub fn set_read_timeout(&self, time: Option<Duration>) -> std::io::Result<()> {
        match self {
            Stream::Tcp(stream) => stream.set_read_timeout(time),
            Stream::Unix(stream) => stream.set_read_timeout(time),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.read(into),
            Stream::Unix(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.write(bytes),
            Stream::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the head of an answer, with its headers in lower case.
pub fn head(answer: &str) -> String {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    let (status, headers) = head.split_once("\r\n").unwrap_or((head, ""));
    format!("{status}\r\n{}", headers.to_ascii_lowercase())
}

pub fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}
