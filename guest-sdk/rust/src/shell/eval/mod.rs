//! Walks through a script as a shell would, and collects every command on the way.
//!
//! Both paths of a branch are walked; where they meet, a variable has the values of both. Anything that depends on an
//! unknown is unknown, too.

mod builtin;
mod call;
mod choice;
mod execute;
mod flow;
mod jump;
mod output;
mod read;
mod redirect;
mod setting;
mod simple;
mod walk;

use super::command::{SimpleCommand, Stdin};
use super::env::{self, Env, Function, Variable};
use super::files::find_patches;
use super::marks::{Kind, Marks};
use super::syntax::{self, Problem, Source};
use super::word::Word;
use super::{Script, Unknown};
use crate::answer::forget_in_component;
use choice::Choices;
use jump::{Inside, Jump};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(super) use execute::Ready;
pub(super) use redirect::Stream;

/// How deeply scripts may nest, such as `bash -c` in `bash -c`, or substitutions.
const MAX_NESTING: usize = 8;
/// How deeply commands may nest, over all scripts.
const MAX_DEPTH: usize = 160;
/// The maximum number of commands in total.
const MAX_COMMANDS: usize = 1000;
/// How much work may be done in total: about one unit for each byte that is read or written.
const MAX_WORK: usize = 800_000;
/// The cost of creating a word, and of copying it from command to command.
pub(super) const WORD: usize = 64;
/// The cost of copying an entry of a table.
pub(in crate::shell) const ENTRY: usize = 16;
/// The longest value of a variable, in bytes.
const MAX_VALUE: usize = 16 << 10;

/// Variables to which the shell itself gives values, whatever they are set to.
const SPECIAL: [&str; 9] = ["BASHPID", "EPOCHSECONDS", "EUID", "GROUPS", "LINENO", "RANDOM", "SECONDS", "UID", "_"];

/// The output of a command; `None` if it is not known.
pub(super) type Output = Option<String>;

/// A shell that only pretends to run commands.
#[derive(Default)]
pub(super) struct Shell {
    pub(super) script: Script,
    pub(super) marks: Marks,
    pub(super) env: Env,
    /// The home directory.
    pub(super) home: Option<String>,
    /// The working directory of the tool call.
    pub(super) initial: Option<String>,
    pub(super) choices: Choices,
    /// The output of process substitutions, by the mark for their name.
    pub(super) streams: BTreeMap<char, Stream>,
    ids: u32,
    source: Option<Rc<Source>>,
    nesting: usize,
    depth: usize,
    work: usize,
    /// The names of the functions that are running.
    calls: Vec<Rc<str>>,
    /// The variables hidden by `local`, with their previous values.
    locals: Vec<(String, Option<Variable>)>,
    /// The states at each `break`, `continue` and `return` of the loops and functions that are running.
    jumps: Vec<Jump>,
    inside: Inside,
    /// The variables that change what they are set to, as after `declare -i`.
    transformed: BTreeSet<String>,
    /// The variables that cannot be set again, as after `readonly`.
    readonly: BTreeSet<String>,
    /// All functions, by their ids.
    defined: Vec<Rc<Function>>,
    /// The functions that have run.
    called: BTreeSet<usize>,
    /// The variables that have been set.
    touched: BTreeSet<String>,
    /// The variables that have been set more than once, or in a loop.
    changed: BTreeSet<String>,
    /// Scripts that run later: traps.
    later: Vec<Later>,
    /// Whether loops are walked only once, because the result is discarded.
    dry: bool,
    stopped: bool,
}

/// A script that runs later than where it is named.
struct Later {
    text: String,
    env: Env,
    place: Place,
}

/// The context of a command.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// What the command reads as its standard input.
    pub(super) stdin: Stdin,
    /// The commands that produce that input.
    reads: Rc<[usize]>,
    /// The function whose body the command is part of.
    function: Option<Rc<str>>,
    piped: bool,
    background: bool,
    parent: Option<usize>,
    via: Option<Rc<str>>,
    run_by: Option<Rc<str>>,
    /// Whether the script has unknown parts.
    patchy: bool,
    /// Whether the text is a here-document.
    heredoc: bool,
    /// Whether the parser drops the bodies of here-documents here.
    loses_heredocs: bool,
    /// The length of the chain of commands that run this one.
    steps: usize,
}

impl Shell {
    pub(super) fn new(home: Option<String>, initial: Option<String>) -> Self {
        let mut shell = Shell::default();
        let clean = |path: &String| path.starts_with('/') && !path.contains(super::marks::is_reserved);
        shell.home = home.filter(clean);
        shell.initial = initial.filter(clean);
        shell.env.arguments = None;
        shell
    }

    pub(super) fn fail(&mut self, unknown: Unknown) {
        let unknown = unknown.rendered(&self.marks);
        if self.script.unknowns.len() < 100 && !self.script.unknowns.contains(&unknown) {
            self.script.unknowns.push(unknown);
        }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.fail(match problem {
            Problem::Syntax => Unknown::syntax(),
            Problem::Nesting => Unknown::bounds("nests too many substitutions to be checked; split it up"),
        });
    }

    /// Counts work. Returns whether to go on.
    pub(super) fn spend(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_add(work.saturating_add(16));
        if self.work > MAX_WORK && !self.stopped {
            self.stopped = true;
            self.fail(Unknown::bounds("takes too much work to be checked; split it up"));
        }
        !self.stopped
    }

    /// Walks through the text of the tool call.
    pub(super) fn top(&mut self, text: &str) {
        let clean = self.marks.sanitized(text);
        let editable = clean == text;
        let place = Place::default();
        self.text(&clean, editable, &place);
        self.finish();
    }

    /// Walks through what runs at the end: traps, and uncalled functions, which a later command may call.
    pub(super) fn finish(&mut self) {
        let mut rounds = 0;
        while !self.later.is_empty() && rounds < 4 {
            rounds += 1;
            for Later { text, env, place } in std::mem::take(&mut self.later) {
                let end = Env { dead: false, ..self.env.clone() };
                self.env = env::join(&Env { dead: false, ..env }, &end, &mut self.marks, &mut self.ids);
                self.forget_touched();
                self.script(&text, &place, true);
                self.env = end;
            }
        }
        if !self.later.is_empty() {
            self.fail(Unknown::bounds("sets traps in traps; leave them out"));
        }
        let mut at = 0;
        // A body may define another function.
        while let Some(function) = self.defined.get(at).cloned() {
            at += 1;
            if !self.called.contains(&function.id) {
                self.env.arguments = None;
                // The body of the previous function may have ended with `exit`.
                self.env.dead = false;
                let place = Place { patchy: function.patchy, ..Place::default() };
                self.body(&function, &place);
            }
        }
    }

    /// Forgets the variables that were set more than once: each could have any of its values. A variable that is set
    /// once has that value, or is not set yet, as in the state where the script was named.
    fn forget_touched(&mut self) {
        for name in self.changed.clone() {
            let mut values = self.env.get(&name).map(|v| v.values.to_vec()).unwrap_or_default();
            values.push(self.marks.unknown(&format!("${name}")));
            self.assign(&name, values);
        }
    }

    /// Walks through a text that a shell reads.
    fn text(&mut self, text: &str, editable: bool, place: &Place) -> Output {
        if !self.spend(syntax::cost(text)) {
            return None;
        }
        let nodes = match syntax::parse(text) {
            Ok(nodes) => nodes,
            Err(problem) => {
                self.problem(problem);
                return None;
            }
        };
        let outer = self.source.replace(Rc::new(Source::new(text, editable)));
        let mut printed = Some(String::new());
        for node in &nodes {
            let more = self.node(node, place);
            add_output(&mut printed, more);
        }
        self.source = outer;
        forget_in_component(nodes);
        printed
    }

    /// Walks through a text that a command runs as a script. With `same`, the script changes the shell's own state.
    pub(super) fn script(&mut self, text: &str, place: &Place, same: bool) -> Output {
        if self.nesting >= MAX_NESTING {
            self.fail(Unknown::bounds("nests too many scripts to be checked; run the inner one"));
            return None;
        }
        if text.len() > super::collect::MAX_LENGTH {
            self.fail(Unknown::bounds(super::collect::TOO_LONG));
            return None;
        }
        // In a script, a file name is more than a path: it may contain a command.
        let is_found = |c| super::marks::kind(c) == Some(Kind::Found);
        let unknown = self.marks.add(Kind::Unknown, "{}");
        let text = &text.replace(is_found, unknown.encode_utf8(&mut [0; 4]));
        let is_mark = |c| !matches!(super::marks::kind(c), None | Some(Kind::Home));
        let patchy = place.patchy || text.contains(is_mark);
        let place = Place { patchy, loses_heredocs: false, ..place.clone() };
        self.nesting += 1;
        let outer = (!same).then(|| (self.env.clone(), self.jumps.len(), std::mem::take(&mut self.inside)));
        let choices = self.choices.enter();
        let printed = self.text(text, false, &place);
        self.choices.leave(choices);
        if let Some((outer, jumps, inside)) = outer {
            self.env = outer;
            self.jumps.truncate(jumps);
            self.inside = inside;
        }
        self.nesting -= 1;
        printed
    }

    /// Sets a variable to one of these values.
    pub(super) fn assign(&mut self, name: &str, mut values: Vec<String>) {
        // An index follows the name, and is a wildcard if it is not quoted.
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|end| *end > 0);
        let is_element = end.is_some();
        let name = end.and_then(|end| name.get(..end)).unwrap_or(name);
        if is_element || SPECIAL.contains(&name) || self.transformed.contains(name) {
            values = vec![self.marks.unknown(&format!("${name}"))];
        }
        // The shell refuses to set the variable, but may go on.
        if self.readonly.contains(name)
            && let Some(variable) = self.env.get(name)
        {
            values.extend(variable.values.iter().cloned());
            if values.len() > 8 {
                values = vec![self.marks.unknown(&format!("${name}"))];
            }
        }
        for value in &mut values {
            if value.len() > MAX_VALUE {
                *value = self.marks.unknown(&format!("${name}"));
            }
        }
        self.spend_on_variables();
        let mut different: Vec<String> = Vec::new();
        for value in values {
            if !different.contains(&value) {
                different.push(value);
            }
        }
        self.ids += 1;
        let variable = Variable { id: self.ids, values: different.into(), list: None, exported: false };
        self.env.set(name, variable);
        self.touch(name);
    }

    /// Sets a variable to a list.
    fn assign_list(&mut self, name: &str, list: Vec<String>) {
        let first = list.first().cloned().unwrap_or_default();
        let is_kept = self.readonly.contains(name) && self.env.get(name).is_some() || self.transformed.contains(name);
        self.assign(name, vec![first]);
        if let Some(variable) = self.env.get(name).cloned().filter(|_| !is_kept) {
            let total: usize = list.iter().map(String::len).sum();
            let list = (total <= MAX_VALUE).then(|| list.into());
            self.env.set(name, Variable { list, ..variable });
        }
    }

    fn touch(&mut self, name: &str) {
        if !self.touched.contains(name) {
            self.touched.insert(name.to_owned());
        } else if !self.changed.contains(name) {
            self.changed.insert(name.to_owned());
        }
    }

    /// Forgets all variables, after something that may have set any of them.
    fn forget_all(&mut self) {
        for name in self.env.names() {
            let unknown = self.marks.unknown(&format!("${name}"));
            self.assign(&name, vec![unknown]);
        }
        self.env.cwd = env::Cwd::Unknown;
        self.env.arguments = None;
    }

    /// Counts the copy of the variables that a change needs while another state shares them.
    fn spend_on_variables(&mut self) {
        let copied = if Rc::strong_count(&self.env.vars) > 1 { self.env.vars.len() } else { 0 };
        self.spend(ENTRY * copied);
    }

    fn join(&mut self, a: &Env, b: &Env) -> Env {
        for (is_same, left, right) in [
            (Rc::ptr_eq(&a.vars, &b.vars), a.vars.len(), b.vars.len()),
            (Rc::ptr_eq(&a.functions, &b.functions), a.functions.len(), b.functions.len()),
            (Rc::ptr_eq(&a.aliases, &b.aliases), a.aliases.len(), b.aliases.len()),
        ] {
            self.spend(if is_same { 0 } else { ENTRY * (left + right) });
        }
        env::join(a, b, &mut self.marks, &mut self.ids)
    }

    /// Adds a command to the list. Returns its index, or `None` if the list is full.
    fn list(&mut self, command: SimpleCommand) -> Option<usize> {
        if self.script.commands.len() >= MAX_COMMANDS {
            self.stopped = true;
            self.fail(Unknown::bounds("holds too many commands to be checked; split it up"));
            return None;
        }
        self.script.commands.push(command);
        Some(self.script.commands.len() - 1)
    }

    /// Ends the walk: makes the words independent of the table of marks.
    pub(super) fn settled(mut self) -> Script {
        let marks = &self.marks;
        // Many commands may read the same text.
        let mut inputs: BTreeMap<*const u8, (Rc<str>, Rc<Word>)> = BTreeMap::new();
        let settle = |word: &mut Word| word.settle(marks);
        for command in &mut self.script.commands {
            command.words.iter_mut().for_each(settle);
            command.assignments.iter_mut().for_each(|set| set.value.settle(marks));
            command.redirects.iter_mut().for_each(|redirect| redirect.target.settle(marks));
            command.cwd.iter_mut().for_each(settle);
            command.parent = command.parent.filter(|parent| *parent != execute::PENDING);
            command.text = marks.shown(&command.text, 200);
            if let Stdin::Text(text) = &command.stdin {
                let (pattern, word) = inputs.entry(text.as_ptr()).or_insert_with(|| {
                    let mut word = Word::new("", text.to_string());
                    word.settle(marks);
                    (word.pattern().into(), Rc::new(word))
                });
                command.input = Some(word.clone());
                command.stdin = Stdin::Text(pattern.clone());
            }
        }
        self.script.redirects.iter_mut().for_each(|redirect| redirect.target.settle(marks));
        find_patches(&mut self.script.commands);
        let script = std::mem::take(&mut self.script);
        forget_in_component(self);
        script
    }
}

/// Appends a command's output to that of the previous ones.
fn add_output(printed: &mut Output, more: Output) {
    match (printed.as_mut(), more) {
        (Some(all), Some(more)) if all.len() + more.len() <= super::collect::MAX_LENGTH => all.push_str(&more),
        _ => *printed = None,
    }
}
