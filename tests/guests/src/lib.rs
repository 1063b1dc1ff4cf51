//! Shared by the test guests. Each tries something, and asks with what it saw as the reason.

#![allow(missing_docs)]

pub mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "policy", pub_export_macro: true });
}

/// Exports a function that returns what it saw for an Input.
#[macro_export]
macro_rules! try_out {
    ($try_out:expr) => {
        struct Guest;
        impl $crate::bindings::exports::hookbox::hook::hook::Guest for Guest {
            fn run(input: String) -> Result<String, String> {
                let saw: String = $try_out(input);
                Ok(format!(r#"{{"decision":"ask","reason":{saw:?}}}"#))
            }
        }
        $crate::bindings::export!(Guest with_types_in $crate::bindings);
    };
}
