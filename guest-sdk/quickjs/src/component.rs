//! The border of the component.
#![allow(unsafe_code, missing_docs, reason = "the generated code crosses the component boundary by raw pointers")]

use crate::{engine, script};

wit_bindgen::generate!({ path: "../../wit/script/runner.wit", world: "script-runner" });

use exports::hookbox::script::runner::Guest;

struct Runner;

impl Guest for Runner {
    fn run(name: String, source: String, input: String) -> (Result<String, String>, String) {
        script::run(&name, &source, &input)
    }
}

export!(Runner);

/// Sets the interpreter up. Called when hookbox is built, and never again.
#[unsafe(export_name = "prepare")]
extern "C" fn prepare() {
    engine::prepare();
}

/// QuickJS asks for the time once, when it seeds its random numbers, which no script gets to see.
#[unsafe(no_mangle)]
extern "C" fn __rquickjs_host_now_us() -> f64 {
    0.0
}
