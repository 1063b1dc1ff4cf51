//! `cargo xtask clients`: tests the clients of `hookbox serve` against hookbox, and their packages in environments that
//! have nothing else.

use crate::{guests, languages, tools};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// A language that has a client.
#[derive(Clone, Copy, Debug)]
enum Client {
    Python,
    Node,
    Go,
}

/// The package that checks the types of the Python client.
const MYPY: &str = "mypy==1.18.2";

/// The packages that build the package of the Python client.
const BUILDERS: [&str; 2] = ["build==1.3.0", "hatchling==1.27.0"];

/// The name of the example in a fresh environment.
const EXAMPLE: &str = "agent.mjs";

/// Tests the clients and their packages, all at the same time because most of their tests wait. `--hookbox PATH` names
/// the program.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let hookbox = match args {
        [] => {
            tools::step("building hookbox");
            tools::run(tools::cargo(&tools::root()).args(["build", "--locked", "--package", "hookbox-cli"]))?;
            tools::root().join("target/debug/hookbox")
        }
        [option, path] if option == "--hookbox" => PathBuf::from(path),
        _ => bail!("usage: cargo xtask clients [--hookbox PATH]"),
    };
    let hookbox = hookbox.canonicalize().with_context(|| format!("`{}` is not there", hookbox.display()))?;
    tools::step("installing what the clients are built and tested with, into target/tools");
    let ready = [Client::Python, Client::Node, Client::Go].map(|client| (client, client.install()));
    let mut left_out = Vec::new();
    let mut clients = Vec::new();
    for (client, installed) in ready {
        match installed {
            Ok(()) => clients.push(client),
            Err(error) if std::env::var_os("CI").is_some() => return Err(error),
            Err(error) => left_out.push(format!("the {client:?} client: {error:#}")),
        }
    }
    tools::step("testing the clients and their packages; this takes some minutes");
    let test = |client: Client| client.test(&hookbox).with_context(|| format!("the {client:?} client"));
    let tested: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = clients.into_iter().map(|client| (client, scope.spawn(move || test(client)))).collect();
        running.into_iter().map(|(client, test)| (client, test.join())).collect()
    });
    for (client, lines) in tested {
        for line in lines.unwrap_or_else(|_| bail!("the test of the {client:?} client panicked"))? {
            println!("{client:?}: {line}");
        }
    }
    left_out.iter().for_each(|what| eprintln!("left out, and so not tested: {what}"));
    Ok(())
}

/// Builds the clients that `cargo xtask bench` starts. A client that cannot be built becomes a row without figures.
pub(crate) fn build_for_benches() {
    tools::step("building the clients");
    let go = || {
        Client::Go.install()?;
        let mut build = languages::go(&Client::Go.dir());
        quiet(build.args(["build", "-o"]).arg(guests::out_dir().join("ask_go")).arg("./bench"))
    };
    let node = || {
        Client::Node.install()?;
        quiet(Command::new("npm").args(["run", "build"]).current_dir(Client::Node.dir()))
    };
    for built in [go(), node()] {
        if let Err(error) = built {
            eprintln!("{error:#}");
        }
    }
}

impl Client {
    fn dir(self) -> PathBuf {
        tools::root().join("clients").join(match self {
            Client::Python => "python",
            Client::Node => "node",
            Client::Go => "go",
        })
    }

    fn install(self) -> Result<()> {
        match self {
            Client::Python => languages::install_program("mypy", MYPY),
            Client::Node => {
                let install = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
                quiet(Command::new("npm").args(install).current_dir(self.dir()))
                    .context("install Node.js 20 or later with npm (Debian, Ubuntu: `apt-get install nodejs npm`)")
                    .map(drop)
            }
            Client::Go => languages::Language::Go.install(),
        }
    }

    /// Runs the client's tests, and its example from its package. Returns descriptions of what was done.
    fn test(self, hookbox: &Path) -> Result<Vec<String>> {
        let fresh = tempfile::tempdir()?;
        let home = fresh.path().join("home");
        fs::create_dir(&home)?;
        let with = |mut command: Command, dir: &Path| {
            command.current_dir(dir).env("HOOKBOX_BIN", hookbox);
            command
        };
        let (tests, mut example) = match self {
            Client::Python => self.python(fresh.path(), with)?,
            Client::Node => self.node(fresh.path(), with)?,
            Client::Go => self.go(fresh.path(), with)?,
        };
        let config = tools::root().join("clients/testing/hooks.toml");
        let said = quiet(example.env("HOME", home).arg("--config").arg(config))?;
        for line in ["system: Never push to main.", "tool: would run: ls", "tool: denied: no-destructive-commands: "] {
            if !said.lines().any(|said| said.starts_with(line)) {
                bail!("its example did not say {line:?}, but:\n{said}");
            }
        }
        Ok(tests.into_iter().chain(["the package runs the example in a fresh environment".to_owned()]).collect())
    }

    /// Builds an sdist and from that a wheel, installs the wheel in a virtual environment, and runs the tests there.
    /// Returns a command that runs the example there.
    fn python(self, fresh: &Path, with: impl Fn(Command, &Path) -> Command) -> Result<(Vec<String>, Command)> {
        let (dir, python) = (self.dir(), languages::program_path("python"));
        quiet(with(Command::new(languages::program_path("mypy")), &dir).args(["src", "examples"]))?;
        let (packages, builder, venv) = (fresh.join("dist"), fresh.join("builder"), fresh.join("venv"));
        let pip = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install"];
        for folder in [&builder, &venv] {
            quiet(with(Command::new(&python), fresh).args(["-m", "venv"]).arg(folder))?;
        }
        let python = builder.join("bin/python");
        quiet(with(Command::new(&python), fresh).args(pip).args(BUILDERS))?;
        let build = ["-m", "build", "--no-isolation", "--outdir"];
        quiet(with(Command::new(&python), fresh).args(build).arg(&packages).arg(&dir))?;
        let python = venv.join("bin/python");
        let wheel = only(&packages, "whl")?;
        quiet(with(Command::new(&python), fresh).args(pip).arg("--no-index").arg(wheel))?;
        let mut tests = with(Command::new(&python), &dir);
        let said =
            quiet(tests.args(["-m", "unittest", "discover", "-s", "tests"]).env("PYTHONDONTWRITEBYTECODE", "1"))?;
        let mut example = with(Command::new(&python), fresh);
        example.arg(dir.join("examples/agent.py"));
        Ok((vec![line(&said, "Ran ")], example))
    }

    /// Packs the client, and installs the package in a project.
    fn node(self, fresh: &Path, with: impl Fn(Command, &Path) -> Command) -> Result<(Vec<String>, Command)> {
        let dir = self.dir();
        quiet(with(Command::new("npm"), &dir).args(["run", "build"]))?;
        let said = quiet(with(Command::new("npm"), &dir).arg("test"))?;
        quiet(with(Command::new("npm"), &dir).args(["pack", "--loglevel=error", "--pack-destination"]).arg(fresh))?;
        fs::write(fresh.join("package.json"), r#"{"name":"agent","private":true,"type":"module"}"#)?;
        let package = only(fresh, "tgz")?;
        quiet(with(Command::new("npm"), fresh).args(["install", "--offline", "--no-audit", "--no-fund"]).arg(package))?;
        fs::copy(dir.join("examples").join(EXAMPLE), fresh.join(EXAMPLE))?;
        let mut example = with(Command::new("node"), fresh);
        example.arg(EXAMPLE);
        Ok((vec![line(&said, "ℹ tests ")], example))
    }

    /// Builds the example as a separate module.
    fn go(self, fresh: &Path, with: impl Fn(Command, &Path) -> Command) -> Result<(Vec<String>, Command)> {
        let dir = self.dir();
        let go = |dir: &Path| with(languages::go(dir), dir);
        let unformatted = quiet(with(Command::new(languages::gofmt()?), &dir).args(["-l", "."]))?;
        if !unformatted.is_empty() {
            bail!("gofmt would change {unformatted}");
        }
        quiet(go(&dir).args(["vet", "./..."]))?;
        // The race detector needs a C compiler; without one, `go` turns cgo off by itself.
        let has_race = quiet(go(&dir).args(["env", "CGO_ENABLED"]))?.trim() == "1";
        let race: &[&str] = if has_race { &["-race"] } else { &[] };
        let said = quiet(go(&dir).args(["test", "-count=1", "-v"]).args(race).arg("."))?;
        let module = fresh.join("agent");
        fs::create_dir(&module)?;
        fs::copy(dir.join("examples/agent/main.go"), module.join("main.go"))?;
        quiet(go(&module).args(["mod", "init", "agent"]))?;
        let replace = format!("-replace=hookbox-client={}", dir.display());
        quiet(go(&module).args(["mod", "edit", "-require=hookbox-client@v0.1.0", &replace]))?;
        quiet(go(&module).args(["build", "-o", "agent", "."]))?;
        let passed = said.lines().filter(|line| line.trim_start().starts_with("--- PASS")).count();
        let mut lines = vec![format!("{passed} tests")];
        if !has_race {
            lines.push("left out: the race detector, which needs a C compiler".to_owned());
        }
        Ok((lines, with(Command::new(module.join("agent")), fresh)))
    }
}

/// Runs a program and returns its output, which is shown only if the program fails.
fn quiet(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{program}` could not be started"))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if !output.status.success() {
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        bail!("`{program} {}` ended with {}:\n{text}", args.join(" "), output.status);
    }
    Ok(text)
}

/// Returns the last line that begins with this text.
fn line(text: &str, beginning: &str) -> String {
    text.lines().rfind(|line| line.starts_with(beginning)).unwrap_or_default().trim_start_matches("ℹ ").to_owned()
}

/// Returns the only file in a folder with this extension.
fn only(dir: &Path, extension: &str) -> Result<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        files.push(entry?.path());
    }
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    match files.as_slice() {
        [file] => Ok(file.clone()),
        _ => bail!("there are {} files with the ending .{extension} in `{}`", files.len(), dir.display()),
    }
}
