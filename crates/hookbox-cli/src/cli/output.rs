//! Writes the files that a command produces.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Writes a file atomically: a reader finds either the old or the new content. A new file gets the umask's mode; a
/// replaced one keeps its mode, and symbolic links to it stay in place.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(path)?,
        real => real?,
    };
    let dir = path.parent().map_or_else(|| PathBuf::from("/"), Path::to_owned);
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(dir)?;
    file.write_all(content)?;
    if let Ok(before) = fs::metadata(&path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.persist(path).map(drop).map_err(|failed| failed.error)
}
