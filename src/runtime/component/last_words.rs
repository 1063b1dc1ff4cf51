//! The message of a guest that trapped.
//!
//! A guest that panics cannot return an error, and without imports it cannot print one. By convention, its module
//! exports a global `hookbox_panic`: the address of a length and an address (each a `u32`, little-endian). The message
//! is that many bytes of UTF-8 at that address; the guest writes it before it traps. If a module cannot have such a
//! global, it stores `hookbox!`, a length and the bytes of the message at address 64 of its memory. The SDKs do this.

use super::state::State;
use wasmtime::{Store, Val, WasmCoreDump};

const GLOBAL: &str = "hookbox_panic";
const PLACE: usize = 64;
const SIGN: &[u8] = b"hookbox!";
const WORD_BYTES: usize = 4;

/// The maximum length of the message, in bytes: enough for a sentence and its position in a source file.
const LONGEST: usize = 1024;

/// The maximum length of a function name, in characters.
const LONGEST_NAME: usize = 120;

/// Returns the guest's message, on one line.
pub(super) fn read(error: &wasmtime::Error, store: &mut Store<State>) -> Option<String> {
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

/// Returns the name of the function in which the guest trapped, if its module has names.
pub(super) fn function(error: &wasmtime::Error) -> Option<String> {
    let dump: &WasmCoreDump = error.downcast_ref()?;
    let name: String =
        dump.frames().first()?.func_name()?.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    (!name.is_empty()).then_some(name)
}

/// Returns the message whose length and address are stored at `panic`.
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
