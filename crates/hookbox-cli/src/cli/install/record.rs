//! What settings were before hookbox was installed, kept in the user's state directory.
//!
//! Not beside the settings: there it could be another's file of that name, or be committed with a project.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The directory of the records, in the user's state directory.
const DIR: &str = "settings";

/// The largest record, in bytes: two texts of at most 4 MiB, in which each byte may be escaped.
const MAX_BYTES: u64 = 64 << 20;

/// Where records are kept. `None`: the user has no state directory.
pub(super) struct Records(Option<PathBuf>);

/// A settings file before and after hookbox was installed.
pub(super) struct Record {
    /// Its text before. `None`: it did not exist.
    pub(super) before: Option<String>,
    /// Its text after.
    pub(super) after: String,
}

impl Records {
    pub(super) fn new(state: Option<&Path>) -> Self {
        Records(state.map(|state| state.join(DIR)))
    }

    /// The file with the record of a settings file.
    pub(super) fn file(&self, settings: &Path) -> Option<PathBuf> {
        let name = digest(settings.as_os_str().as_encoded_bytes());
        Some(self.0.as_ref()?.join(format!("{name}.json")))
    }

    /// The record of a settings file. One that cannot be read is as good as none: it only spares an edit.
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
    /// The record that this edit needs: of the first one, or of one on top of what was recorded. `None`: as it is.
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
