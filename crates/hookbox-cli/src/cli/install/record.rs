//! Records of what settings were before hookbox was installed, kept in the user's state directory.
//!
//! They are not kept beside the settings. A file of that name there could belong to somebody else, or could be
//! committed with a project.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The directory of the records, in the user's state directory.
const DIR: &str = "settings";

/// The maximum size of a record, in bytes: two texts of at most 4 MiB, in which each byte may be escaped.
const MAX_BYTES: u64 = 64 << 20;

/// The directory of the records; `None` if the user has no state directory.
pub(super) struct Records(Option<PathBuf>);

/// A settings file before and after hookbox was installed.
pub(super) struct Record {
    /// The text before; `None` if the file did not exist.
    pub(super) before: Option<String>,
    /// The text after.
    pub(super) after: String,
}

impl Records {
    pub(super) fn new(state: Option<&Path>) -> Self {
        Records(state.map(|state| state.join(DIR)))
    }

    /// Returns the path of the record of a settings file.
    pub(super) fn file(&self, settings: &Path) -> Option<PathBuf> {
        let name = digest(settings.as_os_str().as_encoded_bytes());
        Some(self.0.as_ref()?.join(format!("{name}.json")))
    }

    /// Returns the record of a settings file. A record that cannot be read counts as none. Without a record,
    /// uninstalling edits the settings in place of restoring them.
    pub(super) fn of(&self, settings: &Path) -> Option<Record> {
        let file = self.file(settings)?;
        if fs::metadata(&file).ok()?.len() > MAX_BYTES {
            return None;
        }
        let value: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
        let before = value.get("before")?.as_str().map(str::to_owned);
        Some(Record { before, after: value.get("after")?.as_str()?.to_owned() })
    }
}

impl Record {
    /// Returns the record that this edit needs: a new one for the first edit, or an extended one for an edit of exactly
    /// what was recorded. `None` means that the record stays as it is.
    pub(super) fn of_edit(old: Option<Self>, is_first: bool, before: Option<&str>, after: &str) -> Option<Self> {
        let after = after.to_owned();
        match old {
            _ if is_first => Some(Record { before: before.map(str::to_owned), after }),
            Some(old) if before == Some(&old.after) => Some(Record { after, ..old }),
            _ => None,
        }
    }

    pub(super) fn to_text(&self, settings: &Path) -> String {
        let settings = settings.display().to_string();
        format!("{}\n", json!({"settings": settings, "before": self.before, "after": self.after}))
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
