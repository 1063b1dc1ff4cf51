//! The state that a script has set so far: variables, functions, aliases, the working directory.

use super::marks::{Kind, Marks};
use super::syntax::Source;
use rable::Node;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many values a variable may have before it counts as unknown.
const MAX_VALUES: usize = 8;

/// The state of a shell at one point of a script.
#[derive(Clone, Default)]
pub(super) struct Env {
    pub(super) vars: Rc<BTreeMap<String, Variable>>,
    pub(super) functions: Rc<BTreeMap<String, Vec<Rc<Function>>>>,
    /// The names of functions that may not be defined.
    pub(super) doubtful: Rc<BTreeSet<String>>,
    /// The texts that aliases run, by name.
    pub(super) aliases: Rc<BTreeMap<String, String>>,
    /// The paths that `hash -p` has given to programs, by name.
    pub(super) paths: Rc<BTreeMap<String, String>>,
    /// `$0`, if known.
    pub(super) zero: Option<Rc<str>>,
    /// `$1` and so on; `None` if they are not known.
    pub(super) arguments: Option<Rc<[String]>>,
    pub(super) cwd: Cwd,
    pub(super) previous: Option<Cwd>,
    pub(super) stack: Rc<Vec<Cwd>>,
    /// Whether nothing after this point runs, because the shell has exited.
    pub(super) dead: bool,
    /// Whether the environment is that of another machine or user, where not even `~` is known.
    pub(super) foreign: bool,
    /// Whether the home directory may be that of another user.
    pub(super) homeless: bool,
}

/// The working directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Cwd {
    /// The working directory of the tool call.
    #[default]
    Initial,
    /// This directory, with marks.
    At(Rc<str>),
    /// An unknown directory.
    Unknown,
}

/// A function of the script.
pub(super) struct Function {
    pub(super) id: usize,
    pub(super) name: Rc<str>,
    pub(super) body: Node,
    pub(super) source: Option<Rc<Source>>,
    /// Whether the function is part of a script that has unknown parts.
    pub(super) patchy: bool,
}

/// The possible values of a variable.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// Differs for each assignment, so a command sees the same value wherever it uses the variable.
    pub(super) id: u32,
    pub(super) values: Rc<[String]>,
    /// The elements, if the variable is a list.
    pub(super) list: Option<Rc<[String]>>,
    pub(super) exported: bool,
}

impl Env {
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.vars.get(name)
    }

    pub(super) fn set(&mut self, name: &str, variable: Variable) {
        let exported = variable.exported || self.get(name).is_some_and(|before| before.exported);
        Rc::make_mut(&mut self.vars).insert(name.to_owned(), Variable { exported, ..variable });
    }

    /// Restores the previous state of `name`.
    pub(super) fn restore(&mut self, name: &str, variable: Option<Variable>) {
        let vars = Rc::make_mut(&mut self.vars);
        match variable {
            Some(variable) => vars.insert(name.to_owned(), variable),
            None => vars.remove(name),
        };
    }

    pub(super) fn export(&mut self, name: &str) {
        if self.vars.contains_key(name)
            && let Some(variable) = Rc::make_mut(&mut self.vars).get_mut(name)
        {
            variable.exported = true;
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.vars.keys().cloned().collect()
    }

    /// Returns what a child process sees. With `clean`, the child may have lost all variables, as after `sudo`.
    pub(super) fn child(&self, clean: bool, ids: &mut u32) -> Self {
        let mut child = Env { functions: Rc::default(), dead: false, ..self.clone() };
        child.aliases = Rc::default();
        child.paths = Rc::default();
        child.arguments = None;
        child.zero = None;
        let lost = |variable: &Variable| clean || !variable.exported;
        if self.vars.values().any(lost) {
            for variable in Rc::make_mut(&mut child.vars).values_mut().filter(|variable| lost(variable)) {
                // The variable may be empty there, or the environment already had it.
                let mut values = variable.values.to_vec();
                if !values.iter().any(String::is_empty) {
                    values.push(String::new());
                }
                *ids += 1;
                *variable = Variable { id: *ids, values: values.into(), list: None, exported: variable.exported };
            }
        }
        child
    }

    /// Returns the environment of another machine or user, where nothing is known.
    pub(super) fn elsewhere() -> Self {
        Env { cwd: Cwd::Unknown, foreign: true, homeless: true, ..Env::default() }
    }
}

/// Returns the state where two paths through a script meet.
pub(super) fn join(a: &Env, b: &Env, marks: &mut Marks, ids: &mut u32) -> Env {
    if b.dead || a.dead {
        return if b.dead { a.clone() } else { b.clone() };
    }
    let mut joined = a.clone();
    if !Rc::ptr_eq(&a.vars, &b.vars) {
        let names: Vec<&String> =
            a.vars.keys().chain(b.vars.keys().filter(|name| !a.vars.contains_key(*name))).collect();
        for name in names {
            let (left, right) = (a.vars.get(name), b.vars.get(name));
            if left.map(|v| v.id) != right.map(|v| v.id) {
                let variable = either(name, left, right, marks, ids);
                Rc::make_mut(&mut joined.vars).insert(name.clone(), variable);
            }
        }
    }
    if !Rc::ptr_eq(&a.functions, &b.functions) {
        let names = a.functions.keys().chain(b.functions.keys());
        let only_one = names.filter(|name| a.functions.contains_key(*name) != b.functions.contains_key(*name));
        let doubtful: Vec<String> = only_one.chain(b.doubtful.iter()).cloned().collect();
        if !doubtful.is_empty() {
            Rc::make_mut(&mut joined.doubtful).extend(doubtful);
        }
        let functions = Rc::make_mut(&mut joined.functions);
        for (name, bodies) in b.functions.iter() {
            let known = functions.entry(name.clone()).or_default();
            for body in bodies {
                if known.len() < MAX_VALUES && !known.iter().any(|known| Rc::ptr_eq(known, body)) {
                    known.push(body.clone());
                }
            }
        }
    }
    join_texts(&mut joined.aliases, &b.aliases, marks);
    join_texts(&mut joined.paths, &b.paths, marks);
    if a.zero != b.zero {
        joined.zero = None;
    }
    if a.arguments != b.arguments {
        joined.arguments = None;
    }
    if a.cwd != b.cwd {
        joined.cwd = Cwd::Unknown;
    }
    if a.previous != b.previous {
        joined.previous = Some(Cwd::Unknown);
    }
    if a.stack != b.stack {
        joined.stack = Rc::default();
    }
    joined.foreign |= b.foreign;
    joined.homeless |= b.homeless;
    joined
}

/// Adds the meanings of the names in `other`.
fn join_texts(texts: &mut Rc<BTreeMap<String, String>>, other: &Rc<BTreeMap<String, String>>, marks: &mut Marks) {
    if Rc::ptr_eq(texts, other) {
        return;
    }
    let texts = Rc::make_mut(texts);
    for (name, text) in other.iter() {
        let is_another = texts.get(name).is_some_and(|before| before != text);
        texts.insert(name.clone(), if is_another { marks.unknown(name) } else { text.clone() });
    }
}

fn either(name: &str, left: Option<&Variable>, right: Option<&Variable>, marks: &mut Marks, ids: &mut u32) -> Variable {
    let unset = marks.add(Kind::Unknown, &format!("${name}")).to_string();
    let mut values: Vec<String> = Vec::new();
    for side in [left, right] {
        let side: &[String] = side.map_or(std::slice::from_ref(&unset), |variable| &variable.values);
        for value in side {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    if values.len() > MAX_VALUES {
        values = vec![unset];
    }
    *ids += 1;
    let exported = left.is_none_or(|v| v.exported) && right.is_none_or(|v| v.exported);
    // A list that may differ is unknown.
    Variable { id: *ids, values: values.into(), list: None, exported }
}

/// Returns the index of an element if it is a plain number. One that begins with `0` is octal.
pub(super) fn index(text: &str) -> Option<usize> {
    text.parse().ok().filter(|index: &usize| index.to_string() == text)
}
