//! Directories into which programs put archives, packages and backups: `dpkg-deb -x a.deb /opt/a`.

use crate::inputs::attached;
use crate::output::after;
use crate::shell::Judge;
use hookbox_policy::{Command, Word};
use hookbox_sdk::{Access, ShellWord};

type Texts = &'static [&'static str];

/// How a program is told where to put what it unpacks. The shell reader knows the most common programs, such as `tar`.
struct Unpacker {
    names: Texts,
    /// The words by which the program unpacks. Empty if it always does.
    verbs: Texts,
    /// The options that name the directory.
    options: Texts,
    /// How many operands come before the directory, if that is an operand.
    operand: Option<usize>,
    /// The words with which the program only shows something.
    looks: Texts,
    /// Whether the program uses the working directory if no other one is named.
    is_here: bool,
}

const fn by_option(names: Texts, verbs: Texts, options: Texts) -> Unpacker {
    Unpacker { names, verbs, options, operand: None, looks: &[], is_here: false }
}

/// Creates a row whose programs use the working directory if no other one is named.
const fn here(names: Texts, verbs: Texts, options: Texts, looks: Texts) -> Unpacker {
    Unpacker { looks, is_here: true, ..by_option(names, verbs, options) }
}

/// Creates a row whose programs get the directory after this many operands. What they pack into has the same place.
const fn after_operands(names: Texts, verbs: Texts, operands: usize) -> Unpacker {
    Unpacker { operand: Some(operands), ..by_option(names, verbs, &[]) }
}

#[rustfmt::skip] // A table reads better with one row per line.
const UNPACKERS: &[Unpacker] = &[
    after_operands(&["dpkg", "dpkg-deb"], &["--build", "--control", "--extract", "--raw-extract", "--vextract", "-R", "-X", "-b", "-e", "-x"], 1),
    after_operands(&["dpkg-source"], &["--extract", "-x"], 1),
    after_operands(&["cdebootstrap", "debootstrap", "mmdebstrap", "unmkinitramfs"], &[], 1),
    after_operands(&["asar"], &["e", "extract", "p", "pack"], 1),
    after_operands(&["pkgutil"], &["--expand", "--expand-full"], 1),
    after_operands(&["duplicity", "kopia"], &["restore"], 1),
    by_option(&["atool"], &[], &["-X", "--extract-to"]),
    by_option(&["binwalk"], &[], &["-C", "--directory"]),
    by_option(&["gem"], &["unpack"], &["--target"]),
    by_option(&["helm"], &["fetch", "pull"], &["-d", "--destination", "--untardir"]),
    by_option(&["pip", "pip3"], &["download"], &["-d", "--dest"]),
    by_option(&["restic"], &["restore"], &["-t", "--target"]),
    by_option(&["zpaq"], &["extract", "x"], &["-to"]),
    here(&["aunpack"], &[], &["-X", "--extract-to"], &[]),
    here(&["borg"], &["extract"], &[], &["-n", "--dry-run", "--stdout"]),
    here(&["cabextract"], &[], &["-d", "--directory"], &["-l", "--list", "-t", "--test", "-p", "--pipe"]),
    here(&["innoextract"], &[], &["-d", "--output-dir"], &["-i", "--info", "-l", "--list", "-t", "--test"]),
    here(&["jar"], &["--extract", "-x", "-xf", "-xfv", "-xvf", "x", "xf", "xfv", "xvf"], &["--dir"], &[]),
    here(&["msiextract"], &[], &["-C", "--directory"], &["-l", "--list"]),
    here(&["ouch"], &["d", "decompress"], &["-d", "--dir"], &[]),
    here(&["unar"], &[], &["-o", "-output-directory"], &[]),
    here(&["unshield"], &["x"], &["-d"], &[]),
    here(&["unsquashfs"], &[], &["-d", "-dest"], &["-cat", "-l", "-ll", "-lln", "-lls", "-llnumeric", "-ls", "-s", "-stat"]),
    here(&["wheel"], &["unpack"], &["-d", "--dest"], &[]),
    here(&["xar"], &["-x", "-xf", "-xvf"], &["-C"], &[]),
];

/// Words after which these programs only tell something about themselves.
const HELPS: &[&str] = &["--help", "--version"];

/// Judges the directory that a command unpacks into.
pub(crate) fn judge(command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    let has = |texts: Texts| command.args().iter().any(|word| texts.contains(&word.text()));
    let rows = UNPACKERS.iter().filter(|row| row.names.contains(&command.name));
    for row in rows.filter(|row| (row.verbs.is_empty() || has(row.verbs)) && !has(row.looks) && !has(HELPS)) {
        let here = || row.is_here.then(|| ShellWord::Known(".".to_owned()));
        if let Some(directory) = directory(row, command).or_else(here) {
            judge.word(command, &directory, Access::Write, false, all);
        }
    }
}

/// Returns the directory that the options or the operands of a command name.
fn directory(row: &Unpacker, command: &Command<'_>) -> Option<ShellWord> {
    let mut operands = Vec::new();
    let mut joined = None;
    let mut has_verb = false;
    let mut words = command.facts.argv.iter().skip(1);
    while let Some(word) = words.next() {
        let read = Word::from(word);
        let text = read.text();
        if row.options.contains(&text) {
            return words.next().cloned();
        }
        // What looks like an option with its value may be another option: `-da`.
        let value = row.options.iter().find_map(|option| attached(text, option));
        joined = joined.or_else(|| value.map(|value| after(word, text.len() - value.len())));
        let is_verb = !has_verb && row.verbs.contains(&text);
        has_verb |= is_verb;
        if !is_verb && !text.starts_with('-') {
            operands.push(word);
        }
    }
    joined.or_else(|| operands.get(row.operand?).map(|word| (*word).clone()))
}
