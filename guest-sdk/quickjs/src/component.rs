//! The border of the component.
#![allow(unsafe_code, missing_docs, reason = "text crosses the component boundary by raw pointers")]

use crate::engine;
use crate::powers::{Origin, Powers};
use crate::script::{self, Script};
use hookbox_sdk::wasm::Answer;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

wit_bindgen::generate!({ path: "../../wit/script/runner.wit", world: "script-runner" });

// What the linker must know of the imports.
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

/// Where the component's own script is, if the interpreter became the component of one. What `hookbox build` makes has its
/// address and length here: the module exports the address of this as `hookbox_script`.
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
/// The engine calls this by the canonical ABI.
#[unsafe(export_name = "hookbox:hook/hook@0.1.0#run")]
unsafe extern "C" fn run(address: *mut u8, length: usize) -> *const Answer {
    let (own, own_length) = (OWN.address.load(Ordering::Relaxed), OWN.length.load(Ordering::Relaxed));
    let own = match own_length {
        0 => &[],
        // SAFETY: the module's data begins with so many bytes at this address, after everything that the allocator knows.
        _ => unsafe { std::slice::from_raw_parts(own, own_length) },
    };
    let answer = |input: &str| {
        let script = Script::read(own).ok_or("this component of hookbox contains no script")?;
        script::run(&script, input)
    };
    // SAFETY: the engine passes what the function expects.
    unsafe { hookbox_sdk::wasm::run(address, length, answer) }
}

/// Sets the interpreter up. Called when hookbox is built, and never again; a trap fails the build.
#[unsafe(export_name = "prepare")]
extern "C" fn prepare() {
    if !engine::prepare() {
        std::process::abort();
    }
}

/// QuickJS asks for the time once, when it seeds its random numbers, which no script gets to see.
#[unsafe(no_mangle)]
extern "C" fn __rquickjs_host_now_us() -> f64 {
    0.0
}
