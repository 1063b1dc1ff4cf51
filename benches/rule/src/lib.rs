//! A hook with one rule, and the settings that make a call of it cheap.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod bump;
mod rule;

mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "policy" });
}

struct Rule;

impl bindings::exports::hookbox::hook::hook::Guest for Rule {
    fn run(input: String) -> Result<String, String> {
        rule::judge(&input)
    }
}

bindings::export!(Rule with_types_in bindings);
