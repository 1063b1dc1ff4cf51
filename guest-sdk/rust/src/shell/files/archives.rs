//! Archives and compressed files.

use super::{Access, Files};
use crate::shell::inner::options::Spec;
use crate::shell::inner::{TAR, tar_words};
use crate::shell::word::Word;

pub(super) fn tar(arguments: &[Word], files: &mut Files) {
    let (options, operands) = TAR.all(&tar_words(arguments));
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    let creates = has(&["-c", "-r", "-u", "--create", "--append", "--update", "--delete", "-A"]);
    let extracts = has(&["-x", "--extract", "--get"]);
    for (name, value) in &options {
        let Some(value) = value else {
            continue;
        };
        match name.as_str() {
            "-f" | "--file" => files.add_local(value, if creates { Access::Write } else { Access::Read }),
            "-C" | "--directory" | "--one-top-level" => {
                files.add(value, if extracts { Access::Write } else { Access::Read });
            }
            "-T" | "--files-from" | "-X" | "--exclude-from" => files.add(value, Access::Read),
            _ => {}
        }
    }
    if extracts && has(&["-P", "--absolute-names"]) {
        files.add(&Word::plain("/"), Access::Write);
    }
    if creates {
        let access = if has(&["--remove-files"]) { Access::Delete } else { Access::Read };
        files.add_all(&operands, access);
    } else if extracts && !has(&["--to-stdout", "-O"]) {
        let directory = options.iter().rev().find(|(name, _)| matches!(name.as_str(), "-C" | "--directory"));
        let directory = directory.and_then(|(_, directory)| directory.as_ref());
        if directory.is_none() {
            files.add(&Word::plain("."), Access::Write);
        }
        members(directory, &operands, files);
    }
}

/// Adds the members of an archive that are requested by name.
fn members(directory: Option<&Word>, members: &[Word], files: &mut Files) {
    for member in members {
        match directory {
            Some(directory) => files.add(&directory.inside(member), Access::Write),
            None => files.add(member, Access::Write),
        }
    }
}

pub(super) fn zip(arguments: &[Word], files: &mut Files) {
    let spec = Spec { shorts: "bnPtixO", longs: &["exclude", "include", "output-file"], flags: &[] };
    let (options, operands) = spec.all(arguments);
    if let Some((archive, sources)) = operands.split_first() {
        files.add(archive, Access::Write);
        let moves = options.iter().any(|(name, _)| matches!(name.as_str(), "-m" | "--move"));
        files.add_all(sources, if moves { Access::Delete } else { Access::Read });
    }
}

pub(super) fn unzip(arguments: &[Word], files: &mut Files) {
    let spec = Spec { shorts: "dPx", longs: &[], flags: &[] };
    let (options, operands) = spec.all(arguments);
    files.add_all(operands.first(), Access::Read);
    let only_tells = options.iter().any(|(name, _)| matches!(name.as_str(), "-l" | "-t" | "-p" | "-v" | "-Z"));
    let directory = options.iter().find_map(|(name, value)| value.as_ref().filter(|_| name == "-d"));
    match directory {
        Some(directory) => files.add(directory, Access::Write),
        None if only_tells => {}
        None => files.add(&Word::plain("."), Access::Write),
    }
    if !only_tells {
        members(directory, operands.get(1..).unwrap_or_default(), files);
    }
}

/// Adds the files of `gzip` and the like, which replace their files.
pub(super) fn compressed(arguments: &[Word], files: &mut Files) {
    let spec = Spec {
        shorts: "SbTMoD",
        longs: &["suffix", "threads", "memlimit", "format", "check"],
        flags: &["stdout", "to-stdout", "list", "test", "keep"],
    };
    let (options, operands) = spec.all(arguments);
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    let only_reads = has(&["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"]);
    if let Some(output) = options.iter().find_map(|(name, value)| value.as_ref().filter(|_| name == "-o")) {
        files.add(output, Access::Write);
    }
    files.add_all(&operands, if only_reads { Access::Read } else { Access::Write });
}

/// Adds the files of `7z` and `rar`, whose arguments begin with a verb.
pub(super) fn seven(arguments: &[Word], files: &mut Files) {
    let (_, operands) = Spec { shorts: "", longs: &[], flags: &[] }.all(arguments);
    let Some((verb, rest)) = operands.split_first() else {
        return;
    };
    let Some((archive, others)) = rest.split_first() else {
        return;
    };
    match verb.text() {
        "a" | "u" | "d" | "m" | "rn" => {
            files.add(archive, Access::Write);
            files.add_all(others, Access::Read);
        }
        "e" | "x" => {
            files.add(archive, Access::Read);
            // `-o` names the destination.
            let to = arguments.iter().find_map(|word| word.after("-o"));
            files.add(&to.unwrap_or_else(|| Word::plain(".")), Access::Write);
        }
        _ => files.add(archive, Access::Read),
    }
}

/// Adds the files of `unrar`, whose arguments are a verb, an archive, its members, and perhaps a folder to unpack into,
/// which ends with a slash.
pub(super) fn unrar(arguments: &[Word], files: &mut Files) {
    let (_, operands) = Spec { shorts: "", longs: &[], flags: &[] }.all(arguments);
    let [verb, archive, others @ ..] = operands.as_slice() else {
        return;
    };
    files.add(archive, Access::Read);
    if matches!(verb.text(), "e" | "x") {
        let to = others.last().filter(|last| last.text().ends_with(['/', '\\']));
        let names = others.len() - usize::from(to.is_some());
        files.add(to.unwrap_or(&Word::plain(".")), Access::Write);
        members(to, others.get(..names).unwrap_or_default(), files);
    }
}

/// Adds the files of `cpio`, which copies out of an archive (`-i`), into one (`-o`) or to a folder (`-p`).
pub(super) fn cpio(arguments: &[Word], files: &mut Files) {
    let spec = Spec { shorts: "OIFERHCDM", longs: &["file", "directory", "pattern-file", "format"], flags: &[] };
    let (options, operands) = spec.all(arguments);
    let has = |names: &[&str]| options.iter().any(|(name, _)| names.contains(&name.as_str()));
    let extracts = has(&["-i", "--extract"]);
    for (name, value) in &options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "-I" | "-E" | "--pattern-file" => files.add(value, Access::Read),
            "-F" | "--file" => files.add(value, if extracts { Access::Read } else { Access::Write }),
            "-O" | "-D" | "--directory" => files.add(value, Access::Write),
            _ => {}
        }
    }
    if has(&["-p", "--pass-through"]) {
        files.add_all(operands.last(), Access::Write);
    } else if extracts && !has(&["-D", "--directory", "-t", "--list", "--to-stdout"]) {
        files.add(&Word::plain("."), Access::Write);
    }
}
