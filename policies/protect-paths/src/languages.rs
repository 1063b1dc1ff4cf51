//! The languages of interpreters, and the effects of their calls on files.

/// An interpreter, and how its arguments specify a program.
pub(crate) struct Language {
    /// The interpreters, without versions.
    pub(crate) names: &'static [&'static str],
    /// The options that take a value.
    pub(crate) with_value: &'static [&'static str],
    /// The options whose value is a program.
    pub(crate) inline: &'static [&'static str],
    /// The beginning of a line comment.
    pub(crate) comment: &'static str,
    /// Whether functions can also be called without parentheses.
    pub(crate) calls_openly: bool,
    /// Calls that run a text in this language, although they only read in other languages.
    pub(crate) evals: &'static [&'static str],
    /// Calls that write to the file that is their argument, although in other languages they do something else.
    pub(crate) writes: &'static [&'static str],
    /// Whether texts need no quotes. If so, each argument that cannot be a single word is a program.
    pub(crate) is_bare: bool,
}

pub(crate) const LANGUAGES: &[Language] = &[
    Language {
        names: &["python", "pypy", "py"],
        with_value: &["-c", "-m", "-W", "-X", "-Q"],
        inline: &["-c"],
        comment: "#",
        calls_openly: false,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    Language {
        names: &["node", "nodejs", "bun", "tsx", "ts-node", "deno"],
        with_value: &["-e", "-p", "-r", "-C", "--eval", "--print", "--require", "--import", "--input-type", "--loader"],
        inline: &["-e", "-p", "--eval", "--print"],
        comment: "//",
        calls_openly: false,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    Language {
        names: &["perl", "raku", "rakudo"],
        with_value: &["-e", "-E", "-M", "-m", "-I", "-C", "-F"],
        inline: &["-e", "-E"],
        comment: "#",
        calls_openly: true,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    Language {
        names: &["ruby"],
        with_value: &["-e", "-I", "-r", "-C", "-E"],
        inline: &["-e"],
        comment: "#",
        calls_openly: true,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    Language {
        names: &["php"],
        with_value: &["-r", "-d", "-f", "-B", "-R", "-F", "-E", "-c", "--run"],
        inline: &["-r", "-B", "-R", "-E", "--run"],
        comment: "#",
        calls_openly: false,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    Language {
        names: &["lua", "luajit"],
        with_value: &["-e", "-l"],
        inline: &["-e"],
        comment: "--",
        calls_openly: true,
        evals: &["load", "loadstring"],
        writes: &["output"],
        is_bare: false,
    },
    Language {
        names: &[
            "bb",
            "clisp",
            "clj",
            "clojure",
            "csi",
            "ecl",
            "emacs",
            "emacsclient",
            "gosh",
            "gsi",
            "guile",
            "hy",
            "janet",
            "racket",
            "sbcl",
        ],
        with_value: &["-c", "-f", "-l", "-L", "-e", "-x", "--eval", "--execute", "--load", "--funcall"],
        inline: &["-c", "-e", "-x", "--eval", "--execute"],
        comment: LISP,
        calls_openly: true,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    Language {
        names: &["r", "rscript"],
        with_value: &["-e"],
        inline: &["-e"],
        comment: "#",
        calls_openly: false,
        evals: &[],
        writes: OF_R,
        is_bare: false,
    },
    Language {
        names: &["julia", "scala"],
        with_value: &["-e", "-E", "--eval", "--print"],
        inline: &["-e", "-E", "--eval", "--print"],
        comment: "#",
        calls_openly: false,
        evals: &[],
        writes: &["write"],
        is_bare: false,
    },
    // These are debuggers, plotters and file transfer programs. Their options have many names, so each argument of
    // several words counts.
    Language {
        names: &[
            "tclsh",
            "wish",
            "expect",
            "gdb",
            "lldb",
            "rr",
            "gnuplot",
            "maxima",
            "gp",
            "bc",
            "sage",
            "smbclient",
            "lftp",
            "ncftp",
        ],
        with_value: &["-c", "-d", "-D", "-e", "-p", "-s", "-u", "-U", "-W", "-x", "--eval"],
        inline: &[],
        comment: "#",
        calls_openly: true,
        evals: &[],
        writes: &["write"],
        is_bare: true,
    },
    Language {
        names: &["matlab", "octave", "octave-cli"],
        with_value: &["-p", "--eval"],
        inline: &[],
        comment: "#",
        calls_openly: true,
        evals: &[],
        writes: &["diary", "print", "save", "saveas", "write", "writecell", "writematrix", "writetable"],
        is_bare: true,
    },
    Language {
        names: &["jjs", "jshell", "osascript", "qjs", "mujs", "duk", "d8"],
        with_value: &["-e", "-l", "--eval", "-R", "--startup"],
        inline: &["-e", "--eval"],
        comment: "//",
        calls_openly: false,
        evals: &[],
        writes: &[],
        is_bare: false,
    },
    // The other languages differ in their comments and quotes. A program that hookbox does not know counts as one of
    // these.
    Language {
        names: &[
            "crystal", "dotnet", "elixir", "erl", "fsi", "ghc", "ghci", "groovy", "iex", "ocaml", "runghc", "swift",
            "swipl", "utop",
        ],
        with_value: &["-E", "-e", "-g", "--eval"],
        inline: &["-E", "-e", "-g", "--eval"],
        comment: NO_COMMENT,
        calls_openly: true,
        evals: &[],
        writes: &["write"],
        is_bare: false,
    },
];

/// Calls of R that write files. Of `save` and `write`, only the part before the first dot counts: `write.csv`.
#[rustfmt::skip] // Many words to a line.
const OF_R: &[&str] = &[
    "dput", "dump", "fwrite", "ggsave", "jpeg", "pdf", "png", "save", "saverds", "sink", "svg", "write", "write_csv", "write_delim", "write_json",
    "write_rds", "write_tsv", "write_xlsx",
];

/// The beginning of a comment in Lisp, where `'` is no quote.
pub(crate) const LISP: &str = ";";

/// Stands for comments that are not known. No program has this character.
pub(crate) const NO_COMMENT: &str = "\u{0}";

/// The options and subcommands of interpreters whose value is a program, in any language.
pub(crate) const EVALUATE: &[&str] =
    &["-E", "-code", "-e", "-eval", "--code", "--eval", "--evaluate", "--execute", "--expr", "eval"];

/// Calls that change no file in any language.
#[rustfmt::skip] // One word per line would take pages.
pub(crate) const READS: &[&str] = &[
    "abs", "absolute", "abspath", "all", "and", "any", "argf", "argv", "array", "as", "assert", "await", "b64decode",
    "b64encode", "base64", "basename", "bool", "bytes", "callable", "cat", "catch", "chomp", "chr", "close",
    "collections", "compile", "concat", "configparser", "console", "const", "count", "counter", "csv", "cwd",
    "decode", "dict", "dictreader", "die", "digest", "dir", "dirname", "do", "dotenv_values", "dumps", "each",
    "each_line", "echo", "edn", "elif", "else", "elsif", "encode", "end", "endswith", "entries", "enumerate", "env",
    "error", "every", "except", "exists", "existssync", "exit", "expanduser", "extname", "false", "file",
    "file_exists", "file_get_contents", "filter", "find", "findall", "first", "flat", "float", "for", "foreach",
    "format", "from", "frozenset", "fs", "function", "get", "getcwd", "getenv", "getsize", "glob", "globsync",
    "group", "halt", "hash", "hashlib", "hex", "hexdigest", "home", "homedir", "if", "implode", "import", "in",
    "includes", "indexof", "info", "inspect", "int", "io", "is_dir", "is_file", "isdir", "isfile", "isinstance",
    "items", "iter", "iterdir", "itertools", "join", "json", "json_decode", "json_encode", "keys", "lambda", "last",
    "len", "length", "let", "line", "lines", "list", "listdir", "load", "load_dotenv", "loads", "local", "log",
    "lower", "lstat", "lstatsync", "lstrip", "map", "match", "max", "md5", "min", "my", "new", "next", "nil", "none",
    "not", "now", "null", "open", "or", "ord", "os", "parse", "path", "pathlib", "posixpath", "pp", "pprint", "print",
    "print_r", "printf", "println", "process", "promises", "purepath", "put_chars", "puts", "putstr", "putstrln", "q",
    "qq", "qw", "range", "re", "read", "read_bytes", "read_file", "read_text", "readdir", "readdirsync", "reader",
    "readfile", "readfilesync", "readline", "readlines", "realpath", "realpathsync", "reduce", "repr", "require",
    "resolve", "return", "reversed", "rglob", "round", "rstrip", "safe_load", "say", "search", "seq", "set", "sha1",
    "sha256", "size", "slice", "slurp", "some", "sort", "sorted", "split", "splitlines", "sprintf", "st_size", "startswith",
    "stat", "statsync", "stdin", "stdout", "str", "strict", "string", "stringify", "strip", "strlen", "sum", "sys",
    "table", "test", "then", "time", "tojson", "tolist", "tolower", "toml", "tomllib", "tostring", "toupper", "trim",
    "true", "tuple", "type", "typeof", "upper", "use", "values", "var", "var_dump", "walk", "warn", "warnings",
    "while", "with", "write_output", "yaml", "yield", "zip",
];

/// Calls and programs that change files.
#[rustfmt::skip] // One word per line would take pages.
pub(crate) const WRITES: &[&str] = &[
    "appendfile", "appendfilesync", "call_user_func", "chmod", "chmodsync", "chown", "chownsync", "copy", "copy2",
    "copyfile", "copyfilesync", "copytree", "cp", "cpsync", "dd", "delete", "eval", "exec", "file_put_contents",
    "ftruncate", "getattr", "install", "lchown", "link", "linksync", "ln", "makedirs", "mkdir", "mkdirsync", "move",
    "mv", "o_creat", "o_rdwr", "o_trunc", "o_wronly", "remove", "removedirs", "rename", "renames", "renamesync", "rm",
    "rm_rf", "rmdir", "rmdirsync", "rmsync", "rmtree", "send", "shred", "symlink", "symlinksync", "tee", "touch",
    "truncate", "truncatesync", "unlink", "unlinksync", "utimes", "write_bytes", "write_text", "writefile",
    "writefilesync", "writelines",
];

/// Programs that change the files in their arguments.
pub(crate) const PROGRAMS: &[&str] = &[
    "chmod", "chown", "cp", "dd", "install", "ln", "mv", "rm", "rmdir", "sed", "shred", "tee", "touch", "truncate",
    "unlink",
];

/// Modes in which `open` writes.
pub(crate) const MODES: &[&str] = &[
    "w", "a", "x", "wb", "ab", "xb", "wt", "at", "w+", "a+", "r+", "x+", "wb+", "w+b", "ab+", "a+b", "rb+", "r+b", ">",
    ">>", "+<", "+>",
];

/// Calls that open a file, to write to it with one of these modes.
pub(crate) const OPENERS: &[&str] = &["bzfile", "file", "fopen", "gzfile", "open", "xzfile"];

/// Calls that write to the file that is named right after them.
#[rustfmt::skip] // Many words to a line.
pub(crate) const WRITERS: &[&str] = &[
    "createwritestream", "open_out", "open_out_bin", "open_out_gen", "spit", "spurt", "write_file", "writefilestring", "writetextfile",
    "writetextfilesync",
];

/// Calls that otherwise read or print, and the arguments by whose names they write to a file: `cat(x, file = "y")`.
pub(crate) const NAMED: &[(&str, &[&str])] =
    &[("cat", &["file"]), ("open", &["append", "create", "truncate", "write"])];

/// Values of such an argument with which nothing is written to a file.
pub(crate) const STREAMS: &[&str] = &["\"\"", "''", "false", "stderr", "stdout"];
