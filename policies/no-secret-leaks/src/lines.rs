//! The lines of a list of all variables: whether a search or a cut can tell the variables apart.

use crate::environment::{code, code_options, has_letter, is_fed};
use hookbox_policy::{Command, Names, Word, options};

/// How a list of variables is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Each variable has a line of its own, which begins with its name and `=`.
    Named,
    /// Each variable has a line of its own.
    Apart,
    /// A line may have several variables, or parts of them in other characters.
    Mixed,
}

/// Programs that pass each line on as it is, or leave it out.
static KEEPERS: Names = Names::new(&[
    "ag", "cat", "egrep", "fgrep", "grep", "head", "less", "more", "pv", "rg", "sort", "tac", "tail", "tee", "uniq",
]);

/// Code that prints each variable on a line of its own.
#[rustfmt::skip] // Many words to a line.
const LINEWISE: &[&str] = &[
    "in os.environ", "of Object.entries(process.env)", "ENV.each", "keys %ENV", "console.log(process.env)", "pprint",
    "pp ", "indent", "null, 2", "print_r", "var_dump", "phpinfo",
];

/// Returns how a command that lists all variables writes them.
pub(crate) fn written(command: &Command) -> Lines {
    let args: Vec<&str> = command.args().iter().map(Word::text).collect();
    let has = |words: &[&str]| args.iter().any(|arg| words.iter().any(|word| arg.contains(word)));
    let is_apart = match command.name {
        // It lists the variables of a process behind its program.
        "ps" | "strace" => false,
        "env" | "printenv" | "npm" | "pnpm" | "yarn" | "yarnpkg" => {
            let is_nul = has_letter(&args, '0', "uCS") || args.iter().any(|arg| is_long(arg, "--null"));
            return if is_nul { Lines::Mixed } else { Lines::Named };
        }
        "jq" | "jaq" | "gojq" => {
            let is_compact = ['c', 'j'].into_iter().any(|letter| has_letter(&args, letter, "L"));
            !is_compact && !has(&["--compact", "--join", "tostring", "tojson", "join(", "@"])
        }
        "awk" | "gawk" | "mawk" | "nawk" => !has(&["printf", "ORS"]),
        "pwsh" | "powershell" | "nu" | "elvish" => true,
        "Get-ChildItem" | "gci" | "dir" | "ls" | "Get-Item" | "make" | "gmake" | "pm2" => true,
        "php" if has(&["--info"]) || args.contains(&"-i") => true,
        "fish" | "xonsh" | "csh" | "tcsh" => return Lines::Named,
        name if code_options(name).is_some() => is_linewise(command),
        _ => return Lines::Named,
    };
    if is_apart { Lines::Apart } else { Lines::Mixed }
}

/// Returns how a list of variables is written after a program has read it and passed it on.
pub(crate) fn passed_on(reader: &Command, read: Lines) -> Lines {
    match reader.name {
        name if KEEPERS.contains(name) => read,
        "tr" => translated(reader, read),
        "xargs" => {
            let given = options(reader.args(), &["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"]);
            let most = given.value(&["-n", "-L", "--max-args", "--max-lines"]).map_or("", Word::text);
            if most == "1" { Lines::Apart } else { Lines::Mixed }
        }
        _ => Lines::Mixed,
    }
}

/// Returns how `tr` writes a list of variables. It may join lines, split them, or change the characters of names.
fn translated(tr: &Command, read: Lines) -> Lines {
    let words: Vec<&str> = tr.args().iter().map(Word::text).collect();
    match words.as_slice() {
        [" " | r"\0" | r"\000" | "[:space:]", r"\n" | "\n"] => Lines::Apart,
        ["a-z" | "A-Z" | "[:lower:]" | "[:upper:]", "a-z" | "A-Z" | "[:lower:]" | "[:upper:]"] => read,
        _ => Lines::Mixed,
    }
}

/// Whether an interpreter's code prints each variable on a line of its own.
fn is_linewise(command: &Command) -> bool {
    let input = command.facts.stdin.as_ref().filter(|_| is_fed(command)).map(Word::from);
    let code = code(command.name, command).or_else(|| input.as_ref().map(Word::text)).unwrap_or_default();
    code.trim() == "process.env" || LINEWISE.iter().any(|print| code.contains(print))
}

/// Whether an option is this long one, or an abbreviation of it.
fn is_long(given: &str, long: &str) -> bool {
    given.len() > 2 && long.starts_with(given)
}
