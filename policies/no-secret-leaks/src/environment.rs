//! Dumps of the environment, and single variables that contain secrets.

use crate::Reads;
use crate::dumped::{prints_all, variables_of};
use crate::pipes::{is_captured, is_few, is_in_file, is_showing_input, is_taken_for_names, readers, shows};
pub(crate) use crate::pipes::{is_passed_on, is_read};
use crate::printed::prints_one;
use hookbox_policy::{Command, Findings, Program, Word, code_at, options, program};
use hookbox_sdk::{ShellPart, ShellWord};
use hookbox_secrets::is_secret_name;

/// Judges which parts of the environment the commands show.
pub(crate) fn judge(commands: &[Command], reads: Reads, found: &mut Findings) {
    if reads == Reads::Allow {
        return;
    }
    for (index, command) in commands.iter().enumerate() {
        let is_shown = is_dump(index, commands) && !is_in_container(index, commands) && shows(index, commands);
        if is_shown || shows_each(command, commands) {
            let what = format!(
                "{} shows all variables, secrets included; ask for one by its name, as in `printenv PATH`",
                command.quote()
            );
            if reads == Reads::Deny {
                found.deny(what);
            } else {
                found.ask(what);
            }
        }
        let ends = || {
            (!is_read(index, commands) || is_passed_on(index, commands) || is_taken_for_names(index, commands))
                && !is_in_file(command, commands)
        };
        let by_code = || prints_one(command).filter(|_| !is_captured(command, commands));
        let variable = shown_variable(command).or_else(|| in_input(command, commands)).or_else(by_code);
        if let Some(variable) = variable.filter(|_| ends()) {
            found.ask(format!(
                "{} shows {variable}; to see whether it is set, use `[ -n \"${variable}\" ]`",
                command.quote()
            ));
        }
    }
}

/// Whether a command prints all variables.
pub(crate) fn is_dump(index: usize, commands: &[Command]) -> bool {
    let Some(command) = commands.get(index) else {
        return false;
    };
    let args: Vec<&str> = command.args().iter().map(Word::text).collect();
    match command.name {
        "env" => is_env_alone(index, commands, &args),
        "printenv" => args.iter().all(|arg| *arg == "-0" || arg.len() > 1 && "--null".starts_with(arg)),
        "set" => command.words.len() == 1,
        "jq" | "jaq" | "gojq" => variables_of(&args).contains(&None),
        "tmux" => args.first().is_some_and(|verb| matches!(*verb, "show-environment" | "showenv")) && args.len() < 3,
        "systemctl" => args.contains(&"show-environment") && !args.contains(&"--help"),
        "bun" | "npm" | "pnpm" | "yarn" | "yarnpkg" if runs_own_env(index, commands) => true,
        "pm2" => args.iter().find(|arg| !arg.starts_with('-')) == Some(&"env") && !args.contains(&"--help"),
        "cmake" => args == ["-E", "environment"],
        "launchctl" => args == ["export"],
        "cmd" | "cmd.exe" => runs_set(&args),
        "strace" => is_traced_whole(command, &args),
        "export" | "declare" | "typeset" | "readonly" | "local" => {
            args.iter().all(|arg| matches!(*arg, "-p" | "-x" | "-px" | "-xp")) && (command.name != "local")
        }
        "compgen" => args.contains(&"-e") && args.contains(&"-v"),
        "Get-ChildItem" | "gci" | "dir" | "ls" | "Get-Item" => args.iter().any(|arg| is_drive(arg)),
        "pwsh" | "powershell" if args.iter().flat_map(|arg| arg.split([' ', ';', '|'])).any(is_drive) => true,
        "awk" | "gawk" | "mawk" | "nawk" => args.iter().any(|arg| arg.contains("in ENVIRON") && arg.contains("print")),
        "ps" => shows_variables(&args),
        "make" | "gmake" => {
            (has_letter(&args, 'p', "CEfIjloW") || args.contains(&"--print-data-base"))
                && !is_for_rules(index, commands)
        }
        "php" if args.iter().take_while(|arg| arg.starts_with('-')).any(|arg| matches!(*arg, "-i" | "--info")) => true,
        "gdb" => args.iter().any(|arg| matches!(arg.trim(), "show env" | "show environment" | "info environ")),
        name => prints_all(name, command),
    }
}

/// Whether `env` runs no other program, and so prints the variables.
fn is_env_alone(index: usize, commands: &[Command], args: &[&str]) -> bool {
    // What a substitution runs is not run by `env`.
    let is_run = |child: &Command| child.facts.via.as_deref() != Some("substitution");
    let runs = commands.iter().any(|child| child.facts.parent == Some(index) && is_run(child));
    let is_empty = args.iter().any(|arg| matches!(*arg, "-i" | "-" | "--ignore-environment"));
    let mut operands = args.iter().filter(|arg| !arg.starts_with('-') && !arg.contains('='));
    let is_unset = args.windows(2).any(|pair| matches!(pair, ["-u" | "-C" | "-S" | "-a", _]));
    let has_operand = operands.next().is_some() && !is_unset;
    !runs && !is_empty && !has_operand && !args.iter().any(|arg| matches!(*arg, "--help" | "--version"))
}

/// Whether a package manager runs `env`, a script that every project has: `npm run env`. `pnpm env` is something else.
fn runs_own_env(index: usize, commands: &[Command]) -> bool {
    const VALUED: &[&str] = &["-C", "-F", "--cwd", "--dir", "--filter", "--loglevel", "--prefix", "--workspace", "-w"];
    let Some(command) = commands.get(index) else { return false };
    // This has no value for `pnpm`.
    let valued = if command.name == "pnpm" { VALUED.strip_suffix(&["-w"]).unwrap_or(VALUED) } else { VALUED };
    let given = options(command.args(), valued);
    let words: Vec<&str> = given.operands.iter().map(Word::text).collect();
    let words = match words.as_slice() {
        ["workspace", _, rest @ ..] => rest,
        words => words,
    };
    let rest = match words {
        ["run" | "run-script" | "rum" | "urn", "env", rest @ ..] => rest,
        ["env", rest @ ..] if command.name.starts_with("yarn") => rest,
        _ => return false,
    };
    // What follows are arguments of `env`.
    is_env_alone(index, commands, rest) || matches!(rest, [.., "env" | "printenv"])
}

/// Whether the command line of `cmd /c` has a `set` without arguments.
fn runs_set(args: &[&str]) -> bool {
    let line = args.join(" ").to_ascii_lowercase();
    let told = line.split_once("/c ").map_or("", |(_, told)| told);
    told.split(['&', '|']).any(|part| part.trim_matches([' ', '"']) == "set")
}

/// Whether only the names of rules are taken from what `make` prints: awk reads the text before each colon.
fn is_for_rules(index: usize, commands: &[Command]) -> bool {
    let mut readers = readers(index, commands).filter_map(|reader| commands.get(reader)).peekable();
    readers.peek().is_some()
        && readers.all(|reader| reader.name == "awk" && reader.args().iter().any(|word| word.text() == "-F:"))
}

/// Whether a path of PowerShell stands for all variables.
fn is_drive(path: &str) -> bool {
    matches!(path.to_ascii_lowercase().as_str(), "env:" | "env:\\" | "env:*" | "env:\\*" | "env:/")
}

/// Whether one of the short options is this letter. The text after a letter in `valued` is that option's value.
pub(crate) fn has_letter(args: &[&str], letter: char, valued: &str) -> bool {
    let mut shorts = args.iter().filter_map(|arg| arg.strip_prefix('-')).filter(|short| !short.starts_with('-'));
    shorts.any(|short| short.chars().take_while(|c| !valued.contains(*c)).any(|c| c == letter))
}

/// Whether `ps` shows the variables of processes: by `e` among the BSD options, which have no dash, or by `-E` on
/// macOS.
fn shows_variables(args: &[&str]) -> bool {
    let mut before = "";
    let mut words = args.iter().filter(|arg| {
        let last = std::mem::replace(&mut before, arg);
        // The next word after one of these letters is a list.
        let is_value = match (last.strip_prefix("--"), last.starts_with('-')) {
            (Some(long), _) => !long.contains('='),
            (None, true) => last.ends_with(['o', 'O', 'p', 'q', 'u', 'U', 'C', 'g', 'G', 't', 's', 'k', 'N']),
            (None, false) => last.ends_with(['o', 'O', 'p', 'q', 'U', 't', 'k']),
        };
        !is_value && arg.chars().all(|c| c.is_ascii_alphabetic())
    });
    words.any(|word| word.contains('e')) || has_letter(args, 'E', "oOpquUCgGt")
}

/// Whether `strace -v` shows the variables that a program gets. Without `-v`, it only counts them.
fn is_traced_whole(command: &Command, args: &[&str]) -> bool {
    const VALUED: &str = "abeEIoOpPsSuUX";
    let mut before = "";
    let own = args.iter().copied().take_while(|arg| {
        let last = std::mem::replace(&mut before, arg);
        arg.starts_with('-') || last.len() == 2 && last.starts_with('-') && last.ends_with(|c: char| VALUED.contains(c))
    });
    let own: Vec<&str> = own.collect();
    let mut traced = own.iter().filter(|arg| arg.contains("trace="));
    let is_written = own.iter().any(|arg| arg.starts_with("-o") || arg.starts_with("--output"))
        || command.facts.redirects.iter().any(|redirect| redirect.fd == Some(2));
    has_letter(&own, 'v', VALUED)
        && !is_written
        && traced.all(|arg| ["exec", "process", "all"].iter().any(|calls| arg.contains(calls)))
}

/// Whether a command runs in a container that gets no variables.
fn is_in_container(index: usize, commands: &[Command]) -> bool {
    let mut at = commands.get(index).and_then(|command| command.facts.parent);
    for _ in 0..8 {
        let Some(command) = at.and_then(|at| commands.get(at)) else { return false };
        if matches!(command.name, "docker" | "podman" | "nerdctl") {
            let mut words = command.args().iter().map(Word::text).skip_while(|word| *word == "container");
            return words.next() == Some("run") && !words.any(|word| word.starts_with("--env") || is_given(word));
        }
        at = command.facts.parent;
    }
    false
}

/// Whether a word passes a variable to a container: `-e`, `-eNAME`, `-ite`.
fn is_given(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| letters.trim_start_matches(['d', 'i', 't', 'P', 'q']).starts_with('e'))
}

/// Whether a command prints the variables whose names another command lists: `for v in $(compgen -e); do echo ${!v};
/// done`.
fn shows_each(command: &Command, commands: &[Command]) -> bool {
    const PRINTERS: [&str; 4] = ["echo", "printf", "print", "printenv"];
    let is_indirect = |part: &ShellPart| {
        let ShellPart::Unknown { unknown } = part else { return false };
        // `${!A@}` and `${!A[@]}` expand to names.
        let is_value = unknown.starts_with("${!") && !["@}", "*}", "]}"].iter().any(|end| unknown.ends_with(end));
        is_value || command.name == "printenv" && unknown.starts_with("$(compgen")
    };
    let names_one = |word: &ShellWord| match word {
        ShellWord::Known(_) => false,
        ShellWord::Partly { parts, .. } => parts.iter().any(is_indirect),
    };
    PRINTERS.contains(&command.name)
        && command.facts.argv.iter().skip(1).any(names_one)
        && commands.iter().enumerate().any(|(at, source)| source.name == "compgen" || is_dump(at, commands))
}

/// Returns the options with which an interpreter gets code on its command line.
pub(crate) fn code_options(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "node" | "nodejs" | "bun" => &["-e", "-p", "-pe", "--eval", "--print"][..],
        "ruby" | "perl" => &["-e", "-E"],
        "php" => &["-r"],
        "deno" => &["eval"],
        "lua" | "luajit" | "osascript" | "Rscript" | "elixir" | "groovy" | "bb" | "clojure" | "clj" | "raku"
        | "swift" | "ghc" => &["-e", "--eval"],
        "emacs" | "emacsclient" => &["-e", "--eval", "-eval", "--execute", "-execute"],
        // These get code only as their input.
        "tclsh" | "jshell" => &[],
        "julia" => &["-e", "-E", "--eval", "--print"],
        _ if name.starts_with("python") => &["-c"],
        _ if is_other_shell(name) => &["-c", "-lc", "-ic", "-fc", "-Command", "-command", "--command", "--commands"],
        _ => return None,
    })
}

/// Whether a program is a shell whose commands the facts do not list.
pub(crate) fn is_other_shell(name: &str) -> bool {
    matches!(name, "fish" | "nu" | "elvish" | "xonsh" | "csh" | "tcsh" | "pwsh" | "powershell")
}

/// Whether an interpreter gets its code as its input.
pub(crate) fn is_fed(command: &Command) -> bool {
    let is_open = || command.args().iter().all(|word| word.text().starts_with('-'));
    code_options(command.name).is_some()
        && (program(command) == Program::Input || is_open() && code(command.name, command).is_none())
}

/// Returns the code that an interpreter gets on its command line: `-c CODE`, `-uc CODE`, `-cCODE`, `--eval=CODE`.
pub(crate) fn code<'c>(name: &str, command: &'c Command) -> Option<&'c str> {
    let options = code_options(name)?;
    let args = command.args();
    let given = args.iter().enumerate().find_map(|(at, word)| {
        let text = word.text();
        let next = || match text {
            // The options of this subcommand come before the code.
            "eval" => args.iter().skip(at + 1).map(Word::text).find(|word| !word.starts_with('-')),
            _ => args.get(at + 1).map(Word::text),
        };
        if options.contains(&text) {
            return next();
        }
        match (code_at(name, text), text.split_once('=')) {
            (Some(start), _) if start < text.len() => text.get(start..),
            (Some(_), _) => next(),
            (None, Some((option, code))) if option.starts_with("--") && options.contains(&option) => Some(code),
            _ => None,
        }
    });
    // These accept code without an option.
    let is_open = matches!(name, "bb" | "pwsh" | "powershell");
    let first = || args.first().map(Word::text).filter(|first| is_open && first.starts_with(['(', '$', '&']));
    given.or_else(first)
}

/// Whether the value of a variable is a secret by its name, or a URL that most often has a password in it.
pub(crate) fn is_secret(name: &str) -> bool {
    is_secret_name(name) || is_login_url(name)
}

/// Whether a variable has the address of a database: `DATABASE_URL`, `TEST_REDIS_URL`.
fn is_login_url(name: &str) -> bool {
    #[rustfmt::skip] // Many words to a line.
    const SERVERS: [&str; 14] = [
        "DATABASE", "DB", "REDIS", "MONGO", "MONGODB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL", "SQL", "AMQP", "RABBITMQ",
        "CLOUDAMQP", "BROKER",
    ];
    let name = name.to_ascii_uppercase();
    let mut words = name.split('_');
    let is_url = matches!(words.next_back(), Some("URL" | "URI" | "DSN"));
    is_url && words.any(|word| SERVERS.contains(&word)) || name.ends_with("CONNECTION_STRING")
}

/// Returns the secret variable that a command prints.
fn shown_variable(command: &Command) -> Option<String> {
    match command.name {
        "printenv" => {
            let names = command.args().iter().filter_map(Word::known);
            names.filter(|name| !name.starts_with('-')).find(|name| is_secret(name)).map(str::to_owned)
        }
        "launchctl" => match command.args() {
            [verb, name] if verb.text() == "getenv" && is_secret(name.text()) => Some(name.text().to_owned()),
            _ => None,
        },
        "yq" => {
            let args: Vec<&str> = command.args().iter().map(Word::text).collect();
            let is_in_place = args.contains(&"--inplace") || has_letter(&args, 'i', "fIop");
            // This covers `strenv`.
            let names = args.iter().flat_map(|arg| arg.split("env(").skip(1));
            let mut names = names.filter_map(|rest| rest.split(')').next()).map(str::trim);
            names.find(|name| !is_in_place && is_secret(name)).map(str::to_owned)
        }
        // It replaces the names in its input.
        "envsubst" => {
            let input = command.facts.stdin.as_ref().map(Word::from)?;
            let mut names = input.text().split('$').skip(1).map(|rest| {
                let rest = rest.strip_prefix('{').unwrap_or(rest);
                rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
            });
            names.find(|name| is_secret(name)).map(str::to_owned)
        }
        "echo" | "printf" | "Write-Output" | "Write-Host" | "print" => {
            command.facts.argv.iter().skip(1).find_map(variable)
        }
        "declare" | "typeset" | "export" | "readonly" | "local" => {
            let args: Vec<&str> = command.args().iter().map(Word::text).collect();
            let name = args.iter().copied().find(|arg| is_secret(arg)).filter(|_| has_letter(&args, 'p', ""));
            // This gives the variable a second name.
            let mut targets = args.iter().filter_map(|arg| arg.split_once('=')).map(|(_, target)| target);
            let target = || targets.find(|target| is_secret(target)).filter(|_| has_letter(&args, 'n', ""));
            name.or_else(target).map(str::to_owned)
        }
        "jq" | "jaq" | "gojq" => {
            let args: Vec<&str> = command.args().iter().map(Word::text).collect();
            let mut names = variables_of(&args).into_iter().flatten();
            names.find(|name| is_secret(name)).map(str::to_owned)
        }
        _ => None,
    }
}

/// Returns the secret variable in a here-document or here-string that a command shows.
fn in_input(command: &Command, commands: &[Command]) -> Option<String> {
    let is_own = command.facts.reads_from.is_empty() && !is_captured(command, commands);
    command.facts.stdin.as_ref().filter(|_| is_own && is_showing_input(command)).and_then(variable)
}

/// Returns the secret variable in a word.
pub(crate) fn variable(word: &ShellWord) -> Option<String> {
    let ShellWord::Partly { parts, .. } = word else {
        return None;
    };
    parts.iter().find_map(|part| {
        let ShellPart::Unknown { unknown } = part else {
            return None;
        };
        let inside =
            unknown.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).or_else(|| unknown.strip_prefix('$'))?;
        let (name, rest) = expanded(inside)?;
        // `${X##*@}` leaves the login of a URL out, and `${X//:*@/:***@}` masks it.
        let is_masked = rest.starts_with("##*") || rest.starts_with('/') && rest.contains('@');
        let is_shown = is_secret_name(name) || is_login_url(name) && !is_masked;
        is_shown.then(|| name.to_owned())
    })
}

/// Returns the name of the variable that an expansion shows, and what comes after the name. `inside` is the expansion
/// without `$` or `${`.
pub(crate) fn expanded(inside: &str) -> Option<(&str, &str)> {
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(end)?;
    // `${X:+set}` only tells whether the variable is set, and `${X:0:4}` prints only a few characters of it.
    let is_partial = rest.starts_with(":+")
        || rest.starts_with('+')
        || rest.strip_prefix(":0:").is_some_and(|count| is_few(count.trim_end_matches('}').trim()));
    (!is_partial && !name.is_empty()).then_some((name, rest))
}
