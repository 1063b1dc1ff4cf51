//! Helpers that run other programs and write files.

use anyhow::{Context, Result, bail};
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns a command in a directory for the cargo that runs this program.
pub(crate) fn cargo(dir: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(dir);
    cargo
}

/// Prints the next step.
pub(crate) fn step(what: &str) {
    eprintln!("\n── {what}");
}

/// Runs a program. Returns an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` could not be started"))?;
    if !status.success() {
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        bail!("`{program} {}` ended with {status}", args.join(" "));
    }
    Ok(())
}

/// Waits for the lock with this name, which is held until the returned file is closed. Locks are needed because several
/// threads and processes build and install the same files.
pub(crate) fn lock(name: &str) -> Result<File> {
    let path = root().join("target").join(name).with_extension("lock");
    let failed = || format!("`{}` cannot be locked", path.display());
    let file = File::create(&path).with_context(failed)?;
    file.lock().with_context(failed)?;
    Ok(file)
}

/// Spells a command for a shell in the root of the project.
pub(crate) fn spell(command: &Command) -> String {
    let mut words = Vec::new();
    let dir = command.get_current_dir().and_then(|dir| dir.strip_prefix(root()).ok());
    if let Some(dir) = dir.filter(|dir| !dir.as_os_str().is_empty()) {
        words.push(format!("cd {} &&", quote(&dir.to_string_lossy())));
    }
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={}", name.to_string_lossy(), quote(&value.to_string_lossy())));
        }
    }
    let program = Path::new(command.get_program());
    // rustup's `cargo` runs the same cargo, unless a directory asks for another toolchain.
    let is_cargo = program.file_name().is_some_and(|name| name == "cargo");
    words.push(if is_cargo { "cargo".to_owned() } else { quote(&program.to_string_lossy()) });
    words.extend(command.get_args().map(|arg| quote(&arg.to_string_lossy())));
    words.join(" ")
}

/// Quotes a word for a shell, if it needs that.
pub(crate) fn quote(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:=,@+%".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Runs a program and returns what it prints. Returns an error if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("`{}` could not be started", spell(command)))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` ended with {}: {}", spell(command), output.status, why.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the output of the compiler that builds the project.
pub(crate) fn rustc(args: &[&str]) -> Result<String> {
    output(Command::new("rustc").args(args).current_dir(root())).context("install Rust with rustup")
}

/// Installs a program with cargo in a folder of the project, unless this version is already there. Returns its path.
/// `args` are additional arguments of `cargo install`.
pub(crate) fn install(name: &str, version: &str, args: &[&str]) -> Result<PathBuf> {
    let tools = root().join("target/tools");
    let program = tools.join("bin").join(name);
    // The version comes from cargo's own list, because not every program can print its version.
    let installed = output(cargo(&root()).args(["install", "--list", "--root"]).arg(&tools)).unwrap_or_default();
    if !installed.lines().any(|line| line == format!("{name} v{version}:")) {
        step(&format!("installing {name} into target/tools"));
        let mut install = cargo(&root());
        install.args(["install", "--locked", "--root"]).arg(&tools).args(args).arg(format!("{name}@{version}"));
        run(install.env("CARGO_TARGET_DIR", tools.join("build")))?;
    }
    Ok(program)
}

/// Copies a file atomically: a reader finds either the old or the new content.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    put(to, |unfinished| {
        std::fs::copy(from, unfinished).with_context(|| format!("`{}` cannot be copied", from.display())).map(drop)
    })
}

/// Writes a file atomically, like [`copy`].
pub(crate) fn write(to: &Path, bytes: &[u8]) -> Result<()> {
    put(to, |unfinished| Ok(std::fs::write(unfinished, bytes)?))
}

/// Creates an executable shell script from these lines. Returns its path.
pub(crate) fn script(to: &Path, lines: &str) -> Result<PathBuf> {
    put(to, |unfinished| {
        std::fs::write(unfinished, format!("#!/bin/sh\n{lines}\n"))?;
        Ok(std::fs::set_permissions(unfinished, Permissions::from_mode(0o755))?)
    })?;
    Ok(to.to_owned())
}

/// Creates a file next to its destination and renames it, so a reader finds either the old or the new content.
pub(crate) fn put(to: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let failed = || format!("`{}` cannot be written", to.display());
    let dir = to.parent().with_context(failed)?;
    let file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(dir);
    let unfinished = file.with_context(failed)?.into_temp_path();
    make(&unfinished)?;
    unfinished.persist(to).with_context(failed)
}

#[cfg(test)]
mod tests {
    use super::{quote, root, spell};
    use std::process::Command;

    #[test]
    fn a_command_is_spelled_as_a_shell_reads_it() {
        let mut command = Command::new("/somewhere/bin/cargo");
        command.current_dir(root().join("policies")).env("NAME", "a b").args([
            "test",
            "--exact",
            "src/lib.rs - (line 2)",
            "it's",
        ]);
        assert_eq!(spell(&command), r"cd policies && NAME='a b' cargo test --exact 'src/lib.rs - (line 2)' 'it'\''s'");
    }

    #[test]
    fn an_empty_word_is_quoted() {
        assert_eq!(quote(""), "''");
    }
}
