//! The effects of calls, by language.

use super::lexer::Dialect;

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// The call deletes a directory with everything in it.
    Trees,
    /// The call deletes a file or an empty directory.
    Files,
    /// The call runs a text in a shell, or runs a list of words.
    Runs,
    /// The call runs a text as code in the same language.
    Evaluates,
}

/// The calling syntax of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    Script,
    /// Perl, Ruby, PHP, Lua, Tcl and others with `system`.
    System,
    /// R, which has the functions of [`Family::System`], but whose `rm` only removes variables.
    Statistics,
}

/// A call: its owner (empty for any, `.` for none), its name, and its effect.
type Row = (&'static str, &'static str, Deed);

const PYTHON: &[Row] = &[
    ("", "rmtree", Deed::Trees),
    ("", "remove_tree", Deed::Trees),
    ("os", "removedirs", Deed::Trees),
    ("os", "remove", Deed::Files),
    (".", "remove", Deed::Files),
    ("", "unlink", Deed::Files),
    ("", "rmdir", Deed::Files),
    ("os", "truncate", Deed::Files),
    ("", "system", Deed::Runs),
    ("", "popen", Deed::Runs),
    ("", "getoutput", Deed::Runs),
    ("", "getstatusoutput", Deed::Runs),
    ("", "check_call", Deed::Runs),
    ("", "check_output", Deed::Runs),
    ("", "Popen", Deed::Runs),
    ("", "create_subprocess_shell", Deed::Runs),
    ("", "create_subprocess_exec", Deed::Runs),
    ("subprocess", "run", Deed::Runs),
    ("subprocess", "call", Deed::Runs),
    ("sp", "run", Deed::Runs),
    ("sp", "call", Deed::Runs),
    (".", "run", Deed::Runs),
    (".", "call", Deed::Runs),
    ("os", "execl", Deed::Runs),
    ("os", "execlp", Deed::Runs),
    ("os", "execv", Deed::Runs),
    ("os", "execvp", Deed::Runs),
    ("os", "execve", Deed::Runs),
    ("os", "spawnl", Deed::Runs),
    ("os", "spawnlp", Deed::Runs),
    ("os", "spawnv", Deed::Runs),
    ("os", "spawnvp", Deed::Runs),
    ("pty", "spawn", Deed::Runs),
    (".", "exec", Deed::Evaluates),
    (".", "eval", Deed::Evaluates),
];

const SCRIPT: &[Row] = &[
    ("", "rmSync", Deed::Trees),
    ("", "rmdirSync", Deed::Trees),
    ("", "rimraf", Deed::Trees),
    ("", "rimrafSync", Deed::Trees),
    ("", "removeSync", Deed::Trees),
    ("", "emptyDirSync", Deed::Trees),
    ("fs", "rm", Deed::Trees),
    ("promises", "rm", Deed::Trees),
    ("fs", "rmdir", Deed::Trees),
    ("promises", "rmdir", Deed::Trees),
    (")", "rm", Deed::Trees),
    (")", "rmdir", Deed::Trees),
    (".", "rm", Deed::Trees),
    ("Deno", "remove", Deed::Trees),
    ("", "unlinkSync", Deed::Files),
    ("", "unlink", Deed::Files),
    ("", "truncateSync", Deed::Files),
    ("", "execSync", Deed::Runs),
    ("", "spawnSync", Deed::Runs),
    ("", "execFileSync", Deed::Runs),
    ("", "execFile", Deed::Runs),
    ("", "spawn", Deed::Runs),
    ("child_process", "exec", Deed::Runs),
    (")", "exec", Deed::Runs),
    (".", "exec", Deed::Runs),
    ("cp", "exec", Deed::Runs),
    ("Deno", "Command", Deed::Runs),
    ("Deno", "run", Deed::Runs),
    (".", "eval", Deed::Evaluates),
    (".", "Function", Deed::Evaluates),
];

const SYSTEM: &[Row] = &[
    ("", "rm_rf", Deed::Trees),
    ("", "rm_r", Deed::Trees),
    ("", "rm_f", Deed::Files),
    ("", "remove_dir", Deed::Trees),
    ("", "remove_entry", Deed::Trees),
    ("", "remove_entry_secure", Deed::Trees),
    ("", "rmtree", Deed::Trees),
    ("", "remove_tree", Deed::Trees),
    ("", "remove_dir_all", Deed::Trees),
    ("", "deleteTree", Deed::Trees),
    ("", "deleteDirectory", Deed::Trees),
    ("Dir", "delete", Deed::Files),
    ("Dir", "rmdir", Deed::Files),
    ("Dir", "unlink", Deed::Files),
    ("File", "delete", Deed::Files),
    ("File", "unlink", Deed::Files),
    ("os", "remove", Deed::Files),
    (".", "unlink", Deed::Files),
    (".", "rmdir", Deed::Files),
    ("File", "rm", Deed::Files),
    (".", "rm", Deed::Trees),
    ("", "system", Deed::Runs),
    ("", "system2", Deed::Runs),
    ("", "shell_exec", Deed::Runs),
    ("", "passthru", Deed::Runs),
    ("", "proc_open", Deed::Runs),
    ("", "pcntl_exec", Deed::Runs),
    ("", "popen", Deed::Runs),
    ("", "capture2", Deed::Runs),
    ("", "capture2e", Deed::Runs),
    ("", "capture3", Deed::Runs),
    ("", "popen2", Deed::Runs),
    ("", "popen3", Deed::Runs),
    ("os", "execute", Deed::Runs),
    ("System", "cmd", Deed::Runs),
    (".", "script", Deed::Runs),
    (".", "exec", Deed::Runs),
    ("Kernel", "exec", Deed::Runs),
    ("Process", "spawn", Deed::Runs),
    (".", "spawn", Deed::Runs),
    (".", "eval", Deed::Evaluates),
    (".", "assert", Deed::Evaluates),
    (".", "loadstring", Deed::Evaluates),
];

/// Functions that turn something else into code. Without them, the evaluated text is in the code itself.
pub(super) const DECODERS: [&str; 18] = [
    "b64decode",
    "base64_decode",
    "decode64",
    "decode_base64",
    "urlsafe_b64decode",
    "a85decode",
    "b32decode",
    "b16decode",
    "fromhex",
    "unhexlify",
    "decompress",
    "atob",
    "fromCharCode",
    "urlopen",
    "urlretrieve",
    "file_get_contents",
    "gzinflate",
    "unpack",
];

/// Returns an interpreter's language, by the interpreter's name without a version.
pub(super) fn family(name: &str) -> Option<(Family, Dialect)> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match name {
        "python" | "pypy" | "ipython" => (Family::Python, Dialect { hash_comments: true, ..Dialect::default() }),
        "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" => (Family::Script, Dialect::default()),
        "perl" | "ruby" | "irb" | "php" | "julia" => {
            let hash_comments = name != "php";
            let dialect = Dialect { backquotes_run: true, hash_comments, interpolates: true, ..Dialect::default() };
            (Family::System, dialect)
        }
        "lua" | "luajit" | "tclsh" | "elixir" | "groovy" | "scala" => (Family::System, Dialect::default()),
        "Rscript" | "R" => (Family::Statistics, Dialect::default()),
        _ => return None,
    })
}

/// Returns the ways in which an interpreter may read code. A quote in a comment must not hide a call, and neither must a
/// sign that is no comment: `$#a` in Perl.
pub(super) fn readings(family: Family, dialect: Dialect, code: &str) -> Vec<Dialect> {
    let mut all = vec![dialect];
    if family != Family::Python && (code.contains("//") || code.contains("/*")) {
        all.push(Dialect { slash_comments: true, ..dialect });
    }
    if family != Family::Python && dialect.hash_comments && code.contains('#') {
        all.push(Dialect { spaced_comments: true, ..dialect });
    }
    all
}

/// Returns the effect of a call. `owner` is what comes before the call's dot: a name, `)` for what another call
/// returns, or `.` if there is no dot.
pub(super) fn deed(family: Family, owner: &str, name: &str) -> Option<Deed> {
    let rows = match family {
        Family::Python => PYTHON,
        Family::Script => SCRIPT,
        Family::Statistics if name == "rm" => return None,
        Family::System | Family::Statistics => SYSTEM,
    };
    let row = rows.iter().find(|(on, called, _)| *called == name && (on.is_empty() || *on == owner));
    row.map(|(_, _, deed)| *deed)
}
