//! Programs for macOS, linked on any system, and what can be checked of them without a Mac.
//!
//! The linker needs no more of Apple's libraries than the names in them, which the stubs in `macos/sdk` list. A Mac loads
//! its own libraries. A name that is missing there is an error of the linker, which says it.

use crate::tools;
use anyhow::{Context, Result, bail, ensure};
use object::Endianness;
use object::macho::{LC_CODE_SIGNATURE, MachHeader64, PLATFORM_MACOS};
use object::read::macho::{LoadCommandVariant, MachHeader};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Command;

/// The oldest macOS that the programs run on: the first for Apple's own processors.
const OLDEST: &str = "11.0";

/// Where the libraries of the system are. Others may be missing on the Mac of a user.
const SYSTEM: [&str; 2] = ["/usr/lib/", "/System/Library/"];

/// Makes a build link against the stubs.
pub(super) fn set_up(cargo: &mut Command) {
    let sdk = tools::root().join("xtask/src/package/macos/sdk");
    cargo.env("SDKROOT", sdk).env("MACOSX_DEPLOYMENT_TARGET", OLDEST);
}

/// Checks that a Mac would load a program: its libraries, the oldest system, and the signature, without which one with a
/// processor of Apple's refuses it.
pub(super) fn check(program: &Path) -> Result<()> {
    let bytes = std::fs::read(program).with_context(|| format!("`{}` cannot be read", program.display()))?;
    check_bytes(&bytes).with_context(|| format!("`{}` would not run on a Mac", program.display()))
}

fn check_bytes(bytes: &[u8]) -> Result<()> {
    let header = MachHeader64::<Endianness>::parse(bytes, 0)?;
    let endian = header.endian()?;
    let (mut oldest, mut is_signed) = (None, false);
    let mut commands = header.load_commands(endian, bytes, 0)?;
    while let Some(command) = commands.next()? {
        match command.variant()? {
            LoadCommandVariant::Dylib(library) => {
                let name = String::from_utf8_lossy(command.string(endian, library.dylib.name)?);
                ensure!(SYSTEM.iter().any(|dir| name.starts_with(dir)), "it needs the library `{name}`");
            }
            LoadCommandVariant::BuildVersion(version) => {
                ensure!(version.platform.get(endian) == PLATFORM_MACOS, "it is for another system of Apple's");
                let version = version.minos.get(endian);
                oldest = Some(format!("{}.{}", version >> 16, version >> 8 & 0xff));
            }
            LoadCommandVariant::LinkeditData(data) if command.cmd() == LC_CODE_SIGNATURE => {
                check_signature(bytes, data.dataoff.get(endian) as usize)?;
                is_signed = true;
            }
            _ => {}
        }
    }
    let oldest = oldest.context("it does not say which system it is for")?;
    ensure!(oldest == OLDEST, "it is for macOS {oldest} or later, and should be for {OLDEST}");
    ensure!(is_signed, "it is not signed");
    Ok(())
}

/// The kinds of data in a signature.
const SIGNATURE: u32 = 0xfade_0cc0;
const CODE_DIRECTORY: u32 = 0xfade_0c02;

/// SHA-256, in a code directory.
const SHA256: u8 = 2;

/// Checks the hash of each page of a program. A tool that changed the program after it was signed would leave them as
/// they were.
fn check_signature(program: &[u8], at: usize) -> Result<()> {
    let signature = program.get(at..).context("its signature is cut off")?;
    ensure!(number(signature, 0)? == SIGNATURE, "its signature is of an unknown kind");
    let directory = signature.get(number(signature, 16)? as usize..).context("its signature is cut off")?;
    ensure!(number(directory, 0)? == CODE_DIRECTORY, "its signature does not begin with the hashes");
    let [hashes, slots, limit] = [16, 28, 32].map(|at| number(directory, at).map(|number| number as usize));
    let (hashes, slots, code) =
        (hashes?, slots?, program.get(..limit?).context("its signature is of a longer program")?);
    let [hash_bytes, kind, page_bits] = [36, 37, 39].map(|at| directory.get(at).copied().unwrap_or_default());
    ensure!(kind == SHA256 && hash_bytes == 32, "its signature has other hashes than SHA-256");
    let page = 1_usize.checked_shl(page_bits.into()).context("the pages of its signature are too large")?;
    let pages = code.chunks(page);
    ensure!(pages.len() == slots, "its signature has {slots} hashes for {} pages", pages.len());
    for (index, page) in pages.enumerate() {
        let hash = directory.get(hashes + 32 * index..).and_then(|rest| rest.get(..32));
        if hash != Some(Sha256::digest(page).as_slice()) {
            bail!("it was changed after it was signed: the hash of page {index} is another one");
        }
    }
    Ok(())
}

/// The number at an offset of a signature, whose numbers are big-endian.
fn number(bytes: &[u8], at: usize) -> Result<u32> {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).context("its signature is cut off")?;
    Ok(u32::from_be_bytes(*bytes))
}
