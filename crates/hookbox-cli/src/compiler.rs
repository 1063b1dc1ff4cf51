//! The `hookbox-compiler` command: compiles components for a `hookbox` that does not contain the compiler.

use std::process::ExitCode;

fn main() -> ExitCode {
    hookbox::runtime::component::serve_if_asked();
    #[allow(clippy::print_stderr, reason = "it is a command, and was not called as it should be")]
    {
        eprintln!("hookbox-compiler is started by hookbox when a component has to be compiled; run `hookbox` instead");
    }
    ExitCode::FAILURE
}
