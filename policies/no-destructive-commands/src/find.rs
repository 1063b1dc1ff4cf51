//! `find -delete`. A command that `find` runs is judged separately.

use crate::delete::deny_doing;
use crate::scene::{Scene, has_test, is_handed_on, is_on_many, selects_git};
use crate::target::Target;
use hookbox_policy::{Command, Findings, UNKNOWN, Word};

/// The tests and actions of `find` that take the next word as their value, besides `-newerXY`.
const VALUED: [&str; 40] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-inum",
    "-regex",
    "-iregex",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-perm",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-anewer",
    "-ctime",
    "-cmin",
    "-cnewer",
    "-samefile",
    "-links",
    "-lname",
    "-ilname",
    "-fstype",
    "-used",
    "-maxdepth",
    "-mindepth",
    "-printf",
    "-fls",
    "-fprint",
    "-fprint0",
    "-regextype",
    "-context",
    "-files0-from",
];

/// What a `find` deletes by itself.
#[derive(Default)]
struct Deletes {
    /// Whether it deletes anything.
    any: bool,
    /// Whether it deletes something that no test has chosen.
    all: bool,
    /// Whether something behind an `-o` gets what no test has chosen.
    hands_on_all: bool,
}

/// Whether a `find` runs a program for, or outputs, files that no test has chosen, because the tests are before an `-o`:
/// `find . -name .git -prune -o -exec rm -rf {} +`.
pub(crate) fn hands_on_all(args: &[Word]) -> bool {
    deletes(args).hands_on_all
}

/// Whether a test chooses the files for the action at this index. What comes before an `-o` says what the action does not
/// get.
fn is_chosen(args: &[Word], open: &[(usize, usize)], at: usize) -> bool {
    let ends = open.iter().skip(1).map(|(paren, _)| *paren).chain([at]);
    let mut parts = open.iter().zip(ends).filter_map(|((_, start), end)| args.get(*start..end));
    parts.any(has_test)
}

/// Reads the expression of a `find`.
fn deletes(args: &[Word]) -> Deletes {
    let mut deletes = Deletes::default();
    let (mut is_run, mut has_or) = (false, false);
    // For each open parenthesis: where it is, and where the part after its last `-o` or `,` begins.
    let mut open = vec![(0, 0)];
    let mut words = args.iter().map(Word::text).enumerate();
    while let Some((at, text)) = words.next() {
        match text {
            ";" | "+" => is_run = false,
            _ if is_run => {}
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-print" | "-print0" => {
                is_run = !text.starts_with("-print");
                deletes.hands_on_all = deletes.hands_on_all || has_or && !is_chosen(args, &open, at);
            }
            "(" => open.push((at, at + 1)),
            ")" if open.len() > 1 => drop(open.pop()),
            "-o" | "-or" | "," => {
                has_or = true;
                if let Some((_, start)) = open.last_mut() {
                    *start = at + 1;
                }
            }
            "-delete" => {
                deletes.any = true;
                deletes.all |= !is_chosen(args, &open, at);
            }
            "-fprintf" => drop(words.nth(1)),
            test if VALUED.contains(&test) || test.starts_with("-newer") => drop(words.next()),
            _ => {}
        }
    }
    deletes
}

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let args = command.args();
    let deletes = deletes(args);
    if !deletes.any {
        return;
    }
    let starts: Vec<Word> = args
        .iter()
        .skip_while(|word| {
            matches!(word.text(), "-H" | "-L" | "-P") || word.text().starts_with("-O") || word.text() == "-D"
        })
        .take_while(|word| !word.text().starts_with('-') && !matches!(word.text(), "(" | "!" | ","))
        .cloned()
        .collect();
    let starts = if starts.is_empty() { vec![Word::new(".")] } else { starts };
    let Some((target, word)) = scene.worst(command, &starts) else { return };
    let is_last_unknown = args.last().is_some_and(|word| word.text().starts_with(UNKNOWN));
    if is_last_unknown && is_handed_on(command, scene) {
        found.unknown(format!("{} would delete what another program hands on; name the directory", command.quote()));
    }
    match target {
        Target::FileSystem | Target::Home | Target::System(_) | Target::Settings(_) | Target::GitData => {
            deny_doing(command, &word, &target, "delete files all over", found);
        }
        Target::Surroundings if selects_git(command) && !args.iter().any(|word| word.text().ends_with(".lock")) => {
            deny_doing(command, &word, &Target::GitData, "delete files all over", found);
        }
        Target::Surroundings if deletes.all => deny_doing(command, &word, &target, "delete", found),
        Target::Unknown => {
            found.unknown(format!(
                "{} would delete files in `{}`, which is not known yet; write it out",
                command.quote(),
                word.raw()
            ));
        }
        // Even if tests choose the files, nobody has seen those of every machine.
        Target::Outside if is_on_many(command, scene) => {
            found.ask(format!("{} would delete files on many machines; is that meant?", command.quote()));
        }
        Target::Outside if deletes.all => {
            found.ask(format!(
                "{} would delete all of `{}` outside of the project; is that meant?",
                command.quote(),
                word.raw()
            ));
        }
        _ => {}
    }
}
