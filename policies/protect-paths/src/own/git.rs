//! Git settings and templates that make git run programs.

use hookbox_policy::{Command, Findings, Names, Word, options};

/// Settings that make git run a program or read other settings, whatever their value is.
const RUNS: &[&str] = &[
    "core.askpass",
    "core.fsmonitor",
    "core.gitproxy",
    "core.sshcommand",
    "diff.external",
    "include.path",
    "init.templatedir",
    "protocol.ext.allow",
];

/// The last parts of the names of settings whose value is a program: `difftool.x.cmd`, `remote.x.uploadpack`. Known
/// programs are common in these settings.
const PROGRAMS: &[&str] = &[
    "alternaterefscommand",
    "askpass",
    "cccmd",
    "clean",
    "cmd",
    "command",
    "difffilter",
    "driver",
    "editor",
    "externaldiff",
    "helper",
    "packobjectshook",
    "pager",
    "process",
    "program",
    "receivepack",
    "sendmailcmd",
    "smudge",
    "textconv",
    "tocmd",
    "uploadpack",
    "vcs",
];

/// Editors, pagers, diff viewers and credential helpers that people commonly set.
#[rustfmt::skip] // Many names to a line.
static KNOWN: Names = Names::new(&[
    "", ":", "true", "false", "cat", "less", "more", "most", "head", "delta", "bat", "diff-so-fancy", "diff-highlight", "difft", "difftastic",
    "vi", "vim", "nvim", "gvim", "view", "vimdiff", "nvimdiff", "gvimdiff", "vimdiff3", "nano", "pico", "emacs", "emacsclient", "ediff", "ed", "micro",
    "helix", "hx", "kak", "joe", "code", "code-insiders", "codium", "cursor", "windsurf", "subl", "sublime", "atom", "mate", "zed", "idea", "webstorm",
    "pycharm", "goland", "clion", "rider", "gedit", "kate", "notepad", "notepad++", "meld", "kdiff3", "opendiff", "p4merge", "bcomp", "bcompare",
    "beyondcompare", "ksdiff", "smerge", "tkdiff", "xxdiff", "icdiff", "colordiff", "ydiff", "spr", "mergiraf", "weave", "nbdime", "git-nbdiffdriver",
    "git-nbmergedriver", "git-nbdifftool", "git-nbmergetool", "git-lfs", "git-crypt", "git", "gh", "glab", "cache", "store", "osxkeychain", "manager",
    "manager-core", "libsecret", "wincred", "netrc", "oauth", "gpg", "gpg2", "gpgsm", "ssh-keygen", "op-ssh-sign", "gitsign", "pass-git-helper", "exiftool",
    "pdftotext", "pandoc", "hexdump", "xxd", "sops", "jq", "tig", "lazygit", "fx", "column", "nbstripout",
]);

/// Judges the settings that a git command changes, and the template of a new repository.
pub(super) fn judge(command: &Command<'_>, found: &mut Findings) {
    let with_value = [
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--config-env",
        "--exec-path",
        "--super-prefix",
        "--attr-source",
        "--shallow-file",
    ];
    let mut args = command.args().iter();
    while let Some(word) = args.next() {
        let text = word.text();
        if !text.starts_with('-') {
            return match text {
                "config" => configured(command, args.as_slice(), found),
                "init" | "clone" => created(command, args.as_slice(), found),
                _ => {}
            };
        }
        let value = match text.split_once('=') {
            Some((name, value)) if text.starts_with("--") && with_value.contains(&name) => value,
            _ if with_value.contains(&text) => args.next().map_or("", |word| word.text()),
            _ => text.strip_prefix("-c").unwrap_or_default(),
        };
        if (text.starts_with("-c") || text.starts_with("--config-env")) && is_hooks_path(key(value)) {
            return found.deny(hooks_path(command));
        }
    }
}

/// Judges `gh alias set x '!program'`.
pub(super) fn alias(command: &Command<'_>, found: &mut Findings) {
    let words: Vec<&str> = command.args().iter().map(Word::text).collect();
    let is_shell = |word: &&str| word.starts_with('!') || matches!(*word, "-s" | "--shell");
    if words.starts_with(&["alias", "set"]) && words.iter().any(is_shell) {
        found.ask(format!("{} makes a command run a program each time; is that meant?", command.quote()));
    }
}

/// Judges `git clone -c core.hooksPath=…`, `git clone --config …` and `git init --template=…`.
fn created(command: &Command<'_>, args: &[Word], found: &mut Findings) {
    if args.iter().any(|word| word.text().contains('=') && is_hooks_path(key(word.text()))) {
        found.deny(hooks_path(command));
    }
    let template = args.iter().find(|word| word.text() == "--template" || word.text().starts_with("--template="));
    // An empty template has no hooks.
    if template.is_some_and(|word| word.text() != "--template=") {
        found.ask(format!("{} copies hooks, which git runs, from a template; is that meant?", command.quote()));
    }
}

/// Judges `git config KEY VALUE` and its other forms.
fn configured(command: &Command<'_>, args: &[Word], found: &mut Findings) {
    let given = options(args, &["-f", "--file", "--blob", "--type", "-t", "--default", "--comment", "--value"]);
    let removes = given.has(&["--unset", "--unset-all", "--remove-section", "--rename-section"]);
    let reads = given.has(&["--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch"]);
    let verb = given.operands.first().map_or("", |word| word.text());
    let (is_verb, removes) = match verb {
        "set" => (true, removes),
        "unset" | "remove-section" | "rename-section" => (true, true),
        "get" | "list" | "edit" | "get-color" | "get-colorbool" => return,
        _ => (false, removes),
    };
    let mut operands = given.operands.iter().skip(usize::from(is_verb));
    let (Some(key), value) = (operands.next(), operands.next()) else {
        return;
    };
    let key = key.text().to_ascii_lowercase();
    if reads || value.is_none() && !removes {
        return;
    }
    if is_hooks_path(&key) || removes && key == "core" {
        return found.deny(hooks_path(command));
    }
    if !removes && runs(&key, value.map_or("", Word::text)) {
        found.ask(format!(
            "{} makes git run a program, or read other settings, each time; is that meant?",
            command.quote()
        ));
    }
}

/// Whether git runs a program because of a setting that only the user should choose.
pub(super) fn runs(key: &str, value: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or_default();
    let is_flag = matches!(value, "true" | "false" | "" | "1" | "0");
    if is_flag {
        return false;
    }
    RUNS.contains(&key)
        || key.starts_with("includeif.")
        || key.starts_with("hook.")
        || key == "sendemail.smtpserver" && value.starts_with('/')
        || key.starts_with("alias.") && value.starts_with('!')
        || (PROGRAMS.contains(&last) || key.starts_with("pager.")) && !is_known(value)
}

/// Whether a setting names only a known program, without a path to it and without further shell commands.
pub(crate) fn is_known(value: &str) -> bool {
    let value = value.strip_prefix('!').unwrap_or(value).trim();
    let program = value.split_whitespace().next().unwrap_or_default();
    KNOWN.contains(program.trim_matches(['"', '\'']))
        && ![";", "|", "&", "`", "$("].iter().any(|part| value.contains(part))
}

pub(super) fn hooks_path(command: &Command<'_>) -> String {
    format!("{} sets `core.hooksPath`, and git would run other hooks or none; leave it as it is", command.quote())
}

/// Returns the key in `key=value`.
fn key(text: &str) -> &str {
    text.split_once('=').map_or("", |(key, _)| key)
}

pub(super) fn is_hooks_path(key: &str) -> bool {
    key.eq_ignore_ascii_case("core.hookspath")
}
