//! The import of `hookbox:log/logging`.
#![allow(unsafe_code, reason = "an imported function")]

use super::abi::Slice;
use crate::log::Level;

#[link(wasm_import_module = "hookbox:log/logging@0.1.0")]
unsafe extern "C" {
    #[link_name = "log"]
    fn import(level: u32, context: *const u8, context_length: usize, message: *const u8, message_length: usize);
}

pub(crate) fn log(level: Level, context: &str, message: &str) {
    let (context, message) = (Slice::of(context.as_bytes()), Slice::of(message.as_bytes()));
    // SAFETY: the signature is that of the canonical ABI, and the texts outlive the call.
    unsafe { import(level as u32, context.0, context.1, message.0, message.1) }
}
