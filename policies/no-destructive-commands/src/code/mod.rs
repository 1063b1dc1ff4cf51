//! Code in other languages, in arguments or on the standard input: the commands that it runs, and what it deletes.

mod calls;
mod commands;
mod disks;
mod lexer;
mod requests;

use crate::scene::Scene;
use crate::target::Target;
use calls::{DECODERS, Deed, Family, deed, family, readings};
use hookbox_policy::{Command, Findings, Program, UNKNOWN, Word, program};
use hookbox_sdk::ShellCommand;
use lexer::{MAX_TOKENS, Token, tokens};

/// Programs that code runs only in order to delete or overwrite something.
const DESTROYERS: [&str; 14] =
    ["rm", "grm", "srm", "wipe", "shred", "truncate", "dd", "mkfs", "rimraf", "del", "rd", "fdisk", "wipefs", "rmdir"];

/// A piece of code and its language.
struct Code {
    family: Family,
    tokens: Vec<Token>,
    /// Whether the code is an argument. A script on the standard input may do much before it deletes something.
    is_word: bool,
}

/// A call in code. `at` is the index of its name among the tokens.
struct Call {
    deed: Deed,
    at: usize,
}

/// Returns the commands that code in these commands runs, as far as the code spells them out.
pub(crate) fn commands(all: &[Command<'_>]) -> Vec<ShellCommand> {
    let mut made: Vec<ShellCommand> = Vec::new();
    for (at, command) in all.iter().enumerate() {
        for code in codes(command) {
            let others = commands::of(&code, command.facts, at);
            made.extend(others.into_iter().filter(|other| !made.contains(other)).collect::<Vec<_>>());
        }
    }
    made
}

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    if commands::is_made(command.facts) {
        from_code(command, found);
    }
    if made_of_something(command) {
        found.unknown(format!("{} runs code that is not known yet; write the code out", command.quote()));
    }
    if deletes_in_words(command) {
        found.ask(format!("{} runs code that deletes files or runs commands; do that by their names", command.quote()));
    }
    for code in codes(command) {
        let runs = code.calls().iter().filter(|call| call.deed == Deed::Runs).count();
        if runs > commands::MAX || code.tokens.len() >= MAX_TOKENS {
            found.unknown(format!("{} runs code that is too long to be read; split it up", command.quote()));
        }
        for call in code.calls() {
            deletes(&code, &call, command, scene, found);
            if call.deed == Deed::Evaluates && code.decodes(call.at) {
                found.ask(format!("{} runs code that it decodes or fetches; write that code out", command.quote()));
            }
            if call.deed == Deed::Runs && commands::texts(&code, call.at).is_none() {
                let instead = "run the command by its name";
                found.unknown(format!("{} runs a command that its code makes up; {instead}", command.quote()));
            }
        }
        if let Some(disk) = code.overwritten_disk() {
            found.ask(format!("{} runs code that overwrites the disk `{disk}`; is that meant?", command.quote()));
        }
        if let Some(url) = code.deleted_address(command) {
            found.ask(format!("{} runs code that sends a request to delete `{url}`; is that meant?", command.quote()));
        }
        if code.hides() {
            found.ask(format!("{} runs code that hides what it calls; call it by its name", command.quote()));
        }
        if code.forks() {
            found.ask(format!(
                "{} starts processes in a loop without waiting for them; leave that out",
                command.quote()
            ));
        }
    }
}

/// Whether AppleScript tells a program to delete something or to empty the trash.
fn deletes_by_apple(text: &str) -> bool {
    // Texts in quotes are shown to people. Their content is not read here.
    let code = text.replace("\\\"", " ");
    let code = code.split('"').step_by(2).collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let has = |wanted: &str| code.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word == wanted);
    // A word without a space is the path of a script.
    text.contains(char::is_whitespace) && (has("delete") || has("trash") && (has("empty") || has("move")))
}

/// Whether code deletes files, for languages in which calls are not written with parentheses after the name.
fn deletes_in_words(command: &Command<'_>) -> bool {
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let mut texts = command.args().iter().chain(&stdin).map(Word::text);
    let calls: &[&str] = match command.name {
        "osascript" => return texts.any(deletes_by_apple),
        "emacs" | "emacsclient" => &["delete-directory", "delete-file", "(f-delete"],
        "tclsh" | "wish" | "expect" => &["file delete"],
        "elixir" | "iex" => &["File.rm", "System.cmd", "System.shell", ":os.cmd"],
        "sbcl" | "clisp" | "guile" | "racket" | "ecl" => {
            &["delete-file", "delete-directory", "run-program", "run-shell-command", "(system", "process*"]
        }
        "scala" | "groovy" | "erl" | "swift" | "kotlin" | "kotlinc" | "jshell" | "ghc" => &[
            ".execute()",
            "Process(",
            "ProcessBuilder",
            "getRuntime",
            "os:cmd",
            "removeItem",
            "deleteRecursively",
            "deleteDir",
            "removeDirectoryRecursive",
            "System.Process",
        ],
        _ => return false,
    };
    texts.any(|text| calls.iter().any(|call| text.contains(call)))
}

/// Judges a command that code runs.
fn from_code(command: &Command<'_>, found: &mut Findings) {
    let deletes = command.name == "find"
        && command.args().iter().any(|word| matches!(word.text(), "-delete" | "rm" | "shred" | "unlink"));
    let is_shell = matches!(command.name, "sh" | "bash" | "zsh" | "dash" | "ksh") && command.args().is_empty();
    if deletes || DESTROYERS.contains(&command.name) || command.name.starts_with("mkfs.") {
        let name = command.name;
        found.ask(format!("{} runs `{name}` from code; run it by its name", command.quote()));
    } else if is_shell || (command.name.is_empty() && !command.words.is_empty()) {
        found.unknown(format!("{} runs a command that its code makes up; write it out", command.quote()));
    }
}

/// Judges what a call deletes.
fn deletes(code: &Code, call: &Call, command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    if !matches!(call.deed, Deed::Trees | Deed::Files) {
        return;
    }
    let paths = code.paths(call.at);
    let worst = paths.iter().map(|path| scene.target(command, &Word::new(path))).max();
    match worst {
        Some(
            Target::FileSystem
            | Target::Home
            | Target::System(_)
            | Target::Settings(_)
            | Target::Surroundings
            | Target::GitData,
        ) if call.deed == Deed::Trees => {
            let path = paths.first().map_or("", String::as_str);
            found.deny(format!(
                "{} would delete `{path}` with all that is in it; name the directories that you mean",
                command.quote()
            ));
        }
        Some(Target::Inside | Target::Scratch) if call.deed == Deed::Files || code.is_literal(call.at) => {}
        _ => found.ask(format!("{} runs code that deletes files; delete them by their names", command.quote())),
    }
}

/// Whether an interpreter gets its code from another program or a variable.
fn made_of_something(command: &Command<'_>) -> bool {
    family(command.name).is_some()
        && matches!(program(command), Program::Code(word) if word.text().starts_with(UNKNOWN) && word.text().chars().count() < 3)
}

/// Returns the pieces of code that a command runs.
fn codes(command: &Command<'_>) -> Vec<Code> {
    let Some((family, dialect)) = family(command.name).or_else(|| applescript(command)) else { return Vec::new() };
    // A word with a space or a parenthesis is code, not the path of a script.
    let is_code = |word: &&Word| word.text().contains([' ', '(', '\n', ';', '`']);
    let mut is_word = true;
    let mut texts: Vec<String> = match program(command) {
        Program::File(file) if !is_code(&file) => Vec::new(),
        _ => command.args().iter().filter(is_code).map(|word| word.text().to_owned()).collect(),
    };
    if texts.is_empty() && !matches!(program(command), Program::File(_)) {
        is_word = false;
        texts.extend(command.facts.stdin.as_ref().map(Word::from).map(|word| word.text().to_owned()));
    }
    let read = |text: &String| {
        let all = readings(family, dialect, text).into_iter();
        all.map(|dialect| Code { family, tokens: tokens(text, dialect), is_word }).collect::<Vec<_>>()
    };
    texts.iter().flat_map(read).collect()
}

fn applescript(command: &Command<'_>) -> Option<(Family, lexer::Dialect)> {
    (command.name == "osascript").then(|| (Family::System, lexer::Dialect::default()))
}

impl Code {
    fn name(&self, at: usize) -> Option<&str> {
        match self.tokens.get(at) {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn is_sign(&self, at: usize, sign: char) -> bool {
        self.tokens.get(at) == Some(&Token::Sign(sign))
    }

    fn has_name(&self, names: &[&str]) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Name(name) if names.contains(&name.as_str())))
    }

    fn has_text(&self, texts: &[&str]) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Text(Some(text)) if texts.contains(&text.as_str())))
    }

    /// Returns the calls that matter, in order.
    fn calls(&self) -> Vec<Call> {
        let runs =
            self.has_name(&["subprocess", "child_process"]) || self.has_text(&["child_process", "node:child_process"]);
        let trees = self.has_text(&["rimraf", "del"]);
        let files = self.has_text(&["fs", "node:fs", "fs/promises", "node:fs/promises", "fs-extra"]);
        let mut calls = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Command(_) => calls.push(Call { deed: Deed::Runs, at }),
                // This is `require("rimraf")("x")`.
                Token::Sign(')') if trees && self.is_sign(at + 1, '(') => calls.push(Call { deed: Deed::Trees, at }),
                Token::Name(name) => {
                    let owner = match (self.family, name.as_str()) {
                        _ if !self.is_called(at) => continue,
                        (Family::Python, "run" | "call") if runs => "subprocess",
                        (Family::Script, "exec" | "fork") if runs => "child_process",
                        (Family::Script, "rm" | "rmdir") if files => "fs",
                        (Family::Script, "sync" | "native" | "nativeSync" | "manual" | "manualSync" | "deleteSync")
                            if trees =>
                        {
                            calls.push(Call { deed: Deed::Trees, at });
                            continue;
                        }
                        _ => self.owner(at),
                    };
                    calls.extend(deed(self.family, owner, name).map(|deed| Call { deed, at }));
                }
                _ => {}
            }
        }
        calls
    }

    /// Whether a name is called: with parentheses or, in languages that allow it, without.
    fn is_called(&self, at: usize) -> bool {
        let is_definition = at
            .checked_sub(1)
            .and_then(|before| self.name(before))
            .is_some_and(|before| matches!(before, "def" | "function" | "sub" | "import" | "class" | "fn"));
        let openly = self.family == Family::System
            && matches!(
                self.tokens.get(at + 1),
                Some(Token::Text(_) | Token::Sign('$' | '@' | '*' | '<') | Token::Name(_))
            );
        let in_shell = self.name(at) == Some("script") && at >= 2 && self.name(at - 2) == Some("do");
        !is_definition && (self.is_sign(at + 1, '(') || openly || in_shell)
    }

    /// Returns the owner of a call.
    fn owner(&self, at: usize) -> &str {
        let Some(dot) = at.checked_sub(1).filter(|before| self.is_sign(*before, '.') || self.is_sign(*before, ':'))
        else {
            return if at > 0 && (self.is_sign(at - 1, '>') || self.is_sign(at - 1, '$')) { "?" } else { "." };
        };
        let mut before = dot;
        while before > 0 && (self.is_sign(before, '.') || self.is_sign(before, ':') || self.is_sign(before, '?')) {
            before -= 1;
        }
        match self.tokens.get(before) {
            Some(Token::Name(name)) => name,
            Some(Token::Sign(')' | ']')) => ")",
            _ => "?",
        }
    }

    /// Returns the tokens of a call after its name, up to its closing bracket.
    fn arguments(&self, at: usize) -> &[Token] {
        let rest = self.tokens.get(at + 1..).unwrap_or_default();
        let mut depth = 0_usize;
        for (count, token) in rest.iter().enumerate() {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') if depth <= 1 => return rest.get(..=count).unwrap_or_default(),
                Token::Sign(')' | ']' | '}') => depth -= 1,
                Token::Sign(';') if depth == 0 => return rest.get(..count).unwrap_or_default(),
                _ => {}
            }
        }
        rest
    }

    /// Whether the call deletes one literal text, possibly with options, in the directory that the code starts in.
    fn is_literal(&self, at: usize) -> bool {
        let path = self.tokens.get(at + 1..).unwrap_or_default();
        self.is_word
            && matches!(path, [Token::Sign('('), Token::Text(Some(_)), Token::Sign(')' | ','), ..])
            && !self.has_name(&["chdir", "cwd", "fchdir", "cd"])
            && !self.has_text(&["chdir", "fchdir"])
    }

    /// Returns the paths that a call names, or from which its owner is made.
    fn paths(&self, at: usize) -> Vec<String> {
        let known = |token: &Token| match token {
            Token::Text(Some(text)) => Some(text.clone()),
            _ => None,
        };
        let paths: Vec<String> = self.arguments(at).iter().filter_map(known).collect();
        if !paths.is_empty() {
            return paths;
        }
        let before = self.tokens.get(at.saturating_sub(12)..at).unwrap_or_default();
        before.iter().rev().find_map(known).into_iter().collect()
    }

    /// Whether the argument of a call is decoded or fetched.
    fn decodes(&self, at: usize) -> bool {
        let is_decoder = |name: &str| DECODERS.contains(&name) || matches!(name, "requests" | "fetch");
        self.arguments(at).iter().any(|token| matches!(token, Token::Name(name) if is_decoder(name)))
    }

    /// Whether a dangerous call is made through a text or under another name.
    fn hides(&self) -> bool {
        let is_dangerous = |name: &str| {
            matches!(deed(self.family, "os", name), Some(Deed::Trees | Deed::Runs | Deed::Files)) && name.len() > 3
        };
        self.tokens.iter().enumerate().any(|(at, token)| match token {
            Token::Name(name) if name == "getattr" => {
                self.arguments(at).iter().any(|token| matches!(token, Token::Text(Some(text)) if is_dangerous(text)))
            }
            Token::Name(name) => is_dangerous(name) && self.name(at + 1) == Some("as"),
            _ => false,
        })
    }

    /// Whether the code starts copies of itself in a loop.
    fn forks(&self) -> bool {
        let is_endless = self.has_name(&["while", "loop", "until"]) || self.has_for();
        self.has_name(&["fork", "pcntl_fork"]) && is_endless && !self.has_name(&["wait", "waitpid", "pcntl_wait"])
    }

    fn has_for(&self) -> bool {
        (0..self.tokens.len())
            .any(|at| self.name(at) == Some("for") && self.is_sign(at + 2, ';') && self.is_sign(at + 3, ';'))
    }
}
