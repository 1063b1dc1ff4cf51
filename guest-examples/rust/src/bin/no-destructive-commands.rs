//! The same policy as a program: a shell hook where no sandbox is at hand.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let answer = std::io::read_to_string(std::io::stdin())
        .map_err(|error| error.to_string())
        .and_then(|input| no_destructive_commands::answer(&input));
    let written = match &answer {
        Ok(action) => std::io::stdout().write_all(action.as_bytes()),
        Err(error) => std::io::stderr().write_all(error.as_bytes()),
    };
    match (answer, written) {
        (Ok(_), Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
