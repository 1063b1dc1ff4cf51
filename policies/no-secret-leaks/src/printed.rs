//! Secret variables of the environment that code prints, by itself or by a command line that it runs.

use crate::dumped::{is_run, prints_value};
use crate::environment::{code, expanded, is_fed, is_other_shell, is_secret};
use crate::scripts::{QUOTES, parts};
use crate::values::{Code, Value, is_name};
use hookbox_policy::{Command, Word};

/// The maximum number of values that are followed. If code has more, one of them counts as printed.
const MAX_VALUES: usize = 256;

/// What comes before the name of a variable.
#[rustfmt::skip] // Many words to a line.
const ACCESSES: &[&str] = &[
    "environ[", "environ.get(", "environ.__getitem__(", "environ.pop(", "environ.setdefault(", "environb[", "getenv(", "expandvars(",
    "process.env.", "process.env?.", "process.env[", "ENV[", "ENV.fetch(", "$ENV{", "$_ENV[", "$_SERVER[", "ENVIRON[",
    "Deno.env.get(", "Bun.env.", "Bun.env[", "get_env(", "fetch_env!(", "getenv \"", "getEnv \"",
    "processInfo.environment[", "%*ENV<", "%*ENV{", "$env(", "$::env(", "$env:", "$env.", "GetEnvironmentVariable(",
    "system attribute \"",
];

/// What a function that returns a variable belongs to.
#[rustfmt::skip] // Many words to a line.
const OWNERS: &[&str] = &[
    "os.", "System.Environment.", "System/", "System.", "Sys.", "[System.Environment]::", "[Environment]::",
    "ProcessInfo.", "globalThis.",
];

/// Returns the secret variable that code prints as it is: `print(os.environ["API_KEY"])`, but not only its length.
pub(crate) fn prints_one(command: &Command) -> Option<String> {
    let is_awk = matches!(command.name, "awk" | "gawk" | "mawk" | "nawk");
    let input = command.facts.stdin.as_ref().filter(|_| is_fed(command)).map(Word::from);
    let text = match is_awk {
        true => command.args().iter().map(Word::text).find(|word| word.contains("ENVIRON["))?,
        false => code(command.name, command).or_else(|| input.as_ref().map(Word::text))?,
    };
    if let Some(variable) = echoed(command.name, text) {
        return Some(variable.to_owned());
    }
    let prints_value = prints_value(command.name, command);
    let code = Code { name: command.name, text, prints_value, has_comments: true };
    let shown_outside = shown(&code);
    if shown_outside.is_some() || !code.has_other_texts() {
        return shown_outside;
    }
    shown(&Code { has_comments: false, ..code })
}

/// Returns the secret variable whose value code prints.
fn shown(code: &Code) -> Option<String> {
    let accesses = accesses(code);
    if accesses.len() > MAX_VALUES {
        return accesses.into_iter().next().map(|value| value.variable);
    }
    let (mut shown, mut kept) = (None, Vec::new());
    code.walk(&accesses, |value, frames| {
        if shown.is_none() && code.prints(value, frames) {
            shown = Some(value.variable.clone());
        } else if let Some(name) = code.assigned(value, frames) {
            kept.push((name, Value { place: value.place.end..value.place.end, ..value.clone() }));
        }
    });
    if shown.is_some() || kept.is_empty() {
        return shown;
    }
    let uses = kept.iter().flat_map(|(name, value)| uses(code, name, value));
    let mut uses: Vec<Value> = uses.take(MAX_VALUES + 1).collect();
    if uses.len() > MAX_VALUES {
        return uses.into_iter().next().map(|value| value.variable);
    }
    uses.sort_by_key(|value| value.place.start);
    code.walk(&uses, |value, frames| {
        if shown.is_none() && code.prints(value, frames) {
            shown = Some(value.variable.clone());
        }
    });
    shown
}

/// Returns the places at which code gets a secret variable, in order.
fn accesses(code: &Code) -> Vec<Value> {
    let named = named(code.text);
    let places = ACCESSES.iter().flat_map(|access| {
        let found = code.text.match_indices(*access);
        found.filter_map(move |(at, _)| value(code, access, at, named)).take(MAX_VALUES + 1)
    });
    let mut values: Vec<Value> = places.collect();
    values.sort_by_key(|value| (value.place.start, std::cmp::Reverse(value.place.end)));
    values.dedup_by_key(|value| value.place.start);
    values
}

/// Returns the value that code gets at this position, if it is the value of a secret variable. `named` is the variable
/// that it may be if its name is known only when the code runs.
fn value(code: &Code, access: &str, at: usize, named: Option<&str>) -> Option<Value> {
    let before = code.text.get(..at)?;
    if access.starts_with(is_name) && before.ends_with(is_name) {
        return None;
    }
    let front = OWNERS.iter().find_map(|owner| before.strip_suffix(*owner)).unwrap_or(before);
    let after = code.text.get(at + access.len()..)?;
    // `os.environb[b"API_KEY"]`
    let after =
        after.strip_prefix('b').filter(|name| access == "environb[" && name.starts_with(QUOTES)).unwrap_or(after);
    let inside = after.trim_start_matches(QUOTES);
    let inside = if access == "expandvars(" { inside.trim_start_matches(['$', '{']) } else { inside };
    let is_quoted =
        inside.len() < after.len() || access.ends_with(['"', '.', ':', '{', '<']) || access.starts_with('$');
    let name = |text: &str| text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    let (variable, rest) = inside.split_at_checked(name(inside))?;
    let (variable, rest) = match is_secret(variable) {
        true => (variable, rest),
        // The name of the variable is itself the value of one: `os.environ[k]`, `$ENV{$k}`.
        false if inside.starts_with('$') || !is_quoted && !variable.is_empty() => {
            let inside = inside.trim_start_matches('$');
            (named?, inside.get(name(inside)..)?)
        }
        false => return None,
    };
    let rest = rest.strip_prefix('}').filter(|_| access == "expandvars(").unwrap_or(rest);
    let rest = rest.strip_prefix(QUOTES).unwrap_or(rest);
    let end = code.text.len() - rest.len();
    let end = match (access.chars().next_back(), rest.chars().next()) {
        (Some('('), Some(')')) | (Some('['), Some(']')) | (Some('{'), Some('}')) | (Some('<'), Some('>')) => end + 1,
        // Another value comes in its place if it is not set.
        (Some('('), Some(',')) => code.close(end),
        _ => end,
    };
    Some(Value { place: front.len()..end, variable: variable.to_owned(), is_bare: access.starts_with('$') })
}

/// Returns the first name of a secret variable in code that goes through such names.
fn named(code: &str) -> Option<&str> {
    code.split(|c: char| !is_name(c)).find(|word| is_secret(word) && !word.contains(|c: char| c.is_lowercase()))
}

/// Returns the places at which code uses a variable of its own after it has got a value.
fn uses(code: &Code, name: &str, value: &Value) -> impl Iterator<Item = Value> {
    let has_mark = name.starts_with(['$', '@']);
    let from = value.place.end;
    let places = code.text.get(from..).unwrap_or_default().match_indices(name);
    places.filter_map(move |(at, _)| {
        let (start, end) = (from + at, from + at + name.len());
        let is_longer = code.text.get(end..)?.starts_with(is_name)
            || !has_mark && code.text.get(..start)?.ends_with(|c: char| is_name(c) || c == '.');
        let place = start..end;
        (!is_longer).then(|| Value { place, variable: value.variable.clone(), is_bare: name.starts_with('$') })
    })
}

/// Returns the secret variable that a command line in code shows: `os.system("echo $API_KEY")`.
fn echoed<'c>(name: &str, code: &'c str) -> Option<&'c str> {
    if is_other_shell(name) {
        return in_line(code);
    }
    let is_told = |at: usize| {
        let before = code.get(..at).unwrap_or_default().trim_end_matches(QUOTES).trim_end_matches([',', ' ']);
        before.trim_end_matches(QUOTES).ends_with("-c")
    };
    let mut lines =
        parts(code).filter(|(at, part)| in_line(part).is_some() && (is_run(name, code, *at) || is_told(*at)));
    let words: Vec<(usize, &str)> = parts(code).take(MAX_VALUES).collect();
    let listed = words.windows(3).find_map(|words| match words {
        [(at, program), _, (_, variable)] if is_printenv(program) && is_secret(variable) => {
            is_run(name, code, *at).then_some(*variable)
        }
        _ => None,
    });
    listed.or_else(|| lines.find_map(|(_, line)| in_line(line)))
}

/// Returns the secret variable that a command line shows.
fn in_line(line: &str) -> Option<&str> {
    line.split(['\n', ';', '&']).find_map(|piece| {
        let mut stages = piece.split('|').map(str::trim);
        let first = stages.next()?;
        let repeats = |stage: &str| matches!(stage.split(' ').next(), Some("base64" | "cat" | "fold" | "rev" | "xxd"));
        let mut words = first.split_whitespace();
        let program = words.next().filter(|_| !first.contains('>') && stages.all(repeats))?;
        match program {
            _ if is_printenv(program) => words.find(|word| is_secret(word)),
            "echo" | "printf" | "print" => first.split('$').skip(1).find_map(|rest| {
                let (name, _) = expanded(rest.strip_prefix('{').unwrap_or(rest))?;
                is_secret(name).then_some(name)
            }),
            _ => None,
        }
    })
}

fn is_printenv(program: &str) -> bool {
    matches!(program, "printenv" | "/usr/bin/printenv")
}
