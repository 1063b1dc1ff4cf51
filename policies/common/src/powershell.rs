//! PowerShell on the command line: `pwsh -File build.ps1`, `pwsh -Command "Get-Content a.json | ConvertFrom-Json"`.

use crate::runner::{Program, program};
use crate::{Command, Word};

/// The options with a value that name no program, in lower case. They may be abbreviated.
const VALUES: &[&str] = &[
    "executionpolicy",
    "workingdirectory",
    "windowstyle",
    "inputformat",
    "outputformat",
    "configurationname",
    "configurationfile",
    "custompipename",
    "settingsfile",
    "psconsolefile",
    "encodedarguments",
    "version",
];
/// The short forms of some of these options that are no abbreviations.
const SHORT_VALUES: &[&str] = &["ep", "wd", "if", "of", "ea"];
/// The options without a value, in lower case. They may be abbreviated, and come before those with a value: `-i` is
/// `-Interactive`.
const FLAGS: &[&str] = &["interactive", "login", "mta", "noexit", "nologo", "noninteractive", "noprofile", "sta"];
/// The characters that PowerShell reads as the dash before an option.
const DASHES: [char; 4] = ['-', '\u{2013}', '\u{2014}', '\u{2015}'];

/// Cmdlets and their short names that read, format and store data of this machine, in lower case. None of them runs a
/// program or a text, sets a function, or asks another computer.
#[rustfmt::skip] // Many words to a line.
const LOCAL: &[&str] = &[
    "get-content", "gc", "cat", "type", "get-childitem", "gci", "ls", "dir", "get-item", "gi", "get-location", "gl", "pwd", "set-location", "cd",
    "get-date", "get-filehash", "test-path", "resolve-path", "join-path", "split-path", "import-csv", "convertfrom-csv", "convertto-csv",
    "convertfrom-json", "convertto-json", "select-object", "select", "select-string", "sls", "sort-object", "group-object", "measure-object",
    "measure", "where-object", "where", "?", "foreach-object", "%", "compare-object", "get-unique", "format-table", "ft", "format-list", "fl",
    "format-wide", "out-string", "out-file", "out-host", "out-null", "write-output", "echo", "write-host",
];
/// The characters around each of which another command may begin.
const ENDS: [char; 8] = ['|', ';', '\n', '\r', '{', '}', '(', ')'];

/// Whether a program is PowerShell.
pub(crate) fn is_powershell(name: &str) -> bool {
    matches!(name.strip_suffix(".exe").unwrap_or(name), "pwsh" | "powershell")
}

/// Returns the program that PowerShell runs with these arguments. Its options have one dash and ignore case.
pub(crate) fn run<'c>(name: &str, args: &'c [Word]) -> Program<'c> {
    let of = |word: Option<&'c Word>, program: fn(&'c Word) -> Program<'c>| match word {
        Some(word) if word.text() == "-" => Program::Input,
        Some(word) => program(word),
        None => Program::Nothing,
    };
    let mut words = args.iter();
    let mut is_unsure = false;
    while let Some(word) = words.next() {
        // PowerShell leaves out empty words and the spaces around an option.
        let text = word.text().trim().to_ascii_lowercase();
        if text.is_empty() {
            continue;
        }
        // `/c` is an option, and `/home/u/a.ps1` a file.
        let is_letters = |rest: &&str| rest.chars().all(|c| c.is_ascii_alphabetic());
        let option = text.strip_prefix(DASHES).or_else(|| text.strip_prefix('/').filter(is_letters));
        let Some(option) = option.map(|rest| rest.trim_start_matches(DASHES)) else {
            // Windows PowerShell takes a command where its successor takes a file. After an option that is not known
            // here, either may follow.
            let is_path = text.chars().all(|c| c.is_alphanumeric() || "._-~:/\\".contains(c));
            let is_file = name.starts_with("pwsh") && !is_unsure || is_path && text.ends_with(".ps1");
            return if is_file { Program::File(word) } else { Program::Code(word) };
        };
        let begins = |names: &[&str]| names.iter().any(|name| name.starts_with(option));
        match option {
            "" => return Program::Input,
            "ec" | "cwa" => return of(words.next(), Program::Code),
            _ if begins(&["command", "commandwithargs", "encodedcommand"]) => return of(words.next(), Program::Code),
            _ if begins(&["file"]) => return of(words.next(), Program::File),
            _ if begins(FLAGS) => {}
            _ if SHORT_VALUES.contains(&option) || begins(VALUES) => drop(words.next()),
            _ => is_unsure = true,
        }
    }
    Program::Input
}

/// Whether the only unknown is a script in the language of another shell, and each such script is one of PowerShell that
/// is a file of this machine or reaches no other.
#[must_use]
pub fn only_local(reason: &str, commands: &[Command]) -> bool {
    let is_other = |command: &&Command| is_powershell(command.name) || is_other_shell(command.name);
    let mut shells = commands.iter().filter(is_other).peekable();
    reason.starts_with("a script of another shell's language") && shells.peek().is_some() && shells.all(is_local)
}

/// The options of the other shells that run no text besides the script.
#[rustfmt::skip] // Many words to a line.
const OTHER_FLAGS: &[&str] = &[
    "-c", "-f", "-fc", "-i", "-ic", "-l", "-lc", "-n", "-N", "--command", "--commands", "--interactive", "--login",
    "--no-config", "--no-config-file", "--private",
];

/// Whether a program is one of the other shells whose scripts hookbox does not read.
fn is_other_shell(name: &str) -> bool {
    const SHELLS: [&str; 12] = ["fish", "csh", "tcsh", "nu", "elvish", "xonsh", "cmd", "rc", "es", "oil", "osh", "ysh"];
    SHELLS.contains(&name.strip_suffix(".exe").unwrap_or(name))
}

/// Whether such a shell certainly runs only a script of this machine, or cmdlets that reach no other machine.
fn is_local(command: &Command) -> bool {
    let args = command.args();
    // The paths of other machines begin with two slashes of either kind.
    let is_plain = |word: &Word| word.known().is_some_and(|text| !text.replace('\\', "/").contains("//"));
    let is_other = !is_powershell(command.name);
    let is_first = |file: &Word| args.first().is_some_and(|word| std::ptr::eq(word, file));
    let code = match program(command) {
        Program::File(file) => return args.iter().all(is_plain) && (!is_other || is_first(file)),
        Program::Code(word) => word,
        Program::Input | Program::Nothing => return false,
    };
    let at = args.iter().position(|word| std::ptr::eq(word, code)).unwrap_or_default();
    // Other shells have more options that run a text, and accept them after it: `fish -c ls -C x`.
    if is_other && (at + 1 < args.len() || !args.iter().take(at).all(|word| OTHER_FLAGS.contains(&word.text()))) {
        return false;
    }
    // All other words belong to the command, too.
    let texts: Vec<&str> = args.iter().skip(at).map(Word::text).collect();
    args.iter().all(is_plain) && only_reads(&texts.join(" "))
}

/// Whether a script consists of cmdlets in the list. Quotes are not read: what looks like the beginning of a command
/// counts as one.
fn only_reads(script: &str) -> bool {
    let script = script.to_ascii_lowercase().replace("2>&1", " ").replace("&&", ";");
    // These are calls, types, variables, assignments and escapes. `$_` is the value that a pipeline passes.
    let others = script.replace("$_.", " ").replace("$_ ", " ");
    if others.contains(['&', '$', '@', '`', '[', '=']) {
        return false;
    }
    let mut before = ';';
    for part in script.split_inclusive(ENDS) {
        let text = part.trim_end_matches(ENDS);
        let end = part.chars().next_back().filter(|c| ENDS.contains(c)).unwrap_or(';');
        // What is right before a parenthesis is a method, which may be in quotes: `$_.'Delete'()`.
        let is_method = end == '(' && text.ends_with(|c: char| !c.is_whitespace());
        if is_method || !is_reading(text, before, end) {
            return false;
        }
        before = end;
    }
    true
}

/// Whether a part of a script only reads. `before` and `end` are the characters around it.
fn is_reading(text: &str, before: char, end: char) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return true };
    match before {
        // The arguments of the command go on, or a property of the value follows.
        ')' | '}' => true,
        '{' if first.starts_with("$_") => true,
        // Without a block, this calls a method by its name.
        _ if matches!(first, "foreach-object" | "%") => words.next().is_none() && end == '{',
        _ => LOCAL.contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, Word, only_reads, run};

    #[test]
    fn options_before_the_program() {
        let runs = |line: &str| {
            let args: Vec<Word> = line.split(' ').skip(1).map(Word::new).collect();
            match run(line.split(' ').next().unwrap_or_default(), &args) {
                Program::Code(word) => format!("code {}", word.text()),
                Program::File(word) => format!("file {}", word.text()),
                Program::Input => "input".to_owned(),
                Program::Nothing => "nothing".to_owned(),
            }
        };
        for (line, what) in [
            ("pwsh a.ps1 -x", "file a.ps1"),
            ("powershell a.ps1", "file a.ps1"),
            ("powershell ls", "code ls"),
            ("pwsh -NonInteractive -File a.ps1", "file a.ps1"),
            ("pwsh -ExecutionPolicy Bypass -f a.ps1", "file a.ps1"),
            ("powershell.exe -ep Bypass -NoP -C ls", "code ls"),
            ("pwsh --Command ls", "code ls"),
            ("pwsh -i -c ls", "code ls"),
            ("pwsh -cwa ls a", "code ls"),
            ("pwsh -CommandWithArgs ls a", "code ls"),
            ("pwsh \u{2013}c ls", "code ls"),
            ("pwsh  -c ls", "code ls"),
            ("pwsh -other ls", "code ls"),
            ("pwsh -other a.ps1", "file a.ps1"),
            ("powershell iwr(a.ps1", "code iwr(a.ps1"),
            ("pwsh -e bHM=", "code bHM="),
            ("pwsh -NoProfile -Command -", "input"),
            ("pwsh -NoProfile", "input"),
        ] {
            assert_eq!(runs(line), what, "{line}");
        }
    }

    #[test]
    fn scripts_that_only_read() {
        for script in [
            "Get-Content ./data.json | ConvertFrom-Json | Select-Object -ExpandProperty items",
            "(Get-Content package.json | ConvertFrom-Json).version",
            "Get-ChildItem -Recurse -Filter *.cs | Where-Object { $_.Length -gt 100 } | Measure-Object",
            "gci src | % { $_.Name } > names.txt; Write-Host done",
        ] {
            assert!(only_reads(script), "{script}");
        }
        for script in [
            "Get-Content a.txt | Invoke-Expression",
            "Get-Content a.txt; & ./b.ps1",
            "Get-Content a.txt | ForEach-Object { iex $_ }",
            "Get-Item variable:ExecutionContext | % Value | % InvokeCommand | % InvokeScript 'x'",
            "(Get-Item variable:ExecutionContext).Value.InvokeCommand.InvokeScript('x')",
            "Get-Item variable:ExecutionContext | % { $_.'Value'.'InvokeCommand'.'InvokeScript'('x') }",
            "(Get-Item a.txt).\"Delete\"()",
            "Get-Content $(iwr x.test)",
            "Get-Content (iwr x.test)",
            "gci | % { $_ = iwr x.test }",
            "[Net.WebClient]::new()",
            "Set-Content function:gc 'iwr x.test'; gc a",
            "./build.ps1",
            "dotnet build",
        ] {
            assert!(!only_reads(script), "{script}");
        }
    }
}
