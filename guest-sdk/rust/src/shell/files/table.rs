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

/// What the operands of a program are.
pub(super) enum Operands {
    /// No files.
    None,
    /// A command of another program.
    Command,
    /// Files.
    All(Access),
    /// The first is a file, the others are not.
    First(Access),
    /// Files after the first `skip`, unless one of these options is given.
    After { skip: usize, unless: &'static [&'static str], access: Access },
    /// Sources, then the destination.
    IntoLast { from: Access, to: Access },
}

use Operands::{After, All, First, IntoLast};

/// Long options without a value that are not abbreviations of options with a value, although they look like them:
/// `--backup` of rsync does not mean `--backup-dir`.
pub(super) const FLAGS: &[&str] = &["backup", "compress", "partial"];

const fn row(
    names: &'static [&'static str],
    shorts: &'static str,
    longs: &'static [&'static str],
    options: &'static [(&'static str, Access)],
    operands: Operands,
) -> Program {
    Program { names, shorts, longs, options, operands }
}

/// Returns the row of a program.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    let mut rows = (hash(name)..).map_while(|at| usize::from(*BY_NAME.get(at % SLOTS)?).checked_sub(1));
    rows.find_map(|row| PROGRAMS.get(row).filter(|program| program.names.contains(&name)))
}

/// The number of slots: about twice as many as the table has names.
const SLOTS: usize = 512;

/// The number of a row plus one, at the [`hash`] of each of its names, or in the next free slot. Free slots are zero.
static BY_NAME: [u16; SLOTS] = by_name();

const fn by_name() -> [u16; SLOTS] {
    let mut slots = [0_u16; SLOTS];
    let (mut programs, mut number) = (PROGRAMS, 1);
    while let [program, others @ ..] = programs {
        let mut names = program.names;
        while let [name, more @ ..] = names {
            let mut at = hash(name);
            // In a `const fn`, this takes the place of `get_mut`.
            while let Some((_, [slot, ..])) = slots.split_at_mut_checked(at % SLOTS) {
                if *slot == 0 {
                    *slot = number;
                    break;
                }
                at += 1;
            }
            names = more;
        }
        programs = others;
        number += 1;
    }
    slots
}

/// Returns the slot at which the search for a name begins.
const fn hash(name: &str) -> usize {
    let (mut hash, mut rest) = (name.len(), name.as_bytes());
    while let [byte, others @ ..] = rest {
        hash = hash.wrapping_mul(31).wrapping_add(*byte as usize);
        rest = others;
    }
    hash % SLOTS
}

const CP: &[&str] = &["target-directory", "suffix", "no-preserve", "sparse"];
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
    row(&["cat", "zcat", "bzcat", "xzcat", "zstdcat", "rev", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "sum"], "", &[], &[], All(Read)),
    row(&["shuf", "ptx", "hexyl", "glow", "ccat", "pv", "lz4cat", "zless", "uuencode"], "nio", &["head-count", "input-range", "output"], &[("-o", Write), ("--output", Write)], All(Read)),
    row(&["tac"], "s", &["separator"], &[], All(Read)),
    row(&["cksum", "b2sum"], "al", &["algorithm", "length"], &[], All(Read)),
    row(&["bat", "batcat"], "lrHm", &["language", "theme", "style", "line-range", "highlight-line", "map-syntax", "paging", "color", "wrap", "tabs"], &[], All(Read)),
    row(&["strings"], "netTs", &["bytes", "encoding", "radix", "output-separator"], &[], All(Read)),
    row(&["hexdump", "hd"], "efns", &["length", "skip", "format", "format-file"], &[], All(Read)),
    row(&["objdump"], "jMmb", &["section", "architecture", "target", "disassemble-options"], &[], All(Read)),
    row(&["readelf"], "xpR", &["hex-dump", "string-dump"], &[], All(Read)),
    row(&["nm"], "tf", &["radix", "format"], &[], All(Read)),
    row(&["head", "tail", "ghead", "gtail"], "ncs", &["lines", "bytes", "pid", "sleep-interval", "max-unchanged-stats"], &[], All(Read)),
    row(&["less", "zless"], "bhjkoOpPtTxyz#D", &["lesskey-file", "log-file", "LOG-FILE", "tag-file", "pattern", "prompt"], &[("-o", Write), ("-O", Write), ("--log-file", Write)], All(Read)),
    row(&["more", "most", "pg", "zmore"], "n", &["lines"], &[], All(Read)),
    row(&["wc"], "", &["files0-from", "total"], &[("--files0-from", Read)], All(Read)),
    row(&["grep", "egrep", "fgrep", "zgrep"], "efmABCdD", GREP, &[("-f", Read), ("--file", Read), ("--exclude-from", Read)],
        After { skip: 1, unless: &["-e", "-f", "--regexp", "--file"], access: Read }),
    row(&["rg"], "efmABCgtTrdMjE", GREP, &[("-f", Read), ("--file", Read), ("--ignore-file", Read)],
        After { skip: 1, unless: &["-e", "-f", "--regexp", "--file", "--files", "--type-list"], access: Read }),
    row(&["ag", "ack"], "ABCmGp", &["after", "before", "context", "ignore", "ignore-dir", "depth"], &[("-p", Read)],
        After { skip: 1, unless: &["-g"], access: Read }),
    row(&["sort"], "kotSTB", &["key", "output", "field-separator", "buffer-size", "temporary-directory", "files0-from", "batch-size", "parallel", "compress-program", "random-source"],
        &[("-o", Write), ("--output", Write), ("--files0-from", Read)], All(Read)),
    row(&["uniq"], "fsw", &["skip-fields", "skip-chars", "check-chars"], &[], IntoLast { from: Read, to: Write }),
    row(&["diff", "colordiff", "diff3"], "UCWxXILSF", &["unified", "context", "width", "exclude", "exclude-from", "ignore-matching-lines", "label", "output", "from-file", "to-file", "starting-file", "show-function-line"],
        &[("--output", Write), ("-X", Read), ("--exclude-from", Read), ("--from-file", Read), ("--to-file", Read)], All(Read)),
    row(&["sdiff"], "oWwI", &["output", "width"], &[("-o", Write), ("--output", Write)], All(Read)),
    row(&["cmp"], "in", &["bytes", "ignore-initial"], &[], All(Read)),
    row(&["comm"], "", &["output-delimiter"], &[], All(Read)),
    row(&["od"], "AjNtS", &["address-radix", "skip-bytes", "read-bytes", "format"], &[], All(Read)),
    row(&["xxd"], "cgloson", &[], &[], IntoLast { from: Read, to: Write }),
    row(&["base64", "base32", "basenc"], "w", &["wrap"], &[], All(Read)),
    row(&["nl"], "bdfhilnsvw", &["body-numbering", "number-format", "number-width", "number-separator", "starting-line-number", "line-increment", "section-delimiter"], &[], All(Read)),
    row(&["fold"], "w", &["width"], &[], All(Read)),
    row(&["fmt"], "wpg", &["width", "prefix", "goal"], &[], All(Read)),
    row(&["pr"], "DhlNowW", &["header", "length", "width", "page-width", "indent", "date-format"], &[], All(Read)),
    row(&["expand", "unexpand"], "t", &["tabs"], &[], All(Read)),
    row(&["column"], "scoNRHTEOWnripl", &["separator", "output-separator", "output-width", "table-columns", "table-name", "table-order", "table-right", "table-hide"], &[], All(Read)),
    row(&["tsort", "iconv"], "fto", &["from-code", "to-code", "output"], &[("-o", Write), ("--output", Write)], All(Read)),
    row(&["vis", "wdiff", "dwdiff", "delta", "difft", "icdiff", "ydiff", "csvcut", "csvlook", "csvstat", "csvjson", "csvformat"], "cdqz", &[], &[], All(Read)),
    row(&["shellcheck", "shellharden"], "CefiosSPWx", &["color", "exclude", "extended-analysis", "format", "include", "norc", "rcfile", "enable", "source-path", "shell", "severity", "wiki-link-count"], &[("--rcfile", Read)], All(Read)),
    row(&["date", "gdate"], "dfrsI", &["date", "file", "reference", "set", "iso-8601", "rfc-3339"], &[("-f", Read), ("--file", Read), ("-r", List), ("--reference", List)], Operands::None),
    row(&["psql"], "cdfFhlLopPRTUv", &["command", "dbname", "file", "field-separator", "host", "log-file", "output", "port", "pset", "record-separator", "table-attr", "username", "set", "variable"],
        &[("-f", Read), ("--file", Read), ("-o", Write), ("--output", Write), ("-L", Write), ("--log-file", Write)], Operands::None),
    row(&["look"], "t", &["terminate"], &[], After { skip: 1, unless: &[], access: Read }),
    row(&["recode"], "", &[], &[], After { skip: 1, unless: &[], access: Write }),
    row(&["rpl"], "", &["encoding"], &[], After { skip: 2, unless: &[], access: Write }),
    row(&["pygmentize"], "lfOFPoS", &[], &[("-o", Write)], All(Read)),
    row(&["highlight", "source-highlight", "qrencode"], "irosSflcO", &["input", "output", "syntax", "style", "out-format", "src-lang", "read-from"],
        &[("-i", Read), ("-r", Read), ("-o", Write), ("--input", Read), ("--output", Write), ("--read-from", Read)], All(Read)),
    row(&["pg_dump", "pg_dumpall"], "fdhpUnNtTF", &["file", "dbname", "host", "port", "username", "schema", "table", "format"], &[("-f", Write), ("--file", Write)], Operands::None),
    row(&["mysqldump", "mariadb-dump"], "rhPu", &["result-file", "host", "port", "user", "tab"], &[("-r", Write), ("--result-file", Write), ("--tab", Write)], Operands::None),
    row(&["cut", "paste", "join"], "abcdfjt12eov", &["bytes", "characters", "delimiter", "fields", "delimiters", "output-delimiter"], &[], All(Read)),
    row(&["split"], "abClnt", &["suffix-length", "bytes", "line-bytes", "lines", "number", "separator", "additional-suffix", "filter"], &[], IntoLast { from: Read, to: Write }),
    row(&["csplit"], "bfn", &["suffix-format", "prefix", "digits"], &[("-f", Write), ("--prefix", Write)], First(Read)),
    row(&["jq", "jaq"], "fL", &["from-file", "indent", "library-path"], &[("-f", Read), ("--from-file", Read)],
        After { skip: 1, unless: &["-f", "--from-file"], access: Read }),
    row(&["cp", "gcp"], "tS", CP, &[("-t", Write), ("--target-directory", Write)], IntoLast { from: Read, to: Write }),
    row(&["mv", "gmv"], "tS", CP, &[("-t", Write), ("--target-directory", Write)], IntoLast { from: Delete, to: Write }),
    row(&["ln", "gln", "link"], "tS", CP, &[("-t", Create), ("--target-directory", Create)], IntoLast { from: Read, to: Create }),
    row(&["rsync"], "efBTM", &["rsh", "exclude", "include", "exclude-from", "include-from", "files-from", "filter", "log-file", "backup-dir", "temp-dir", "bwlimit", "timeout", "port",
        "partial-dir", "compare-dest", "copy-dest", "link-dest", "max-size", "min-size", "chmod", "chown", "password-file", "rsync-path", "suffix", "out-format", "info", "compress-level"],
        &[("--exclude-from", Read), ("--include-from", Read), ("--files-from", Read), ("--log-file", Write), ("--backup-dir", Write), ("--temp-dir", Write), ("--password-file", Read)],
        IntoLast { from: Read, to: Write }),
    row(&["scp"], "cDFiJloPSX", &[], &[("-i", Read), ("-F", Read)], IntoLast { from: Read, to: Write }),
    row(&["rm", "grm", "rmdir", "unlink", "srm", "trash", "trash-put", "rimraf", "del"], "", &[], &[], All(Delete)),
    row(&["truncate"], "sr", &["size", "reference"], &[("-r", Read), ("--reference", Read)], All(Write)),
    row(&["touch"], "drt", &["date", "reference", "time"], &[("-r", Read), ("--reference", Read)], All(Create)),
    row(&["mkdir", "mkfifo", "gmkdir"], "m", &["mode"], &[], All(Create)),
    row(&["mktemp"], "p", &["tmpdir", "suffix"], &[("-p", Create), ("--tmpdir", Create)], All(Create)),
    row(&["mknod"], "m", &["mode"], &[], First(Create)),
    row(&["tee", "sponge"], "", &[], &[], All(Write)),
    row(&["chown", "chgrp", "gchown"], "", &["reference", "from"], &[("--reference", Read)], After { skip: 1, unless: &["--reference"], access: Write }),
    row(&["setfacl"], "mxMX", &["modify", "remove", "modify-file", "remove-file", "restore"], &[("-M", Read), ("-X", Read), ("--restore", Read)], All(Write)),
    row(&["xattr"], "", &[], &[], All(Write)),
    row(&["ls", "gls", "dir", "vdir"], "ITw", &["ignore", "hide", "width", "tabsize", "block-size", "sort", "time", "format", "time-style", "indicator-style", "quoting-style"], &[], All(List)),
    row(&["eza", "exa", "lsd"], "LIstw", &["level", "ignore-glob", "sort", "time", "width", "time-style", "depth"], &[], All(List)),
    row(&["tree"], "LPIoHT", &["filelimit", "timefmt", "charset", "sort"], &[("-o", Write)], All(List)),
    row(&["du", "gdu"], "BdtX", &["block-size", "max-depth", "threshold", "exclude", "exclude-from", "files0-from"], &[("-X", Read), ("--exclude-from", Read), ("--files0-from", Read)], All(List)),
    row(&["df"], "Btx", &["block-size", "type", "exclude-type"], &[], All(List)),
    row(&["ncdu"], "oXf", &["exclude", "exclude-from"], &[("-o", Write), ("-f", Read), ("-X", Read)], All(List)),
    row(&["stat", "gstat"], "c", &["format", "printf", "cached"], &[], All(List)),
    row(&["file"], "emfFP", &["exclude", "magic-file", "files-from", "separator", "parameter"], &[("-f", Read), ("-m", Read)], All(Read)),
    row(&["readlink", "realpath", "grealpath", "namei", "getfacl", "lsattr"], "", &["relative-to", "relative-base"], &[], All(List)),
    row(&["lzma", "unlzma", "lz4", "compress", "uncompress"], "", &[], &[], All(Write)),
    row(&["unlzip", "lzip"], "", &[], &[], All(Write)),
    row(&["patch"], "ipdoBDFrVYz", &["input", "strip", "directory", "output", "reject-file", "prefix", "suffix", "fuzz", "get"],
        &[("-i", Read), ("--input", Read), ("-o", Write), ("--output", Write), ("-r", Write), ("--reject-file", Write), ("-d", Write), ("--directory", Write)], First(Write)),
    row(&["source", "."], "", &[], &[], First(Read)),
    row(&["Rscript", "tclsh", "osascript", "julia"], "e", &["eval"], &[], First(Read)),
    row(&["nano", "pico"], "CJoQrsTXYf", &[], &[("-f", Read)], All(Write)),
    row(&["emacs", "emacsclient"], "uflLtd", &["eval", "load", "funcall", "socket-name", "alternate-editor"], &[("-l", Read), ("--load", Read)], All(Write)),
    row(&["ed", "red", "micro", "helix", "hx", "kak", "code", "subl", "gedit", "joe", "mcedit"], "", &["goto", "user-data-dir", "extensions-dir"], &[], All(Write)),
    row(&["mount"], "otLU", &["options", "types", "source", "target"], &[], All(Read)),
    row(&["gpg"], "orui", &["output", "recipient", "local-user", "homedir", "passphrase-file"], &[("-o", Write), ("--output", Write), ("--passphrase-file", Read)], All(Read)),
    row(&["ssh"], "BbcDEeFIiJLlmOopQRSWw", &[], &[("-i", Read), ("-F", Read), ("-E", Write)], Operands::None),
    row(&["ssh-copy-id"], "iptF", &[], &[("-i", Read)], Operands::None),
    row(&["make", "gmake"], "fCIjloW", &["file", "makefile", "directory", "include-dir"], &[("-f", Read), ("--file", Read), ("--makefile", Read)], Operands::None),
    row(&["kubectl", "oc"], "cnflko", &["filename", "kustomize", "namespace", "context", "kubeconfig"], &[("-f", Read), ("--filename", Read), ("-k", Read), ("--kubeconfig", Read)], Operands::None),
    row(&["xargs", "gxargs"], "nPILsdEaR", &["max-args", "max-procs", "delimiter", "arg-file"], &[("-a", Read), ("--arg-file", Read)], Operands::None),
    row(&["at"], "fqt", &[], &[("-f", Read)], Operands::None),
    row(&["strace", "ltrace"], "oeapsPuEbIS", &["output", "trace"], &[("-o", Write), ("--output", Write)], Operands::Command),
    row(&["rlwrap"], "fHlsbtCDgpPSwz", &["file", "history-filename", "logfile"], &[("-l", Write), ("--logfile", Write), ("-H", Write), ("--history-filename", Write), ("-f", Read), ("--file", Read)], Operands::Command),
    row(&["time"], "fo", &["format", "output"], &[("-o", Write), ("--output", Write)], Operands::Command),
    row(&["valgrind"], "", &["log-file", "xml-file", "tool", "suppressions"], &[("--log-file", Write), ("--xml-file", Write)], Operands::Command),
    row(&["flock"], "cwE", &["command", "timeout", "conflict-exit-code"], &[], First(Create)),
    row(&["script"], "cEIOBTmo", &["command", "log-in", "log-out", "log-io", "log-timing", "echo", "output-limit"], &[("-O", Write), ("-B", Write), ("-T", Write), ("-I", Write), ("--log-out", Write), ("--log-io", Write), ("--log-timing", Write)], First(Write)),
    row(&["age", "rage"], "oriR", &["output", "recipient", "recipients-file", "identity"], &[("-o", Write), ("--output", Write), ("-i", Read), ("--identity", Read), ("-R", Read)], All(Read)),
    row(&["pandoc", "xsltproc", "xmllint", "dot", "neato", "asciidoctor", "asciidoc", "rst2html", "wkhtmltopdf", "typst", "drawio", "mmdc", "protoc-gen", "flex", "bison", "gperf", "m4"], "oftT",
        &["output", "from", "to", "template", "out-file"], &[("-o", Write), ("--output", Write), ("--out-file", Write)], All(Read)),
    row(&["http", "https", "xh", "xhs"], "oapd", &["output", "auth", "auth-type", "session", "download-as"], &[("-o", Write), ("--output", Write)], Operands::None),
    row(&["axel", "yt-dlp", "youtube-dl"], "onfPSU", &["output", "num-connections", "format", "paths"], &[("-o", Write), ("--output", Write), ("-P", Write), ("--paths", Write)], Operands::None),
    // Each operand of ffmpeg may be an output. Values of options are among the operands.
    row(&["ffmpeg"], "i", &[], &[("-i", Read)], All(Write)),
    row(&["convert"], "", &[], &[], IntoLast { from: Read, to: Write }),
    row(&["mogrify"], "", &[], &[], All(Write)),
    row(&["fallocate"], "lo", &["length", "offset"], &[], All(Write)),
    row(&["setfattr"], "nvx", &["name", "value", "remove", "restore"], &[("--restore", Read)], All(Write)),
    row(&["chflags", "chcon"], "lrtu", &["reference", "type", "user", "role", "range"], &[("--reference", Read)], After { skip: 1, unless: &["--reference"], access: Write }),
    row(&["restorecon"], "eof", &[], &[], All(Write)),
    row(&["rename", "prename", "file-rename", "perl-rename"], "e", &["expr"], &[], After { skip: 1, unless: &["-e"], access: Write }),
    row(&["ditto"], "", &["arch"], &[], IntoLast { from: Read, to: Write }),
    row(&["hf", "huggingface-cli"], "", &["local-dir", "cache-dir", "revision", "include", "exclude", "token", "repo-type"], &[("--local-dir", Write), ("--cache-dir", Write)], Operands::None),
    row(&["sqlite3"], "", &["cmd", "init"], &[], First(Write)),
    row(&["mkfs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mkfs.vfat", "mkfs.fat", "mkfs.ntfs", "mkswap", "wipefs", "blkdiscard", "fdisk", "sfdisk", "parted", "sgdisk", "badblocks"],
        "tL", &["type", "label"], &[], All(Write)),
];
