//! Files that `ansible` changes by a module: `ansible localhost -m copy -a 'src=a dest=/etc/a'`.

use crate::inputs::value_of;
use crate::shell::Judge;
use hookbox_policy::{Command, Options, UNKNOWN, Word, options};
use hookbox_sdk::{Access, ShellWord};

/// Modules that only read.
#[rustfmt::skip] // Many names to a line.
const READS: &[&str] = &[
    "assert", "debug", "find", "gather_facts", "getent", "package_facts", "ping", "service_facts", "setup", "slurp", "stat", "wait_for",
];

/// Modules whose arguments are a command, which is judged by itself.
const COMMANDS: &[&str] = &["command", "raw", "script", "shell"];

/// Modules with a file of their own.
const STORES: &[(&str, &str)] = &[
    ("authorized_key", "~/.ssh/authorized_keys"),
    ("cron", "/var/spool/cron"),
    ("git_config", "~/.gitconfig"),
    ("group", "/etc/gshadow"),
    ("known_hosts", "~/.ssh/known_hosts"),
    ("pamd", "/etc/pam.d"),
    ("user", "/etc/passwd"),
];

/// The arguments that name the file which a module changes.
const KEYS: &[&str] = &["dest", "destfile", "name", "path"];

/// Options with a value.
#[rustfmt::skip] // Many names to a line.
const VALUES: &[&str] = &[
    "-B", "-M", "-P", "-T", "-a", "-c", "-e", "-f", "-i", "-l", "-m", "-t", "-u", "--args", "--background", "--become-method", "--become-user",
    "--connection", "--extra-vars", "--forks", "--inventory", "--key-file", "--limit", "--module-name", "--module-path", "--poll", "--private-key",
    "--task-timeout", "--timeout", "--tree", "--user", "--vault-id", "--vault-password-file",
];

/// Judges the files that the arguments of a module name.
pub(crate) fn judge(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    if command.name != "ansible" {
        return;
    }
    let given = options(command.args(), VALUES);
    let module = module(&given);
    if READS.contains(&module) || COMMANDS.contains(&module) {
        return;
    }
    let is_here = is_here(&given);
    let mut write = |path: String, is_elsewhere: bool| {
        judge.word(command, &ShellWord::Known(path), Access::Write, is_elsewhere, all);
    };
    for (_, path) in STORES.iter().filter(|(name, _)| is_here && *name == module) {
        write((*path).to_owned(), false);
    }
    let text: Vec<String> = given.values(&["-a", "--args"]).map(|word| plain(word.text())).collect();
    let text = text.join(" ");
    // A link to a file is as good as the file.
    let linked: &[&str] = if module == "file" { &["src"] } else { &[] };
    for path in KEYS.iter().chain(linked).flat_map(|key| values(&text, key)) {
        if path.contains(['/', UNKNOWN]) || path.starts_with(['.', '~']) {
            // `fetch` copies to this machine.
            write(path.to_owned(), !is_here && module != "fetch");
        }
    }
}

/// Whether an argument belongs to a module that only reads.
pub(crate) fn is_read(command: &Command<'_>, at: usize) -> bool {
    command.name == "ansible"
        && value_of(command, at, &["-a", "--args"]).is_some()
        && READS.contains(&module(&options(command.args(), VALUES)))
}

/// Returns the module without its collection: `copy` in `ansible.builtin.copy`.
fn module(given: &Options) -> &str {
    let name = given.value(&["-m", "--module-name"]).map_or("command", Word::text);
    name.rsplit('.').next().unwrap_or_default()
}

/// Whether the module runs on this machine.
fn is_here(given: &Options) -> bool {
    const NAMES: &[&str] = &["localhost", "127.0.0.1", "::1"];
    let is_own = |word: &Word| NAMES.contains(&word.text().trim_end_matches(','));
    given.operands.iter().any(is_own)
        || given.values(&["-i", "--inventory"]).any(is_own)
        || given.values(&["-c", "--connection"]).any(|word| word.text() == "local")
        || given.values(&["-e", "--extra-vars"]).any(|word| word.text().contains("ansible_connection"))
}

/// Returns the arguments with a mark in place of what only a run fills in: `{{ ansible_env.HOME }}`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once("{{") {
        plain.push_str(before);
        plain.push(UNKNOWN);
        rest = inside.split_once("}}").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

/// Returns the values of an argument: `dest=a`, `dest="a b"`, or `"dest": "a"` in JSON.
fn values<'t>(text: &'t str, key: &str) -> impl Iterator<Item = &'t str> {
    text.match_indices(key).filter_map(move |(at, found)| {
        let before = text.get(..at)?.chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '/' | '_')) {
            return None;
        }
        let rest = text.get(at + found.len()..)?;
        let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest).trim_start();
        let value = rest.strip_prefix(['=', ':'])?.trim_start();
        match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.split(quote).next(),
            _ => value.split([' ', ',', '\n', '\t', '}']).next(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{plain, values};

    #[test]
    fn arguments_in_all_forms() {
        for text in [
            "dest=/a b=c",
            "b=c dest=\"/a\"",
            "b='dest' dest='/a' c",
            "{\"b\": \"c\", \"dest\": \"/a\"}",
            "{dest: /a, b: c}",
            "mydest=x dest = /a",
        ] {
            assert_eq!(values(text, "dest").collect::<Vec<_>>(), ["/a"], "{text}");
        }
        assert_eq!(values("destfile=/a, the dest", "dest").count(), 0);
        assert_eq!(values("path=\"/a b\"", "path").collect::<Vec<_>>(), ["/a b"]);
    }

    #[test]
    fn what_a_run_fills_in_is_unknown() {
        let marked = format!("dest={}/.bashrc mode=1", hookbox_policy::UNKNOWN);
        assert_eq!(plain("dest={{ ansible_env.HOME }}/.bashrc mode=1"), marked);
        assert_eq!(plain("a {{ b"), format!("a {}", hookbox_policy::UNKNOWN));
    }
}
