//! Commands that start processes until the system stops responding.

use crate::scene::Scene;
use hookbox_policy::{Command, Findings};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    if let Some(name) = function(scene) {
        found.deny(format!(
            "the function `{name}` starts itself again in the background until the system halts; leave it out"
        ));
    } else if endless(scene.text) || scene.commands.iter().any(is_endless_script) {
        let instead = "put a `wait` or an end into the loop";
        found.deny(format!("an endless loop in the command starts processes and waits for none; {instead}"));
    }
}

/// Whether a command is a shell with an endless loop as its script.
fn is_endless_script(command: &Command<'_>) -> bool {
    let runs = command.name == "eval" || command.name.ends_with("sh");
    runs && command.args().iter().any(|word| endless(word.text()))
}

/// Returns a function that runs itself, directly or through others, in the background: `:(){ :|:& };:`.
fn function(scene: &Scene<'_>) -> Option<String> {
    let names: BTreeSet<&str> = scene.commands.iter().filter_map(|command| command.facts.function.as_deref()).collect();
    let mut calls: BTreeMap<&str, BTreeSet<(&str, bool)>> = BTreeMap::new();
    for command in scene.commands {
        let called = command.words.first().map_or("", |word| word.text());
        if let Some(caller) = command.facts.function.as_deref()
            && names.contains(called)
        {
            let piped = !command.facts.reads_from.is_empty();
            calls.entry(caller).or_default().insert((called, command.facts.background || piped));
        }
    }
    names
        .iter()
        .find(|name| {
            let mut seen = BTreeSet::new();
            let mut next = vec![(**name, false)];
            while let Some((at, background)) = next.pop() {
                for (called, after) in calls.get(at).into_iter().flatten() {
                    let background = background || *after;
                    if called == *name && background {
                        return true;
                    }
                    if seen.insert((*called, background)) {
                        next.push((called, background));
                    }
                }
            }
            false
        })
        .map(|name| (*name).to_owned())
}

/// Whether a text has an endless loop whose body does not wait for what it starts: `while true; do work & done`.
fn endless(text: &str) -> bool {
    if !text.contains("do") {
        return false;
    }
    let words = words(text);
    words.iter().enumerate().any(|(at, word)| {
        let starts = at == 0 || words.get(at - 1).is_some_and(|before| is_separator(before));
        if !starts || !matches!(word.as_str(), "while" | "until" | "for") {
            return false;
        }
        let rest = words.get(at + 1..).unwrap_or_default();
        let Some(start) = rest.iter().position(|word| word == "do") else { return false };
        let condition: Vec<&str> = rest.iter().take(start).map(String::as_str).filter(|word| *word != ";").collect();
        let is_endless = match (word.as_str(), condition.as_slice()) {
            ("while", ["true" | ":" | "/bin/true" | "/usr/bin/true" | "((1))"]) => true,
            ("while", ["[" | "[[", "1" | "true", "]" | "]]"]) => true,
            ("until", ["false" | "/bin/false" | "/usr/bin/false" | "((0))"]) => true,
            ("for", condition) => {
                let all = condition.concat();
                let inner = all.strip_prefix("((").and_then(|all| all.strip_suffix("))"));
                inner.is_some_and(|inner| inner.split(';').nth(1).is_some_and(|test| test.trim().is_empty()))
            }
            _ => false,
        };
        let body = rest.get(start + 1..).unwrap_or_default();
        let body = body.get(..body.iter().position(|word| word == "done").unwrap_or(body.len())).unwrap_or_default();
        let waits = |word: &String| matches!(word.as_str(), "wait" | "break" | "exit" | "return");
        is_endless
            && body.iter().rposition(|word| word == "&").is_some_and(|last| {
                let before = body.get(..last).unwrap_or_default();
                let after = body.get(last + 1..).unwrap_or_default();
                // A `wait` before the last start only delays the loop, unless it is the first command of the body.
                let leads = before.first().is_some_and(waits);
                !after.iter().any(waits) && !leads
            })
    })
}

fn is_separator(word: &str) -> bool {
    matches!(word, ";" | "&" | "&&" | "||" | "|" | "(" | "{" | "do" | "then" | "else" | "!" | "\n")
}

/// Returns the words of a text, with operators as separate words. Quoted text becomes one word.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut depth = 0_usize;
    while let Some(c) = chars.next() {
        if words.len() > 4_000 {
            break;
        }
        match c {
            '\'' | '"' => {
                word.push('\u{1}');
                while let Some(quoted) = chars.next() {
                    if quoted == c {
                        break;
                    }
                    if quoted == '\\' && c == '"' {
                        chars.next();
                    }
                }
            }
            '\\' => {
                word.push('\u{1}');
                chars.next();
            }
            '(' if chars.peek() == Some(&'(') => {
                chars.next();
                depth += 1;
                word.push_str("((");
            }
            ')' if depth > 0 && chars.peek() == Some(&')') => {
                chars.next();
                depth -= 1;
                word.push_str("))");
            }
            c if depth > 0 => word.extend((!c.is_whitespace()).then_some(c)),
            ';' | '&' | '|' | '(' | ')' | '\n' => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                let joined = matches!(c, '&' | '|') && chars.peek() == Some(&c);
                // `2>&1` and `&>` are redirections.
                let redirects =
                    c == '&' && (words.last().is_some_and(|last| last.ends_with('>')) || chars.peek() == Some(&'>'));
                match c {
                    _ if joined => {
                        chars.next();
                        words.push(format!("{c}{c}"));
                    }
                    _ if redirects => {}
                    '\n' => words.push(";".to_owned()),
                    c => words.push(c.to_string()),
                }
            }
            c if c.is_whitespace() => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}
