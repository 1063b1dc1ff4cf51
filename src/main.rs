//! The `hookbox` command. All of it is in [`cli`], so that `main` is only the way in.

mod cli;

fn main() -> std::process::ExitCode {
    #[cfg(feature = "compiler")]
    hookbox::runtime::component::serve_if_asked();
    cli::main(std::env::args_os()).into()
}
