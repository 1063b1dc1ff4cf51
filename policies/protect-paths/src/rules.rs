//! Determines what may happen to a path.

use crate::names::Names;
use crate::pattern::{Fit, fits, holds, name_fits};
use crate::settings::{Choice, Settings};
use crate::table::{DENIED, Group, OF_SETTINGS};
use crate::table_other::{ASKED, EXCEPTED, SCRATCH, TEXTS, WORK};
use hookbox_policy::{Findings, GLOB, Glob, UNKNOWN};
use hookbox_sdk::{Access, Error, Place};

/// A path that a tool call names, as one possible reading of the call.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) names: Names,
    /// The path as shown in reasons.
    pub(crate) shown: String,
    pub(crate) access: Access,
    /// The place that the path leads to, or `None` if it is not known or does not matter.
    pub(crate) place: Option<Place>,
    /// Whether the content of the file stays the same and nobody gains read access to it.
    pub(crate) keeps_content: bool,
}

/// The decision about a call because of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    Unknown(String),
    Ask(String),
    Deny(String),
}

impl Verdict {
    /// Records the verdict.
    pub(crate) fn tell(self, found: &mut Findings) {
        match self {
            Verdict::Allow => {}
            Verdict::Unknown(reason) => found.unknown(reason),
            Verdict::Ask(reason) => found.ask(reason),
            Verdict::Deny(reason) => found.deny(reason),
        }
    }

    /// Begins the reason with the command that changes the path.
    pub(crate) fn by(self, command: &str) -> Self {
        let say = |reason| format!("{command} changes a file of its own: {reason}");
        match self {
            Verdict::Allow => Verdict::Allow,
            Verdict::Unknown(reason) => Verdict::Unknown(say(reason)),
            Verdict::Ask(reason) => Verdict::Ask(say(reason)),
            Verdict::Deny(reason) => Verdict::Deny(say(reason)),
        }
    }

    /// Turns a denial into a question to the user.
    pub(crate) fn at_most_ask(self) -> Self {
        match self {
            Verdict::Deny(reason) => Verdict::Ask(reason),
            other => other,
        }
    }
}

/// The settings, prepared for judging paths.
#[derive(Debug)]
pub(crate) struct Rules {
    deny: Vec<Pattern>,
    ask: Vec<Pattern>,
    allow: Vec<Pattern>,
    scratch: Vec<Pattern>,
    defaults: bool,
    outside: Choice,
    reads: Choice,
}

impl Rules {
    /// Reads the settings.
    ///
    /// # Errors
    /// Returns an error if a pattern is empty or has a `..`.
    pub(crate) fn new(settings: &Settings) -> Result<Self, Error> {
        let read = |key: &str, patterns: &[String]| -> Result<Vec<Pattern>, Error> {
            patterns.iter().map(|text| Pattern::new(text).map_err(|error| error.context(format!("`{key}`")))).collect()
        };
        Ok(Rules {
            deny: read("deny", &settings.deny)?,
            ask: read("ask", &settings.ask)?,
            allow: read("allow", &settings.allow)?,
            scratch: read("scratch", &settings.scratch)?,
            defaults: settings.defaults,
            outside: settings.outside,
            reads: settings.reads,
        })
    }

    /// Whether reading a file may be stopped.
    pub(crate) fn guards_reads(&self) -> bool {
        self.reads != Choice::Allow
    }

    /// Returns what happens to a call that accesses a path in this way.
    pub(crate) fn judge(&self, target: &Target) -> Verdict {
        match target.access {
            access if access.changes() => self.change(target),
            Access::Read if self.reads != Choice::Allow => match self.protected(target) {
                Verdict::Deny(reason) if self.reads == Choice::Deny => Verdict::Deny(reason),
                verdict => verdict.at_most_ask(),
            },
            _ => Verdict::Allow,
        }
    }

    /// Judges a path on another machine or in a container, of which only the name is known.
    pub(crate) fn protected_elsewhere(&self, target: &Target) -> Verdict {
        match self.protected(&Target { place: None, ..target.clone() }) {
            Verdict::Deny(reason) if target.access.changes() => Verdict::Ask(reason),
            _ => Verdict::Allow,
        }
    }

    fn change(&self, target: &Target) -> Verdict {
        let verdict = self.protected(target);
        if verdict != Verdict::Allow || target.keeps_content || any(&self.allow, target) == Fit::Yes {
            return verdict;
        }
        if let Some(verdict) = self.asked(target) {
            return verdict;
        }
        let is_outside = matches!(target.place, Some(Place::Home | Place::Other));
        let is_scratch = || {
            // A home directory can be below one of these directories.
            target.place != Some(Place::Home) && SCRATCH.iter().any(|pattern| fits(&target.names, pattern) == Fit::Yes)
                || any(&self.scratch, target) == Fit::Yes
                || self.defaults && is_removed_cache(target)
                || self.defaults && (behind_work(&target.names).is_some() || is_example(&target.names))
        };
        if !is_outside || self.outside == Choice::Allow || is_scratch() {
            return Verdict::Allow;
        }
        let reason = format!(
            "`{}` is outside of the project; keep to the project, or to a directory for temporary files",
            target.shown
        );
        if self.outside == Choice::Deny { Verdict::Deny(reason) } else { Verdict::Ask(reason) }
    }

    /// Returns whether a path is protected: only the user may change it.
    pub(crate) fn protected(&self, target: &Target) -> Verdict {
        let shown = &target.shown;
        if any(&self.allow, target) == Fit::Yes {
            return Verdict::Allow;
        }
        let mut maybe = None;
        match any(&self.deny, target) {
            Fit::Yes => {
                return Verdict::Deny(format!(
                    "`{shown}` is protected by `deny` in the settings; leave it to the user"
                ));
            }
            Fit::Maybe => maybe = Some("is protected by `deny` in the settings"),
            Fit::No => {}
        }
        // The user's own `deny` takes precedence.
        if maybe.is_none() && target.access == Access::Delete && is_lock_of_git(&target.names) {
            return Verdict::Allow;
        }
        let work = behind_work(&target.names).filter(|_| self.defaults);
        let names = work.as_ref().unwrap_or(&target.names);
        let groups = if target.keeps_content { self.denied().get(..OF_SETTINGS) } else { None };
        match in_groups(groups.unwrap_or(self.denied()), names) {
            Some((Fit::Yes, group)) => return Verdict::Deny(denied(shown, group.why)),
            Some((_, group)) => maybe = maybe.or(Some(group.why)),
            None => {}
        }
        let by_place = match target.place.filter(|_| work.is_none()) {
            Some(Place::Hookbox) => self.denied().first(),
            Some(Place::AgentConfig) if self.defaults => DENIED.iter().find(|group| group.why.contains("agent may")),
            _ => None,
        };
        if let Some(group) = by_place {
            return Verdict::Deny(denied(shown, group.why));
        }
        if let Some(why) = maybe {
            return Verdict::Unknown(format!("`{shown}` may name a file that {why}; name the files one by one"));
        }
        if self.defaults && names.has_short_name() {
            return Verdict::Unknown(format!("`{shown}` has a short name of Windows; write the whole name"));
        }
        Verdict::Allow
    }

    fn asked(&self, target: &Target) -> Option<Verdict> {
        let shown = &target.shown;
        if any(&self.ask, target) != Fit::No {
            return Some(Verdict::Ask(format!("`{shown}` is changed only if you say so, by `ask` in the settings")));
        }
        if !self.defaults {
            return None;
        }
        if let Some((_, group)) = in_groups(ASKED, &target.names) {
            return Some(Verdict::Ask(format!("`{shown}` {}; is that meant?", group.why)));
        }
        // A new file has no content yet.
        let is_hidden = || target.names.all.iter().rev().take(2).any(|name| name.starts_with('.'));
        if target.access != Access::Create && is_hidden() {
            // A `.cache` in the project belongs to the project's own tools.
            let is_own = |pattern: &str| target.place == Some(Place::Project) && pattern.starts_with(".cache/");
            let holds = |pattern: &&&str| pattern.starts_with('.') && !is_own(pattern) && holds(&target.names, pattern);
            let all = DENIED.iter().chain(ASKED).flat_map(|group| group.patterns);
            if let Some(pattern) = all.into_iter().find(|pattern| holds(pattern)) {
                return Some(Verdict::Ask(format!(
                    "`{shown}` may hold the protected `{pattern}`; name the files in it"
                )));
            }
        }
        None
    }

    /// Returns the groups of files that only the user may change. hookbox protects itself whatever the settings say.
    fn denied(&self) -> &'static [Group] {
        if self.defaults { DENIED } else { DENIED.get(..1).unwrap_or_default() }
    }
}

/// Whether the call removes a tool's cache in the home directory, which only costs time.
fn is_removed_cache(target: &Target) -> bool {
    let cache = target.names.all.iter().position(|name| name == ".cache");
    let is_below = cache.is_some_and(|at| at + 1 < target.names.all.len());
    target.access == Access::Delete && target.place == Some(Place::Home) && is_below
}

/// Whether a path is a lock file that git leaves behind when it is interrupted, and that it tells people to remove:
/// `.git/index.lock`.
fn is_lock_of_git(names: &Names) -> bool {
    let is_git = names.all.iter().rev().nth(1).is_some_and(|name| name == ".git");
    is_git && names.all.last().is_some_and(|name| name == "index.lock" || name == "HEAD.lock" || name == "shallow.lock")
}

fn denied(shown: &str, why: &str) -> String {
    format!("`{shown}` {why}; ask the user to change it, or to list it under `allow`")
}

/// Returns the first group that a path is certainly in, or else the first group that it may be in.
fn in_groups<'g>(groups: &'g [Group], names: &Names) -> Option<(Fit, &'g Group)> {
    // An example of a protected file is protected only by its location.
    let parent;
    let is_text = || TEXTS.iter().any(|pattern| name_fits(names.last(), pattern) == Fit::Yes);
    let names = if is_example(names) || is_text() {
        let above = names.all.split_last().map(|(_, above)| above.to_vec()).unwrap_or_default();
        parent = Names { all: above, is_absolute: names.is_absolute };
        &parent
    } else {
        names
    };
    let mut best = None;
    for group in groups {
        for pattern in group.patterns {
            match fits(names, pattern) {
                Fit::Yes => return Some((Fit::Yes, group)),
                Fit::Maybe => best = best.or(Some((Fit::Maybe, group))),
                Fit::No => {}
            }
        }
    }
    best
}

fn is_example(names: &Names) -> bool {
    EXCEPTED.iter().any(|pattern| name_fits(names.last(), pattern) == Fit::Yes)
}

/// Returns the rest of a path after a directory that an agent keeps for its own work, if the path is in one.
fn behind_work(names: &Names) -> Option<Names> {
    if !names.all.iter().any(|name| name.starts_with('.')) {
        return None;
    }
    let is_work = |end: &usize| {
        WORK.iter().any(|pattern| {
            let start = end.checked_sub(pattern.split('/').count());
            let above = start.and_then(|start| names.all.get(start..*end)).unwrap_or_default();
            !above.is_empty()
                && above.iter().zip(pattern.split('/')).all(|(name, wanted)| name_fits(name, wanted) == Fit::Yes)
        })
    };
    let end = (1..=names.all.len()).rev().find(is_work)?;
    // The directory itself may be written into, but must not be removed or replaced.
    let all = names.all.get(end..)?.to_vec();
    (!all.is_empty()).then_some(Names { all, is_absolute: false })
}

/// Patterns for home directories.
const HOMES: &[&str] = &["/home/*/", "/users/*/", "/root/"];

/// A pattern from the settings.
#[derive(Debug)]
enum Pattern {
    /// A pattern with `**` or `?`, in each of its forms.
    Globs(Vec<Glob>),
    /// A pattern of names, folded.
    Names(String),
    /// A pattern of names below any user's home directory, folded.
    Home(String),
}

impl Pattern {
    fn new(text: &str) -> Result<Self, Error> {
        let text = text.trim_end_matches('/').trim_start_matches("./");
        if text.is_empty() || text == "~" || text.split(['/', '\\']).any(|name| name == "..") {
            return Err(Error::new(format!(
                "`{text}` is no pattern; write one such as `prices.csv`, `db/migrations` or `~/notes`"
            )));
        }
        let (is_home, rest) = text.strip_prefix("~/").map_or((false, text), |rest| (true, rest));
        if text.contains('?') || text.contains("**") {
            let globs = match is_home {
                true => HOMES.iter().map(|home| Glob::new(&format!("{home}{rest}"), None)).collect(),
                false => vec![Glob::new(text, None)],
            };
            return Ok(Pattern::Globs(globs));
        }
        let names = Names::new(rest);
        let start = if names.is_absolute { "/" } else { "" };
        let names = format!("{start}{}", names.all.join("/"));
        Ok(if is_home { Pattern::Home(names) } else { Pattern::Names(names) })
    }

    fn fits(&self, target: &Target) -> Fit {
        let names = &target.names;
        match self {
            Pattern::Names(names) => fits(&target.names, names),
            Pattern::Home(rest) if target.place == Some(Place::Home) => fits(names, rest),
            Pattern::Home(rest) => {
                HOMES.iter().map(|home| fits(names, &format!("{home}{rest}"))).max().unwrap_or(Fit::No)
            }
            Pattern::Globs(globs) => {
                let path = format!("/{}", names.all.join("/"));
                let is_whole = !path.contains([GLOB, UNKNOWN]);
                if is_whole && globs.iter().any(|glob| glob.matches(&path, true)) { Fit::Yes } else { Fit::No }
            }
        }
    }
}

fn any(patterns: &[Pattern], target: &Target) -> Fit {
    patterns.iter().map(|pattern| pattern.fits(target)).max().unwrap_or(Fit::No)
}
