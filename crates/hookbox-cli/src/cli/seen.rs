//! The record of the user's configs that existed at earlier calls. A config that has disappeared since must not
//! silently take its hooks with it.

use super::scope::Scope;
use hookbox::config::Problem;
use hookbox::internal::PrivateDir;
use hookbox::{Code, UserPlaces};
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// The name of the record in the state directory.
const NAME: &str = "configs";

/// The maximum number of bytes that are read of the record.
const MAX_BYTES: u64 = 256 << 10;

/// Records which of the user's configs exist.
///
/// # Errors
/// Returns an error if a config that existed at an earlier call is gone, or if the record was emptied or cannot be
/// read.
pub(super) fn check(scope: &Scope, places: &UserPlaces) -> Result<(), String> {
    let Some(files) = scope.user_files() else { return Ok(()) };
    let mut known = match read(places) {
        // The record is never written without a config.
        Ok(known) if known.is_empty() && path(places).symlink_metadata().is_ok() => {
            return Err(format!(
                "`{}`, which says which configs you have, was emptied: see that none of them is gone, then run \
                 `hookbox trust --gone` in a terminal",
                path(places).display()
            ));
        }
        Ok(known) => known,
        Err(error) => return Err(format!("`{}` cannot be read: {error}", path(places).display())),
    };
    let is_there = |file: &PathBuf| file.symlink_metadata().is_ok();
    if let Some(gone) = files.iter().find(|file| known.contains(file) && !is_there(file)) {
        return Err(format!(
            "your config `{}` was there at an earlier call, and is gone: put it back, or, if you removed it yourself, run \
             `hookbox trust --gone` in a terminal",
            gone.display()
        ));
    }
    let new: Vec<PathBuf> = files.into_iter().filter(|file| !known.contains(file) && is_there(file)).collect();
    if !new.is_empty() {
        known.extend(new);
        // If the state directory cannot be written, nothing is remembered.
        let _ = write(places, &known);
    }
    Ok(())
}

/// Returns a problem for each config of the user that was there when an agent asked, and is gone. Records nothing.
pub(super) fn gone(scope: &Scope) -> Vec<Problem> {
    let known = scope.places().ok().and_then(|places| read(&places).ok()).unwrap_or_default();
    let mut gone = known.into_iter().filter(|file| file.symlink_metadata().is_err()).peekable();
    if gone.peek().is_none() {
        return Vec::new();
    }
    let searched = scope.loader().map(|loader| loader.searched()).unwrap_or_default();
    let problem = |file: PathBuf| {
        let message = "was there when an agent asked, and is gone; `hookbox hook` denies all calls until you put it back, \
                       or, if you removed it yourself, run `hookbox trust --gone` in a terminal";
        Problem::about_file(&file, Code::ConfigUnreadable, message)
    };
    gone.filter(|file| searched.contains(file)).map(problem).collect()
}

/// Forgets the configs that are gone, and returns them.
///
/// # Errors
/// Returns an error if the state directory cannot be used.
pub(super) fn forget(places: &UserPlaces) -> io::Result<Vec<PathBuf>> {
    let (there, gone): (Vec<_>, Vec<_>) = read(places)?.into_iter().partition(|file| file.symlink_metadata().is_ok());
    if there.is_empty() {
        // An empty file would count as one that somebody emptied.
        PrivateDir::open_or_make(places.state())?.remove(NAME)?;
    } else if !gone.is_empty() {
        write(places, &there)?;
    }
    Ok(gone)
}

fn path(places: &UserPlaces) -> PathBuf {
    places.state().join(NAME)
}

fn read(places: &UserPlaces) -> io::Result<Vec<PathBuf>> {
    let Some(file) = PrivateDir::open(places.state())?.map(|dir| dir.file(NAME)).transpose()?.flatten() else {
        return Ok(Vec::new());
    };
    let mut text = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut text)?;
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Ok(lines.map(|line| PathBuf::from(std::ffi::OsString::from_vec(line.to_vec()))).collect())
}

fn write(places: &UserPlaces, files: &[PathBuf]) -> io::Result<()> {
    let dir = PrivateDir::open_or_make(places.state())?;
    let lines = files.iter().map(|file| file.as_os_str().as_bytes()).filter(|line| !line.contains(&b'\n'));
    let text: Vec<u8> = lines.flat_map(|line| line.iter().copied().chain([b'\n'])).collect();
    dir.replace(NAME, |file| file.write_all(&text))
}
