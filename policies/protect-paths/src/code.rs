//! Programs in the arguments of interpreters: `python -c`, `node -e`, and what they read as their input.
//!
//! They are not understood, only searched: for texts that are paths, and for calls that are known to change nothing.

use crate::lexer::{Lexed, lex};
use crate::names::Names;
use crate::rules::{Target, Verdict};
use crate::shell::Judge;
use hookbox_policy::{Command, UNKNOWN, Word, options};
use hookbox_sdk::Access;

/// An interpreter, and how its arguments name a program.
pub(crate) struct Language {
    names: &'static [&'static str],
    with_value: &'static [&'static str],
    inline: &'static [&'static str],
    /// How a comment begins that ends with its line.
    pub(crate) comment: &'static str,
    /// Whether a function is called without parentheses, too.
    pub(crate) calls_openly: bool,
    /// Calls that run a text, where elsewhere they only read.
    evals: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        names: &["python", "pypy", "py"],
        with_value: &["-c", "-m", "-W", "-X", "-Q"],
        inline: &["-c"],
        comment: "#",
        calls_openly: false,
        evals: &[],
    },
    Language {
        names: &["node", "nodejs", "bun", "tsx", "ts-node", "deno"],
        with_value: &["-e", "-p", "-r", "-C", "--eval", "--print", "--require", "--import", "--input-type", "--loader"],
        inline: &["-e", "-p", "--eval", "--print"],
        comment: "//",
        calls_openly: false,
        evals: &[],
    },
    Language {
        names: &["perl"],
        with_value: &["-e", "-E", "-M", "-m", "-I", "-C", "-F"],
        inline: &["-e", "-E"],
        comment: "#",
        calls_openly: true,
        evals: &[],
    },
    Language {
        names: &["ruby"],
        with_value: &["-e", "-I", "-r", "-C", "-E"],
        inline: &["-e"],
        comment: "#",
        calls_openly: true,
        evals: &[],
    },
    Language {
        names: &["php"],
        with_value: &["-r", "-d", "-f", "-B", "-R", "-F", "-E", "-c", "--run"],
        inline: &["-r", "-B", "-R", "-E", "--run"],
        comment: "#",
        calls_openly: false,
        evals: &[],
    },
    Language {
        names: &["lua", "luajit"],
        with_value: &["-e", "-l"],
        inline: &["-e"],
        comment: "--",
        calls_openly: true,
        evals: &["load", "loadstring"],
    },
    Language {
        names: &["r", "rscript", "julia", "elixir", "groovy", "scala"],
        with_value: &["-e", "-E", "--eval", "--print"],
        inline: &["-e", "-E", "--eval", "--print"],
        comment: "#",
        calls_openly: false,
        evals: &[],
    },
];

/// Calls that change no file, in whatever language.
const READS: &[&str] = &[
    "abs",
    "absolute",
    "abspath",
    "all",
    "any",
    "array",
    "assert",
    "basename",
    "bool",
    "bytes",
    "callable",
    "cat",
    "catch",
    "chr",
    "close",
    "compile",
    "concat",
    "console",
    "count",
    "csv",
    "cwd",
    "decode",
    "dict",
    "dictreader",
    "die",
    "digest",
    "dir",
    "dirname",
    "dotenv_values",
    "each",
    "each_line",
    "echo",
    "else",
    "elif",
    "elsif",
    "encode",
    "end",
    "endswith",
    "endswith",
    "entries",
    "enumerate",
    "env",
    "error",
    "every",
    "except",
    "exists",
    "existssync",
    "exit",
    "expanduser",
    "extname",
    "file_exists",
    "file_get_contents",
    "filter",
    "find",
    "findall",
    "first",
    "flat",
    "float",
    "foreach",
    "format",
    "from",
    "frozenset",
    "fs",
    "function",
    "get",
    "getcwd",
    "getenv",
    "getsize",
    "glob",
    "globsync",
    "group",
    "hash",
    "hex",
    "hexdigest",
    "home",
    "homedir",
    "if",
    "implode",
    "import",
    "in",
    "includes",
    "indexof",
    "info",
    "int",
    "io",
    "is_dir",
    "is_file",
    "isdir",
    "isfile",
    "isinstance",
    "items",
    "iter",
    "iterdir",
    "join",
    "json",
    "json_decode",
    "json_encode",
    "keys",
    "lambda",
    "last",
    "len",
    "length",
    "lines",
    "list",
    "listdir",
    "load",
    "load_dotenv",
    "loads",
    "local",
    "log",
    "lower",
    "lstat",
    "lstatsync",
    "map",
    "match",
    "max",
    "md5",
    "min",
    "my",
    "next",
    "not",
    "now",
    "open",
    "or",
    "and",
    "ord",
    "os",
    "parse",
    "path",
    "pathlib",
    "posixpath",
    "pp",
    "pprint",
    "print",
    "print_r",
    "printf",
    "println",
    "process",
    "promises",
    "purepath",
    "puts",
    "range",
    "re",
    "read",
    "read_bytes",
    "read_text",
    "readdir",
    "readdirsync",
    "reader",
    "readfile",
    "readfilesync",
    "readline",
    "readlines",
    "realpath",
    "realpathsync",
    "reduce",
    "repr",
    "require",
    "resolve",
    "return",
    "reversed",
    "rglob",
    "round",
    "rstrip",
    "lstrip",
    "safe_load",
    "say",
    "search",
    "set",
    "sha1",
    "sha256",
    "slice",
    "some",
    "sort",
    "sorted",
    "split",
    "splitlines",
    "sprintf",
    "st_size",
    "startswith",
    "stat",
    "statsync",
    "str",
    "strict",
    "stringify",
    "strip",
    "strlen",
    "sum",
    "sys",
    "table",
    "test",
    "then",
    "time",
    "tojson",
    "tolist",
    "tolower",
    "tostring",
    "toupper",
    "trim",
    "tuple",
    "type",
    "typeof",
    "upper",
    "use",
    "values",
    "var_dump",
    "walk",
    "warn",
    "warnings",
    "while",
    "for",
    "with",
    "as",
    "yaml",
    "yield",
    "zip",
    "await",
    "const",
    "let",
    "var",
    "new",
    "do",
    "then",
    "nil",
    "null",
    "none",
    "true",
    "false",
    "file",
    "dumps",
    "write_output",
    "stdin",
    "stdout",
    "argf",
    "argv",
    "chomp",
    "qw",
    "q",
    "qq",
    "tomllib",
    "toml",
    "configparser",
    "hashlib",
    "collections",
    "counter",
    "base64",
    "b64encode",
    "b64decode",
    "itertools",
];

/// Calls, and programs, that change files.
const WRITES: &[&str] = &[
    "appendfile",
    "appendfilesync",
    "call_user_func",
    "chmod",
    "chmodsync",
    "chown",
    "chownsync",
    "copy",
    "copy2",
    "copyfile",
    "copyfilesync",
    "copytree",
    "cp",
    "cpsync",
    "dd",
    "delete",
    "eval",
    "exec",
    "file_put_contents",
    "ftruncate",
    "getattr",
    "install",
    "lchown",
    "link",
    "linksync",
    "ln",
    "makedirs",
    "mkdir",
    "mkdirsync",
    "move",
    "mv",
    "o_creat",
    "o_rdwr",
    "o_trunc",
    "o_wronly",
    "remove",
    "removedirs",
    "rename",
    "renames",
    "renamesync",
    "rm",
    "rm_rf",
    "rmdir",
    "rmdirsync",
    "rmsync",
    "rmtree",
    "send",
    "shred",
    "symlink",
    "symlinksync",
    "tee",
    "touch",
    "truncate",
    "truncatesync",
    "unlink",
    "unlinksync",
    "utimes",
    "write_bytes",
    "write_text",
    "writefile",
    "writefilesync",
    "writelines",
];

/// Modes in which `open` writes.
const MODES: &[&str] = &[
    "w", "a", "x", "wb", "ab", "xb", "wt", "at", "w+", "a+", "r+", "x+", "wb+", "w+b", "ab+", "a+b", "rb+", "r+b", ">",
    ">>", "+<", "+>",
];

/// How deep programs in texts of programs are searched.
const MAX_DEPTH: usize = 3;

/// Judges the program in the arguments of a command, if there is one.
pub(crate) fn judge(command: &Command<'_>, judge: &mut Judge<'_>) {
    let Some(language) = language(command.name) else {
        return;
    };
    let mut programs: Vec<String> = Vec::new();
    let given = options(command.args(), language.with_value);
    let mut inline: Vec<&Word> = given.values(language.inline).collect();
    // `node -pe` is one option, and `deno eval` a subcommand.
    if inline.iter().any(|word| word.text() == "e") || command.name == "deno" {
        inline.extend(&given.operands);
    }
    programs.extend(inline.iter().map(|word| word.text().to_owned()));
    let reads_input = given.operands.first().is_none_or(|word| matches!(word.text(), "-" | "/dev/stdin"));
    if programs.is_empty() && reads_input {
        let input = command.facts.stdin.as_ref().map(Word::from);
        programs.extend(input.map(|word| word.text().to_owned()));
    }
    for program in programs {
        search(&program, language, command, judge, 0);
    }
}

/// The language of a program, whatever its version.
fn language(name: &str) -> Option<&'static Language> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    LANGUAGES.iter().find(|language| language.names.contains(&plain))
}

fn search(program: &str, language: &Language, command: &Command<'_>, judge: &mut Judge<'_>, depth: usize) {
    let Lexed { texts, calls } = lex(program, language);
    let opens_to_write =
        calls.iter().any(|call| call == "open") && texts.iter().any(|text| MODES.contains(&text.as_str()));
    let is_read = !opens_to_write
        && calls.iter().all(|call| READS.contains(&call.as_str()) && !language.evals.contains(&call.as_str()));
    if is_read {
        return;
    }
    let writes =
        opens_to_write || calls.iter().chain(&texts).any(|word| WRITES.contains(&word.to_ascii_lowercase().as_str()));
    for text in &texts {
        if text.contains(['"', '\'']) && depth < MAX_DEPTH {
            search(text, language, command, judge, depth + 1);
        }
        let is_path =
            text.len() < 1024 && !text.contains("://") && !text.contains(['\n', '(', '<', UNKNOWN]) && !text.is_empty();
        if !is_path {
            continue;
        }
        let cwd = judge.tool.cwd.as_deref();
        let is_home = text.starts_with("~/") || text.starts_with("$HOME/");
        let names = match text.strip_prefix("$HOME/") {
            Some(rest) => Names::new("~").join(rest),
            None if is_home => Names::new(text),
            None => cwd.map(Names::new).unwrap_or_default().join(text),
        };
        let place = judge.place_of(&names);
        let target = Target { names, shown: text.clone(), access: Access::Write, place };
        let is_named = matches!(judge.rules.protected(&target), Verdict::Deny(_));
        let leads_outside =
            writes && (is_home || text.len() > 1 && text.starts_with(['/', '.']) || text.contains(":\\"));
        if !is_named && !leads_outside {
            continue;
        }
        if let Verdict::Ask(reason) | Verdict::Deny(reason) = judge.rules.judge(&target) {
            judge.found.ask(format!("{} holds a program that may change this: {reason}", command.quote()));
        }
    }
}
