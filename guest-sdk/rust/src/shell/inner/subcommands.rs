//! Programs that run the command after a subcommand: `poetry run`, `bundle exec`.

use super::Inner;
use super::options::Spec;
use crate::shell::word::Word;

struct Program {
    name: &'static str,
    /// The program's options with a value, before the subcommand.
    globals: &'static str,
    verbs: &'static [&'static str],
    spec: Spec,
    /// The number of arguments before the command.
    operands: usize,
}

const fn row(
    name: &'static str,
    globals: &'static str,
    verbs: &'static [&'static str],
    shorts: &'static str,
    longs: &'static [&'static str],
    flags: &'static [&'static str],
    operands: usize,
) -> Program {
    Program { name, globals, verbs, spec: Spec { shorts, longs, flags }, operands }
}

const UV: &[&str] =
    &["with", "python", "extra", "group", "env-file", "package", "project", "directory", "from", "index-url", "index"];
const UV_FLAGS: &[&str] =
    &["no-project", "isolated", "frozen", "locked", "no-sync", "all-extras", "active", "offline", "quiet", "no-cache"];

#[rustfmt::skip] // A table reads better with one row per line.
const PROGRAMS: &[Program] = &[
    row("adb", "s", &["shell"], "", &[], &[], 0),
    row("apptainer", "", &["exec"], "BHW", &["bind", "home", "env", "pwd"], &["nv", "writable", "cleanenv", "containall"], 1),
    row("singularity", "", &["exec"], "BHW", &["bind", "home", "env", "pwd"], &["nv", "writable", "cleanenv", "containall"], 1),
    row("crictl", "r", &["exec"], "", &[], &["interactive", "tty", "sync"], 1),
    row("devcontainer", "", &["exec"], "", &["workspace-folder", "container-id", "config", "id-label"], &[], 0),
    row("distrobox", "", &["enter"], "n", &["name"], &["no-tty", "root"], 1),
    row("heroku", "", &["run", "run:detached"], "asr", &["app", "size", "remote", "type", "env"], &["exit-code", "no-tty", "no-launcher"], 0),
    row("minikube", "p", &["ssh"], "np", &["node", "profile"], &["native-ssh"], 0),
    row("multipass", "", &["exec"], "d", &["working-directory"], &["no-map-working-directory"], 1),
    row("toolbox", "", &["run"], "cdr", &["container", "distro", "release"], &[], 0),
    row("asdf", "", &["exec"], "", &[], &[], 0),
    row("aws-vault", "", &["exec"], "", &["duration", "region", "prompt"], &["server", "no-session", "json"], 1),
    row("bundle", "", &["exec"], "", &["gemfile"], &["keep-file-descriptors"], 0),
    row("composer", "d", &["exec"], "", &["working-dir"], &[], 0),
    row("bundler", "", &["exec"], "", &["gemfile"], &["keep-file-descriptors"], 0),
    row("chamber", "", &["exec"], "", &[], &["pristine", "strict"], 1),
    row("conda", "", &["run"], "np", &["name", "prefix", "cwd"], &["no-capture-output", "live-stream", "dev"], 0),
    row("mamba", "", &["run"], "np", &["name", "prefix", "cwd"], &["no-capture-output", "live-stream"], 0),
    row("micromamba", "", &["run"], "npr", &["name", "prefix", "cwd", "root-prefix"], &["detach", "clean-env"], 0),
    row("direnv", "", &["exec"], "", &[], &[], 1),
    row("doppler", "pct", &["run"], "pct", &["project", "config", "token", "mount", "scope", "command"], &["preserve-env", "watch"], 0),
    row("dotenv", "fe", &["run", "--"], "", &["file"], &["override", "no-override"], 0),
    row("fnm", "", &["exec"], "", &["using"], &["using-file"], 0),
    row("hatch", "epd", &["run"], "", &[], &[], 0),
    row("incus", "", &["exec"], "ntT", &["cwd", "env", "user", "group", "mode"], &["force-interactive"], 1),
    row("lxc", "", &["exec"], "ntT", &["cwd", "env", "user", "group", "mode"], &["force-interactive"], 1),
    row("machinectl", "HM", &["shell"], "E", &["uid", "setenv", "host", "machine"], &[], 1),
    row("mise", "CE", &["exec", "x"], "jC", &["command", "jobs", "cd"], &["raw", "quiet"], 0),
    row("nix", "", &["shell", "develop", "run"], "", &[], &[], 0),
    row("op", "", &["run"], "", &["env-file", "account", "environment"], &["no-masking"], 0),
    row("pdm", "", &["run"], "ps", &["project", "site-packages"], &["list", "json"], 0),
    row("pipenv", "", &["run"], "", &["python"], &["quiet", "verbose"], 0),
    row("pipx", "", &["run"], "", &["spec", "python", "pip-args", "index-url", "with"], &["no-cache", "verbose", "quiet", "path"], 0),
    row("pixi", "", &["run"], "em", &["environment", "manifest-path", "workspace", "color"],
        &["frozen", "locked", "clean-env", "no-install", "no-lockfile-update", "skip-deps", "force-activate", "as-is", "executable", "dry-run", "quiet", "verbose", "help"], 0),
    row("poetry", "CP", &["run"], "CP", &["directory", "project"], &["quiet", "no-interaction", "no-plugins", "no-cache"], 0),
    row("pyenv", "", &["exec"], "", &[], &[], 0),
    row("railway", "", &["run"], "sep", &["service", "environment", "project"], &["no-local"], 0),
    row("rbenv", "", &["exec"], "", &[], &[], 0),
    row("nodenv", "", &["exec"], "", &[], &[], 0),
    row("rustup", "", &["run"], "", &[], &["install"], 1),
    row("rye", "", &["run"], "", &["pyproject"], &["list"], 0),
    row("uv", "", &["run"], "pwm", UV, UV_FLAGS, 0),
    row("uvx", "", &[], "pw", UV, UV_FLAGS, 0),
    row("volta", "", &["run"], "", &["node", "npm", "pnpm", "yarn"], &["bundled-npm", "no-pnpm", "no-yarn"], 0),
];

/// Whether a program is in the table.
pub(super) fn knows(name: &str) -> bool {
    PROGRAMS.iter().any(|program| program.name == name)
}

/// The options that name the directory in which the command runs.
const DIRECTORIES: [&str; 5] = ["-C", "--cd", "--cwd", "--directory", "--working-dir"];

/// Returns what a program in the table runs.
pub(super) fn inner(name: &str, arguments: &[Word]) -> Vec<Inner> {
    let Some(program) = PROGRAMS.iter().find(|program| program.name == name) else {
        return Vec::new();
    };
    let mut rest = arguments;
    if !program.verbs.is_empty() {
        let mut words = arguments.iter();
        loop {
            let Some(word) = words.next() else {
                return Vec::new();
            };
            let text = word.text();
            if program.verbs.contains(&text) {
                break;
            }
            match text.strip_prefix('-') {
                Some(letters) if letters.len() == 1 && program.globals.contains(letters) => drop(words.next()),
                // The value of a long option may follow it.
                Some(_) => {}
                None if arguments.first().is_some_and(|first| first.text().starts_with('-')) => {}
                None => return Vec::new(),
            }
        }
        rest = words.as_slice();
    }
    if name == "nix" {
        return nix(rest);
    }
    let read = program.spec.read(rest);
    let mut inners = Vec::new();
    if let Some(script) = read.value(&["--command"]) {
        inners.push(Inner::script(script.text()));
    }
    if read.is_doubtful {
        inners.push(Inner::Unknown("a command after an option that is not known"));
    }
    let mut words = read.rest.get(program.operands..).unwrap_or_default();
    if matches!(name, "mise" | "aws-vault" | "chamber" | "distrobox" | "multipass" | "lxc" | "incus" | "machinectl")
        && let Some(at) = words.iter().position(|word| word.text() == "--")
    {
        // Tools and their versions come before the `--`.
        words = words.get(at + 1..).unwrap_or_default();
    } else if words.first().is_some_and(|word| word.text() == "--") {
        words = words.get(1..).unwrap_or_default();
    }
    if !words.is_empty() {
        let before = arguments.get(..arguments.len() - rest.len()).unwrap_or_default();
        let cwd = read.value(&DIRECTORIES).cloned().or_else(|| directory(before));
        let words = words.to_vec();
        inners.push(Inner::Command { words, settings: Vec::new(), cwd, clean: false, elsewhere: false });
    }
    inners
}

/// Returns the directory that one of these options names.
fn directory(options: &[Word]) -> Option<Word> {
    DIRECTORIES.iter().find_map(|name| {
        // `--cwd=dir`, `-Cdir`
        let attached = if name.starts_with("--") { format!("{name}=") } else { (*name).to_owned() };
        let at = options.iter().position(|word| word.text() == *name || word.text().starts_with(&attached))?;
        let value = options.get(at)?.after(&attached).filter(|value| !value.text().is_empty());
        value.or_else(|| options.get(at + 1).cloned())
    })
}

/// Returns what `nix shell PACKAGE -c COMMAND` runs.
fn nix(arguments: &[Word]) -> Vec<Inner> {
    let at = arguments.iter().position(|word| matches!(word.text(), "-c" | "--command"));
    let words = at.and_then(|at| arguments.get(at + 1..)).unwrap_or_default();
    if words.is_empty() { Vec::new() } else { vec![Inner::command(words)] }
}
