//! A tarball with a script that installs it.

use super::tree::{COMPILER, Tree};
use super::{System, VERSION};
use crate::tools;
use anyhow::Result;
use flate2::{Compression, GzBuilder};
use std::path::Path;
use tar::{Builder, EntryType, Header};

/// The script that is unpacked beside the files and installs them.
const INSTALL: &str = include_str!("install.sh");

/// The path of the compiler in the tarball. `cargo binstall` takes all programs from one directory; the script and the
/// formula install the compiler where hookbox looks for it.
const COMPILER_HERE: &str = "bin/hookbox-compiler";

/// The time of each file. It is not the time of the build, so that the same commit gives the same bytes.
const TIME: u64 = 0;

pub(super) fn pack(system: &System, tree: &Tree, out: &Path) -> Result<()> {
    let name = format!("hookbox-{VERSION}-{}", system.target);
    // The gzip header gets neither a name nor a time.
    let mut archive = Builder::new(GzBuilder::new().write(Vec::new(), Compression::best()));
    add(&mut archive, &format!("{name}/install.sh"), INSTALL.as_bytes(), true)?;
    for (file, is_program) in &tree.files {
        let place = if file == COMPILER { COMPILER_HERE } else { file };
        add(&mut archive, &format!("{name}/{place}"), &std::fs::read(tree.root.join(file))?, *is_program)?;
    }
    let bytes = archive.into_inner()?.finish()?;
    tools::write(&out.join(format!("{name}.tar.gz")), &bytes)
}

fn add(archive: &mut Builder<impl std::io::Write>, name: &str, bytes: &[u8], is_program: bool) -> Result<()> {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(bytes.len() as u64);
    header.set_mode(if is_program { 0o755 } else { 0o644 });
    header.set_mtime(TIME);
    header.set_uid(0);
    header.set_gid(0);
    Ok(archive.append_data(&mut header, name, bytes)?)
}
