//! The files that git commands name.

use super::{Access, Files};
use crate::shell::inner::options::Spec;
use crate::shell::word::Word;

const GLOBAL: Spec = Spec {
    shorts: "Cc",
    longs: &["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"],
    flags: &[
        "no-pager",
        "paginate",
        "bare",
        "version",
        "help",
        "no-replace-objects",
        "literal-pathspecs",
        "no-optional-locks",
    ],
};

pub(super) fn read(arguments: &[Word], files: &mut Files) {
    let read = GLOBAL.read(arguments);
    let Some((subcommand, rest)) = read.rest.split_first() else {
        return;
    };
    let spec = Spec {
        shorts: match subcommand.text() {
            "config" => "f",
            "grep" => "efmABC",
            "annotate" | "blame" => "LS",
            "diff" | "difftool" | "format-patch" | "log" | "show" | "whatchanged" => "GLOSno",
            _ => "bBtsmCo",
        },
        longs: &[
            "source",
            "output",
            "output-directory",
            "pathspec-from-file",
            "message",
            "directory",
            "file",
            "orphan",
            "grep",
            "author",
            "committer",
            "since",
            "until",
            "after",
            "before",
        ],
        flags: &[],
    };
    let (options, operands) = spec.all(rest);
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    for (name, value) in &options {
        match (name.as_str(), value) {
            ("--output" | "-o" | "--output-directory", Some(file)) => files.add(file, Access::Write),
            ("--pathspec-from-file", Some(file)) => files.add(file, Access::Read),
            _ => {}
        }
    }
    // The words after `--` are paths.
    let dashes = rest.iter().position(|word| word.text() == "--");
    let paths = dashes.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    match subcommand.text() {
        "checkout" => {
            files.add_all(paths, Access::Write);
            let makes_branch = has(&["-b", "-B", "--orphan", "-t", "--track", "--detach", "-d"]);
            if dashes.is_none() && !makes_branch {
                // With one side of a merge, all operands are paths. Otherwise, what follows a branch is a path.
                let only_paths = has(&["--ours", "--theirs", "-2", "-3"]);
                let skip = usize::from(!only_paths && operands.first().is_some_and(may_be_branch));
                files.add_all(operands.iter().skip(skip), Access::Write);
            }
        }
        "checkout-index" => files.add_all(&operands, Access::Write),
        "config" => {
            let file = options.iter().find(|(name, _)| matches!(name.as_str(), "-f" | "--file"));
            let reads = has(&["--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch"]);
            let verb = operands.first().map_or("", Word::text);
            let reads = reads || matches!(verb, "get" | "list") || operands.len() < 2;
            if let Some((_, Some(file))) = file {
                files.add(file, if reads { Access::Read } else { Access::Write });
            }
        }
        "submodule" if operands.first().is_some_and(|verb| verb.text() == "add") => {
            files.add_all(operands.get(2), Access::Create);
        }
        "restore" => {
            let only_staged = has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]);
            files.add_all(&operands, if only_staged { Access::List } else { Access::Write });
        }
        "rm" => {
            let keeps = has(&["--cached"]);
            files.add_all(&operands, if keeps { Access::List } else { Access::Delete });
        }
        "mv" => {
            if let Some((last, sources)) = operands.split_last() {
                files.add_all(sources, Access::Delete);
                files.add(last, Access::Write);
            }
        }
        "bundle" if operands.first().is_some_and(|verb| verb.text() == "create") => {
            files.add_all(operands.get(1), Access::Write);
        }
        "apply" | "am" => files.add_all(&operands, Access::Read),
        "add" | "stage" => files.add_all(&operands, Access::Read),
        "clean" => {
            let here = [Word::plain(".")];
            let dry = has(&["-n", "--dry-run"]);
            let places: &[Word] = if operands.is_empty() { &here } else { &operands };
            files.add_all(places, if dry { Access::List } else { Access::Delete });
        }
        "diff" if has(&["--no-index"]) => files.add_all(&operands, Access::Read),
        "blame" | "annotate" | "archive" => {
            let skip = usize::from(subcommand.text() == "archive");
            files.add_all(operands.iter().skip(skip), Access::Read);
        }
        "diff" | "difftool" | "format-patch" | "grep" | "log" | "show" | "whatchanged" => match dashes {
            Some(_) => files.add_all(paths, Access::Read),
            // A hidden file is not a revision, and the first operand of `grep` is a pattern.
            None => {
                let skip = usize::from(subcommand.text() == "grep" && !has(&["-e", "-f"]));
                let is_file = |word: &&Word| word.text().rsplit('/').next().is_some_and(|name| name.starts_with('.'));
                files.add_all(operands.iter().skip(skip).filter(is_file), Access::Read);
            }
        },
        "clone" => files.add_all(operands.get(1), Access::Create),
        "init" => {
            let here = Word::plain(".");
            files.add(operands.first().unwrap_or(&here), Access::Create);
        }
        "worktree" => match operands.split_first() {
            Some((verb, rest)) if verb.text() == "add" => files.add_all(rest.first(), Access::Create),
            Some((verb, rest)) if verb.text() == "remove" => files.add_all(rest.first(), Access::Delete),
            Some((verb, [from, to])) if verb.text() == "move" => {
                files.add(from, Access::Delete);
                files.add(to, Access::Create);
            }
            _ => {}
        },
        _ => {}
    }
}

/// Whether git allows this name for a branch. It does not allow `.env`, `src/` and `yarn.lock`.
fn may_be_branch(word: &Word) -> bool {
    let text = word.text();
    let is_path = text.starts_with(['/', '~', ':']) || text.ends_with('/');
    !is_path && !text.split('/').any(|name| name.starts_with('.') || name.ends_with(".lock"))
}
