//! Exports the policy as a component. Only a WebAssembly target needs this.
#![allow(unsafe_code, missing_docs, reason = "the generated code crosses the component boundary by raw pointers")]

wit_bindgen::generate!({ path: "../../wit", world: "policy" });

struct Policy;

impl exports::hookbox::hook::hook::Guest for Policy {
    fn run(input: String) -> Result<String, String> {
        crate::answer(&input)
    }
}

export!(Policy);
