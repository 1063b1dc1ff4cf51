//! The texts in the call of an unknown tool that may be command lines, whatever their keys.
//!
//! A tool may give a command any key, take its words as a list, or take a program and its operands in separate members.
//! So each text that begins like a command of a known program is a candidate, unless it is prose.

use super::arguments::Argument;
use super::command::quoted;
use super::keys::{self, Role};
use super::possible::no_paths;
use super::programs::{AMBIGUOUS, PROGRAMS};
use crate::protocol::ToolShell;
use std::collections::{BTreeMap, HashSet};

/// The maximum number of candidates of one call.
const MAX_LINES: usize = 32;

/// The maximum length of a text that is looked at, in bytes, which is the limit of a shell text. The rest of a longer
/// text is not read; if its beginning is a command line, that is noted.
const MAX_BYTES: usize = 60 << 10;

/// The maximum number of members of an object that are treated as words of a program in the object.
const MAX_WORDS: usize = 64;

/// The words that may come before the first command of a text.
const OPENING: &[&str] = &[
    "!", "$", "%", "&", "(", "((", "{", "command", "do", "elif", "else", "eval", "exec", "if", "then", "time", "until",
    "while",
];

/// Keys of code, and the words that begin a command line in its language. There are several beginnings where the key
/// does not say which language it is.
const CODE: &[(&[&str], &[&[&str]])] = &[
    (&["py", "python", "pythoncode", "pythonscript"], &[&["python3", "-c"]]),
    (&["javascript", "javascriptcode", "js", "jscode", "node", "nodejs", "ts", "typescript"], &[&["node", "-e"]]),
    (&["ruby", "rubycode"], &[&["ruby", "-e"]]),
    (
        &[
            "cell",
            "cellcontent",
            "cellsource",
            "code",
            "codesnippet",
            "expression",
            "program",
            "script",
            "snippet",
            "source",
            "sourcecode",
        ],
        &[&["python3", "-c"], &["node", "-e"]],
    ),
];

/// English words that are not names of files.
#[rustfmt::skip] // Many words to a line.
const ENGLISH: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "crashes", "failing", "fails", "from", "hangs", "has", "have", "is", "it", "not",
    "of", "on", "or", "our", "should", "so", "that", "the", "their", "these", "they", "this", "to", "vs", "was", "we", "were", "when", "which", "will", "with", "you", "your",
];

/// The command lines that are found in a call.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) found: Vec<ToolShell>,
    /// Whether there are more than are looked at.
    pub(super) is_cut: bool,
}

impl Lines {
    fn add(&mut self, line: ToolShell) {
        if self.found.iter().any(|known| known.command == line.command && known.argv == line.argv) {
            return;
        }
        self.is_cut |= self.found.len() >= MAX_LINES;
        self.found.extend((self.found.len() < MAX_LINES).then_some(ToolShell { certain: false, ..line }));
    }

    /// Adds a text as a line of its own.
    fn add_text(&mut self, text: &str) {
        let start = start(text);
        self.add(ToolShell::text(start));
        self.is_cut |= start.len() < text.trim().len();
    }
}

/// Finds the possible command lines among the arguments of a call of `tool`.
pub(super) fn find(arguments: &[Argument<'_>], tool: &str) -> Lines {
    let mut lines = Lines::default();
    let commands = arguments.iter().filter(|argument| argument.role == Some(Role::Command));
    let with_command: HashSet<usize> = commands.map(|command| command.at.object).collect();
    let is_path = |argument: &Argument<'_>| matches!(argument.role, Some(Role::Path(_)));
    let paths = arguments.iter().filter(|argument| is_path(argument)).count();
    let has_path = paths > 0;
    let sought = no_paths(tool);
    let is_other = |argument: &&Argument<'_>| match argument.role {
        _ if sought.contains(&argument.key.as_ref()) => false,
        // Commands are already judged as commands.
        Some(Role::Command) => false,
        Some(Role::Words) => !with_command.contains(&argument.at.object),
        // A script that is written into a file does not run yet.
        Some(Role::Text) => !(has_path && argument.text.trim().contains('\n')),
        _ => true,
    };
    let others: Vec<&Argument<'_>> = arguments.iter().filter(is_other).collect();
    for argument in others.iter().filter(|argument| argument.is_text && is_line(&argument.text)) {
        lines.add_text(&argument.text);
    }
    for key in arguments.iter().map(|argument| argument.written_key.as_ref()) {
        if key.contains(char::is_whitespace) && is_line(key) {
            lines.add_text(key);
        }
    }
    for argument in others.iter().filter(|argument| argument.is_text && argument.text.contains(['!', '%'])) {
        let escapes: Vec<String> = start(&argument.text).lines().filter_map(escape).collect();
        if !escapes.is_empty() {
            lines.add(ToolShell::text(escapes.join("\n")));
        }
    }
    let is_written = |argument: &Argument<'_>| {
        let has_other_path = paths > usize::from(is_path(argument));
        has_other_path && argument.text.trim().contains('\n')
    };
    others.iter().filter(|argument| !is_written(argument)).for_each(|argument| of_code(argument, &mut lines));
    let items: Vec<&Argument<'_>> = others.into_iter().filter(|argument| argument.at.list != 0).collect();
    for list in items.chunk_by(|one, other| one.at.list == other.at.list) {
        of_list(list, &mut lines);
    }
    of_objects(arguments, &mut lines);
    lines
}

/// Adds code in a language other than a shell's. Code without a call has no effect, so it is left out.
fn of_code(argument: &Argument<'_>, lines: &mut Lines) {
    if !argument.is_text || !argument.text.contains('(') {
        return;
    }
    let languages = CODE.iter().filter(|(keys, _)| keys.contains(&argument.key.as_ref()));
    for program in languages.flat_map(|(_, programs)| *programs) {
        let words = program.iter().copied().chain([start(&argument.text)]);
        let argv: Vec<String> = words.map(str::to_owned).collect();
        let line = argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        lines.add(ToolShell { argv: Some(argv), ..ToolShell::text(line) });
    }
}

/// Returns the command line that a line of a notebook escapes to: `!rm x`, `%rm x`, `x = !rm x`, `%%writefile x`.
fn escape(line: &str) -> Option<String> {
    let line = line.trim();
    let assigned =
        line.split_once('=').map(|(_, value)| value.trim_start()).filter(|value| value.starts_with(['!', '%']));
    let line = assigned.unwrap_or(line);
    if line.starts_with('!') {
        let command = line.trim_start_matches('!');
        // A shell reads `! rm x` in the same way, so it is not an escape.
        let is_escape = !command.starts_with(char::is_whitespace) && has_command(command);
        return is_escape.then(|| command.to_owned());
    }
    let (magic, rest) = line.strip_prefix('%')?.trim_start_matches('%').split_once(char::is_whitespace)?;
    let command = match magic {
        "sx" | "system" | "sc" => rest.to_owned(),
        "file" | "writefile" => format!("tee {rest}"),
        "load" | "loadpy" | "more" | "pfile" | "pycat" => format!("cat {rest}"),
        // Many programs are magics of their own.
        program => format!("{program} {rest}"),
    };
    has_command(&command).then_some(command)
}

/// Adds a list that holds the words of one command, or several commands for one shell.
fn of_list(list: &[&Argument<'_>], lines: &mut Lines) {
    let Some((first, rest)) = list.split_first().filter(|(_, rest)| !rest.is_empty()) else { return };
    let texts = || list.iter().map(|item| start(&item.text));
    if is_program(&first.text) {
        let argv = texts().map(str::to_owned).collect::<Vec<_>>();
        let line = argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        lines.add(ToolShell { argv: Some(argv), ..ToolShell::text(line) });
    } else if is_line(&first.text) && rest.iter().any(|item| item.is_text) {
        lines.add(ToolShell::text(texts().collect::<Vec<_>>().join("\n")));
    }
}

/// Adds the program in one member of an object with its operands in other members:
/// `{"cmd":"rm","flags":"-rf","target":"~"}`.
fn of_objects(arguments: &[Argument<'_>], lines: &mut Lines) {
    let mut objects: BTreeMap<usize, Vec<&Argument<'_>>> = BTreeMap::new();
    for argument in arguments {
        objects.entry(argument.at.object).or_default().push(argument);
    }
    for members in objects.into_values() {
        let is_command = |member: &Argument<'_>| member.role == Some(Role::Command);
        let is_certain = |member: &Argument<'_>| {
            is_command(member) && member.text.split_whitespace().all(|word| quoted(word) == word)
        };
        for program in members.iter().copied().filter(|member| member.is_text && !member.is_item) {
            if lines.is_cut || !is_certain(program) && !is_program(&program.text) {
                continue;
            }
            let others = members.iter().copied().filter(|member| !std::ptr::eq(*member, program));
            let mut others = others.filter_map(|member| Some((member, word_of(member)?)));
            let beside: Vec<(&Argument<'_>, String)> = others.by_ref().take(MAX_WORDS).collect();
            // The command with its words is already known.
            let is_known = is_command(program) && beside.iter().all(|(member, _)| member.role == Some(Role::Words));
            if !beside.is_empty() && !is_known {
                lines.is_cut |= others.next().is_some();
                let words: Vec<&str> = beside.iter().map(|(_, word)| word.as_str()).collect();
                lines.add(ToolShell::text(format!("{} {}", program.text.trim(), words.join(" "))));
            }
        }
    }
}

/// Returns a member as a word of the command beside it; `None` if it is prose, or means something else.
fn word_of(member: &Argument<'_>) -> Option<String> {
    let text = member.text.trim();
    let key = member.key.as_ref();
    if !member.is_text {
        // `"recursive": true`
        let is_flag = text == "true" && !key.is_empty();
        let dashes = if key.len() == 1 { "-" } else { "--" };
        return is_flag.then(|| quoted(&format!("{dashes}{}", member.written_key.replace('_', "-"))).into_owned());
    }
    if keys::PROSE.contains(&key) || keys::CWD.contains(&key) || text.is_empty() || text.len() > MAX_BYTES {
        return None;
    }
    // These words stay unquoted, because a shell expands wildcards and `~`.
    let is_word = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:=@%+,~*?[]".contains(c));
    let has_several = text.contains(char::is_whitespace);
    if has_several && !text.starts_with('-') {
        return text.split_whitespace().all(|word| word.starts_with(['/', '~', '.'])).then(|| text.to_owned());
    }
    Some(if text.split_whitespace().all(is_word) { text.to_owned() } else { quoted(text).into_owned() })
}

/// Returns whether a text is the name of a program that is not also an English word.
fn is_program(text: &str) -> bool {
    !text.trim().contains(char::is_whitespace) && PROGRAMS.contains(&name(text.trim()).as_str())
}

/// Returns whether a text may be a command line: none of its lines is prose, and one has a command of a known program.
pub(super) fn is_line(text: &str) -> bool {
    let mut lines = start(text).lines().map(str::trim).filter(|line| !is_left_out(line));
    lines.clone().all(|line| !is_prose(line)) && lines.any(has_command)
}

/// Returns the part of a text that is looked at.
fn start(text: &str) -> &str {
    let text = text.trim();
    text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default()
}

/// Returns whether a line is a comment, or is what markup puts around code.
fn is_left_out(line: &str) -> bool {
    line.is_empty() || line.starts_with("#!") || line.starts_with("# ") || line.starts_with("```")
}

/// Returns whether a line is a heading or an item of a list, or has the words of a sentence outside of quotes and
/// comments.
fn is_prose(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    let is_marked = ["- ", "* ", "> ", "| ", "## ", "### "].iter().any(|mark| line.starts_with(mark));
    is_numbered
        || is_marked
        || unquoted(line)
            .split_whitespace()
            .any(|word| ENGLISH.contains(&word.trim_end_matches([',', ';', '.', ':', '?'])))
}

/// Returns a line without its quoted parts and its comment.
fn unquoted(line: &str) -> String {
    let mut rest = String::new();
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '#' && rest.ends_with(char::is_whitespace) => break,
            None => rest.push(c),
        }
    }
    rest
}

/// Returns whether one of the commands of a line, as far as its separators show, is of a known program.
fn has_command(line: &str) -> bool {
    line.split([';', '&', '|']).any(begins_command)
}

fn begins_command(part: &str) -> bool {
    let is_assignment = |word: &str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let part = part.trim_start_matches(|c: char| c.is_whitespace() || "`({!$".contains(c));
    // `>/dev/null rm x`
    let part = match part.strip_prefix(['>', '<']) {
        Some(file) => file
            .trim_start_matches(['>', '<', '&', ' ', '('])
            .split_once(char::is_whitespace)
            .map_or(file, |(_, rest)| rest),
        None => part,
    };
    let mut words = part.split_whitespace().skip_while(|word| OPENING.contains(word) || is_assignment(word));
    let Some(head) = words.next() else { return false };
    // `rm${IFS}-r` and `{rm,-r}`
    let end = head.find(|c: char| "${}<>,()`".contains(c)).filter(|end| *end > 0).unwrap_or(head.len());
    let (head, after) = head.split_at_checked(end).unwrap_or((head, ""));
    let (name, mut rest) = (name(head), words.chain(Some(after).filter(|after| !after.is_empty())).peekable());
    if rest.peek().is_none() {
        return false;
    }
    // `make` begins prose in `make it work`, and a command in `make -j`.
    let is_mark = |word: &str| {
        let is_option =
            word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'));
        is_option || word.contains(['/', '~', '$', '*', '=', '>', '<']) || word.len() > 1 && word.starts_with('.')
    };
    PROGRAMS.contains(&name.as_str()) || AMBIGUOUS.contains(&name.as_str()) && rest.any(is_mark)
}

/// Returns the name of the program in the first word of a command.
fn name(head: &str) -> String {
    let plain: String = head.chars().filter(|c| !matches!(c, '\'' | '"' | '\\' | '`')).collect();
    let name = plain.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name).to_owned()
}
