//! What the decision log holds, and where it is.

use std::path::PathBuf;

/// The default size at which a new file is begun, in bytes.
const MAX_SIZE: u64 = 16 << 20;

/// The default number of full files that are kept.
const KEEP: u32 = 8;

/// Which events are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// Those about which a hook was asked, and those that could not be judged.
    #[default]
    Decisions,
    /// Those that were denied or asked about, or would have been.
    Denials,
    /// All of them, also those that no hook hears of.
    All,
}

impl What {
    /// The words for it in a config.
    pub const WORDS: [(&'static str, What); 3] =
        [("decisions", What::Decisions), ("denials", What::Denials), ("all", What::All)];
}

/// How much of the Input is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inputs {
    /// Nothing that the tool call says: neither the Input nor the commands, paths and URLs in it.
    None,
    /// The Input without the secrets that are recognized in it.
    #[default]
    Masked,
    /// The Input as it came.
    Full,
}

impl Inputs {
    /// The words for it in a config.
    pub const WORDS: [(&'static str, Inputs); 3] =
        [("none", Inputs::None), ("masked", Inputs::Masked), ("full", Inputs::Full)];
}

/// What the decision log holds, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The file that lines are appended to. Full files are beside it.
    pub file: PathBuf,
    /// Which events are written.
    pub what: What,
    /// How much of the Input is written.
    pub inputs: Inputs,
    /// The size at which a new file is begun, in bytes.
    pub max_size: u64,
    /// How many full files are kept. Older ones are deleted.
    pub keep: u32,
}

impl Settings {
    /// The defaults, for a log in this file.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        let (what, inputs) = (What::default(), Inputs::default());
        Settings { file: file.into(), what, inputs, max_size: MAX_SIZE, keep: KEEP }
    }
}
