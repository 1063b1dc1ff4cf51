//! The boundary of the component: its imports and exports.
#![allow(unsafe_code, missing_docs, reason = "text crosses the component boundary by raw pointers")]

use crate::engine;
use crate::powers::{Origin, Powers};
use crate::script::{self, Script};
use hookbox_sdk::wasm::Answer;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

wit_bindgen::generate!({ path: "../../wit/script/runner.wit", world: "script-runner" });

// These tell the linker what the imports mean.
hookbox_sdk::__import_log!();
hookbox_sdk::__import_store!();
hookbox_sdk::__import_http!();

use exports::hookbox::script::runner::Guest;

struct Runner;

impl Guest for Runner {
    fn run(name: String, source: String, input: String, store: bool) -> Result<String, String> {
        let powers = Powers { origin: Origin::Plain, log: true, store, http: false };
        script::run(&Script { name: &name, source: &source, powers }, &input)
    }
}

export!(Runner);

/// The location of the component's own script, if the interpreter became the component of one script. In a component
/// that `hookbox build` makes, this value has the script's address and length. The module exports the address of this
/// value as `hookbox_script`.
#[repr(C)]
pub(crate) struct Own {
    address: AtomicPtr<u8>,
    length: AtomicUsize,
}

#[unsafe(export_name = "hookbox_script")]
pub(crate) static OWN: Own = Own { address: AtomicPtr::new(std::ptr::null_mut()), length: AtomicUsize::new(0) };

/// Runs the component's own script.
///
/// # Safety
/// Only the engine may call this, according to the canonical ABI.
#[unsafe(export_name = "hookbox:hook/hook@0.1.0#run")]
unsafe extern "C" fn run(address: *mut u8, length: usize) -> *const Answer {
    let (own, own_length) = (OWN.address.load(Ordering::Relaxed), OWN.length.load(Ordering::Relaxed));
    let own = match own_length {
        0 => &[],
        // SAFETY: the module's data has this many bytes at this address, after everything that the allocator knows.
        _ => unsafe { std::slice::from_raw_parts(own, own_length) },
    };
    let answer = |input: &str| {
        let script = Script::read(own).ok_or("this component of hookbox contains no script")?;
        script::run(&script, input)
    };
    // SAFETY: the engine passes the address and the length that the function expects.
    unsafe { hookbox_sdk::wasm::run(address, length, answer) }
}

/// Sets up the interpreter. Called when hookbox is built, and never again; a trap fails the build.
#[unsafe(export_name = "prepare")]
extern "C" fn prepare() {
    if !engine::prepare() {
        std::process::abort();
    }
}

/// Returns 0 as the time. QuickJS asks for the time once, to seed its random numbers, which no script can see.
#[unsafe(no_mangle)]
extern "C" fn __rquickjs_host_now_us() -> f64 {
    0.0
}
