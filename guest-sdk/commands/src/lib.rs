//! The component inside hookbox that lists what a shell command would run.
//!
//! It is not a hook, though it exports the same function: it takes a request and returns facts, both in JSON, as
//! [`hookbox_sdk::shell::facts::answer`] describes. Hostile text is read here, in a sandbox, and never by the host.

const _: () = {
    use hookbox_sdk::shell::facts::answer;

    const _: fn(&str) -> Result<String, String> = answer;

    hookbox_sdk::__export!(answer);
};
