//! The context in which a command is judged, besides its words.

use crate::path::{self, Target};
use hookbox_sdk::shell::{HOME, Script, Word};

/// How many directories are remembered.
const MAX_DIRECTORIES: usize = 8;

/// Where a command runs.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The branches that must not be overwritten or deleted.
    pub branches: &'a [String],
    /// The agent's working directory, or an empty text.
    pwd: &'a str,
    /// The protected directories that the script goes to.
    entered: Vec<String>,
}

impl<'a> Scene<'a> {
    /// Creates the scene of a script.
    #[must_use]
    pub fn new(script: &Script, branches: &'a [String], pwd: &'a str) -> Self {
        let goes = script.known_commands().iter().filter(|command| matches!(command.name(), Some("cd" | "pushd")));
        let directories = goes.filter_map(|command| match command.arguments() {
            // `cd` alone goes home.
            [] => Some(HOME.to_string()),
            arguments => arguments.last().map(|word| word.pattern().to_owned()),
        });
        let is_protected = |pattern: &String| matches!(path::target(pattern, ""), Target::Protected(_));
        Scene { branches, pwd, entered: directories.filter(is_protected).take(MAX_DIRECTORIES).collect() }
    }

    /// Returns the worst target that one of `words` names.
    pub(super) fn worst_target<'w>(&self, words: impl IntoIterator<Item = &'w Word>) -> Target {
        let rank = |target: &Target| match target {
            Target::Protected(_) => 3,
            Target::Unknown => 2,
            Target::Surroundings => 1,
            Target::Ordinary => 0,
        };
        words.into_iter().flat_map(|word| self.targets(word)).max_by_key(rank).unwrap_or(Target::Ordinary)
    }

    /// Returns what a word names here, and in each directory that the script goes to.
    fn targets(&self, word: &Word) -> Vec<Target> {
        let pattern = word.pattern();
        let mut targets = vec![path::target(pattern, self.pwd)];
        if !pattern.is_empty() && !pattern.starts_with(['/', '-', HOME]) {
            targets.extend(self.entered.iter().map(|directory| path::target(&format!("{directory}/{pattern}"), "")));
        }
        targets
    }
}
