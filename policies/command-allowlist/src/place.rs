//! Determines where paths lead, both as written and with the links that hookbox has followed.

use hookbox_policy::{Command, GLOB, Word};
use hookbox_sdk::{Place, Tool, ToolPath};
use std::collections::BTreeMap;

/// The place that a word naming a file leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// To one of the places, or to something inside one.
    Inside,
    /// Elsewhere.
    Outside,
    /// The target is known only when the command runs.
    Unknown,
}

/// The paths of one tool call.
pub(crate) struct Places<'a> {
    /// The directory that the call runs in; a dot if it is not known.
    cwd: &'a str,
    /// The facts that hookbox determined about the paths, by absolute path.
    known: BTreeMap<&'a str, Vec<&'a ToolPath>>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(tool: &'a Tool) -> Self {
        let mut known: BTreeMap<&str, Vec<&ToolPath>> = BTreeMap::new();
        for path in tool.paths.iter().filter(|path| path.certain) {
            known.entry(path.path.as_str()).or_default().push(path);
        }
        Places { cwd: tool.cwd.as_deref().unwrap_or("."), known }
    }

    /// Returns the directory that a command runs in, or `None` if it is known only when the command runs.
    pub(crate) fn base(&self, command: &Command<'_>) -> Option<String> {
        match &command.facts.cwd {
            None => clean(self.cwd),
            Some(cwd) => located(self.cwd, &Word::from(cwd)),
        }
    }

    /// Returns the full path of a word in a command that runs in `base`.
    pub(crate) fn locate(word: &Word, base: Option<&str>) -> Option<String> {
        if word.text().starts_with('/') { located("/", word) } else { located(base?, word) }
    }

    /// Returns the full path of a place in the settings.
    pub(crate) fn setting(&self, place: &str) -> Option<String> {
        clean(&joined(self.cwd, place))
    }

    /// Returns where a path leads, relative to these places of the settings.
    pub(crate) fn leads(&self, word: &Word, base: Option<&str>, into: &[String]) -> Leads {
        let Some(path) = Self::locate(word, base) else {
            let climbs = word.known().is_some() && base.is_some();
            return if climbs { Leads::Outside } else { Leads::Unknown };
        };
        let is_in = |path: &str| into.iter().filter_map(|place| self.setting(place)).any(|place| holds(&place, path));
        if !is_in(&path) {
            return Leads::Outside;
        }
        // A link inside a place may lead out again. A place that is itself a link, such as `/tmp` on macOS, stays
        // valid.
        let stays = |known: &&ToolPath| match &known.real {
            Some(real) => *real == known.path || is_in(real) || self.is_root_linked(known, real, into),
            // The target of the link is not known. The facts then say that they are incomplete.
            None => true,
        };
        if self.of(&path).iter().all(stays) { Leads::Inside } else { Leads::Outside }
    }

    /// Whether the path is in the project, or the link is one of the places itself rather than something inside it.
    fn is_root_linked(&self, known: &ToolPath, real: &str, into: &[String]) -> bool {
        let is_project = known.place == Place::Project;
        is_project
            || into.iter().filter_map(|place| self.setting(place)).any(|place| {
                let rest = known.path.strip_prefix(place.as_str());
                let after = rest.and_then(|rest| real.strip_suffix(rest));
                // The target must be that of the place itself.
                after.is_some_and(|root| self.of(&place).iter().any(|known| known.real.as_deref() == Some(root)))
            })
    }

    /// Whether a path determines what is run or allowed later: a file in `.git`, or the settings of hookbox or an
    /// agent.
    pub(crate) fn is_delicate(&self, word: &Word, base: Option<&str>) -> bool {
        let Some(path) = Self::locate(word, base) else {
            return false;
        };
        let is_guarded = |known: &&ToolPath| matches!(known.place, Place::Hookbox | Place::AgentConfig);
        path.split('/').any(|name| name.eq_ignore_ascii_case(".git")) || self.of(&path).iter().any(is_guarded)
    }

    fn of(&self, path: &str) -> &[&'a ToolPath] {
        self.known.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Whether a path is this place or in it.
pub(crate) fn holds(place: &str, path: &str) -> bool {
    let rest = path.strip_prefix(place.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn joined(base: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{base}/{path}") }
}

/// Returns the full path of a word. Names that contain a glob stay marked.
fn located(base: &str, word: &Word) -> Option<String> {
    let text = word.text();
    // `.*` also matches `..`.
    let may_climb = |name: &str| name.starts_with('.') && name.contains(GLOB) && name.trim_matches(GLOB).len() < 3;
    // If the glob matches a link, `..` leads elsewhere.
    let is_way_back = |name: &str| name == "..";
    let behind_pattern = text.split('/').skip_while(|name| !name.contains(GLOB));
    if word.is_unknown() || text.split('/').any(may_climb) || behind_pattern.into_iter().any(is_way_back) {
        return None;
    }
    clean(&joined(base, text))
}

/// Returns the path without `.`, `..` and repeated slashes, or `None` if it leads out of an unknown directory.
fn clean(path: &str) -> Option<String> {
    let root = if path.starts_with('/') { "/" } else { "." };
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if names.pop().is_some() || root == "/" => {}
            ".." => return None,
            name => names.push(name),
        }
    }
    let rest = names.join("/");
    Some(match root {
        "/" => format!("/{rest}"),
        _ if rest.is_empty() => ".".to_owned(),
        _ => format!("./{rest}"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail this way")]
mod tests {
    use super::*;
    use hookbox_sdk::{Access, ToolKind};

    fn leads(path: &str, into: &[&str]) -> Leads {
        let mut tool = Tool::new(ToolKind::Shell);
        tool.cwd = Some("/home/me/shop".to_owned());
        let into: Vec<String> = into.iter().map(|place| (*place).to_owned()).collect();
        Places::new(&tool).leads(&Word::new(path), Some("/home/me/shop"), &into)
    }

    #[test]
    fn a_path_leads_where_its_letters_say() {
        for path in ["x", "./x", "a/../x", "/home/me/shop", ".", "/home/me/shop/a/b", "a//b", "../shop/x"] {
            assert_eq!(leads(path, &["."]), Leads::Inside, "{path}");
        }
        for path in ["..", "../x", "/", "/home/me/shopping", "a/../../x", "/home/me/shop/../y"] {
            assert_eq!(leads(path, &["."]), Leads::Outside, "{path}");
        }
        assert_eq!(leads("/var/log/x", &["/var/log"]), Leads::Inside);
        assert_eq!(leads("/var/logs", &["/var/log"]), Leads::Outside);
        assert_eq!(leads("/anything", &["/"]), Leads::Inside);
        assert_eq!(leads("x", &[]), Leads::Outside);
    }

    #[test]
    fn without_a_directory_no_way_leads_out_of_it() {
        let tool = Tool::new(ToolKind::Shell);
        let places = Places::new(&tool);
        let into = [".".to_owned()];
        assert_eq!(places.leads(&Word::new("a/../b"), Some("."), &into), Leads::Inside);
        assert_eq!(places.leads(&Word::new("a/../../b"), Some("."), &into), Leads::Outside);
        assert_eq!(places.leads(&Word::new("b"), None, &into), Leads::Unknown);
    }

    #[test]
    fn a_link_leads_out() {
        let mut link = ToolPath::new("/p/link/x", Access::Read, Place::Other);
        link.real = Some("/etc/x".to_owned());
        let mut tool = Tool::new(ToolKind::Shell);
        (tool.cwd, tool.paths) = (Some("/p".to_owned()), vec![link]);
        assert_eq!(Places::new(&tool).leads(&Word::new("link/x"), Some("/p"), &[".".to_owned()]), Leads::Outside);
    }
}
