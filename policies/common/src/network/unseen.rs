//! Programs that fetch a program and run it at once: `deno run URL`, `python3 -c "exec(urlopen(URL).read())"`.

use super::{Reach, Target, Traffic, code, host, is_url};
use crate::{Command, Word, options, options_with_one_dash};

/// A program that runs a URL that it is given.
struct Runner {
    names: &'static [&'static str],
    /// The subcommands that run a program, and that may be left out.
    verbs: &'static [&'static str],
    /// The options that take a value.
    values: &'static [&'static str],
}

const fn row(
    names: &'static [&'static str],
    verbs: &'static [&'static str],
    values: &'static [&'static str],
) -> Runner {
    Runner { names, verbs, values }
}

#[rustfmt::skip] // A table reads better with one row per line.
const RUNNERS: &[Runner] = &[
    row(&["deno"], &["run", "serve", "test", "bench"], &["-c", "--config", "--import-map", "--cert", "--location", "--port", "--host", "--seed", "--preload", "--ext", "-L", "--log-level"]),
    row(&["bun"], &["run", "test"], &["-r", "--preload", "-c", "--config", "--cwd", "--filter"]),
    row(&["uv"], &["run"], &["-w", "--with", "--with-requirements", "--with-editable", "-p", "--python", "--index", "--default-index", "--env-file", "--project", "--directory", "--extra", "--group", "--package"]),
    row(&["pipx"], &["run"], &["--spec", "--python", "--pip-args", "--index-url", "-i", "--with"]),
    row(&["jbang"], &["run"], &["-j", "--java", "--deps", "--repos", "-D", "--main", "-m", "--source-type"]),
    row(&["nix"], &["run", "develop", "shell"], &["-I", "--include", "--inputs-from", "-k", "--keep"]),
    row(&["groovy"], &[], &["-cp", "-classpath", "-c", "-encoding", "-D", "-define", "-i", "-b", "-basescript", "-configscript"]),
    row(&["scala-cli", "scala"], &["run"], &["-S", "--scala", "--dep", "--jvm", "-M", "--main-class"]),
    row(&["zx"], &[], &["--cwd", "--shell", "--prefix", "--postfix", "--ext", "--env", "--registry"]),
];

/// The options with which the runtimes of JavaScript run a module before the program.
const LOADS: &[&str] = &["-r", "--import", "--preload", "--require", "--loader", "--experimental-loader"];

/// Reads a program that runs what a URL among its arguments leads to.
pub(super) fn read(command: &Command, traffic: &mut Traffic) {
    let args = command.args();
    if command.name.starts_with("nix") {
        // `-I nixpkgs=https://host/x.tar.gz`, `-E 'import (fetchTarball "https://host/x.tar.gz") {}'`
        let read = options(args, &["-I", "--include", "-E", "--expr"]);
        let paths = read.values(&["-I", "--include"]).filter_map(|path| Some(path.after(path.text().find('=')? + 1)));
        paths.filter(|path| is_url(path.text())).for_each(|path| traffic.url(&path));
        let urls = read.values(&["-E", "--expr"]).flat_map(|text| code::urls(text.text()));
        urls.for_each(|url| traffic.url(&Word::new(&url)));
    }
    let is_remote_url = |text: &str| is_url(text) && is_remote(&host::target(text));
    traffic.runs |= match command.name.strip_suffix(".exe").unwrap_or(command.name) {
        "ansible-pull" => {
            let read = options(args, &["-U", "--url", "-C", "--checkout", "-d", "--directory", "-i", "--inventory"]);
            read.value(&["-U", "--url"])
                .is_some_and(|url| is_remote_url(url.text()) || !is_url(url.text()) && url.text().contains('@'))
        }
        "mshta" | "regsvr32" => args.iter().any(|word| word.text().contains("://")),
        "vim" | "nvim" | "vi" | "view" | "ex" | "gvim" => args.iter().any(|word| {
            let script = word.text().trim_start_matches([':', ' ', '+']);
            script.contains("://") && (script.starts_with("source ") || script.starts_with("so "))
        }),
        "emacs" | "emacsclient" | "xemacs" => evaluates_buffer(args),
        "nix-shell" => shell_of_nix(args).is_some_and(|file| is_remote_url(file.text())),
        "nix-env" => options(args, NIX_ENV).values(&["-f", "--file"]).any(|file| is_remote_url(file.text())),
        "deno" | "node" | "nodejs" | "bun" | "tsx" | "ts-node"
            if loaded(args).iter().any(|word| is_remote_url(word.text())) =>
        {
            true
        }
        name => RUNNERS.iter().find(|row| row.names.contains(&name)).is_some_and(|row| {
            let operands = operands(row, args, &[]);
            let mut words = operands.iter().map(Word::text).skip_while(|text| row.verbs.contains(text));
            words.next().is_some_and(is_remote_url)
        }),
    };
}

/// Returns the URLs of the modules that a runtime of JavaScript runs before the program.
pub(super) fn loaded(args: &[Word]) -> Vec<Word> {
    options(args, LOADS).values(LOADS).filter(|word| is_url(word.text())).cloned().collect()
}

/// The options of `nix-env` that take a value.
const NIX_ENV: &[&str] = &["-f", "--file", "-p", "--profile", "-I", "-A", "--attr", "-j", "--max-jobs"];

/// Returns the file or the URL with which `nix-shell` makes a shell. With `-p`, packages of Nix are named.
fn shell_of_nix(args: &[Word]) -> Option<&Word> {
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let values = match word.text() {
            "-p" | "--packages" | "-E" | "--expr" => return None,
            // They take a name and a value.
            "--arg" | "--argstr" | "--option" => 2,
            "--run" | "--command" | "-I" | "-A" | "--attr" | "-j" | "--max-jobs" | "--cores" | "--exclude" | "-i"
            | "--keep" => 1,
            text if text.starts_with('-') => 0,
            _ => return Some(word),
        };
        for _ in 0..values {
            words.next();
        }
    }
    None
}

/// Whether the arguments of Emacs fetch a text and run it: in a buffer, or as a file that is loaded.
fn evaluates_buffer(args: &[Word]) -> bool {
    const FETCHES: &[&str] = &["url-retrieve", "url-copy-file", "url-insert", "url-handler-mode", "(plz ", "(request "];
    #[rustfmt::skip] // Many words to a line.
    const RUNS: &[&str] = &[
        "eval-buffer", "eval-region", "eval-current-buffer", "-last-sexp", "eval-defun", "eval-expression", "(eval ", "(eval(", "(load", "#'eval",
        "'eval ",
    ];
    // With these, a file is fetched that an option after it may load.
    const FILES: &[&str] = &["url-copy-file", "url-handler-mode", "write-region", "write-file"];
    let has = |names: &[&str]| args.iter().any(|word| names.iter().any(|name| word.text().contains(name)));
    let is_loaded = |word: &Word| matches!(word.text(), "-l" | "-load" | "--load" | "-script" | "--script");
    let urls: Vec<String> = args.iter().flat_map(|word| code::urls(word.text())).collect();
    let is_fetched = has(FETCHES) && urls.iter().any(|url| is_remote(&host::target(url)));
    let mut after = args.iter().skip_while(|word| !FILES.iter().any(|name| word.text().contains(name)));
    is_fetched && (has(RUNS) || after.any(is_loaded))
}

/// Returns the operands of one of these programs. `more` are more options that take a value.
fn operands(row: &Runner, args: &[Word], more: &[&str]) -> Vec<Word> {
    let values = [row.values, more].concat();
    match row.names.contains(&"groovy") {
        true => options_with_one_dash(args, &values).operands,
        false => options(args, &values).operands,
    }
}

/// Returns the first operand of one of these programs, which names what it runs.
pub(super) fn operand(command: &Command) -> Option<Word> {
    let row = RUNNERS.iter().find(|row| row.names.contains(&command.name))?;
    operands(row, command.args(), LOADS).into_iter().find(|word| !row.verbs.contains(&word.text()))
}

/// Whether a command only hands a URL to a local script: `deno run x.ts --site https://example.com`. Returns the
/// number of arguments up to the script, and with it.
pub(super) fn local_script(command: &Command) -> Option<usize> {
    const SCRIPTS: &[&str] = &["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "groovy"];
    let script = operand(command)?;
    let (_, ending) = script.known()?.rsplit_once('.')?;
    if script.text().contains(':') || !SCRIPTS.contains(&ending) {
        return None;
    }
    command.args().iter().position(|word| *word == script).map(|at| at + 1)
}

/// Whether a target is not this machine.
pub(super) fn is_remote(target: &Target) -> bool {
    match target {
        Target::Host(host) => host.reach() != Reach::Local,
        Target::Opaque => true,
        Target::File | Target::Nowhere => false,
    }
}

/// Code that runs a text, whatever comes before it.
const EVALUATES: &[&str] = &[
    "builtins.exec(",
    "builtins.eval(",
    "builtins__.exec(",
    "builtins__.eval(",
    "globalthis.eval(",
    "kernel.eval(",
    "new function(",
    "runinthiscontext(",
    "runinnewcontext(",
    "instance_eval",
    "class_eval",
    "invoke-expression",
    "scriptblock]::create",
    "os.system(requests.get(",
    "os.system(urlopen(",
    "os.system(urllib.request.urlopen(",
];
/// Code that fetches a program and runs it.
#[rustfmt::skip] // Many words to a line.
pub(super) const INCLUDES: &[&str] = &[
    "source(\"http://", "source(\"https://", "source('http://", "source('https://", "include(\"http://", "include(\"https://",
    "include('http://", "include('https://", "include \"http://", "include \"https://", "include 'http://", "include 'https://",
];
/// Functions that run the text or the file that they get, in lower case.
const CALLS: &[&str] = &["include", "include_string", "import", "source", "evaluate", "eval.me", "code.eval_string"];
/// The maximum length of an argument in which a URL is looked for, in bytes.
const MAX_ARGUMENT: usize = 300;
/// Code that runs a command line.
#[rustfmt::skip] // Many words to a line.
const LINES: &[&str] =
    &["system", "exec", "subprocess", "spawn", "popen", "getoutput", "check_output", "check_call", "run(", "local(", "$`"];

/// Whether code of an interpreter, in lower case, runs a text that it may have fetched. `base` is the interpreter's
/// name without its version.
pub(super) fn evaluates(code: &str, base: &str) -> bool {
    if EVALUATES.iter().chain(INCLUDES).any(|name| code.contains(name)) || runs_url(code) {
        return true;
    }
    // `system("curl … | sh")`
    let is_shell = |rest: &str| {
        let word = rest.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        matches!(word, "sh" | "bash")
    };
    // In these languages, much code only writes such a line into a file.
    let runs_lines = || !matches!(base, "python" | "pypy" | "node") || LINES.iter().any(|name| code.contains(name));
    let fetches = code.contains("curl ") || code.contains("wget ");
    if fetches && code.split('|').skip(1).any(is_shell) && runs_lines() {
        return true;
    }
    let is_word = |after: &str| after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$');
    match base.strip_suffix(".exe").unwrap_or(base) {
        // Elsewhere, `exec` runs another program.
        "python" | "pypy" => has_call(code, "exec", starts_call) || has_call(code, "eval", starts_call),
        // `eval { … }` catches errors.
        "perl" | "ruby" | "raku" => has_call(code, "eval", starts_call) || has_call(code, "eval", is_word),
        "pwsh" | "powershell" => has_call(code, "iex", |_| true),
        "lua" | "luajit" => has_call(code, "load", starts_call) || has_call(code, "loadstring", starts_call),
        name if code::TCL.contains(&name) => {
            // `namespace eval name {` runs what is written there.
            let takes_text = |line: &str| {
                let before = line.rfind(['[', '$']).and_then(|last| line.get(..=last)).unwrap_or_default();
                ["eval", "uplevel", "subst"].iter().any(|name| has_call(before, name, |_| true))
            };
            code.lines().any(takes_text)
                // `http::geturl` stores what it fetches in this channel.
                || code.contains("-channel") && has_call(code, "source", |_| true)
        }
        "julia" => ["include_string", "eval"].iter().any(|name| has_call(code, name, starts_call)),
        "elixir" => code.contains("code.eval_") || code.contains("code.compile_"),
        "groovy" => has_call(code, "evaluate", |_| true) || code.contains(".evaluate(") || code.contains("eval.me("),
        "erl" => code.contains("erl_eval:"),
        "guile" | "sbcl" | "clisp" | "racket" | "clojure" | "clj" | "bb" => {
            // `(eval(read))`, `(-> url slurp load-string)`
            ["eval", "load-string", "load-reader", "eval-string"].iter().any(|name| has_call(code, name, |_| true))
        }
        // `.then(eval)`
        _ => has_call(code, "eval", |after| after.starts_with(['(', ')'])),
    }
}

/// Whether code, in lower case, runs what a URL in the same call leads to: `include(download("https://host/x"))`.
pub(super) fn runs_url(code: &str) -> bool {
    let has_url = |after: &str| {
        let argument = after.get(..after.floor_char_boundary(MAX_ARGUMENT)).unwrap_or_default();
        let mut depth = 0_usize;
        let end = argument.find(|c: char| {
            depth += usize::from(c == '(');
            depth -= usize::from(c == ')' && depth > 0);
            depth == 0
        });
        starts_call(after) && argument.get(..end.unwrap_or(argument.len())).is_some_and(|one| one.contains("://"))
    };
    code.contains("://") && CALLS.iter().any(|name| has_call(code, name, has_url))
}

fn starts_call(after: &str) -> bool {
    after.starts_with('(')
}

/// Whether code contains a name that is no part of a longer one, and no method, such as `exec` of a regular expression.
/// `is_call` looks at what comes after it.
fn has_call(code: &str, name: &str, is_call: impl Fn(&str) -> bool) -> bool {
    let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    code.match_indices(name).any(|(at, _)| {
        let before = code.get(..at).unwrap_or_default();
        let after = code.get(at + name.len()..).unwrap_or_default();
        !before.ends_with(is_part_of_name) && !after.starts_with(is_part_of_name) && is_call(after.trim_start())
    })
}
