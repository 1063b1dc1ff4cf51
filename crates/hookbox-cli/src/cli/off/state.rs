//! The file that says that hookbox is off, until when, and why.

use hookbox::UserPlaces;
use hookbox::internal::PrivateDir;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The name of the file in the state directory.
const NAME: &str = "off";

/// The maximum size of the file, in bytes.
const MAX_BYTES: u64 = 16 << 10;

/// The longest time for which hookbox can be off.
pub(super) const LONGEST: Duration = Duration::from_secs(8 * 60 * 60);

/// The content of the file that turns hookbox off.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct Off {
    pub(in crate::cli) since: String,
    pub(in crate::cli) until: String,
    pub(in crate::cli) why: String,
    pub(in crate::cli) who: String,
}

/// Whether hooks are asked.
pub(in crate::cli) enum Switch {
    /// Hooks are asked.
    On,
    /// Hooks are asked again, because the time is up.
    Expired(Off),
    /// Hooks are not asked.
    Off(Off),
    /// Hooks are asked: the file that says otherwise does not count, for this reason.
    Doubtful(String),
}

impl Switch {
    /// Reads the state. In any doubt, hookbox is on.
    pub(in crate::cli) fn read(places: &UserPlaces) -> Self {
        let path = path(places);
        match path.symlink_metadata() {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Switch::On,
            Err(error) => Switch::Doubtful(format!("`{}` cannot be read: {error}", path.display())),
            Ok(_) => match Self::judge(places) {
                Ok(switch) => switch,
                Err(why) => Switch::Doubtful(why),
            },
        }
    }

    fn judge(places: &UserPlaces) -> Result<Self, String> {
        let path = path(places);
        let about = |what: &str| format!("`{}` {what}", path.display());
        let dir = PrivateDir::open(places.state()).map_err(|error| error.to_string())?;
        let file = match dir.map(|dir| dir.file(NAME)) {
            Some(file) => file.map_err(|error| error.to_string())?,
            None => None,
        };
        let Some(file) = file else { return Ok(Switch::On) };
        // A hard link to an earlier such file could be put here without writing anything.
        let links = file.metadata().map_err(|error| about(&format!("cannot be read: {error}")))?.nlink();
        if links != 1 {
            return Err(about("has other names, as a hard link"));
        }
        let mut text = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(|error| about(&format!("cannot be read: {error}")))?;
        if text.len() as u64 > MAX_BYTES {
            return Err(about("is too large"));
        }
        let off: Off = serde_json::from_slice(&text).map_err(|error| about(&format!("is damaged: {error}")))?;
        let time = |text: &str| humantime::parse_rfc3339(text).map_err(|_| about("has a time that is none"));
        let (since, until, now) = (time(&off.since)?, time(&off.until)?, SystemTime::now());
        if since > now {
            return Err(about("lies in the future"));
        }
        if until.duration_since(since).map_or(true, |length| length > LONGEST) {
            return Err(about("is for longer than hookbox can be off"));
        }
        Ok(if until <= now { Switch::Expired(off) } else { Switch::Off(off) })
    }
}

impl Off {
    /// Returns the content of the file that turns hookbox off from now on, for this long.
    pub(super) fn lasting(length: Duration, why: &str, who: String) -> Self {
        let now = SystemTime::now();
        // Times are rounded down, so that `since` is not in the future.
        let rfc3339 = |time| humantime::format_rfc3339_millis(time).to_string();
        Off { since: rfc3339(now), until: rfc3339(now + length.min(LONGEST)), why: why.to_owned(), who }
    }

    /// Returns the text for people.
    pub(in crate::cli) fn in_words(&self) -> String {
        let Off { since, until, why, who } = self;
        format!("hookbox is off until {until}: no hook is asked about what an agent does ({why:?}; {who}, {since})")
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if the state directory cannot be used.
    pub(super) fn write(&self, places: &UserPlaces) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        PrivateDir::claim(places.state())?.replace(NAME, |file| file.write_all(&text))
    }
}

/// Removes the file, whatever its content is. Returns false if there is none.
///
/// # Errors
/// Returns an error if the file cannot be removed.
pub(super) fn remove(places: &UserPlaces) -> io::Result<bool> {
    // This works even if others can change the directory, because turning hookbox on again is harmless.
    match std::fs::remove_file(path(places)) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) fn path(places: &UserPlaces) -> PathBuf {
    places.state().join(NAME)
}
