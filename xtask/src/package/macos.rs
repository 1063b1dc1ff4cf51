//! Programs for macOS, which are linked on any system, and the checks of them that need no Mac.
//!
//! From Apple's libraries, the linker needs only the names that they define, which the stubs in `macos/sdk` list. A Mac
//! loads its own libraries. If a name is missing from the stubs, the linker reports an error that says so.

use crate::tools;
use anyhow::{Context, Result, bail, ensure};
use object::Endianness;
use object::macho::{LC_CODE_SIGNATURE, MachHeader64, PLATFORM_MACOS};
use object::read::macho::{LoadCommandVariant, MachHeader};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Command;

/// The oldest macOS that the programs run on. It is the first version for Apple's own processors.
const OLDEST: &str = "11.0";

/// The folders of the system's libraries. Other libraries may be missing on a user's Mac.
const SYSTEM: [&str; 2] = ["/usr/lib/", "/System/Library/"];

/// Makes a build link against the stubs.
pub(super) fn set_up(cargo: &mut Command) {
    let sdk = tools::root().join("xtask/src/package/macos/sdk");
    cargo.env("SDKROOT", sdk).env("MACOSX_DEPLOYMENT_TARGET", OLDEST);
}

/// Checks that a Mac would load a program. This checks its libraries, the oldest system, and the signature, without
/// which a Mac with an Apple processor refuses it.
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

/// The number of SHA-256 in a code directory.
const SHA256: u8 = 2;

/// Checks the hash of each page of a program. A tool that changes a program after it was signed would not update the
/// hashes.
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

/// Reads the number at an offset of a signature, whose numbers are big-endian.
fn number(bytes: &[u8], at: usize) -> Result<u32> {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).context("its signature is cut off")?;
    Ok(u32::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::{CODE_DIRECTORY, SHA256, SIGNATURE, check_bytes};
    use sha2::{Digest, Sha256};

    const PAGE_BITS: u8 = 12;

    /// Makes a program with these load commands, each given as its number and the bytes after its size.
    fn program(commands: &[(u32, Vec<u8>)]) -> Vec<u8> {
        let sizes: usize = commands.iter().map(|(_, rest)| 8 + rest.len()).sum();
        // The header says that this is an executable program of 64 bits for ARM.
        let header = [0xfeed_facf, 0x0100_000c, 0, 2, commands.len() as u32, sizes as u32, 0, 0];
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        for (number, rest) in commands {
            bytes.extend(number.to_le_bytes());
            bytes.extend((8 + rest.len() as u32).to_le_bytes());
            bytes.extend(rest);
        }
        bytes
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Returns the load command that requires this version of macOS.
    fn for_macos(major: u32) -> (u32, Vec<u8>) {
        (0x32, words(&[1, major << 16, major << 16, 0]))
    }

    fn library(name: &str) -> (u32, Vec<u8>) {
        let mut rest = words(&[24, 0, 0, 0]);
        rest.extend(name.as_bytes());
        rest.resize(rest.len().next_multiple_of(8), 0);
        (0xc, rest)
    }

    /// Makes a program with a signature after it, as a linker does.
    fn signed(commands: &[(u32, Vec<u8>)]) -> Vec<u8> {
        let mut commands = commands.to_vec();
        commands.push((0x1d, words(&[0, 0])));
        let end = program(&commands).len() as u32;
        if let Some((_, place)) = commands.last_mut() {
            *place = words(&[end, 0]);
        }
        let mut bytes = program(&commands);
        let hash = Sha256::digest(&bytes);
        let mut directory: Vec<u8> = Vec::new();
        for word in [CODE_DIRECTORY, 44 + 32, 0x20400, 2, 44, 0, 0, 1, end] {
            directory.extend(word.to_be_bytes());
        }
        directory.extend([32, SHA256, 0, PAGE_BITS, 0, 0, 0, 0]);
        directory.extend(hash);
        for word in [SIGNATURE, 20 + directory.len() as u32, 1, 0, 20] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(directory);
        bytes
    }

    #[track_caller]
    fn refused(bytes: &[u8], why: &str) {
        let error = check_bytes(bytes).map(|()| String::new()).unwrap_or_else(|error| format!("{error:#}"));
        assert!(error.contains(why), "{error:?}");
    }

    #[test]
    fn a_signed_program_with_libraries_of_the_system_passes() {
        let bytes = signed(&[library("/usr/lib/libSystem.B.dylib"), for_macos(11)]);
        assert!(check_bytes(&bytes).is_ok(), "{:?}", check_bytes(&bytes));
    }

    #[test]
    fn what_a_mac_would_not_load_is_refused() {
        refused(b"\x7fELF", "Mach-O");
        refused(&signed(&[]), "does not say which system");
        refused(&signed(&[for_macos(15)]), "for macOS 15.0 or later");
        refused(&signed(&[library("/opt/lib/libfoo.dylib"), for_macos(11)]), "the library `/opt/lib/libfoo.dylib`");
        refused(&program(&[for_macos(11)]), "not signed");
        let mut changed = signed(&[for_macos(11)]);
        // This is a reserved byte of the header.
        if let Some(byte) = changed.get_mut(28) {
            *byte ^= 4;
        }
        refused(&changed, "changed after it was signed");
    }

    #[test]
    fn any_part_of_a_program_is_an_error_and_no_panic() {
        let bytes = signed(&[library("/usr/lib/libSystem.B.dylib"), for_macos(11)]);
        for end in 0..bytes.len() {
            assert!(bytes.get(..end).is_some_and(|part| check_bytes(part).is_err()), "{end} bytes");
        }
    }
}
