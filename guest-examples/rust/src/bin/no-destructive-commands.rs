//! The same policy as a program: a shell hook for use without a sandbox.

fn main() -> std::process::ExitCode {
    hookbox_sdk::run_as_shell_hook(no_destructive_commands::judge)
}
