//! The commands of tools that hookbox does not know, under other names than `command`.
//!
//! A program with its words in another member (`{"program": "rm", "args": […]}`), a script beside its language, and
//! text that is typed into a terminal are commands, too. They get the key of a command here, so that the other modules
//! find them.

use super::arguments::Argument;
use super::{command, keys};
use std::borrow::Cow;
use std::collections::HashMap;

/// Keys of a program whose words are in another member.
const PROGRAM: &[&str] = &[
    "bin",
    "binary",
    "entrypoint",
    "exe",
    "exec",
    "executable",
    "executablepath",
    "process",
    "program",
    "programname",
    "programpath",
];

/// Keys of the words of a program, in another member.
const WORDS: &[&str] = &[
    "arglist",
    "args",
    "arguments",
    "argv",
    "cmdargs",
    "commandargs",
    "extraargs",
    "flags",
    "options",
    "parameters",
    "params",
    "programargs",
];

/// Keys of a command if there is a space in the text. Otherwise, the text is the name of something.
const LINE: &[&str] =
    &["bash", "exec", "executable", "execute", "powershell", "program", "pwsh", "run", "sh", "shell", "zsh"];

/// Keys of a language that a script is written in.
const LANGUAGE: &[&str] = &["codelanguage", "lang", "language", "programminglanguage", "syntax"];

/// Keys of the interpreter of a script.
const INTERPRETER: &[&str] = &["interpreter", "kernel", "kernelname", "runtime", "shell", "shelltype"];

/// Keys of a script beside its language.
const SCRIPT: &[&str] =
    &["cell", "code", "codesnippet", "program", "script", "snippet", "source", "sourcecode", "stdin"];

/// More keys of a script, beside its interpreter.
const TEXT: &[&str] = &["body", "content", "input", "text"];

/// Keys of typed text, in the call of a tool that is named like a shell.
const TYPED: &[&str] =
    &["", "code", "data", "input", "keys", "line", "lines", "run", "script", "send", "source", "stdin", "text"];

/// Words in the names of tools that type into a shell.
const SHELLS: &[&str] = &["bash", "powershell", "shell", "ssh", "terminal", "tmux", "zsh"];

/// Whole words in the names of such tools.
const SHELL_WORDS: &[&str] = &["cmd", "console", "exec", "sh", "term"];

/// Keys of a command in an object that takes the place of a command.
const INSIDE: &[&str] = &["code", "line", "raw", "run", "script", "source", "string", "text", "value"];

/// The members of an object that may be parts of a command, by their index.
#[derive(Debug, Default)]
struct Object {
    /// A program of one word.
    program: Option<usize>,
    words: Vec<usize>,
    scripts: Vec<usize>,
    texts: Vec<usize>,
    /// The beginning of a command line that runs a script in the language of the scripts.
    language: Option<&'static str>,
    interpreter: Option<&'static str>,
    /// Whether a member is a command.
    has_command: bool,
}

/// Gives the commands among the arguments of a tool with this name the keys of commands.
pub(super) fn name(arguments: &mut [Argument<'_>], tool: &str) {
    let mut objects: HashMap<usize, Object> = HashMap::new();
    for (at, argument) in arguments.iter_mut().enumerate().filter(|(_, argument)| argument.is_text) {
        let is_line = argument.text.trim().contains(char::is_whitespace);
        let is = |known: &[&str]| known.contains(&argument.key.as_ref());
        let (is_program, is_word) = (is(PROGRAM) || keys::is_command(&argument.key), is(WORDS));
        let object = objects.entry(argument.at.object).or_default();
        if is_program && !is_word && !is_line && !argument.is_item {
            object.program.get_or_insert(at);
        }
        object.has_command |= keys::is_command(&argument.key);
        if is_word {
            object.words.push(at);
        }
        if is(SCRIPT) {
            object.scripts.push(at);
        }
        if is(TEXT) {
            object.texts.push(at);
        }
        if is(LANGUAGE) {
            object.language = object.language.or_else(|| begins(&argument.text));
        }
        if is(INTERPRETER) {
            object.interpreter = object.interpreter.or_else(|| begins(&argument.text));
        }
        let is_list = is(PROGRAM) && argument.is_item && argument.at.lists == 1;
        if is(LINE) && is_line || is_list || argument.is_of_command && is(INSIDE) && argument.at.object > 1 {
            argument.key = Cow::Borrowed("command");
        }
    }
    for object in objects.into_values() {
        object.pair(arguments);
    }
    if arguments.iter().any(|argument| keys::is_command(&argument.key)) {
        return;
    }
    // If no argument is a command, the text that the tool reads as input is one, as far as the keys show.
    let mut known: Vec<&str> = vec!["stdin"];
    if is_shell(tool) {
        known.extend(TYPED);
    } else if !command::is_of_other_language(tool) && !is_of_page(tool) {
        known.push("script");
    }
    let typed = arguments.iter_mut().filter(|argument| argument.is_text && known.contains(&argument.key.as_ref()));
    typed.for_each(make_command);
}

/// Returns whether the scripts of a tool with this name run in a web page or in a program with a window.
fn is_of_page(tool: &str) -> bool {
    const PAGES: [&str; 6] = ["apple", "chrome", "devtools", "page", "playwright", "puppeteer"];
    let tool = tool.to_lowercase();
    PAGES.iter().any(|page| tool.contains(page))
}

/// Returns whether a tool with this name types into a shell.
fn is_shell(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    let mut words = tool.split(|c: char| !c.is_alphanumeric());
    SHELLS.iter().any(|shell| tool.contains(shell)) || words.any(|word| SHELL_WORDS.contains(&word))
}

impl Object {
    /// Gives the program, its words and the scripts of the object the keys of commands.
    fn pair(self, arguments: &mut [Argument<'_>]) {
        let program = self.program.and_then(|at| arguments.get(at)).map(|program| base(&program.text).to_owned());
        if let Some(program) = program.filter(|_| !self.words.is_empty()) {
            let is_argv = |argument: &Argument<'_>| argument.key == "argv";
            let first = self.words.iter().filter_map(|at| arguments.get(*at)).find(|word| is_argv(word));
            // `argv` may repeat the program.
            let is_whole = first.is_some_and(|first| base(&first.text) == program);
            for at in &self.words {
                if let Some(word) = arguments.get_mut(*at).filter(|word| !(is_whole && is_argv(word))) {
                    word.key = Cow::Borrowed("args");
                }
            }
            if let Some(program) = self.program.and_then(|at| arguments.get_mut(at)) {
                program.key = Cow::Borrowed("command");
            }
        }
        // Beside a command, a text is the input of that command.
        let runs_texts = self.interpreter.is_some() && !self.has_command;
        let scripts = self.scripts.iter().chain(runs_texts.then_some(&self.texts).into_iter().flatten());
        let Some(begin) = self.language.or(self.interpreter) else {
            return;
        };
        for at in scripts {
            let Some(script) = arguments.get_mut(*at).filter(|script| !keys::is_command(&script.key)) else {
                continue;
            };
            if !begin.is_empty() {
                script.text = Cow::Owned(format!("{begin} {}", command::quoted(&script.text)));
            }
            make_command(script);
        }
    }
}

/// Gives an argument the key of a command. The items of a list are commands of their own.
fn make_command(argument: &mut Argument<'_>) {
    argument.key = Cow::Borrowed(if argument.is_item { "commands" } else { "command" });
}

/// Returns the beginning of a command line that runs a script in this language; `None` if it is not known.
fn begins(language: &str) -> Option<&'static str> {
    let language = language.trim().to_lowercase();
    let version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    Some(match base(&language).trim_end_matches(version) {
        "ash" | "bash" | "bat" | "batch" | "cmd" | "console" | "dash" | "fish" | "ksh" | "posix" | "sh" | "shell"
        | "shellscript" | "terminal" | "zsh" => "",
        "powershell" | "ps" | "pwsh" => "pwsh -Command",
        "py" | "python" | "ipython" => "python3 -c",
        "javascript" | "js" | "node" | "nodejs" | "ts" | "typescript" => "node -e",
        "deno" => "deno eval",
        "perl" => "perl -e",
        "php" => "php -r",
        "ruby" | "rb" => "ruby -e",
        "lua" => "lua -e",
        "r" => "Rscript -e",
        _ => return None,
    })
}

/// Returns the name of a program, without its directory and extension.
fn base(program: &str) -> &str {
    let name = program.trim().rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name)
}
