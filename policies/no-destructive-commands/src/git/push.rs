//! Pushes that overwrite or delete branches: denied on a protected branch, made safer on any other.

use super::{Git, moved};
use hookbox_policy::{Command, Findings, GLOB, Glob, UNKNOWN, Word};

const LEASE: &str = "--force-with-lease";

/// The options of `git push` whose value is the next word.
const VALUES: [&str; 6] = ["--push-option", "--repo", "--receive-pack", "--exec", "-o", "--recurse-submodules"];

/// A replacement for a word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewrite {
    /// The command as written.
    pub(crate) command: String,
    /// The word, which occurs once in the command.
    pub(crate) word: String,
    /// The replacement.
    pub(crate) with: String,
    pub(crate) reason: String,
}

/// A parsed `git push`.
#[derive(Default)]
struct Push<'a> {
    force: Vec<&'a Word>,
    lease: bool,
    delete: bool,
    mirror: bool,
    all: bool,
    prune: bool,
    dry_run: bool,
    refspecs: Vec<&'a Word>,
}

/// The branch that a refspec writes to.
pub(super) enum Branch {
    Protected(String),
    /// The current branch, or the value of a variable.
    Unknown,
    Other,
}

impl<'a> Push<'a> {
    fn read(args: &'a [Word]) -> Self {
        let mut push = Push::default();
        let mut operands = Vec::new();
        let mut words = args.iter();
        while let Some(word) = words.next() {
            match word.text() {
                "--" => operands.extend(words.by_ref()),
                text if VALUES.contains(&text) => drop(words.next()),
                text if text.starts_with("--") => push.long(word, text),
                text if text.len() > 1 && text.starts_with('-') => push.cluster(word),
                _ => operands.push(word),
            }
        }
        // The first operand is the remote.
        push.refspecs = operands.into_iter().skip(1).collect();
        push
    }

    fn long(&mut self, word: &'a Word, text: &str) {
        let is = |name: &str, least: usize| text.len() >= least && name.starts_with(text);
        match text {
            "--force" | "--forc" => self.force.push(word),
            text if text.starts_with("--force-") => self.lease = true,
            _ if is("--delete", 4) => self.delete = true,
            _ if is("--dry-run", 4) => self.dry_run = true,
            _ if is("--no-dry-run", 6) => self.dry_run = false,
            _ if is("--mirror", 3) => self.mirror = true,
            _ if is("--prune", 4) => self.prune = true,
            _ if is("--all", 4) || is("--branches", 3) => self.all = true,
            _ => {}
        }
    }

    fn cluster(&mut self, word: &'a Word) {
        // In a cluster, what follows `o` is its value.
        let letters = word.text().split('o').next().unwrap_or_default();
        if letters.contains('f') {
            self.force.push(word);
        }
        self.delete |= letters.contains('d');
        self.dry_run |= letters.contains('n');
    }
}

/// Whether a name is the name of a release: `v1.2.0`, `refs/tags/…`.
fn is_release(name: &str) -> bool {
    let number = name.strip_prefix('v').unwrap_or(name);
    name.starts_with("refs/tags/") || (number.starts_with(|c: char| c.is_ascii_digit()) && number.contains('.'))
}

pub(super) fn judge(
    command: &Command<'_>,
    git: &Git<'_>,
    branches: &[String],
    found: &mut Findings,
) -> Option<Rewrite> {
    let mut push = Push::read(git.args);
    let (refspecs, mirrors) = moved::by_settings(git);
    push.refspecs.extend(&refspecs);
    push.mirror |= mirrors;
    if push.dry_run {
        return None;
    }
    let quote = command.quote();
    let one_by_one = "push the branches that you mean by name";
    let plus = push.refspecs.iter().any(|word| word.text().starts_with('+'));
    let forces = !push.force.is_empty() || push.lease;
    if push.mirror {
        found.deny(format!("{quote} would make every branch of the remote like the local one; {one_by_one}"));
    } else if push.prune {
        found.deny(format!("{quote} would delete the branches of the remote that are not here; {one_by_one}"));
    } else if push.all && (plus || forces) {
        found.deny(format!("{quote} would overwrite every branch, the protected ones too; {one_by_one}"));
    }
    for word in &push.refspecs {
        let text = word.text();
        let plain = text.strip_prefix('+').unwrap_or(text);
        let (source, name) = plain.split_once(':').unwrap_or((plain, plain));
        let deletes = push.delete || (source.is_empty() && !name.is_empty());
        let overwrites = forces || plain.len() < text.len();
        match branch(name, branches) {
            Branch::Protected(branch) if deletes => {
                found.deny(format!("{quote} would delete the protected branch {branch}; leave it in place"));
            }
            Branch::Protected(branch) if overwrites => found.deny(format!(
                "{quote} would overwrite the protected branch {branch}; push without force, or to a branch of your own"
            )),
            Branch::Other if deletes && is_release(name) => {
                found.ask(format!("{quote} would delete the tag {name}, which others may rely on; is that meant?"));
            }
            Branch::Unknown if deletes || !push.force.is_empty() || plain.len() < text.len() => {
                found.unknown(format!("{quote} does not say which branch it overwrites; name the branch"));
            }
            _ => {}
        }
    }
    if push.force.is_empty() && !plus {
        return None;
    }
    if push.refspecs.is_empty() {
        found.unknown(format!("{quote} does not say which branch it overwrites; name the branch"));
    }
    let harm = format!("{quote} would overwrite commits of others without notice");
    let rewrite = match push.force.as_slice() {
        [word] if !plus => without_force(word).map(|with| Rewrite {
            command: command.facts.text.clone(),
            word: word.raw().to_owned(),
            with,
            reason: format!("{harm}, so that it was changed to `{LEASE}`"),
        }),
        _ => None,
    };
    if rewrite.is_none() {
        found.deny(format!("{harm}; run `git push {LEASE}` as a command of its own"));
    }
    rewrite
}

/// Returns the replacement for `--force` or `-f`, which keeps the other options of a cluster.
fn without_force(word: &Word) -> Option<String> {
    let text = word.known()?;
    if word.raw() != text {
        return None;
    }
    if text.starts_with("--") {
        return Some(LEASE.to_owned());
    }
    let others = text.replace('f', "");
    match others.as_str() {
        "-" => Some(LEASE.to_owned()),
        _ if others.contains('o') => None,
        others => Some(format!("{LEASE} {others}")),
    }
}

/// Returns the branch that a name on the remote means.
pub(super) fn branch(name: &str, branches: &[String]) -> Branch {
    let name = name.strip_prefix("refs/").unwrap_or(name);
    let name = name.strip_prefix("heads/").unwrap_or(name);
    if matches!(name, "" | "HEAD" | "@") {
        return Branch::Unknown;
    }
    match branches.iter().find(|branch| could_be(name, branch)) {
        Some(_) if name.contains(UNKNOWN) => Branch::Unknown,
        Some(branch) => Branch::Protected(branch.clone()),
        None if name.contains(UNKNOWN) => Branch::Other,
        None => Branch::Other,
    }
}

/// Whether `name` can mean `branch`. A wildcard or an unknown part matches any text.
fn could_be(name: &str, branch: &str) -> bool {
    const OPEN: [char; 3] = [UNKNOWN, GLOB, '*'];
    if !name.contains(OPEN) {
        return Glob::new(&format!("/{branch}"), None).matches(&format!("/{name}"), false);
    }
    let (start, end) = (name.split(OPEN).next().unwrap_or_default(), name.rsplit(OPEN).next().unwrap_or_default());
    if !branch.contains('*') {
        return branch.len() >= start.len() + end.len() && branch.starts_with(start) && branch.ends_with(end);
    }
    // Both have an unknown middle part, so only their known beginnings and ends must agree.
    let (first, last) = (branch.split('*').next().unwrap_or_default(), branch.rsplit('*').next().unwrap_or_default());
    (start.starts_with(first) || first.starts_with(start)) && (end.ends_with(last) || last.ends_with(end))
}
