//! The files that git is told of by name.

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
        shorts: "bBtsmCo",
        longs: &["source", "output", "output-directory", "pathspec-from-file", "message", "directory"],
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
    // What follows `--` are paths.
    let dashes = rest.iter().position(|word| word.text() == "--");
    let paths = dashes.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    match subcommand.text() {
        "checkout" => files.add_all(paths, Access::Write),
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
        "apply" | "am" => files.add_all(&operands, Access::Read),
        "add" | "stage" => files.add_all(&operands, Access::Read),
        "clean" => {
            let here = [Word::plain(".")];
            let dry = has(&["-n", "--dry-run"]);
            let places: &[Word] = if operands.is_empty() { &here } else { &operands };
            files.add_all(places, if dry { Access::List } else { Access::Delete });
        }
        "diff" if has(&["--no-index"]) => files.add_all(&operands, Access::Read),
        "diff" | "log" | "show" | "blame" | "grep" => files.add_all(paths, Access::Read),
        "clone" => files.add_all(operands.get(1), Access::Create),
        "init" => files.add_all(operands.first(), Access::Create),
        "archive" | "bundle" | "format-patch" => {}
        "worktree" => match operands.split_first() {
            Some((verb, rest)) if verb.text() == "add" => files.add_all(rest.first(), Access::Create),
            Some((verb, rest)) if verb.text() == "remove" => files.add_all(rest.first(), Access::Delete),
            _ => {}
        },
        _ => {}
    }
}
