//! The `hookbox` command. It lives in the library of this crate; `main` only starts it.

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    #[cfg(feature = "compiler")]
    hookbox::runtime::component::serve_if_asked();
    hookbox_cli::cli::main(std::env::args_os()).into()
}
