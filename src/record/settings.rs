//! The settings of the decision log: what it records, and where it is.

use std::path::PathBuf;

/// The default size at which a new file is started, in bytes.
const MAX_SIZE: u64 = 16 << 20;

/// The default number of full files that are kept.
const KEEP: u32 = 8;

/// The events that are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// The events about which a hook was asked, and those that could not be judged.
    #[default]
    Decisions,
    /// The events that were denied or asked about, or would have been.
    Denials,
    /// All events, including those that no hook is asked about.
    All,
}

impl What {
    /// The words for the values in a config.
    pub const WORDS: [(&'static str, What); 3] =
        [("decisions", What::Decisions), ("denials", What::Denials), ("all", What::All)];
}

/// How much of the Input is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inputs {
    /// Nothing of the tool call's content: neither the Input nor the commands, paths and URLs in it.
    None,
    /// The Input without the secrets that are recognized in it.
    #[default]
    Masked,
    /// The Input as it came.
    Full,
}

impl Inputs {
    /// The words for the values in a config.
    pub const WORDS: [(&'static str, Inputs); 3] =
        [("none", Inputs::None), ("masked", Inputs::Masked), ("full", Inputs::Full)];
}

/// The settings of the decision log: what it records, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The file that lines are appended to. Full files are beside it.
    pub file: PathBuf,
    /// The events that are written.
    pub what: What,
    /// How much of the Input is written.
    pub inputs: Inputs,
    /// The size at which a new file is started, in bytes.
    pub max_size: u64,
    /// The number of full files to keep. Older ones are deleted.
    pub keep: u32,
}

impl Settings {
    /// Creates the default settings for a log in this file.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        let (what, inputs) = (What::default(), Inputs::default());
        Settings { file: file.into(), what, inputs, max_size: MAX_SIZE, keep: KEEP }
    }
}
