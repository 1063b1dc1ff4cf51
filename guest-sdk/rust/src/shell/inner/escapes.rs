//! Programs with a language of their own that has a way out to a shell: `!` of ftp, `system("…")` of gnuplot.

use super::options::Spec;
use super::{Inner, databases};
use crate::shell::command::Stdin;
use crate::shell::word::Word;

const UNKNOWN: &str = "a command of its own language";

/// Returns what such a program runs, or `None` for programs without a way out to a shell.
pub(super) fn inner(name: &str, arguments: &[Word], stdin: &Stdin) -> Option<Vec<Inner>> {
    Some(match name {
        "ftp" | "sftp" | "lftp" | "telnet" | "dc" | "gnuplot" => {
            let mut inners = lines(arguments, stdin, &["!"]);
            inners.extend(called(arguments, stdin, "system("));
            inners
        }
        "less" | "more" | "most" | "lessc" => {
            let script =
                |word: &Word| word.text().strip_prefix('+').and_then(|text| text.strip_prefix('!')).map(Inner::script);
            arguments.iter().filter_map(script).collect()
        }
        "emacs" | "emacsclient" | "xemacs" => lisp(arguments),
        "m4" | "gm4" => called(arguments, stdin, "syscmd("),
        "octave" | "octave-cli" | "matlab" | "sage" | "maxima" | "gimp" | "bpftrace" => {
            called(arguments, stdin, "system(")
        }
        "rpm" | "rpmbuild" | "rpmspec" => rpm(arguments),
        "apt" | "apt-get" | "aptitude" | "dpkg" => invoked(arguments),
        "ansible" => ansible(arguments),
        "salt" | "salt-ssh" => salt(arguments),
        _ => return databases::inner(name, arguments, stdin),
    })
}

/// Returns the texts that such a program may read as code.
pub(super) fn texts<'a>(arguments: &'a [Word], stdin: &'a Stdin) -> impl Iterator<Item = &'a str> {
    let given = match stdin {
        Stdin::Text(text) => Some(text.as_ref()),
        _ => None,
    };
    let words = arguments.iter().map(|word| {
        let text = word.text();
        text.split_once('=').filter(|(name, _)| name.starts_with("--")).map_or(text, |(_, value)| value)
    });
    words.chain(given)
}

/// Returns the scripts on lines that begin with one of these marks, up to the end of the line.
fn lines(arguments: &[Word], stdin: &Stdin, marks: &[&str]) -> Vec<Inner> {
    let script = |line: &str| {
        let line = line.trim_start();
        let script = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
        (!script.trim().is_empty()).then(|| Inner::script(script.trim().trim_end_matches(';')))
    };
    texts(arguments, stdin).flat_map(str::lines).filter_map(script).collect()
}

/// Returns what a call in the code runs, such as `system("…")`.
fn called(arguments: &[Word], stdin: &Stdin, call: &str) -> Vec<Inner> {
    let script = |text: &str| {
        let (_, rest) = text.split_once(call)?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`' | '['));
        let inner = quote.and_then(|quote| rest.get(1..)?.split([if quote == '`' { '\'' } else { quote }, ')']).next());
        Some(inner.map_or(Inner::Unknown(UNKNOWN), Inner::script))
    };
    texts(arguments, stdin).filter_map(script).collect()
}

/// Returns what `emacs --eval '(shell-command "…")'` runs.
fn lisp(arguments: &[Word]) -> Vec<Inner> {
    const CALLS: [&str; 6] =
        ["shell-command", "call-process", "start-process", "make-process", "compilation-start", "process-lines"];
    let mut inners = Vec::new();
    for word in arguments {
        let Some(call) = CALLS.iter().find(|call| word.text().contains(*call)) else { continue };
        let after = word.text().split_once(call).map_or("", |(_, rest)| rest);
        // Only the shell's commands take one text; the others take a list.
        let script = (*call == "shell-command").then(|| after.split('"').nth(1)).flatten();
        inners.push(script.map_or(Inner::Unknown(UNKNOWN), Inner::script));
    }
    inners
}

/// Returns what `rpm --eval '%(…)'` and `rpm --pipe` run.
fn rpm(arguments: &[Word]) -> Vec<Inner> {
    let macros = arguments.iter().filter_map(|word| Some(word.text().split_once("%(")?.1.rsplit_once(')')?.0));
    let mut inners: Vec<Inner> = macros.map(Inner::script).collect();
    let spec = Spec { shorts: "", longs: &["pipe"], flags: &[] };
    let (options, _) = spec.all(arguments);
    let piped = options.iter().filter(|(name, _)| name == "--pipe");
    inners.extend(piped.filter_map(|(_, value)| Some(Inner::script(value.as_ref()?.text()))));
    inners
}

/// Returns what `apt-get -o APT::Update::Pre-Invoke::=…`, and the hooks of dpkg, run.
fn invoked(arguments: &[Word]) -> Vec<Inner> {
    let script = |word: &Word| {
        let (key, script) = word.text().split_once('=')?;
        let key = key.to_ascii_lowercase();
        (key.contains("-invoke") || key.contains("install-pkgs") || key.contains("changelog::"))
            .then(|| Inner::script(script))
    };
    arguments.iter().filter_map(script).collect()
}

/// Returns what `ansible all -m shell -a '…'` runs.
fn ansible(arguments: &[Word]) -> Vec<Inner> {
    let spec =
        Spec { shorts: "maieuflcBPtM", longs: &["module-name", "args", "inventory", "extra-vars", "user"], flags: &[] };
    let (options, _) = spec.all(arguments);
    let value = |names: [&str; 2]| {
        let given = options.iter().rev().find(|(name, _)| names.contains(&name.as_str()));
        given.and_then(|(_, value)| value.as_ref()).map(Word::text)
    };
    let module = value(["-m", "--module-name"]).unwrap_or("command");
    let module = module.rsplit('.').next().unwrap_or(module);
    match value(["-a", "--args"]) {
        Some(script) if matches!(module, "shell" | "command" | "raw" | "script" | "win_shell" | "win_command") => {
            vec![Inner::script(script).elsewhere()]
        }
        _ => Vec::new(),
    }
}

/// Returns what `salt '*' cmd.run '…'` runs.
fn salt(arguments: &[Word]) -> Vec<Inner> {
    let at = arguments.iter().position(|word| word.text().starts_with("cmd."));
    let script = at.and_then(|at| arguments.get(at + 1));
    script.map(|word| Inner::script(word.text()).elsewhere()).into_iter().collect()
}
