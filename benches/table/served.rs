//! Measures round trips to `hookbox serve`, from several languages, and compares them with calls in process and with
//! processes.

use crate::ask::{Asker, INPUT, WARM_CALLS, hook, rule};
use crate::languages::{self, interpreter};
use crate::processes::{Prepared, spawn};
use crate::row::{Goal, Unit, in_turns, print, print_missing};
use hookbox::runtime::component::Sandbox;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const ROUNDS: usize = 100;

/// How much longer a round trip may take than the call itself, in nanoseconds: from a compiled language and from a
/// scripting language.
const NATIVE: f64 = 60_000.0;
const SCRIPT: f64 = 120_000.0;

/// How much longer a decision may take if it is logged, in nanoseconds.
const LOGGED: f64 = 15_000.0;

const LOG_COST: &str = "round trip over stdio, logged / the same, not logged, and 15 µs";

/// A way to ask `hookbox serve`.
struct Way {
    name: &'static str,
    program: Program,
    over: Over,
    /// The maximum time that a round trip may take in addition to the call, if there is a goal.
    most: Option<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Program {
    /// This program writes and reads the lines itself.
    Lines,
    Go,
    Python,
    Node,
}

#[derive(Clone, Copy, PartialEq)]
enum Over {
    Stdio,
    Unix,
    Tcp,
}

const WAYS: [Way; 6] = [
    Way { name: "stdio from Rust", program: Program::Lines, over: Over::Stdio, most: Some(NATIVE) },
    Way { name: "stdio from Go", program: Program::Go, over: Over::Stdio, most: Some(NATIVE) },
    Way { name: "stdio from Python", program: Program::Python, over: Over::Stdio, most: Some(SCRIPT) },
    Way { name: "stdio from Node", program: Program::Node, over: Over::Stdio, most: Some(SCRIPT) },
    Way { name: "a Unix socket from Go", program: Program::Go, over: Over::Unix, most: None },
    Way { name: "TCP from Go", program: Program::Go, over: Over::Tcp, most: None },
];

pub(crate) fn rows(sandbox: &Sandbox, wanted: &dyn Fn(&str) -> bool, hookbox: Option<&Path>) {
    for way in &WAYS {
        let row = |other: &str| format!("round trip over {} / {other}", way.name);
        let (beside_call, beside_run, beside_python) =
            (row(way.beside()), row("hookbox run"), row("the same in python3 -S"));
        let mut rows = vec![&beside_run, &beside_python];
        if way.most.is_some() {
            rows.insert(0, &beside_call);
        }
        if !rows.iter().any(|row| wanted(row)) {
            continue;
        }
        let prepared = match Prepared::new(hookbox, &["rule.wasm"]) {
            Ok(prepared) => prepared,
            Err(why) => return rows.into_iter().for_each(|row| print_missing(row, &why)),
        };
        let mut client = match Client::start(way, &prepared, "") {
            Ok(client) => client,
            Err(why) => {
                rows.into_iter().filter(|row| wanted(row)).for_each(|row| print_missing(row, &why));
                continue;
            }
        };
        let mut trip = || client.calls(WARM_CALLS);
        if let Some(most) = way.most.filter(|_| wanted(&beside_call)) {
            let asker = Asker::of([hook(sandbox, &rule())]).allowing(INPUT);
            let mut call = || asker.calls(INPUT, WARM_CALLS) + most;
            print(&beside_call, Unit::Nanoseconds, in_turns(ROUNDS, [&mut trip, &mut call]), Goal::AtMost(1.0));
        }
        if wanted(&beside_run) {
            let figures = in_turns(ROUNDS, [&mut trip, &mut || prepared.run()]);
            print(&beside_run, Unit::Nanoseconds, figures, Goal::AtMost(0.2));
        }
        if wanted(&beside_python) {
            match interpreter("python3", &["-S", "-c", "import sys; print(sys.executable)"]) {
                Some(python) => {
                    let mut other = || spawn(Command::new(&python).args(["-S", "-c", languages::PYTHON]));
                    let figures = in_turns(ROUNDS / 4, [&mut trip, &mut other]);
                    print(&beside_python, Unit::Nanoseconds, figures, Goal::AtMost(1.0 / 50.0));
                }
                None => print_missing(&beside_python, "python3 is not installed"),
            }
        }
    }
    if wanted(LOG_COST) {
        log_cost(hookbox);
    }
}

fn log_cost(hookbox: Option<&Path>) {
    let started = Prepared::new(hookbox, &["rule.wasm"]).and_then(|plain| {
        let logged = Prepared::new(hookbox, &["rule.wasm"])?;
        let [lines, ..] = &WAYS;
        Ok((Client::start(lines, &logged, "\n[log]\n")?, Client::start(lines, &plain, "")?, [plain, logged]))
    });
    let (mut logged, mut plain, homes) = match started {
        Ok(started) => started,
        Err(why) => return print_missing(LOG_COST, &why),
    };
    let figures = in_turns(ROUNDS, [&mut || logged.calls(WARM_CALLS), &mut || plain.calls(WARM_CALLS) + LOGGED]);
    let log = homes[1].home().join(".local/state/hookbox/decisions.jsonl");
    assert!(log.is_file(), "there is no log in {}", log.display());
    print(LOG_COST, Unit::Nanoseconds, figures, Goal::AtMost(1.0));
}

impl Way {
    const fn beside(&self) -> &'static str {
        match self.program {
            Program::Python | Program::Node => "the call and 120 µs",
            Program::Lines | Program::Go => "the call and 60 µs",
        }
    }
}

/// A program that makes calls when it is told to.
struct Client {
    program: Program,
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// The server that the program is connected to.
    server: Option<Child>,
    last_id: u64,
}

impl Client {
    /// Starts the program. `more` is added to the config.
    fn start(way: &Way, prepared: &Prepared<'_>, more: &str) -> Result<Self, String> {
        let (home, config) = (prepared.home(), prepared.config());
        if !more.is_empty() {
            let hooks = std::fs::read_to_string(&config).unwrap();
            std::fs::write(&config, hooks + more).unwrap();
        }
        let mut command = match way.program {
            Program::Lines => {
                let mut command = prepared.with_home(Command::new(prepared.hookbox()));
                command.args(["serve", "--stdio", "--config"]);
                command
            }
            program => {
                let mut command = prepared.with_home(asker(program)?);
                command.env("HOOKBOX_BIN", prepared.hookbox());
                command.env("PYTHONPATH", clients().join("python/src"));
                command
            }
        };
        command.arg(&config);
        let server = match way.over {
            Over::Stdio => None,
            over => {
                let address = match over {
                    Over::Unix => format!("unix:{}", home.join("hookbox.sock").display()),
                    _ => "127.0.0.1:0".to_owned(),
                };
                let (server, port) = serve(prepared, &config, &address)?;
                let address = if over == Over::Unix { address } else { format!("127.0.0.1:{port}") };
                command.arg(address).arg(home.join(".local/state/hookbox/serve.token"));
                Some(server)
            }
        };
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
        let (stdin, stdout) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut client = Client { program: way.program, process, stdin, stdout, server, last_id: 0 };
        if client.program != Program::Lines {
            writeln!(client.stdin, "{INPUT}").unwrap();
        }
        client.calls(1);
        Ok(client)
    }

    /// Makes this many calls, and returns the nanoseconds per call.
    fn calls(&mut self, calls: u32) -> f64 {
        if self.program == Program::Lines {
            let started = std::time::Instant::now();
            (0..calls).for_each(|_| self.line());
            return started.elapsed().as_nanos() as f64 / f64::from(calls);
        }
        writeln!(self.stdin, "{calls}").unwrap();
        self.read().trim().parse().unwrap()
    }

    fn line(&mut self) {
        self.last_id += 1;
        let line = format!("{{\"id\":{},\"input\":{INPUT}}}\n", self.last_id);
        self.stdin.write_all(line.as_bytes()).unwrap();
        let answer = self.read();
        assert!(answer.contains(r#""decision":"allow""#), "{answer}");
    }

    fn read(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the client ended");
        line
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for process in [Some(&mut self.process), self.server.as_mut()].into_iter().flatten() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Starts a server, and returns its port.
pub(crate) fn serve(prepared: &Prepared<'_>, config: &Path, address: &str) -> Result<(Child, String), String> {
    let mut command = prepared.with_home(Command::new(prepared.hookbox()));
    command.args(["serve", "--listen", address, "--config"]).arg(config).stderr(Stdio::piped());
    let mut server = command.spawn().map_err(|error| error.to_string())?;
    let mut said = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let port = said.trim().rsplit(':').next().unwrap_or_default().to_owned();
    match said.contains("serves on") {
        true => Ok((server, port)),
        false => Err(format!("the server said {said:?}")),
    }
}

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients")
}

/// Returns the program that asks with the client of a language.
fn asker(program: Program) -> Result<Command, String> {
    let built = |path: PathBuf| match path.is_file() {
        true => Ok(path),
        false => Err(format!("`cargo xtask bench` has not built {}", path.display())),
    };
    let missing = |name: &str| format!("{name} is not installed");
    Ok(match program {
        Program::Go => Command::new(built(Path::new(crate::GUESTS).join("ask_go"))?),
        Program::Python => {
            let python = interpreter("python3", &["-S", "-c", "import sys; print(sys.executable)"]);
            let mut command = Command::new(python.ok_or_else(|| missing("python3"))?);
            command.arg(clients().join("python/bench/ask.py"));
            command
        }
        _ => {
            built(clients().join("node/dist/index.js"))?;
            let mut command =
                Command::new(interpreter("node", &["-p", "process.execPath"]).ok_or_else(|| missing("node"))?);
            command.arg(clients().join("node/bench/ask.mjs"));
            command
        }
    })
}
