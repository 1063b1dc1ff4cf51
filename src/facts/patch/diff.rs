//! Diffs: unified diffs, those of git, and context diffs.
//!
//! `guest-sdk/rust/src/shell/files/diff.rs` is the same reader for the patches in shell texts.

use crate::protocol::Access;
use std::borrow::Cow;

/// The maximum length of a git header that is split into its two names, in bytes.
const MAX_HEADER: usize = 10_000;

/// The maximum number of links in a diff that are followed. Each is compared with all files of the diff.
const MAX_LINKS: usize = 64;

/// What a diff changes.
#[derive(Default)]
pub(super) struct Diff<'a> {
    /// The files as the diff names them, with the prefixes `a/` and `b/`.
    pub(super) files: Vec<(Cow<'a, str>, Access)>,
    /// What could not be read.
    pub(super) unknown: Option<&'static str>,
}

/// A name in a diff.
enum Name<'a> {
    /// `/dev/null`: the file does not exist.
    Nothing,
    File(Cow<'a, str>),
    Unread,
}

/// Returns whether a text has the headers of a diff.
pub(super) fn is_one(text: &str) -> bool {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        let starts = ["+++ ", "diff --git ", "Index: ", "GIT binary patch"];
        let is_pair = |line: &str, next: &str| line.starts_with("--- ") && next.trim_start().starts_with("+++ ");
        if starts.iter().any(|start| line.starts_with(start))
            || is_context(line, next)
            || is_pair(line.trim_start(), next)
        {
            return true;
        }
    }
    false
}

/// The maximum number of files of a diff. Each file is compared with all others.
const MAX_FILES: usize = 1024;

/// Reads a diff. Any line that some program may treat as a header counts as one, wherever it is.
pub(super) fn read(text: &str) -> Diff<'_> {
    let mut reader = Reader::default();
    let indentation = indentation(text);
    let lines = text.lines().map(|line| line.strip_prefix(indentation).unwrap_or(line));
    let (mut before, mut lines) = ("", lines.peekable());
    while let Some(line) = lines.next() {
        reader.line(before, line, lines.peek().copied().unwrap_or_default());
        before = line;
    }
    reader.end();
    reader.through_links();
    reader.diff
}

/// Returns the blanks before the first git header, if the whole diff is indented: `patch` reads an indented diff, too.
fn indentation(text: &str) -> &str {
    let mut headers = text.lines().filter_map(|line| Some((line, line.find("diff --git ")?)));
    let first = headers.next().and_then(|(line, at)| line.get(..at));
    first.filter(|blanks| blanks.chars().all(char::is_whitespace)).unwrap_or_default()
}

#[derive(Default)]
struct Reader<'a> {
    diff: Diff<'a>,
    /// The text after `diff --git`.
    header: Option<&'a str>,
    /// The access to the file, according to git's header.
    access: Option<Access>,
    /// The number of files that were named before that header.
    start: usize,
    /// Whether the file is a symbolic link, so that its lines say where it leads.
    is_link: bool,
    targets: Vec<&'a str>,
    /// The links, and where they lead.
    links: Vec<(String, String)>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, before: &'a str, line: &'a str, next: &'a str) {
        if let Some(header) = line.strip_prefix("diff --git ") {
            self.end();
            (self.header, self.access, self.start) = (Some(header), None, self.diff.files.len());
        } else if let Some(mode) = line.strip_prefix("new file mode ") {
            (self.access, self.is_link) = (Some(Access::Create), self.is_link || is_link(mode));
        } else if let Some(mode) = line.strip_prefix("new mode ") {
            self.is_link |= is_link(mode);
        } else if let Some(ids) = line.strip_prefix("index ") {
            // The line has the mode of a file that is not new.
            self.is_link |= ids.trim().rsplit_once(' ').is_some_and(|(_, mode)| is_link(mode));
        } else if line.starts_with("deleted file mode ") {
            self.access = Some(Access::Delete);
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            self.diff.unknown = Some("the content of a binary patch");
        } else if let Some(path) = after(line, &["rename from ", "rename old "]) {
            self.add(name(path), Access::Delete);
        } else if let Some(path) = after(line, &["rename to ", "rename new ", "copy to ", "Index: "]) {
            self.add(name(path), Access::Write);
        } else if let Some(path) = line.strip_prefix("copy from ") {
            self.add(name(path), Access::Read);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let old = before.trim_start().strip_prefix("--- ").map_or(Name::Nothing, name);
            self.pair(old, name(path));
        } else if let Some(target) = line.strip_prefix('+').filter(|_| self.is_link) {
            self.targets.push(target);
        } else if is_context(line, next) {
            let [old, new] = [line, next].map(|line| name(line.get(4..).unwrap_or_default()));
            self.add(old, Access::Write);
            self.add(new, Access::Write);
        } else if let Some(path) = line.trim_start().strip_prefix("+++ ")
            && let Some(old) = before.trim_start().strip_prefix("--- ")
        {
            // `patch` also reads a diff that is indented as a whole.
            self.pair(name(old), name(path));
        }
    }

    fn pair(&mut self, old: Name<'a>, new: Name<'a>) {
        match (old, new) {
            (Name::Nothing, Name::Nothing) => self.diff.unknown = Some("which file the patch changes"),
            (Name::Nothing, new) => self.add(new, Access::Create),
            (old, Name::Nothing) => self.add(old, Access::Delete),
            (Name::File(old), Name::File(new)) if below(&old) == below(&new) => {
                self.add(Name::File(new), Access::Write)
            }
            (old, new) => {
                self.add(old, Access::Delete);
                self.add(new, Access::Write);
            }
        }
    }

    fn add(&mut self, name: Name<'a>, access: Access) {
        let file = match name {
            Name::Nothing => return,
            Name::Unread => return self.diff.unknown = Some("a name in the patch"),
            Name::File(file) => file,
        };
        // Some programs end a name at a blank, where a date may follow.
        if let Some((first, _)) = file.split_once(' ').filter(|(first, _)| !first.is_empty()) {
            self.push(Cow::Owned(first.to_owned()), access);
        }
        self.push(file, access);
    }

    fn push(&mut self, file: Cow<'a, str>, access: Access) {
        let file = (file, access);
        if self.diff.files.contains(&file) {
            return;
        }
        if self.diff.files.len() >= MAX_FILES {
            return self.diff.unknown = Some("more files in the patch than are read");
        }
        self.diff.files.push(file);
    }

    /// Ends the part of a file. If no other line names the file, git's header does.
    fn end(&mut self) {
        let Some(header) = self.header.take() else { return };
        let named = self.diff.files.get(self.start..).unwrap_or_default();
        let is_named = |file: &str| named.iter().any(|(known, _)| *known == below(file) || below(known) == below(file));
        match header_names(header) {
            Some(names) => {
                let access = self.access.unwrap_or(Access::Write);
                let others: Vec<_> = names.into_iter().filter(|file| !is_named(file)).collect();
                others.into_iter().for_each(|file| self.push(file, access));
            }
            None if named.is_empty() => self.diff.unknown = Some("which file the patch changes"),
            None => {}
        }
        if std::mem::take(&mut self.is_link) {
            self.link();
        }
    }

    /// Adds the target of a link: what is written through the link is written there.
    fn link(&mut self) {
        let targets = std::mem::take(&mut self.targets);
        let named = self.diff.files.get(self.start..).unwrap_or_default();
        let links = named.iter().filter(|(_, access)| *access != Access::Delete).map(|(link, _)| link.to_string());
        let links: Vec<String> = links.collect();
        if targets.is_empty() || links.len().saturating_mul(targets.len()) > MAX_LINKS - self.links.len().min(MAX_LINKS)
        {
            return self.diff.unknown = Some("where a link in the patch leads");
        }
        for link in links {
            for target in &targets {
                let target = match link.rsplit_once('/').filter(|_| !target.starts_with('/')) {
                    Some((above, _)) => format!("{above}/{target}"),
                    None => (*target).to_owned(),
                };
                self.push(Cow::Owned(target.clone()), Access::Write);
                self.links.push((link.clone(), target));
            }
        }
    }

    /// Adds the real paths of the files below a link.
    fn through_links(&mut self) {
        for (link, target) in std::mem::take(&mut self.links) {
            let is_it = |above: &str| above == link || below(above) == below(&link);
            let files = self.diff.files.iter().filter_map(|(file, access)| {
                let mut ends = file.match_indices('/').map(|(at, _)| at);
                let end = ends.find(|at| file.get(..*at).is_some_and(is_it))?;
                Some((format!("{target}{}", file.get(end..)?), *access))
            });
            let files: Vec<_> = files.collect();
            files.into_iter().for_each(|(file, access)| self.push(Cow::Owned(file), access));
        }
    }
}

/// Returns whether a mode in git's format, an octal number, is that of a symbolic link.
fn is_link(mode: &str) -> bool {
    u32::from_str_radix(mode.trim(), 8).is_ok_and(|mode| mode & 0o170_000 == 0o120_000)
}

/// Returns whether a context diff begins with these lines.
fn is_context(line: &str, next: &str) -> bool {
    line.starts_with("*** ") && !line.ends_with("****") && next.starts_with("--- ") && !next.ends_with("----")
}

fn after<'a>(line: &'a str, starts: &[&str]) -> Option<&'a str> {
    starts.iter().find_map(|start| line.strip_prefix(start))
}

/// Returns a path without its first directory.
fn below(path: &str) -> &str {
    path.split_once('/').map_or(path, |(_, rest)| rest)
}

/// Returns the name that a header begins with.
fn name(text: &str) -> Name<'_> {
    let text = text.trim();
    let file = if text.starts_with('"') {
        match unquoted(text) {
            Some((file, _)) => Cow::Owned(file),
            None => return Name::Unread,
        }
    } else {
        Cow::Borrowed(text.split('\t').next().unwrap_or_default().trim_end())
    };
    match file.as_ref() {
        "" => Name::Unread,
        "/dev/null" | "dev/null" => Name::Nothing,
        _ => Name::File(file),
    }
}

/// Returns the two names of git's header; `None` if it is not certain where the second name begins.
fn header_names(header: &str) -> Option<Vec<Cow<'_, str>>> {
    let header = header.trim();
    if header.len() > MAX_HEADER {
        return None;
    }
    if header.starts_with('"') {
        let (first, rest) = unquoted(header)?;
        let rest = rest.trim_start();
        let second = if rest.starts_with('"') { Cow::Owned(unquoted(rest)?.0) } else { Cow::Borrowed(rest) };
        return Some(vec![Cow::Owned(first), second]);
    }
    if let Some((first, second)) = header.split_once(" \"") {
        let (second, _) = unquoted(header.get(header.len() - second.len() - 1..)?)?;
        return Some(vec![Cow::Borrowed(first), Cow::Owned(second)]);
    }
    let mut splits = header.match_indices(' ').filter_map(|(at, _)| Some((header.get(..at)?, header.get(at + 1..)?)));
    let same = splits.clone().find(|(first, second)| below(first) == below(second));
    let only = splits.next().filter(|_| splits.next().is_none());
    let (first, second) = same.or(only)?;
    Some(vec![Cow::Borrowed(first), Cow::Borrowed(second)])
}

/// Returns a name in quotes, as C writes it, and the text after it; `None` if the name is not well-formed.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text.strip_prefix('"')?.bytes().enumerate().peekable();
    while let Some((at, byte)) = rest.next() {
        let escaped = match byte {
            b'"' => return Some((String::from_utf8(bytes).ok()?, text.get(at + 2..)?)),
            b'\\' => rest.next()?.1,
            byte => {
                bytes.push(byte);
                continue;
            }
        };
        bytes.push(match escaped {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'"' | b'\\' => escaped,
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    let Some((_, digit)) = rest.next_if(|(_, digit)| matches!(digit, b'0'..=b'7')) else { break };
                    value = value * 8 + u32::from(digit - b'0');
                }
                u8::try_from(value).ok()?
            }
            _ => return None,
        });
    }
    None
}
