//! A hook, built with the SDK, that fails in the ways that a hook can.

use hookbox_sdk::{Action, Error, Input, hook};

hook!(judge);

fn judge(input: &Input) -> Result<Action, Error> {
    let command = input.command()?.unwrap_or_default();
    match command.as_str() {
        "error" => Err(Error::new("the list is empty")),
        "panic" => panic!("no rule\nfor {}", input.event),
        "long" => panic!("{}", "é".repeat(5000)),
        "index" => Ok(Action::deny([1, 2].get(command.len()).unwrap().to_string())),
        "recurse" => Ok(Action::deny(deep(command.len() as u64).to_string())),
        _ => Ok(Action::allow()),
    }
}

/// Recurses until the stack is full.
#[allow(unconditional_recursion)]
fn deep(level: u64) -> u64 {
    std::hint::black_box(deep(std::hint::black_box(level + 1)) + level)
}
