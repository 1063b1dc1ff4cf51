//! What a guest said before it trapped.
//!
//! A guest that panics can neither return an error nor, without imports, print one. By convention its module exports a
//! global `hookbox_panic`: the address of a length and an address (each a `u32`, little-endian), where as many bytes of UTF-8
//! stand, which the guest writes before it traps. Where a module cannot have such a global, `hookbox!`, a length and the bytes
//! stand at address 64 of its memory. The SDKs do so.

use super::state::State;
use wasmtime::{Store, Val, WasmCoreDump};

const GLOBAL: &str = "hookbox_panic";
const PLACE: usize = 64;
const SIGN: &[u8] = b"hookbox!";
const WORD_BYTES: usize = 4;

/// The longest words that are passed on, in bytes: enough for a sentence and its place in a source file.
const LONGEST: usize = 1024;

/// The longest name of a function that is passed on, in characters.
const LONGEST_NAME: usize = 120;

/// The words of the guest, on one line.
pub(super) fn of(error: &wasmtime::Error, store: &mut Store<State>) -> Option<String> {
    let dump: &WasmCoreDump = error.downcast_ref()?;
    dump.instances().iter().find_map(|instance| {
        let global = instance.get_global(&mut *store, GLOBAL).map(|global| global.get(&mut *store));
        let memory = instance.get_memory(&mut *store, "memory")?.data(&*store);
        let text = match global {
            Some(Val::I32(panic)) => through(memory, panic.cast_unsigned()),
            _ => at_place(memory),
        };
        let text = String::from_utf8_lossy(text?);
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    })
}

/// The function in which the guest trapped, if its module says what that is called.
pub(super) fn function(error: &wasmtime::Error) -> Option<String> {
    let dump: &WasmCoreDump = error.downcast_ref()?;
    let name: String =
        dump.frames().first()?.func_name()?.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    (!name.is_empty()).then_some(name)
}

/// What the length and the address at this address say.
fn through(memory: &[u8], panic: u32) -> Option<&[u8]> {
    let (length, behind) = memory.get(index(panic)?..)?.split_first_chunk::<WORD_BYTES>()?;
    let address = behind.first_chunk::<WORD_BYTES>()?;
    words(*length, memory.get(index(u32::from_le_bytes(*address))?..)?)
}

fn at_place(memory: &[u8]) -> Option<&[u8]> {
    let (length, text) = memory.get(PLACE..)?.strip_prefix(SIGN)?.split_first_chunk::<WORD_BYTES>()?;
    words(*length, text)
}

fn words(length: [u8; WORD_BYTES], text: &[u8]) -> Option<&[u8]> {
    text.get(..index(u32::from_le_bytes(length))?.min(LONGEST))
}

fn index(word: u32) -> Option<usize> {
    usize::try_from(word).ok()
}
