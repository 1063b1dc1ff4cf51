//! Code and filters of `jq` that print all variables of the environment.

use crate::environment::{code, is_fed, is_other_shell, is_secret};
use crate::pipes::PRINTS;
use crate::scripts::{QUOTES, parts};
use crate::values::is_name;
use hookbox_policy::{Command, Word};

/// Spellings of the environment as a whole.
#[rustfmt::skip] // Many words to a line.
const ALL: &[&str] = &[
    "environ", "environb", "process.env", "Bun.env", "%ENV", "Deno.env.toObject()", "getenv()", "get_env()", "$_ENV",
    "$_SERVER", "phpinfo()", "INFO_ALL", "INFO_ENVIRONMENT", "INFO_VARIABLES", "System/getenv)", "processInfo.environment",
    "%*ENV", "GetEnvironmentVariables()",
];

/// Methods that return all variables. Any other one returns a single variable, or only names.
#[rustfmt::skip] // Many words to a line.
const METHODS: &[&str] = &[
    "items", "copy", "values", "to_", "each", "inspect", "map", "sort", "select", "filter", "reject", "entries", "collect",
    "find_all", "dup", "clone", "__repr__", "__str__", "_data",
];

/// The ends of the names of functions that run the program or the command line in their first argument.
#[rustfmt::skip] // Many words to a line.
const RUNNERS: &[&str] = &[
    "system", "popen", "Popen", "run", "exec", "execSync", "spawn", "spawnSync", "execFile", "execFileSync", "execute",
    "passthru", "check_output", "call", "getoutput", "cmd", "Command", "shell script", "shell-command-to-string",
];

/// The number of characters that are read before the name of the environment.
const MAX_STATEMENT: usize = 200;
/// The maximum length of code that is searched once more for each name of the environment in it, in bytes.
const MAX_CODE: usize = 16 * 1024;

/// Whether an interpreter prints the environment as a whole: `print(os.environ)`, not `os.environ["HOME"]`.
pub(crate) fn prints_all(name: &str, command: &Command) -> bool {
    let prints =
        |text: &str| PRINTS.iter().any(|word| text.contains(word)) || name == "emacs" && text.contains("(message ");
    if let Some(code) = code(name, command) {
        return has_all(name, code) && (prints(code) || prints_value(name, command)) || runs_env(name, code);
    }
    // A whole script often gives the environment to another program, and prints something else.
    let input = command.facts.stdin.as_ref().filter(|_| is_fed(command)).map(Word::from);
    let is_shown = |line: &str| prints(line) || name == "jshell";
    let is_dump = |line: &str| is_shown(line) && has_all(name, line) || runs_env(name, line);
    input.is_some_and(|script| script.text().lines().any(is_dump))
}

/// Whether code runs `env` without arguments: `system("env")`, `subprocess.run(["env"])`.
fn runs_env(name: &str, code: &str) -> bool {
    if is_other_shell(name) {
        return is_env(code) || matches!(code.trim(), "set" | "set -x" | "setenv" | "export");
    }
    let has_arguments = |at: usize, part: &str| {
        let after = code.get(at + part.len()..).unwrap_or_default();
        let next = after.trim_start_matches(QUOTES).trim_start_matches([',', ' ']);
        next.starts_with(QUOTES) || next.starts_with('[') && !next.starts_with("[]")
    };
    // `qx(env)`, `%x{env}`
    let mut quoted = code.split("qx").skip(1).chain(code.split("%x").skip(1));
    let is_quoted = |rest: &str| {
        let line = rest.get(1..).and_then(|rest| rest.split([')', '}', ']']).next());
        line.is_some_and(|line| is_env(line.trim_end_matches('/')))
    };
    parts(code).any(|(at, part)| is_env(part) && is_run(name, code, at) && !has_arguments(at, part))
        || quoted.any(is_quoted)
}

/// Whether code runs the program or the command line in the text that begins at this position.
pub(crate) fn is_run(name: &str, code: &str, at: usize) -> bool {
    let mut before = code.get(..at).unwrap_or_default().chars();
    let quote = before.next_back();
    let before = before.as_str().trim_end();
    let callee = match before.strip_suffix('[') {
        Some(call) => call.trim_end().strip_suffix('(').unwrap_or_default(),
        None => before.strip_suffix('(').unwrap_or(before),
    };
    // Bun runs the text after `$`.
    let is_command = quote == Some('`') && (matches!(name, "perl" | "ruby" | "php" | "julia") || before.ends_with('$'));
    is_command || RUNNERS.iter().any(|runner| callee.ends_with(runner))
}

/// Whether a command line shows all variables.
fn is_env(line: &str) -> bool {
    line.split(['\n', ';', '&']).any(|piece| {
        let mut stages = piece.split('|').map(str::trim);
        let first = stages.next().unwrap_or_default();
        let is_shown =
            |stage: &str| matches!(stage.split(' ').next(), Some("sort" | "cat" | "table" | "to" | "base64"));
        matches!(first.strip_prefix("/usr/bin/").unwrap_or(first), "env" | "printenv" | "$env") && stages.all(is_shown)
    })
}

/// Whether an interpreter prints the value of its code without a call in the code.
pub(crate) fn prints_value(name: &str, command: &Command) -> bool {
    let mut args = command.args().iter().map(Word::text);
    matches!(name, "osascript" | "Rscript" | "elixir" | "bb" | "clojure" | "clj" | "ghc" | "nu" | "pwsh" | "powershell")
        || matches!(name, "node" | "nodejs" | "bun" | "deno" | "julia")
            && args.any(|word| matches!(word, "-p" | "-pe" | "-E" | "--print") || word.starts_with("--print="))
}

fn has_all(name: &str, code: &str) -> bool {
    let own: &[&str] = match name {
        "ruby" | "julia" => &["ENV"],
        "ghc" => &["getEnvironment"],
        "tclsh" => &["parray env", "array get env"],
        "emacs" | "emacsclient" => &["process-environment"],
        _ => &[],
    };
    ALL.iter().chain(own).any(|all| code.match_indices(*all).any(|(at, _)| is_whole(code, at, all)))
}

/// Whether the name at this index of the code stands for all variables.
fn is_whole(code: &str, at: usize, all: &str) -> bool {
    let (before, after) = (code.get(..at).unwrap_or_default(), code.get(at + all.len()..).unwrap_or_default());
    let before = before.strip_suffix("os.").unwrap_or(before);
    // Only the end is read, because the name may occur many times.
    let near = before.char_indices().rev().nth(MAX_STATEMENT).and_then(|(start, _)| before.get(start..));
    let statement = near.unwrap_or(before).rsplit([';', '\n']).next().unwrap_or_default().trim_start();
    let is_longer = after.starts_with(is_name) || all.starts_with(is_name) && before.ends_with(is_name);
    let is_import = statement.starts_with("from ") || statement.starts_with("import ");
    let is_loop = before.trim_end().ends_with(" in");
    let is_names = before.ends_with("Object.keys(") && !code.contains("process.env[")
        || before.ends_with("len(")
        || before.ends_with("(keys (")
        || all == "environ" && is_iterated(code, before, after);
    let is_picked = picks_harmless(near.unwrap_or(before));
    // `"HOME" in os.environ` only tells whether the variable is set.
    if is_picked
        || is_longer
        || is_import
        || is_names
        || is_loop && !statement.contains("for")
        || is_given(code, statement)
    {
        return false;
    }
    // The name of Ruby's constant also occurs in ordinary text.
    if all == "ENV"
        && !is_loop
        && !after.is_empty()
        && !after.starts_with(['\n', ')', ';', ',', '.', '[', ']', '{', '}', '|'])
    {
        return false;
    }
    let after = after.trim_start();
    let method = after.strip_prefix('.');
    !after.starts_with(['[', '{', '<'])
        && method.is_none_or(|method| {
            METHODS.iter().any(|name| method.starts_with(name)) && !method.starts_with("values_at")
        })
}

/// Whether JavaScript that comes before the environment picks only variables from it that are no secrets:
/// `const { HOME, PORT: port } = process.env`. Without such a word, the whole environment is the value of the expression.
fn picks_harmless(before: &str) -> bool {
    let target = before.trim_end().strip_suffix('=').and_then(|before| before.trim_end().strip_suffix('}'));
    let is_harmless = |name: &str| {
        let name = name.split([':', '=']).next().unwrap_or_default().trim();
        name.chars().all(is_name) && !is_secret(name)
    };
    let declares = |before: &str| ["const", "let", "var"].iter().any(|word| before.trim_end().ends_with(word));
    let picked = target.and_then(|target| target.rsplit_once('{')).filter(|(before, _)| declares(before));
    picked.is_some_and(|(_, names)| names.split(',').all(is_harmless))
}

/// Whether a statement up to the environment only gives it to a program: `subprocess.run(x, env={**os.environ, …})`.
fn is_given(code: &str, statement: &str) -> bool {
    const GIVEN: [&str; 7] = ["env=", "env=dict(", "env=dict(**", "env={**", "env: ", "env: {...", "env: { ..."];
    #[rustfmt::skip] // Many words to a line.
    const CALLS: [&str; 10] = [
        "subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call", "subprocess.check_output",
        "execSync", "execFileSync", "spawnSync", "spawn", "execFile",
    ];
    let Some(before) = GIVEN.iter().find_map(|given| statement.strip_suffix(*given)) else { return false };
    let mut depth = 0_usize;
    let open = before.char_indices().rev().find(|(_, c)| match *c {
        '(' if depth == 0 => true,
        '(' => {
            depth -= 1;
            false
        }
        ')' => {
            depth += 1;
            false
        }
        _ => false,
    });
    let callee = open.and_then(|(at, _)| before.get(..at)).unwrap_or_default();
    // A program that prints the environment may be the one.
    code.len() <= MAX_CODE
        && CALLS.iter().any(|call| callee.ends_with(call))
        && !parts(code).any(|(_, part)| is_env(part))
}

/// Whether Python makes a list of the names of all variables, and uses the environment for nothing else:
/// `sorted(os.environ)`.
fn is_iterated(code: &str, before: &str, after: &str) -> bool {
    let is_list = |call: &str| before.strip_suffix(call).is_some_and(|head| !head.ends_with(is_name));
    ["sorted(", "list(", "set(", "tuple("].into_iter().any(is_list)
        && after.starts_with([')', ','])
        && code.matches("environ").count() == 1
        && !["getenv", "expandvars"].iter().any(|other| code.contains(other))
}

/// Returns the variables that the filter of `jq` uses: `env.HOME`, `$ENV["HOME"]`. `None` stands for all variables.
pub(crate) fn variables_of<'c>(args: &[&'c str]) -> Vec<Option<&'c str>> {
    let filter = filter(args).unwrap_or_default();
    let mut found = Vec::new();
    for name in ["$ENV", "env"] {
        let (mut read, mut quotes) = (0, 0);
        for (at, _) in filter.match_indices(name) {
            let (before, after) =
                (filter.get(..at).unwrap_or_default(), filter.get(at + name.len()..).unwrap_or_default());
            quotes += before.get(read..).unwrap_or_default().matches('"').count();
            read = at;
            let is_text = quotes % 2 == 1 && !before.ends_with('(');
            let is_other = after.starts_with(is_name) || name == "env" && (is_text || is_part(before, after));
            if !is_other {
                found.push(named(after));
            }
        }
    }
    found
}

/// Whether `env` is a part of a path or of another name, or the key of an object.
fn is_part(before: &str, after: &str) -> bool {
    let (start, end) = (before.trim_end(), after.trim_start());
    let is_key = end.starts_with(':')
        || start.ends_with('{') && end.starts_with(['}', ','])
        || start.ends_with(',') && end.starts_with('}');
    before.ends_with(is_name) || before.ends_with(['.', '$', '-']) || is_key
}

/// Returns the name of the variable that is picked: `.HOME`, `["HOME"]`.
fn named(after: &str) -> Option<&str> {
    let rest = after.strip_prefix(['.', '['])?.trim_start_matches(['.', '[', '"']);
    let name = rest.split(|c: char| !is_name(c)).next()?;
    (!name.is_empty()).then_some(name)
}

/// Returns the filter among the words of `jq`.
fn filter<'c>(args: &[&'c str]) -> Option<&'c str> {
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let values = match *word {
            "--arg" | "--argjson" | "--argfile" | "--rawfile" | "--slurpfile" => 2,
            "--indent" | "-L" | "--library-path" => 1,
            "-f" | "--from-file" => return None,
            other if other.starts_with('-') => 0,
            other => return Some(other),
        };
        for _ in 0..values {
            words.next();
        }
    }
    None
}
