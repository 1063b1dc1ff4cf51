//! The texts in the call of an unknown tool that may be paths, whatever their keys.
//!
//! A tool may give a path any key, take one as the key of an object, or take JSON in a string. So each text is a
//! candidate, unless it is certainly prose.

use super::{members, patch, pattern, url};
use crate::protocol::Key;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The maximum number of texts of one call that are looked at. Each takes a few system calls, and is part of the Input
/// of each hook.
pub(super) const MAX_TEXTS: usize = 1024;

/// The maximum number of patches of one call that are read.
const MAX_PATCHES: usize = 32;

/// The maximum depth to which JSON in a string in JSON is read. Each level doubles the backslashes of the one below.
const MAX_DEPTH: usize = 8;

/// The maximum length of a text that is not skipped, in bytes. A longer text cannot be a path even with many `..` in
/// it.
const MAX_BYTES: usize = 1 << 20;

/// The texts of a call that may be paths.
#[derive(Debug, Default)]
pub(super) struct Texts<'c> {
    /// The texts in order, each once, and whether a key says that the file is written.
    pub(super) found: Vec<(String, bool)>,
    /// The index of each text in `found`.
    known: HashMap<String, usize>,
    /// Whether a key above the text that is being read says that a file is written.
    is_output: bool,
    /// Texts that the call writes as they are, whatever lists or JSON are in them.
    contents: HashSet<&'c str>,
    /// Whether the contents may also be patches.
    may_apply: bool,
    /// Keys whose texts are not paths.
    no_paths: &'static [&'static str],
    /// Texts that are patches, or contain one.
    pub(super) patches: Vec<String>,
    /// Whether there are more than are looked at.
    pub(super) is_cut: bool,
}

impl<'c> Texts<'c> {
    /// Finds the texts of a JSON value: its strings and the keys of its objects. `contents` are the texts that the call
    /// writes, which are not read as JSON; with `may_apply`, they may be patches. `tool` is the tool's name.
    pub(super) fn of(json: &str, tool: &str, contents: HashSet<&'c str>, may_apply: bool) -> Self {
        let mut texts = Texts { contents, may_apply, no_paths: no_paths(tool), ..Texts::default() };
        texts.json(json, 0);
        texts
    }

    /// Adds the texts of a JSON value. Returns false if it is not JSON.
    fn json(&mut self, json: &str, depth: usize) -> bool {
        let mut json = serde_json::Deserializer::from_str(json);
        Walk { texts: self, depth, is_whole: depth == 0 }.deserialize(&mut json).is_ok() && json.end().is_ok()
    }

    /// Adds a text, and the texts that it may consist of.
    fn text(&mut self, text: &str, depth: usize) {
        // A program in C reads up to the zero byte.
        let text = text.split('\0').next().unwrap_or(text).trim();
        if text.is_empty() || self.is_cut {
            return;
        }
        let visible = members::visible(text);
        if visible.len() < text.len() {
            self.add(text);
            return self.text(visible, depth);
        }
        let is_content = self.contents.contains(text);
        if (!is_content || self.may_apply) && patch::names_files(text) {
            self.is_cut |= self.patches.len() >= MAX_PATCHES;
            self.patches.extend((self.patches.len() < MAX_PATCHES).then(|| text.to_owned()));
        }
        if is_content {
            return self.add(text);
        }
        let opening = opening(text);
        if let Some(opening) = opening {
            self.is_cut |= depth >= MAX_DEPTH;
            if depth < MAX_DEPTH && !self.json(text, depth + 1) && opening != '"' {
                // The text may be JSON with comments, single quotes and the like.
                let is_end = |c: char| c.is_whitespace() || "\"'`,;:=()[]{}<>".contains(c);
                text.split(is_end)
                    .filter(|token| token.contains(['/', '\\', '.', '~']))
                    .for_each(|token| self.add(token));
            }
        }
        self.add(text);
        let bare = text.trim_matches(['"', '\'', '`', '<', '>']);
        self.add(bare);
        if url::scheme_of_address(bare).is_some() || text.len() > MAX_BYTES {
            return;
        }
        for part in members::markup(text).into_iter().flatten() {
            self.piece(part);
        }
        if bare.lines().all(|line| !line.trim().contains(char::is_whitespace)) {
            // A comma may be a part of a pattern.
            let whole = Some(bare).filter(|bare| bare.contains(['{', '(']));
            whole.into_iter().chain(bare.split(['\n', ',', ';', '|'])).for_each(|item| self.piece(item));
        }
        // `COPY t FROM '/home/me/x'`. Strings that JSON quotes were read above.
        if opening.is_none() {
            let is_start = |part: &&str| part.starts_with(['/', '~']) || part.starts_with("file:");
            let is_absolute = |part: &&str| is_start(part) && !part.contains(char::is_whitespace);
            bare.split(['"', '\'']).skip(1).filter(is_absolute).for_each(|part| self.add(part));
        }
        // Other texts with spaces are prose.
        for part in members::options(bare).or_else(|| members::all(bare)).into_iter().flatten() {
            self.piece(part);
        }
    }

    /// Adds an item of a list, the value of `key=value`, the paths of `@path` and `-opath`, and the paths that a
    /// pattern stands for.
    fn piece(&mut self, item: &str) {
        let item = item.trim();
        self.add(item);
        let value = item.split_once('=').map_or(item, |(_, value)| value);
        self.add(value);
        self.add(members::unquoted(value).trim_start_matches('@'));
        if let Some(after) = members::behind_letter(item) {
            self.add(after);
        }
        // `/from:/to` and `path:.env`, but not `C:/x`.
        if !value.contains("://") {
            let is_path = |part: &&str| part.len() > 1 && (value.contains('/') || part.contains(['.', '~']));
            value.split(':').filter(is_path).for_each(|part| self.add(part));
        }
        if value.len() > super::path::MAX_BYTES {
            return;
        }
        // `open(".env")`
        let inside = value.split(['"', '\'', '`', '(', ')', '<', '>']);
        inside.skip(1).filter(|part| part.contains(['.', '/', '~'])).for_each(|part| self.add(part));
        if value.contains(['{', '[', '(', '\\']) && !value.contains(char::is_whitespace) {
            let Some(paths) = pattern::alternatives(value) else {
                self.is_cut = true;
                return;
            };
            paths.iter().for_each(|path| self.add(path));
        }
        if let Some(decoded) = members::decoded(value) {
            self.add(&decoded);
        }
    }

    fn add(&mut self, text: &str) {
        let is_short = text.len() <= super::path::MAX_BYTES || text.len() <= MAX_BYTES && url::climbs(text);
        if text.is_empty() || !is_short || is_number(text) {
            return;
        }
        if let Some(known) = self.known.get(text).and_then(|at| self.found.get_mut(*at)) {
            known.1 |= self.is_output;
            return;
        }
        if self.found.len() >= MAX_TEXTS {
            self.is_cut = true;
            return;
        }
        self.known.insert(text.to_owned(), self.found.len());
        self.found.push((text.to_owned(), self.is_output));
    }
}

/// Returns whether a text that becomes this absolute path is plausibly a path. Prose with a slash in it is not.
///
/// A name with a space counts if it exists, or if a new file would lie in a directory that exists. `path` no longer has
/// any `..`.
pub(super) fn is_plausible(path: &Path, text: &str) -> bool {
    let has_space = |name: Component<'_>| name.as_os_str().to_string_lossy().contains(char::is_whitespace);
    let exists = |path: &Path| path.symlink_metadata().is_ok();
    let names: Vec<Component<'_>> = path.components().collect();
    let Some(last) = names.iter().rposition(|name| has_space(*name)) else {
        return true;
    };
    let start: PathBuf = names.iter().take(last + 1).collect();
    if exists(&start) {
        return true;
    }
    // `.claude/commands/my review.md`
    let name = start.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_name = name.split_whitespace().count() <= 3
        && name.rsplit_once('.').is_some_and(|(_, end)| !end.is_empty() && end.chars().all(char::is_alphanumeric));
    let is_new = last + 1 == names.len() && text.contains(['/', '\\']) && is_name;
    is_new && start.parent().is_some_and(exists)
}

/// Returns the first character of a text that may be JSON.
fn opening(text: &str) -> Option<char> {
    let pairs = [('{', '}'), ('[', ']'), ('"', '"')];
    let pair = pairs.into_iter().find(|(first, last)| text.starts_with(*first) && text.ends_with(*last));
    pair.filter(|_| text.len() > 1).map(|(first, _)| first)
}

/// Returns whether a key says that a file is written, even by a tool that is called `get`.
fn is_output(key: &str) -> bool {
    const PARTS: [&str; 9] = ["creat", "dest", "download", "export", "log", "out", "save", "store", "writ"];
    let key = key.to_lowercase();
    PARTS.iter().any(|part| key.contains(part)) || key.starts_with("to_")
}

/// Returns a key, spelled as in [`keys`](super::keys).
fn plain(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Returns the keys of what a tool with this name looks for, or offers as answers to a question. Their texts are
/// neither paths nor commands.
pub(super) fn no_paths(tool: &str) -> &'static [&'static str] {
    const SOUGHT: &[&str] =
        &["keyword", "keywords", "needle", "pattern", "q", "query", "regex", "regexp", "search", "searchterm", "text"];
    const ANSWERS: &[&str] = &["answers", "choices", "options", "question", "questions", "suggestions"];
    let mut words = tool.to_lowercase();
    words.retain(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let has = |known: &[&str]| words.split(['_', '-']).any(|word| known.iter().any(|known| word.starts_with(known)));
    match () {
        () if has(&["ask", "choose", "confirm", "elicit", "question"]) => ANSWERS,
        // The key may hold the name of the file that the tool reads.
        () if has(&["cat", "get", "open", "print", "read", "show"]) => &[],
        () if has(&["find", "grep", "lookup", "query", "search"]) => SOUGHT,
        () => &[],
    }
}

/// Returns whether a key names what the tool must leave alone.
fn is_left_out(key: &str) -> bool {
    const WHAT: [&str; 8] = ["", "s", "d", "dirs", "files", "globs", "paths", "patterns"];
    let key = plain(key);
    let rest = ["exclude", "ignore"].iter().find_map(|verb| key.strip_prefix(verb));
    rest.is_some_and(|rest| WHAT.contains(&rest))
}

/// Returns whether a text is a number. A number names no file that matters, and tables are full of numbers.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'e' | b'E' | b','))
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// A visitor of a JSON value.
struct Walk<'w, 'c> {
    texts: &'w mut Texts<'c>,
    depth: usize,
    /// Whether this is the tool's whole input.
    is_whole: bool,
}

impl<'a> DeserializeSeed<'a> for Walk<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Walk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.texts.text(text, self.depth);
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'a>>(self, mut items: S) -> Result<(), S::Error> {
        let Walk { texts, depth, .. } = self;
        while items.next_element_seed(Walk { texts: &mut *texts, depth, is_whole: false })?.is_some() {}
        Ok(())
    }

    fn visit_map<M: MapAccess<'a>>(self, mut members: M) -> Result<(), M::Error> {
        let Walk { texts, depth, is_whole } = self;
        while let Some(key) = members.next_key_seed(Key)? {
            // The tool itself has named its arguments, so their names are not paths.
            let is_name = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            if !(is_whole && is_name) {
                texts.text(&key, depth);
            }
            if texts.is_cut || is_left_out(&key) || texts.no_paths.contains(&plain(&key).as_str()) {
                members.next_value::<IgnoredAny>()?;
            } else {
                let above = texts.is_output;
                texts.is_output |= is_output(&key);
                members.next_value_seed(Walk { texts: &mut *texts, depth, is_whole: false })?;
                texts.is_output = above;
            }
        }
        Ok(())
    }
}
