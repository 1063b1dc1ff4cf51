//! What a guest said before it trapped.
//!
//! A guest that panics can neither return an error nor, without imports, print one. By convention its module exports a
//! global `hookbox_panic`: the address of a length (`u32`, little-endian) and as many bytes of UTF-8, which the guest writes
//! before it traps. The SDKs do so.

use super::state::State;
use wasmtime::{Store, Val, WasmCoreDump};

const GLOBAL: &str = "hookbox_panic";
const LENGTH_BYTES: usize = 4;

/// The longest words that are passed on, in bytes: enough for a sentence and its place in a source file.
const LONGEST: usize = 1024;

/// The words of the guest, on one line.
pub(super) fn of(error: &wasmtime::Error, store: &mut Store<State>) -> Option<String> {
    let dump: &WasmCoreDump = error.downcast_ref()?;
    dump.instances().iter().find_map(|instance| {
        let Val::I32(address) = instance.get_global(&mut *store, GLOBAL)?.get(&mut *store) else {
            return None;
        };
        let memory = instance.get_memory(&mut *store, "memory")?.data(&*store);
        let said = memory.get(usize::try_from(address.cast_unsigned()).ok()?..)?;
        let (length, text) = said.split_first_chunk::<LENGTH_BYTES>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let text = String::from_utf8_lossy(text.get(..length.min(LONGEST))?);
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    })
}
