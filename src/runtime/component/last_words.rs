//! What a guest said before it trapped.
//!
//! A guest that panics can neither return an error nor, without imports, print one. By convention its module exports a
//! global `hookbox_panic`: the address of a length and an address (each a `u32`, little-endian), where as many bytes of UTF-8
//! stand, which the guest writes before it traps. The SDKs do so.

use super::state::State;
use wasmtime::{Store, Val, WasmCoreDump};

const GLOBAL: &str = "hookbox_panic";
const WORD_BYTES: usize = 4;

/// The longest words that are passed on, in bytes: enough for a sentence and its place in a source file.
const LONGEST: usize = 1024;

/// The words of the guest, on one line.
pub(super) fn of(error: &wasmtime::Error, store: &mut Store<State>) -> Option<String> {
    let dump: &WasmCoreDump = error.downcast_ref()?;
    dump.instances().iter().find_map(|instance| {
        let Val::I32(panic) = instance.get_global(&mut *store, GLOBAL)?.get(&mut *store) else {
            return None;
        };
        let memory = instance.get_memory(&mut *store, "memory")?.data(&*store);
        let (length, behind) = memory.get(index(panic.cast_unsigned())?..)?.split_first_chunk::<WORD_BYTES>()?;
        let address = behind.first_chunk::<WORD_BYTES>()?;
        let text = memory.get(index(u32::from_le_bytes(*address))?..)?;
        let text = String::from_utf8_lossy(text.get(..index(u32::from_le_bytes(*length))?.min(LONGEST))?);
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    })
}

fn index(word: u32) -> Option<usize> {
    usize::try_from(word).ok()
}
