//! The `hookbox` command. All of it is in [`cli`], so that `main` is only the way in.

mod cli;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    #[cfg(feature = "compiler")]
    hookbox::runtime::component::serve_if_asked();
    cli::main(std::env::args_os()).into()
}
