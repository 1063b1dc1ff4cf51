//! The languages that hooks are written in, and how to recognize the language of a project.

use std::fmt;
use std::path::Path;

/// A language that a hook's project is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Language {
    /// Rust
    Rust,
    /// TypeScript
    #[value(name = "ts")]
    TypeScript,
    /// JavaScript
    #[value(name = "js")]
    JavaScript,
    /// Go
    Go,
    /// Python
    Python,
    /// C
    C,
}

impl Language {
    /// Every language, in the order in which a folder is searched for their markers.
    pub const ALL: [Language; 6] =
        [Language::Rust, Language::Go, Language::TypeScript, Language::JavaScript, Language::Python, Language::C];

    /// Returns the name as written on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::TypeScript => "ts",
            Language::JavaScript => "js",
            Language::Go => "go",
            Language::Python => "python",
            Language::C => "c",
        }
    }

    /// Returns the name of the file that marks a folder as a project of this language.
    #[must_use]
    pub const fn marker(self) -> &'static str {
        match self {
            Language::Rust => "Cargo.toml",
            Language::TypeScript => "hook.ts",
            Language::JavaScript => "hook.js",
            Language::Go => "go.mod",
            Language::Python => "hook.py",
            Language::C => "hook.c",
        }
    }

    /// Returns the path of the file in which the author writes the rule.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Language::Rust => "src/lib.rs",
            Language::Go => "hook.go",
            other => other.marker(),
        }
    }

    /// Returns the language of the project in a folder, by its marker.
    ///
    /// # Errors
    /// Returns an error if the folder has no marker, or markers of several languages.
    pub fn detect(dir: &Path) -> Result<Self, Undecided> {
        let found: Vec<Language> =
            Language::ALL.into_iter().filter(|language| dir.join(language.marker()).is_file()).collect();
        match found.as_slice() {
            [one] => Ok(*one),
            _ => Err(Undecided { found }),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error that the language of a folder's hook cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    found: Vec<Language>,
}

impl std::error::Error for Undecided {}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let markers = |languages: &[Language]| {
            let names: Vec<String> = languages.iter().map(|language| format!("`{}`", language.marker())).collect();
            names.join(", ")
        };
        if self.found.is_empty() {
            write!(f, "has no hook in it: none of {} is there; `hookbox new` makes a project", markers(&Language::ALL))
        } else {
            write!(f, "has hooks in several languages ({}): say which one with `--lang`", markers(&self.found))
        }
    }
}
