//! The facts about what a command would run, in JSON, so they are the same for policies in every language.

use super::collect::{self, Surroundings};
use super::command::{SimpleCommand, Stdin};
use super::files::{self, FileUse, Files};
use super::inner::is_cmdlet;
use super::word::{Part, Word};
use super::{Script, Unknown};
use crate::answer::forget_in_component;
use serde::{Deserialize, Serialize};

/// The longest word in an answer, in bytes.
const MAX_WORD: usize = 4 << 10;
/// The longest answer, in bytes, with room for the reasons.
const MAX_ANSWER: usize = 240 << 10;
/// How many of the commands that a command reads from are listed.
const MAX_SOURCES: usize = 64;

/// A request to parse a command, or several, each for a shell of its own.
#[derive(Deserialize)]
struct Request {
    text: Option<String>,
    argv: Option<Vec<String>>,
    shells: Option<Vec<Line>>,
    home: Option<String>,
    cwd: Option<String>,
}

#[derive(Deserialize)]
struct Line {
    text: Option<String>,
    argv: Option<Vec<String>>,
    #[serde(default = "yes")]
    certain: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Serialize)]
struct Answer {
    commands: Vec<Box<serde_json::value::RawValue>>,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
}

#[derive(Serialize)]
struct Command<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    argv: Vec<JsonWord<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<JsonWord<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assignments: Vec<JsonAssignment<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redirects: Vec<JsonRedirect<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stdin: Option<JsonWord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reads_from: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    background: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    shell: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<JsonFile<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unlisted: bool,
}

#[derive(Serialize)]
struct JsonAssignment<'a> {
    name: &'a str,
    value: JsonWord<'a>,
}

#[derive(Serialize)]
struct JsonRedirect<'a> {
    fd: i32,
    op: &'a str,
    target: JsonWord<'a>,
    access: &'static str,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    path: JsonWord<'a>,
    access: &'static str,
}

/// A text if every character is known; otherwise an object, so it cannot be mistaken for a text.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonWord<'a> {
    Known(&'a str),
    Open { raw: String, parts: Vec<JsonPart> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonPart {
    Text(String),
    Unknown { unknown: String },
    Glob { glob: String },
}

/// Answers a request `{"text": …}` or `{"argv": […]}`, with `home` and `cwd` if known. In `{"shells": […]}`, each
/// element has one of these forms and runs in a shell of its own, and `shell` of a command is the element's index. An
/// element with `"certain": false` only may run, and so do its commands; the answer does not list what is unknown in
/// it.
///
/// ```
/// use hookbox_sdk::shell::facts;
///
/// let answer = facts::answer(r#"{"text":"cd /x && rm -rf ~","home":"/home/u"}"#)?;
/// assert!(answer.contains(r#""argv":["rm","-rf","/home/u"],"text":"rm -rf ~","cwd":"/x""#));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Returns an error if the request does not have this form.
pub fn answer(request: &str) -> Result<String, String> {
    let request: Request =
        serde_json::from_str(request).map_err(|error| format!("the request is not valid: {error}"))?;
    let around = Surroundings { home: request.home, cwd: request.cwd };
    let (scripts, are_shells): (Vec<(Script, bool)>, bool) = match (request.text, request.argv, request.shells) {
        (text, argv, None) => (vec![(script(text, argv, &around)?, true)], false),
        (None, None, Some(lines)) => {
            let script = |line: Line| Ok((script(line.text, line.argv, &around)?, line.certain));
            (lines.into_iter().map(script).collect::<Result<_, String>>()?, true)
        }
        _ => return Err(FORM.to_owned()),
    };
    let facts = facts(&scripts, are_shells);
    let answer = serde_json::to_string(&facts).map_err(|error| error.to_string());
    forget_in_component((scripts, facts));
    answer
}

const FORM: &str = "the request must have either `text` or `argv`, or `shells` of these";

fn script(text: Option<String>, argv: Option<Vec<String>>, around: &Surroundings) -> Result<Script, String> {
    match (text, argv) {
        (Some(text), None) => Ok(collect::text(&text, around.clone())),
        (None, Some(argv)) => Ok(collect::arguments(&argv, around.clone())),
        _ => Err(FORM.to_owned()),
    }
}

fn facts(scripts: &[(Script, bool)], are_shells: bool) -> Answer {
    let mut unknown: Vec<String> = Vec::new();
    let mut note = |reason: &str| {
        let reason = cut(reason, 200);
        if unknown.len() < 32 && !unknown.iter().any(|known| known == reason) {
            unknown.push(reason.to_owned());
        }
    };
    let mut commands = Vec::new();
    let mut size = 0;
    'all: for (shell, (script, certain)) in scripts.iter().enumerate() {
        // A text that only may be a command often is not one, so what is unknown in it is not listed.
        for reason in script.unknowns().iter().filter(|_| *certain) {
            note(Unknown::what(reason));
        }
        let mut writer =
            Writer { first: commands.len(), shell: are_shells.then_some(shell), certain: *certain, is_cut: false };
        for command in script.known_commands() {
            if *certain {
                unknown_of(command).into_iter().for_each(|reason| note(&reason));
            }
            let Ok(json) = serde_json::value::to_raw_value(&writer.command(command, &files::of(command))) else {
                note("a command that cannot be told");
                break 'all;
            };
            size += json.get().len() + 1;
            if size > MAX_ANSWER {
                note("more commands than can be told");
                break 'all;
            }
            commands.push(json);
        }
        if writer.is_cut && *certain {
            note("a word that is too long to be checked");
        }
    }
    Answer { commands, complete: unknown.is_empty(), unknown }
}

/// Returns what is unknown about a command.
fn unknown_of(command: &SimpleCommand) -> Vec<String> {
    let name = command.name();
    let word = command.words.first().filter(|_| name.is_none());
    let program = word.map(|word| format!("which program `{}` is", cut(word.raw(), 60)));
    let is_cmdlet = name.is_some_and(is_cmdlet);
    let cmdlet = is_cmdlet.then(|| "a command of PowerShell, whose language is another one".to_owned());
    let script = command.is_in_patchy_script.then(|| "a script with a part that is not known yet".to_owned());
    let sources =
        (command.reads_from.len() > MAX_SOURCES).then(|| "more sources of an input than are listed".to_owned());
    [program, cmdlet, script, sources].into_iter().flatten().collect()
}

/// Turns commands into JSON, within limits.
struct Writer {
    /// The index of the script's first command in the answer.
    first: usize,
    shell: Option<usize>,
    /// Whether the script certainly runs.
    certain: bool,
    is_cut: bool,
}

impl Writer {
    fn command<'a>(&mut self, command: &'a SimpleCommand, files: &'a Files) -> Command<'a> {
        let stdin = command.input.as_deref().filter(|_| matches!(command.stdin, Stdin::Text(_)));
        let has_arguments = command.words.len() > 1;
        Command {
            name: command.name(),
            argv: command.words.iter().map(|word| self.word(word)).collect(),
            text: cut(&command.text, 200),
            cwd: command.cwd.as_ref().map(|word| self.word(word)),
            assignments: command
                .assignments
                .iter()
                .map(|set| JsonAssignment { name: &set.name, value: self.word(&set.value) })
                .collect(),
            redirects: command
                .redirects
                .iter()
                .map(|redirect| JsonRedirect {
                    fd: redirect.fd,
                    op: &redirect.operator,
                    target: self.word(&redirect.target),
                    access: if redirect.writes() { "write" } else { "read" },
                })
                .collect(),
            stdin: stdin.map(|word| self.input(word)),
            parent: command.parent.map(|at| self.first + at),
            via: command.via.as_deref(),
            reads_from: command.reads_from.iter().map(|at| self.first + at).take(MAX_SOURCES).collect(),
            function: command.function.as_deref(),
            background: command.is_background,
            shell: self.shell,
            certain: (!self.certain).then_some(false),
            files: files.all.iter().map(|file| self.file(file)).collect(),
            unlisted: has_arguments && !files.is_known,
        }
    }

    fn file<'a>(&mut self, file: &'a FileUse) -> JsonFile<'a> {
        JsonFile { path: self.word(&file.path), access: file.access.as_str() }
    }

    /// Writes a command's input. The input is not one of the command's words: if it is cut, its end is marked as
    /// unknown.
    fn input<'a>(&mut self, word: &'a Word) -> JsonWord<'a> {
        let was_cut = self.is_cut;
        let json = self.word(word);
        self.is_cut = was_cut;
        json
    }

    fn word<'a>(&mut self, word: &'a Word) -> JsonWord<'a> {
        if !word.is_open() && word.text().len() <= MAX_WORD {
            return JsonWord::Known(word.text());
        }
        let mut room = MAX_WORD;
        let mut parts = Vec::new();
        let whole = [Part::Text(word.text().to_owned())];
        let all = if word.is_open() { word.parts() } else { &whole };
        for part in all {
            let (Part::Text(text) | Part::Unknown(text) | Part::Glob(text)) = part;
            let Some(left) = room.checked_sub(text.len()) else {
                self.is_cut = true;
                if let Part::Text(text) = part {
                    parts.push(JsonPart::Text(cut(text, room).to_owned()));
                }
                parts.push(JsonPart::Unknown { unknown: "…".to_owned() });
                break;
            };
            room = left;
            let text = text.clone();
            parts.push(match part {
                Part::Text(_) => JsonPart::Text(text),
                Part::Unknown(_) => JsonPart::Unknown { unknown: text },
                Part::Glob(_) => JsonPart::Glob { glob: text },
            });
        }
        let raw = if word.raw().is_empty() {
            let texts = all.iter().map(|(Part::Text(text) | Part::Unknown(text) | Part::Glob(text))| text.as_str());
            texts.collect::<String>()
        } else {
            word.raw().to_owned()
        };
        JsonWord::Open { raw: cut(&raw, 200).to_owned(), parts }
    }
}

/// Returns the beginning of a text, up to `limit` bytes.
fn cut(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
