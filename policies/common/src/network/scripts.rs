//! Scripts of build tools, editors, debuggers and small languages, all of which can run other programs:
//! `cmake -P FILE`, `vim -S FILE`, `gdb -x FILE`.

use super::unseen;
use crate::{Command, UNKNOWN, Word};

/// A program that runs the scripts among its arguments.
struct Reader {
    names: &'static [&'static str],
    /// The options whose value is a script, or the text of one.
    options: &'static [&'static str],
    /// Whether the first operand is a script, too.
    operand: bool,
}

const fn row(names: &'static [&'static str], options: &'static [&'static str], operand: bool) -> Reader {
    Reader { names, options, operand }
}

#[rustfmt::skip] // A table reads better with one row per line.
const READERS: &[Reader] = &[
    // Build tools and runners of tasks.
    row(&["cmake"], &["-P", "-C", "--toolchain"], false),
    row(&["ctest"], &["-S", "-SP", "--script", "--script-new-process"], false),
    row(&["make", "gmake", "bmake", "remake"], &["-f", "--file", "--makefile", "--eval"], false),
    row(&["ninja", "samu", "scons"], &["-f", "--file", "--sconstruct"], false),
    row(&["just"], &["-f", "--justfile"], false),
    row(&["rake"], &["-f", "--rakefile", "-r", "--require", "-e", "--execute"], false),
    row(&["task", "go-task"], &["-t", "--taskfile"], false),
    row(&["ant"], &["-f", "-file", "-buildfile"], false),
    row(&["gradle", "gradlew"], &["-b", "--build-file", "-I", "--init-script"], false),
    row(&["mvn", "mvnw"], &["-f", "--file"], false),
    row(&["guix"], &["-f", "--file", "-m", "--manifest", "-l", "--load"], false),
    row(&["nix-shell"], &["-E", "--expr"], true),
    row(&["ansible-playbook"], &[], true),
    // Editors and terminals.
    row(&["vim", "nvim", "vi", "view", "ex", "gvim", "mvim"], &["-S", "-u", "-U", "-s", "-l"], false),
    row(&["emacs", "xemacs"], &["-l", "-load", "--load", "-script", "--script", "-scriptload", "-x"], false),
    row(&["tmux"], &["-f", "source-file", "source"], false),
    row(&["screen"], &["-c"], false),
    // Debuggers.
    row(&["gdb", "gdbtui", "cgdb", "gdb-multiarch"],
        &["-x", "-command", "--command", "-ix", "-init-command", "--init-command", "-eix", "--early-init-command"], false),
    row(&["lldb"], &["-s", "-S", "--source", "--source-before-file", "--source-quietly"], false),
    // Languages.
    row(&["awk", "gawk", "mawk", "nawk"], &["-f", "--file", "-i", "--include"], false),
    row(&["sed", "gsed"], &["-f", "--file"], false),
    row(&["node", "nodejs", "bun", "tsx", "ts-node"], &["-r", "--require", "--import", "--preload", "--loader"], false),
    row(&["ruby"], &["-r"], false),
    row(&["julia"], &["-L", "--load"], false),
    row(&["expect", "wish", "jimsh"], &["-f"], true),
    row(&["guile"], &["-l", "-s"], true),
    row(&["sbcl", "clisp"], &["--load", "--script", "-i"], true),
    row(&["racket"], &["-f", "-r", "-t", "-u"], true),
    row(&["clojure", "clj", "bb"], &["-i", "--init", "-f", "--file"], true),
    row(&["octave", "gnuplot", "elixir", "groovy", "raku", "ocaml", "escript", "runghc", "runhaskell", "jshell"], &[], true),
    row(&["tcc"], &["-run"], false),
    row(&["java"], &["-jar"], true),
    row(&["go", "zig", "dart", "swift", "crystal", "kotlin"], &[], true),
    row(&["at", "batch"], &["-f"], false),
];
/// The options that give code, after which operands are its arguments.
const CODE: &[&str] = &["-e", "-c", "-x", "-E", "-p", "--eval", "--expr", "--packages", "--run", "--command"];
/// Commands of editors and debuggers that run a script.
const SOURCES: &[&str] = &["source ", "so ", "luafile ", "command source ", "command script import "];
/// Names of files that mean the standard input.
const STDIN: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// Returns the words that name a script that a command runs, or contain one.
pub(super) fn of(command: &Command) -> Vec<Word> {
    // `uv run FILE`
    let mut scripts: Vec<Word> = unseen::operand(command).into_iter().collect();
    let Some(reader) = READERS.iter().find(|reader| reader.names.contains(&command.name)) else {
        return scripts;
    };
    let (mut is_value, mut is_code) = (false, false);
    for word in command.args() {
        let text = word.text();
        // What follows is for the program that is debugged or run.
        if matches!(text, "--" | "--args" | "-args") {
            break;
        }
        let is_operand = text == "-" || !text.starts_with('-');
        // `go run FILE`
        let is_script = reader.operand && is_operand && !is_code && scripts.is_empty() && text != "run";
        if is_value || is_script {
            scripts.push(word.clone());
        }
        // An option that takes no value for this program may come before another option: `ex -s -S FILE`.
        is_value = reader.options.contains(&text);
        is_code |= CODE.contains(&text);
        scripts.extend(reader.options.iter().find_map(|option| attached(word, option)));
        scripts.extend(sourced(text).map(Word::new));
    }
    scripts
}

/// Whether a command runs its standard input as a script, because it names that as a file.
pub(super) fn is_input(command: &Command) -> bool {
    of(command).iter().any(|word| STDIN.contains(&word.text()))
}

/// Whether a command runs the output of another as a script: `make -f <(…)`, `make --eval "$(…)"`.
pub(super) fn is_output(command: &Command) -> bool {
    let is_whole = |word: &Word| word.text().chars().all(|c| c == UNKNOWN);
    let is_substitution = |raw: &str| raw.contains("$(") || raw.contains('`');
    let is_output = |word: &Word| word.raw().contains("<(") || is_whole(word) && is_substitution(word.raw());
    of(command).iter().any(|word| word.is_unknown() && is_output(word))
}

/// Returns the value that is attached to an option: `--file=x.mk`, `-fx.mk`.
fn attached(word: &Word, option: &str) -> Option<Word> {
    let rest = word.text().strip_prefix(option).filter(|rest| !rest.is_empty() && option.starts_with('-'))?;
    match rest.starts_with('=') {
        true => Some(word.after(option.len() + 1)),
        false => (option.len() == 2).then(|| word.after(option.len())),
    }
}

/// Returns the script that a command of an editor or a debugger runs: `source x.vim`, `(load "x.el")`.
fn sourced(text: &str) -> Option<&str> {
    let line = text.trim_start_matches([':', '+', ' ']);
    let file = SOURCES.iter().find_map(|verb| line.strip_prefix(*verb)).map(str::trim);
    file.or_else(|| text.split_once("(load").and_then(|(_, rest)| rest.split('"').nth(1)))
}
