//! Determines where a path leads that the facts do not classify, because a part of it is known only when the command
//! runs.

use hookbox_policy::{Command, UNKNOWN, Word};
use hookbox_sdk::{Place, ShellPart, ShellWord};

/// The possible content of an unknown part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// A path that leads to this place.
    Path(&'static str, Option<Place>),
    /// Part of a name, without slashes.
    Name,
    /// Names of files in the project.
    Files,
}

/// The known parts of a word that names a file.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// The path, with [`UNKNOWN`] for unknown parts.
    pub(crate) path: String,
    /// The place that the path leads to, if its beginning shows that.
    pub(crate) place: Option<Place>,
    /// Whether nothing shows where the path leads.
    pub(crate) is_anywhere: bool,
}

/// Variables that name a directory by convention.
const VARIABLES: &[(&str, Known)] = &[
    ("APPDATA", Known::Path("~/AppData/Roaming", Some(Place::Home))),
    ("CLAUDE_CONFIG_DIR", Known::Path("~/.claude", Some(Place::AgentConfig))),
    ("CLAUDE_PROJECT_DIR", Known::Path("", Some(Place::Project))),
    ("CODEX_HOME", Known::Path("~/.codex", Some(Place::AgentConfig))),
    ("GITHUB_OUTPUT", Known::Path("/tmp/output", Some(Place::Temp))),
    ("GITHUB_STEP_SUMMARY", Known::Path("/tmp/summary", Some(Place::Temp))),
    ("GITHUB_WORKSPACE", Known::Path("", Some(Place::Project))),
    ("GIT_DIR", Known::Path(".git", None)),
    ("GNUPGHOME", Known::Path("~/.gnupg", Some(Place::Home))),
    ("HOME", Known::Path("~", Some(Place::Home))),
    ("KUBECONFIG", Known::Path("~/.kube/config", Some(Place::Home))),
    ("PWD", Known::Path("", Some(Place::Project))),
    ("RANDOM", Known::Name),
    ("SECONDS", Known::Name),
    ("EPOCHSECONDS", Known::Name),
    ("UID", Known::Name),
    ("USER", Known::Name),
    ("LOGNAME", Known::Name),
    ("HOSTNAME", Known::Name),
    ("PPID", Known::Name),
    ("RUNNER_TEMP", Known::Path("/tmp", Some(Place::Temp))),
    ("TMPDIR", Known::Path("/tmp", Some(Place::Temp))),
    ("TEMP", Known::Path("/tmp", Some(Place::Temp))),
    ("TMP", Known::Path("/tmp", Some(Place::Temp))),
    ("USERPROFILE", Known::Path("~", Some(Place::Home))),
    ("XDG_CACHE_HOME", Known::Path("~/.cache", Some(Place::Home))),
    ("XDG_CONFIG_HOME", Known::Path("~/.config", Some(Place::Home))),
    ("XDG_DATA_HOME", Known::Path("~/.local/share", Some(Place::Home))),
    ("XDG_STATE_HOME", Known::Path("~/.local/state", Some(Place::Home))),
    ("ZDOTDIR", Known::Path("~", Some(Place::Home))),
];

/// The kind of output of commands that begin with these texts.
const OUTPUTS: &[(&str, Known)] = &[
    ("basename", Known::Name),
    ("command -v hookbox", Known::Path("/usr/bin/hookbox", None)),
    ("type -p hookbox", Known::Path("/usr/bin/hookbox", None)),
    ("which hookbox", Known::Path("/usr/bin/hookbox", None)),
    ("date", Known::Name),
    ("dirname \"$0\"", Known::Path("", Some(Place::Project))),
    ("dirname $0", Known::Path("", Some(Place::Project))),
    ("dirname -- \"$0\"", Known::Path("", Some(Place::Project))),
    ("dirname \"${BASH_SOURCE", Known::Path("", Some(Place::Project))),
    ("dirname -- \"${BASH_SOURCE", Known::Path("", Some(Place::Project))),
    ("git rev-parse --show-toplevel", Known::Path("", Some(Place::Project))),
    ("git rev-parse --git-dir", Known::Path(".git", None)),
    ("git rev-parse --git-common-dir", Known::Path(".git", None)),
    ("git rev-parse --absolute-git-dir", Known::Path(".git", None)),
    ("git rev-parse --git-path", Known::Path(".git", None)),
    ("git rev-parse", Known::Name),
    ("git describe", Known::Name),
    ("git log", Known::Name),
    ("git ls-files", Known::Files),
    ("git diff --name-only", Known::Files),
    ("git grep -l", Known::Files),
    ("hostname", Known::Name),
    ("id -", Known::Name),
    ("mktemp", Known::Path("/tmp", Some(Place::Temp))),
    ("nproc", Known::Name),
    ("pwd", Known::Path("", Some(Place::Project))),
    ("seq", Known::Name),
    ("uname", Known::Name),
    ("uuidgen", Known::Name),
    ("whoami", Known::Name),
    ("fd", Known::Files),
    ("find", Known::Files),
    ("grep -", Known::Files),
    ("ls", Known::Files),
    ("rg", Known::Files),
];

/// Reads a word that names a file, with the variables that earlier commands set.
pub(crate) fn told_among(word: &ShellWord, all: &[Command<'_>]) -> Told {
    let told = told(word);
    let ShellWord::Partly { parts, .. } = word else {
        return told;
    };
    let Some((ShellPart::Unknown { unknown }, rest)) = parts.split_first() else {
        return told;
    };
    // `${f%.ts}` is `$f` without its ending, and therefore in the same place.
    let inside = unknown.trim_matches('"').strip_prefix("${").and_then(|inside| inside.strip_suffix('}'));
    let Some((name, what)) = inside.and_then(|inside| inside.split_at_checked(inside.find(['%', '/', ',', '^', '#'])?))
    else {
        return told;
    };
    if what.starts_with("##*/") {
        let mut told = Told { is_anywhere: false, ..told };
        told.place = told.place.or(Some(Place::Project));
        return told;
    }
    let mut values = all.iter().flat_map(|command| &command.facts.assignments).filter(|set| set.name == name);
    let (Some(value), None) = (values.next(), values.next()) else {
        return told;
    };
    let value = self::told(&value.value);
    if what.starts_with('#') || value.is_anywhere {
        return told;
    }
    let above = value.path.rfind('/').and_then(|slash| value.path.get(..=slash)).unwrap_or_default();
    let after = ShellWord::Partly { raw: String::new(), parts: rest.to_vec() };
    let after = if rest.is_empty() { String::new() } else { Word::from(&after).text().to_owned() };
    Told { path: format!("{above}{UNKNOWN}{after}"), place: value.place, is_anywhere: false }
}

/// Reads a word that names a file.
pub(crate) fn told(word: &ShellWord) -> Told {
    let ShellWord::Partly { parts, .. } = word else {
        return Told { path: Word::from(word).text().to_owned(), place: None, is_anywhere: false };
    };
    let mut told = Told { path: String::new(), place: None, is_anywhere: parts.is_empty() };
    for part in parts {
        let is_first = told.path.is_empty() && told.place.is_none();
        match part {
            ShellPart::Unknown { unknown } => match known(unknown) {
                Some(Known::Path(path, place)) if is_first => {
                    told.path.push_str(path);
                    told.place = place;
                }
                Some(Known::Files) if is_first => {
                    told.path.push(UNKNOWN);
                    told.place = Some(Place::Project);
                }
                Some(Known::Name) => told.path.push(UNKNOWN),
                // This is the random suffix of a `mktemp` name: letters and digits, with which no protected name ends
                // by chance.
                Some(Known::Path("/tmp", _)) if !is_first && unknown.starts_with("$(mktemp") => {
                    told.path.push_str("XXXXXXXXXX");
                }
                _ => {
                    // After a known directory, the unknown part is assumed to consist of names in that directory.
                    told.is_anywhere |= is_first;
                    told.path.push(UNKNOWN);
                }
            },
            ShellPart::Known(text) => told.path.push_str(text),
            ShellPart::Glob { .. } => {
                told.path
                    .push_str(Word::from(&ShellWord::Partly { raw: String::new(), parts: vec![part.clone()] }).text());
            }
        }
    }
    if told.place == Some(Place::Project) {
        // The rest of the path begins in the project.
        told.path = told.path.trim_start_matches('/').to_owned();
    }
    told
}

/// Returns the meaning of an unknown part: `$TMPDIR`, `${TMPDIR:-/tmp}`, `$(mktemp -d)`, `~`.
fn known(written: &str) -> Option<Known> {
    let written = written.trim_matches('"');
    if let Some(user) = written.strip_prefix('~') {
        let place = if user.is_empty() || user.starts_with('/') { Place::Home } else { Place::Other };
        return Some(Known::Path("~", Some(place)));
    }
    if written == "$$" || written.starts_with("$((") {
        return Some(Known::Name);
    }
    let output = written.strip_prefix("$(").or_else(|| written.strip_prefix('`'));
    if let Some(command) = output {
        let command = command.trim_start();
        let found = OUTPUTS.iter().find(|(start, _)| {
            let after = command.strip_prefix(start);
            after.is_some_and(|rest| start.ends_with('-') || !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        });
        // Output that may include outside or hidden files is not an ordinary list.
        let is_plain = |text: &str| !["..", " /", "~", "$", " .git", ".env"].iter().any(|odd| text.contains(odd));
        return match found {
            Some((_, Known::Files)) if !is_plain(command) || !lists(command) => None,
            Some((_, Known::Path("/tmp", _))) if command.contains(" -p") || command.contains("--tmpdir=") => None,
            found => found.map(|(_, known)| *known),
        };
    }
    let variable = written.strip_prefix('$')?;
    let name = variable.trim_start_matches('{').split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, known)| *known)
}

/// Whether a command prints only names of files.
fn lists(command: &str) -> bool {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("grep" | "rg") => words.any(|word| {
            let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
            letters.contains(['l', 'L']) || word == "--files" || word.starts_with("--files-with")
        }),
        _ => !command.contains('|') || !command.contains("echo"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, known};
    use hookbox_sdk::Place;

    #[test]
    fn what_stands_for_a_part() {
        for (written, place) in [
            ("$(mktemp -d)", Place::Temp),
            ("`mktemp`", Place::Temp),
            ("${TMPDIR:-/tmp}", Place::Temp),
            ("$HOME", Place::Home),
            ("~", Place::Home),
            ("~root", Place::Other),
            ("$(git rev-parse --show-toplevel)", Place::Project),
        ] {
            assert!(matches!(known(written), Some(Known::Path(_, Some(found))) if found == place), "{written}");
        }
        for written in ["$(date +%F)", "$$", "$RANDOM", "$(git rev-parse --short HEAD)", "$((i + 1))"] {
            assert_eq!(known(written), Some(Known::Name), "{written}");
        }
        for written in ["$(git ls-files '*.rs')", "$(grep -rl x src)", "$(find src -name '*.rs')"] {
            assert_eq!(known(written), Some(Known::Files), "{written}");
        }
        for written in
            ["$x", "$(cat list)", "$(find / -name x)", "$(ls ~)", "$(grep x y)", "$(datex)", "$(mktemp -p .git)"]
        {
            assert_eq!(known(written), None, "{written}");
        }
    }
}
