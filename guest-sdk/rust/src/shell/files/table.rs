//! The table of programs: their options with values, and what they do with their operands.

use super::Access::{self, Create, Delete, List, Read, Write};

/// What a program does with the files that it names.
pub(super) struct Program {
    pub(super) names: &'static [&'static str],
    /// The short options that take a value.
    pub(super) shorts: &'static str,
    /// The long options that take a value, without dashes.
    pub(super) longs: &'static [&'static str],
    /// The options whose value is a file.
    pub(super) options: &'static [(&'static str, Access)],
    pub(super) operands: Operands,
}

/// What the operands are.
pub(super) enum Operands {
    /// No files.
    None,
    /// Files.
    All(Access),
    /// The first is a file, the others are not.
    First(Access),
    /// Files behind the first `skip`, unless one of these options is given.
    After { skip: usize, unless: &'static [&'static str], access: Access },
    /// Sources, and then where they go.
    IntoLast { from: Access, to: Access },
}

use Operands::{After, All, First, IntoLast};

const fn row(
    names: &'static [&'static str],
    shorts: &'static str,
    longs: &'static [&'static str],
    options: &'static [(&'static str, Access)],
    operands: Operands,
) -> Program {
    Program { names, shorts, longs, options, operands }
}

/// The row of a program.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| program.names.contains(&name))
}

const CP: &[&str] = &["target-directory", "suffix", "context", "backup-dir"];
const GREP: &[&str] = &[
    "regexp",
    "file",
    "max-count",
    "after-context",
    "before-context",
    "context",
    "include",
    "exclude",
    "exclude-dir",
    "exclude-from",
    "label",
    "binary-files",
    "devices",
    "directories",
    "color",
    "colour",
    "glob",
    "iglob",
    "type",
    "type-not",
    "replace",
    "max-depth",
    "max-columns",
    "max-filesize",
    "threads",
    "sort",
    "sortr",
    "ignore-file",
    "pre",
    "encoding",
    "engine",
];

#[rustfmt::skip] // A table reads better with one row per line.
const PROGRAMS: &[Program] = &[
    row(&["cat", "tac", "bat", "batcat", "zcat", "bzcat", "xzcat", "zstdcat", "rev", "strings", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum",
        "cksum", "sum", "b2sum", "hexdump", "hd", "readelf", "objdump", "nm"],
        "tnNCseolHr", &["language", "theme", "style", "line-range", "highlight-line", "bytes", "encoding"], &[], All(Read)),
    row(&["head", "tail"], "nc", &["lines", "bytes", "pid", "sleep-interval", "max-unchanged-stats"], &[], All(Read)),
    row(&["less", "more", "most", "pg", "view"], "bhjkopPtTxyz#D", &["lesskey-file", "log-file", "tag-file"], &[("-o", Write), ("--log-file", Write)], All(Read)),
    row(&["wc"], "", &["files0-from", "total"], &[("--files0-from", Read)], All(Read)),
    row(&["grep", "egrep", "fgrep", "zgrep"], "efmABCdD", GREP, &[("-f", Read), ("--file", Read), ("--exclude-from", Read)],
        After { skip: 1, unless: &["-e", "-f", "--regexp", "--file"], access: Read }),
    row(&["rg"], "efmABCgtTrdMjE", GREP, &[("-f", Read), ("--file", Read), ("--ignore-file", Read)],
        After { skip: 1, unless: &["-e", "-f", "--regexp", "--file", "--files", "--type-list"], access: Read }),
    row(&["ag", "ack"], "ABCmGp", &["after", "before", "context", "ignore", "ignore-dir", "depth"], &[("-p", Read)],
        After { skip: 1, unless: &["-g"], access: Read }),
    row(&["sort"], "kotSTB", &["key", "output", "field-separator", "buffer-size", "temporary-directory", "files0-from", "batch-size", "parallel", "compress-program", "random-source"],
        &[("-o", Write), ("--output", Write), ("--files0-from", Read)], All(Read)),
    row(&["uniq"], "fsw", &["skip-fields", "skip-chars", "check-chars", "group", "all-repeated"], &[], IntoLast { from: Read, to: Write }),
    row(&["diff", "cmp", "comm", "sdiff", "diff3", "colordiff", "vimdiff"], "UCWxXILSFjin", &["unified", "context", "width", "exclude", "exclude-from", "ignore-matching-lines", "label", "output", "bytes", "ignore-initial", "output-delimiter"],
        &[("--output", Write)], All(Read)),
    row(&["od"], "AjNtwS", &["address-radix", "skip-bytes", "read-bytes", "format", "width", "strings"], &[], All(Read)),
    row(&["xxd"], "cgloson", &[], &[], IntoLast { from: Read, to: Write }),
    row(&["base64", "base32", "basenc"], "w", &["wrap"], &[], All(Read)),
    row(&["nl", "fold", "fmt", "pr", "expand", "unexpand", "column", "tsort", "ptx"], "bdfhilnsvwtcoepS", &["width", "tabs", "separator", "body-numbering", "number-format", "number-width", "table-columns", "output-separator"], &[], All(Read)),
    row(&["cut", "paste", "join"], "bcdfjt12eov", &["bytes", "characters", "delimiter", "fields", "delimiters", "output-delimiter"], &[], All(Read)),
    row(&["split", "csplit"], "abClntf", &["suffix-length", "bytes", "line-bytes", "lines", "number", "separator", "additional-suffix", "filter", "prefix"], &[], First(Read)),
    row(&["jq", "yq", "jaq"], "fL", &["from-file", "indent", "tab", "library-path"], &[("-f", Read), ("--from-file", Read)],
        After { skip: 1, unless: &["-f", "--from-file"], access: Read }),
    row(&["awk", "gawk", "mawk", "nawk"], "Fvfei", &["field-separator", "assign", "file", "source", "include"], &[("-f", Read), ("--file", Read), ("-i", Read)],
        After { skip: 1, unless: &["-f", "--file", "-e", "--source"], access: Read }),
    row(&["cp", "gcp"], "tSZ", CP, &[("-t", Write), ("--target-directory", Write)], IntoLast { from: Read, to: Write }),
    row(&["mv", "gmv"], "tSZ", CP, &[("-t", Write), ("--target-directory", Write)], IntoLast { from: Delete, to: Write }),
    row(&["ln", "gln", "link"], "tS", CP, &[("-t", Create), ("--target-directory", Create)], IntoLast { from: Read, to: Create }),
    row(&["rsync"], "efBTM", &["rsh", "exclude", "include", "exclude-from", "include-from", "files-from", "filter", "log-file", "backup-dir", "temp-dir", "bwlimit", "timeout", "port",
        "partial-dir", "compare-dest", "copy-dest", "link-dest", "max-size", "min-size", "chmod", "chown", "password-file", "rsync-path", "suffix", "out-format", "info", "compress-level"],
        &[("--exclude-from", Read), ("--include-from", Read), ("--files-from", Read), ("--log-file", Write), ("--backup-dir", Write), ("--temp-dir", Write), ("--password-file", Read)],
        IntoLast { from: Read, to: Write }),
    row(&["scp"], "cDFiJloPSX", &[], &[("-i", Read), ("-F", Read)], IntoLast { from: Read, to: Write }),
    row(&["rm", "grm", "rmdir", "unlink", "srm", "trash", "trash-put", "rimraf", "del"], "", &[], &[], All(Delete)),
    row(&["shred"], "ns", &["iterations", "size", "random-source"], &[("--random-source", Read)], All(Write)),
    row(&["truncate"], "sr", &["size", "reference"], &[("-r", Read), ("--reference", Read)], All(Write)),
    row(&["touch"], "drt", &["date", "reference", "time"], &[("-r", Read), ("--reference", Read)], All(Create)),
    row(&["mkdir", "mkfifo", "mktemp"], "mZpt", &["mode", "tmpdir", "suffix"], &[], All(Create)),
    row(&["mknod"], "mZ", &["mode"], &[], First(Create)),
    row(&["tee", "sponge"], "", &["output-error"], &[], All(Write)),
    row(&["chmod", "chown", "chgrp"], "", &["reference", "from"], &[("--reference", Read)], After { skip: 1, unless: &["--reference"], access: Write }),
    row(&["setfacl"], "mxMXbk", &["modify", "remove"], &[("-M", Read)], All(Write)),
    row(&["chattr"], "pv", &[], &[], After { skip: 1, unless: &[], access: Write }),
    row(&["xattr"], "", &[], &[], All(Write)),
    row(&["ls", "gls", "dir", "vdir", "eza", "exa", "lsd"], "ITwL", &["ignore", "hide", "width", "tabsize", "block-size", "color", "sort", "time", "format", "time-style", "level", "indicator-style", "quoting-style"], &[], All(List)),
    row(&["tree"], "LPIoHTA", &["filelimit", "timefmt", "charset", "sort"], &[("-o", Write)], All(List)),
    row(&["du", "df", "ncdu"], "BdtXx", &["block-size", "max-depth", "threshold", "exclude", "exclude-from", "files0-from", "time-style", "type", "exclude-type", "output"], &[("-X", Read), ("--exclude-from", Read)], All(List)),
    row(&["stat", "gstat"], "ct", &["format", "printf", "cached"], &[], All(List)),
    row(&["file"], "emfFP", &["exclude", "magic-file", "files-from", "separator", "parameter"], &[("-f", Read), ("-m", Read)], All(Read)),
    row(&["readlink", "realpath", "basename", "dirname", "namei", "getfacl", "lsattr", "test", "["], "s", &["relative-to", "relative-base", "suffix"], &[], All(List)),
    row(&["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "zstd", "unzstd", "lz4", "compress", "uncompress"], "SbTMoD", &["suffix", "threads", "memlimit", "format", "check"], &[("-o", Write), ("-D", Read)], All(Write)),
    row(&["unlzip", "7z", "7za", "unrar", "rar"], "", &[], &[], After { skip: 1, unless: &[], access: Read }),
    row(&["patch"], "ipdoBDFrVYz", &["input", "strip", "directory", "output", "reject-file", "prefix", "suffix", "fuzz", "get"],
        &[("-i", Read), ("--input", Read), ("-o", Write), ("--output", Write), ("-r", Write), ("--reject-file", Write), ("-d", Write), ("--directory", Write)], First(Write)),
    row(&["source", "."], "", &[], &[], First(Read)),
    row(&["python", "python2", "python3", "pypy", "pypy3"], "cmWXQ", &["check-hash-based-pycs"], &[], After { skip: 0, unless: &[], access: Read }),
    row(&["node", "nodejs", "ruby", "perl", "php", "lua", "luajit", "Rscript", "tclsh", "osascript", "deno", "bun", "julia"], "eEprCIKSdBFRzM", &["eval", "print", "require", "import", "loader", "input-type", "conditions", "env-file"],
        &[("-r", Read), ("--require", Read), ("--import", Read), ("--env-file", Read)], After { skip: 0, unless: &[], access: Read }),
    row(&["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish"], "oO", &["rcfile", "init-file"], &[("--rcfile", Read), ("--init-file", Read)], First(Read)),
    row(&["vi", "vim", "nvim", "gvim", "ex", "ed", "emacs", "nano", "pico", "micro", "helix", "hx", "kak", "code", "subl", "gedit", "joe", "mcedit"], "cSTuUiwWrt", &["cmd", "goto", "diff", "user-data-dir"],
        &[("-S", Read), ("-w", Write)], All(Write)),
    row(&["mount"], "otLU", &["options", "types", "source", "target"], &[], All(Read)),
    row(&["openssl"], "", &[], &[], Operands::None),
    row(&["ssh-keygen"], "bCfNtPOIsVYZ", &[], &[("-f", Write)], Operands::None),
    row(&["gpg"], "orui", &["output", "recipient", "local-user", "homedir", "passphrase-file"], &[("-o", Write), ("--output", Write), ("--passphrase-file", Read)], All(Read)),
    row(&["env"], "", &[], &[], Operands::None),
];
