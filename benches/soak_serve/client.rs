//! A connection to the server on a Unix socket: HTTP/1.1, one request after another.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A time limit longer than any answer needs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Connection {
    socket: PathBuf,
    stream: BufReader<UnixStream>,
}

impl Connection {
    pub(crate) fn open(socket: &Path) -> Self {
        Connection { socket: socket.to_owned(), stream: BufReader::new(connect(socket)) }
    }

    /// Asks about an Input for an agent that works in this directory.
    pub(crate) fn ask(&mut self, input: &Value, project: Option<&Path>) -> Result<Value, String> {
        let answer = self.send(input, project).and_then(|()| self.read());
        answer.map_err(|error| format!("no answer: {error}")).and_then(|(status, body)| match status {
            200 => serde_json::from_slice(&body).map_err(|error| format!("an answer that is not JSON: {error}")),
            status => Err(format!("the status {status}: {}", String::from_utf8_lossy(&body))),
        })
    }

    /// Asks, and closes the connection without reading the answer.
    pub(crate) fn leave(&mut self, input: &Value) {
        let _ = self.send(input, None);
        self.stream = BufReader::new(connect(&self.socket));
    }

    fn send(&mut self, input: &Value, project: Option<&Path>) -> std::io::Result<()> {
        let mut body = serde_json::json!({ "input": input });
        if let Some(project) = project {
            body["project"] = project.to_str().unwrap().into();
        }
        let body = body.to_string();
        let head = format!("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
        self.stream.get_mut().write_all((head + &body).as_bytes())
    }

    fn read(&mut self) -> std::io::Result<(u16, Vec<u8>)> {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            if status == 0 {
                status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
            } else if line.trim().is_empty() {
                break;
            } else if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.is_empty() {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status, body))
    }
}

fn connect(socket: &Path) -> UnixStream {
    let stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}
