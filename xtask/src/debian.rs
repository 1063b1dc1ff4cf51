//! Programs from Debian for the tests. They are unpacked into target/tools if they are not installed.

use crate::tools;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that some tests need.
pub(crate) struct Program {
    /// Its names, the preferred one first.
    names: &'static [&'static str],
    /// The variable that tells the tests the program's directory, if that is not in `PATH`.
    pub(crate) variable: &'static str,
    /// Its packages in Debian 12, with the packages that they need in addition to a plain system.
    packages: &'static [&'static str],
    /// Its path below the root of the unpacked packages.
    file: &'static str,
}

/// A Redis server, for the tests of shared stores.
pub(crate) const REDIS: Program = Program {
    names: &["redis-server", "valkey-server"],
    variable: "HOOKBOX_REDIS_SERVER",
    packages: &[
        "redis-server",
        "redis-tools",
        "libjemalloc2",
        "liblua5.1-0",
        "liblzf1",
        "lua-bitop",
        "lua-cjson",
        "libatomic1",
        "libhiredis0.14",
    ],
    file: "usr/bin/redis-server",
};

/// A browser without a screen, for the tests of pages.
pub(crate) const CHROMIUM: Program = Program {
    names: &["chromium-headless-shell"],
    variable: "HOOKBOX_CHROMIUM",
    packages: &[
        "chromium-headless-shell",
        "chromium-common",
        "libxnvctrl0",
        "libdouble-conversion3",
        "libogg0",
        "libflac12",
        "libharfbuzz-subset0",
        "libminizip1",
        "libopenh264-7",
        "libopus0",
        "libasyncns0",
        "libmp3lame0",
        "libmpg123-0",
        "libvorbis0a",
        "libvorbisenc2",
        "libsndfile1",
        "libpulse0",
    ],
    file: "usr/lib/chromium/chromium-headless-shell",
};

/// An emulator that runs programs for ARM.
pub(crate) const QEMU: Program = Program {
    names: &["qemu-aarch64-static", "qemu-aarch64"],
    variable: "HOOKBOX_QEMU",
    packages: &["qemu-user-static"],
    file: "usr/bin/qemu-aarch64-static",
};

impl Program {
    /// Returns the path of the program, in `PATH` or unpacked.
    pub(crate) fn find(&self) -> Result<PathBuf> {
        let unpacked = self.install().into_iter();
        let given = std::env::var_os(self.variable).map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let dirs: Vec<PathBuf> = unpacked.chain(given).chain(std::env::split_paths(&path)).collect();
        let mut files = dirs.iter().flat_map(|dir| self.names.iter().map(|name| dir.join(name)));
        files.find(|file| file.is_file()).with_context(|| format!("install {}", self.packages.join(" ")))
    }

    /// Returns the directory of the program if that is not in `PATH`. Unpacks Debian's packages if necessary. If that
    /// fails, returns `None`, and the tests that need the program are skipped.
    pub(crate) fn install(&self) -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if std::env::var_os(self.variable).is_some()
            || std::env::split_paths(&path).any(|dir| self.names.iter().any(|name| dir.join(name).is_file()))
        {
            return None;
        }
        let name = self.names.first()?;
        let short = name.split('-').next().unwrap_or(name);
        let dir = tools::root().join("target/tools").join(short);
        if dir.join(name).is_file() {
            return Some(dir);
        }
        tools::step(&format!("unpacking {name} into target/tools"));
        match self.unpack(&dir, name) {
            Ok(()) => Some(dir),
            Err(error) => {
                eprintln!("there is no {name} for the tests: {error:#}");
                None
            }
        }
    }

    fn unpack(&self, dir: &Path, name: &str) -> Result<()> {
        std::fs::create_dir_all(dir)?;
        let download = |command: &mut Command| tools::run(command.current_dir(dir).stdout(Stdio::null()));
        download(Command::new("apt-get").arg("download").args(self.packages))?;
        for file in std::fs::read_dir(dir)? {
            let package = file?.path();
            if package.extension().is_some_and(|extension| extension == "deb") {
                tools::run(Command::new("dpkg").arg("-x").arg(&package).arg(dir.join("root")))?;
                std::fs::remove_file(&package)?;
            }
        }
        // The script makes the program use the libraries that were unpacked with it.
        let start = format!(
            "here=$(dirname \"$(readlink -f \"$0\")\")\nlib=$(echo \"$here\"/root/usr/lib/*-linux-gnu)\n\
             LD_LIBRARY_PATH=\"$lib:$lib/pulseaudio\" exec \"$here/root/{}\" \"$@\"",
            self.file
        );
        let program = tools::script(&dir.join(name), &start)?;
        let works = Command::new(&program).arg("--version").output();
        match works.with_context(|| format!("`{}` cannot be started", program.display())) {
            Ok(output) if output.status.success() => Ok(()),
            unusable => {
                std::fs::remove_file(&program)?;
                let why = unusable.map(|output| String::from_utf8_lossy(&output.stderr).trim().to_owned());
                anyhow::bail!("that of Debian's packages does not run here: {}", why?)
            }
        }
    }
}
