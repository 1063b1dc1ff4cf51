//! `cargo xtask package`: makes the packages from which people install hookbox, in `target/packages`.

mod archive;
mod check;
mod debian;
mod homebrew;
mod macos;
mod npm;
mod programs;
mod sbom;
mod tree;
mod wheel;

use crate::tools;
use anyhow::{Context, Result, bail};
use programs::Programs;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: cargo xtask package [--quick | --target TARGET]... [--url URL] | --check [--hookbox PATH]";

/// The file with the digests of all packages.
const SUMS: &str = "SHA256SUMS";

/// The version of hookbox and of its packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A system that has packages.
#[derive(Clone, Copy, Debug)]
struct System {
    /// The target of the programs. On Linux, the programs use no shared libraries, so one target serves all
    /// distributions.
    target: &'static str,
    /// The platform tags of the wheel, which name the oldest systems on which it may be installed.
    wheel: &'static str,
    /// The values of `process.platform` and `process.arch` in Node.js.
    npm: (&'static str, &'static str),
    /// Debian's name for the architecture, on Linux.
    debian: Option<&'static str>,
}

impl System {
    fn named(target: &str) -> Result<Self> {
        let known = || SYSTEMS.map(|system| system.target).join(", ");
        let found = SYSTEMS.into_iter().find(|system| system.target == target);
        found.with_context(|| format!("there are no packages for {target}, but for {}", known()))
    }

    fn is_macos(&self) -> bool {
        self.target.ends_with("-apple-darwin")
    }
}

const SYSTEMS: [System; 4] = [
    System {
        target: "x86_64-unknown-linux-musl",
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        npm: ("linux", "x64"),
        debian: Some("amd64"),
    },
    System {
        target: "aarch64-unknown-linux-musl",
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        npm: ("linux", "arm64"),
        debian: Some("arm64"),
    },
    System { target: "aarch64-apple-darwin", wheel: "macosx_11_0_arm64", npm: ("darwin", "arm64"), debian: None },
    System { target: "x86_64-apple-darwin", wheel: "macosx_11_0_x86_64", npm: ("darwin", "x64"), debian: None },
];

pub(crate) fn run(args: &[String]) -> Result<()> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--check"] => return check::run(&out_dir()),
        ["--check", "--hookbox", path] => return check::run(&pack_given(Path::new(path))?),
        _ => {}
    }
    let Wanted { systems, url } = Wanted::parse(args)?;
    let out = out_dir();
    // The packages of other systems are kept, unless all are built.
    if out.exists() && systems.len() == SYSTEMS.len() {
        fs::remove_dir_all(&out).with_context(|| format!("`{}` cannot be cleared", out.display()))?;
    }
    fs::create_dir_all(&out)?;
    let host = programs::build_host()?;
    for system in &systems {
        let programs = programs::build(system, &host)?;
        sbom::write(system, &programs, &out)?;
        pack(system, &programs, &host, &out)?;
    }
    pack_common(&out)?;
    homebrew::write(&out, url.as_deref())?;
    list(&out)
}

/// The directory that the packages are written to.
fn out_dir() -> PathBuf {
    tools::root().join("target/packages")
}

/// Packs the programs for a system. `host` is a hookbox that runs here.
fn pack(system: &System, programs: &Programs, host: &Path, out: &Path) -> Result<()> {
    tools::step(&format!("packing for {}", system.target));
    let tree = tree::lay_out(system, programs, host)?;
    archive::pack(system, &tree, out)?;
    if let Some(architecture) = system.debian {
        debian::pack(architecture, &tree, out)?;
    }
    wheel::pack(system, &tree, out)?;
    npm::pack(system, &tree, out)
}

/// Packs the clients and the npm package that are the same for all systems.
fn pack_common(out: &Path) -> Result<()> {
    wheel::pack_client(out)?;
    npm::pack_front(out)
}

/// Packs a hookbox that was built for the tests as if it were the one for this system. Returns the directory of the
/// packages.
fn pack_given(hookbox: &Path) -> Result<PathBuf> {
    let out = scratch("given-packages")?;
    let system = System::named(&this_target())?;
    pack(&system, &programs::given(hookbox)?, hookbox, &out)?;
    pack_common(&out)?;
    Ok(out)
}

/// The target of this machine's packages.
fn this_target() -> String {
    format!("{}-unknown-linux-musl", std::env::consts::ARCH)
}

/// The parsed arguments.
struct Wanted {
    systems: Vec<System>,
    /// The URL at which the packages will be published.
    url: Option<String>,
}

impl Wanted {
    /// Parses the arguments. If they do not name a system, all systems are wanted.
    fn parse(args: &[String]) -> Result<Self> {
        let mut wanted = Wanted { systems: Vec::new(), url: None };
        let mut args = args.iter().map(String::as_str);
        while let Some(arg) = args.next() {
            let target = match arg {
                "--quick" => this_target(),
                "--target" => args.next().context(USAGE)?.to_owned(),
                "--url" => {
                    wanted.url = Some(args.next().context(USAGE)?.trim_end_matches('/').to_owned());
                    continue;
                }
                _ => bail!(USAGE),
            };
            wanted.systems.push(System::named(&target)?);
        }
        if wanted.systems.is_empty() {
            wanted.systems = SYSTEMS.to_vec();
        }
        Ok(wanted)
    }
}

/// Writes the digests of all packages, and prints them with their sizes.
fn list(out: &Path) -> Result<()> {
    let mut files: Vec<PathBuf> = fs::read_dir(out)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    // The formula has no digest, because it contains the place of the other files, which differs.
    files.retain(|file| !file.ends_with(SUMS) && file.extension().is_none_or(|extension| extension != "rb"));
    files.sort();
    let mut sums = String::new();
    for file in files {
        let bytes = fs::read(&file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{:>6.1} MB  {name}", bytes.len() as f64 / 1e6);
        sums.push_str(&format!("{}  {name}\n", digest(&bytes)));
    }
    tools::write(&out.join(SUMS), sums.as_bytes())
}

/// Returns the SHA-256 of a file, in lower-case hex.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Creates an empty directory below `target/package-build`.
fn scratch(name: &str) -> Result<PathBuf> {
    let dir = tools::root().join("target/package-build").join(name);
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    Ok(dir)
}
