//! A Redis server for the tests of shared stores.

use crate::tools;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Tells the tests where the server is, if not in `PATH`.
pub(crate) const VARIABLE: &str = "HOOKBOX_REDIS_SERVER";

const PROGRAMS: [&str; 2] = ["valkey-server", "redis-server"];

/// What the server in Debian 12 needs in addition to the C library.
const PACKAGES: [&str; 9] = [
    "redis-server",
    "redis-tools",
    "libjemalloc2",
    "liblua5.1-0",
    "liblzf1",
    "lua-bitop",
    "lua-cjson",
    "libatomic1",
    "libhiredis0.14",
];

/// Starts the server with the libraries beside it.
const START: &str = "here=$(dirname \"$(readlink -f \"$0\")\")
LD_LIBRARY_PATH=$(echo \"$here\"/root/usr/lib/*-linux-gnu) exec \"$here/root/usr/bin/redis-server\" \"$@\"";

/// The directory of a server that is not in `PATH`, unpacked from Debian's packages if necessary. Without one, the
/// tests that need it are skipped.
pub(crate) fn install() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::var_os(VARIABLE).is_some()
        || std::env::split_paths(&path).any(|dir| PROGRAMS.iter().any(|program| dir.join(program).is_file()))
    {
        return None;
    }
    let dir = tools::root().join("target/tools/redis");
    if dir.join("redis-server").is_file() {
        return Some(dir);
    }
    tools::step("unpacking redis-server into target/tools");
    match unpack(&dir) {
        Ok(()) => Some(dir),
        Err(error) => {
            eprintln!("there is no Redis for the tests: {error:#}");
            None
        }
    }
}

fn unpack(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir)?;
    let download = |command: &mut Command| tools::run(command.current_dir(dir).stdout(Stdio::null()));
    download(Command::new("apt-get").arg("download").args(PACKAGES))?;
    for file in std::fs::read_dir(dir)? {
        let package = file?.path();
        if package.extension().is_some_and(|extension| extension == "deb") {
            tools::run(Command::new("dpkg").arg("-x").arg(&package).arg(dir.join("root")))?;
        }
    }
    let server = tools::script(&dir.join("redis-server"), START)?;
    let works = Command::new(&server).arg("--version").output();
    match works.with_context(|| format!("`{}` cannot be started", server.display())) {
        Ok(output) if output.status.success() => Ok(()),
        unusable => {
            std::fs::remove_file(&server)?;
            let why = unusable.map(|output| String::from_utf8_lossy(&output.stderr).trim().to_owned());
            anyhow::bail!("the server of Debian's packages does not run here: {}", why?)
        }
    }
}
