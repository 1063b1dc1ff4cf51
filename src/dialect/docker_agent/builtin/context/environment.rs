//! `add_environment_info`: tells the model where the agent runs.

use std::path::Path;

pub(super) fn info(dir: &str) -> String {
    let is_git = if is_git_repo(Path::new(dir)) { "Yes" } else { "No" };
    format!(
        "Here is useful information about the environment you are running in:\n\t<env>\n\tWorking directory: {dir}\n\
         \tIs directory a git repo: {is_git}\n\tOperating System: {}\n\tCPU Architecture: {}\n\t</env>",
        system(),
        architecture(),
    )
}

/// Whether this directory or one above it contains a directory `.git`. A file with this name, as in worktrees and
/// submodules, does not count.
fn is_git_repo(dir: &Path) -> bool {
    if !dir.is_dir() {
        return false;
    }
    for dir in dir.ancestors() {
        match std::fs::metadata(dir.join(".git")) {
            Ok(found) if found.is_dir() => return true,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return false,
        }
    }
    false
}

fn system() -> &'static str {
    match std::env::consts::OS {
        "macos" => "MacOS",
        "windows" => "Windows",
        "linux" => "Linux",
        other => other,
    }
}

/// Returns Go's name for the architecture, except for `x64`.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "386",
        "loongarch64" => "loong64",
        "powerpc64" => "ppc64",
        other => other,
    }
}
