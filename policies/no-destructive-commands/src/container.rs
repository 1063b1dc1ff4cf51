//! Paths of commands that run in a container. Only what is mounted there belongs to this machine.

use crate::target::Target;
use hookbox_policy::{Command, UNKNOWN, Word};

/// Whether a command runs other commands in a container.
pub(crate) fn is_one(command: &Command<'_>) -> bool {
    matches!(
        command.name,
        "docker"
            | "podman"
            | "nerdctl"
            | "docker-compose"
            | "podman-compose"
            | "kubectl"
            | "oc"
            | "crictl"
            | "lxc"
            | "incus"
            | "ctr"
            | "lxc-attach"
            | "singularity"
            | "apptainer"
            | "sail"
            | "lando"
            | "ddev"
    )
}

/// Returns the target of a word of a command in a container, which runs in one of these directories there. `here`
/// returns the target of a path on this machine.
pub(crate) fn target(container: &Command<'_>, word: &Word, dirs: &[String], here: impl Fn(&str) -> Target) -> Target {
    let named = resolved(word.text());
    let text = named.as_str();
    let mounted = |text: &str| {
        let paths = mounts(container).into_iter().filter_map(|(source, at)| {
            let rest = text.strip_prefix(at.trim_end_matches('/'))?;
            let path = format!("{source}{rest}");
            (rest.is_empty() || rest.starts_with('/')).then(|| if path.is_empty() { "/".to_owned() } else { path })
        });
        paths.map(|path| here(&path)).max()
    };
    // The content of a volume is on no other disk, and is not lost with the container.
    let is_below = |at: &str| {
        let rest = text.strip_prefix(at.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let of_others = || container.args().iter().any(|word| word.text().starts_with("--volumes-from"));
    if !is_passing(text) && (volumes(container).iter().any(|at| is_below(at)) || of_others() && text.starts_with('/')) {
        return Target::Outside;
    }
    if let Some(worst) = mounted(text) {
        return worst;
    }
    // This is `docker run -v "$PWD":/w -w /w node rm -rf .git`.
    let is_relative = !text.starts_with(['/', '~', UNKNOWN]);
    let dirs = dirs.iter().filter(|dir| is_relative && dir.starts_with('/'));
    let worst = dirs.filter_map(|dir| mounted(&resolved(&format!("{}/{text}", dir.trim_end_matches('/'))))).max();
    if let Some(worst) = worst.filter(|worst| *worst != Target::Unknown) {
        return worst;
    }
    // A running container may contain somebody's data. A container that is started only for this command does not.
    if is_running(container) && text.starts_with('/') && !is_passing(text) {
        return match here(text) {
            Target::System(path) if path.matches('/').count() > 1 => Target::Outside,
            Target::Settings(_) | Target::Inside | Target::Scratch => Target::Outside,
            other => other,
        };
    }
    match here(text) {
        // Beyond that, only what the container needs to work matters. Everything else can be recreated.
        Target::System(path) if path.matches('/').count() > 1 => Target::Scratch,
        Target::Surroundings if !text.starts_with('/') => Target::Outside,
        Target::Outside | Target::Inside | Target::GitData | Target::Settings(_) => Target::Scratch,
        other => other,
    }
}

/// Returns a path without `..`, which may lead from a directory of the container to one that is mounted:
/// `/tmp/../host/etc`. Only absolute paths can be resolved.
fn resolved(path: &str) -> String {
    if !path.starts_with('/') || !path.contains("..") {
        return path.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        if name == ".." {
            names.pop();
        } else {
            names.push(name);
        }
    }
    format!("/{}", names.join("/"))
}

/// Returns the directories in which a container may run its command, if the command line names them.
pub(crate) fn workdirs<'c>(container: &'c Command<'_>) -> Vec<&'c str> {
    const NAMES: [&str; 2] = ["-w", "--workdir"];
    let args = container.args();
    let next = args.windows(2).filter_map(|pair| match pair {
        [option, dir] if NAMES.contains(&option.text()) => Some(dir.text()),
        _ => None,
    });
    let attached = args.iter().map(Word::text).filter_map(|text| {
        let short = || text.strip_prefix("-w").filter(|dir| dir.starts_with('/'));
        text.strip_prefix("--workdir=").or_else(short)
    });
    next.chain(attached).collect()
}

/// Whether the container was already running before the command.
fn is_running(container: &Command<'_>) -> bool {
    let by_name = matches!(container.name, "lxc-attach" | "singularity" | "apptainer" | "sail" | "lando" | "ddev");
    by_name || container.args().iter().take(8).any(|word| matches!(word.text(), "exec" | "debug" | "attach" | "shell"))
}

/// Whether a path in a container is recreated when it is needed.
fn is_passing(path: &str) -> bool {
    const DIRS: [&str; 5] = ["/tmp", "/var/tmp", "/var/cache", "/var/log", "/run"];
    const NAMES: [&str; 14] = [
        "node_modules",
        "dist",
        "build",
        "target",
        "out",
        "cache",
        ".cache",
        "tmp",
        "__pycache__",
        "coverage",
        ".next",
        ".pytest_cache",
        "logs",
        "log",
    ];
    let is_below = |dir: &&str| path.strip_prefix(*dir).is_some_and(|rest| rest.starts_with('/'));
    DIRS.iter().any(is_below) || path.split('/').any(|name| NAMES.contains(&name))
}

/// Returns the mounts: each with its source, a path on this machine or the name of a volume, and its path in the
/// container.
fn all_mounts(container: &Command<'_>) -> Vec<(String, String)> {
    let mut mounts = Vec::new();
    let mut words = container.args().iter();
    while let Some(word) = words.next() {
        let text = word.text();
        let value = match text {
            "-v" | "--volume" | "--mount" => words.next().map(|word| word.text().to_owned()),
            _ => match cluster(text) {
                // This is `-itv a:/b`.
                Some("") => words.next().map(|word| word.text().to_owned()),
                Some(value) => Some(value.to_owned()),
                None => {
                    ["--volume=", "--mount="].iter().find_map(|option| text.strip_prefix(option)).map(str::to_owned)
                }
            },
        };
        let Some(value) = value else { continue };
        if value.contains("target=") || value.contains("dst=") || value.contains("destination=") {
            let member = |names: &[&str]| {
                let mut members = value.split(',').filter_map(|member| member.split_once('='));
                members.find(|(name, _)| names.contains(name)).map(|(_, value)| value.to_owned())
            };
            mounts.extend(member(&["source", "src"]).zip(member(&["target", "dst", "destination"])));
        } else {
            let mut parts = value.split(':');
            if let (Some(source), Some(at)) = (parts.next(), parts.next()) {
                mounts.push((source.to_owned(), at.to_owned()));
            }
        }
    }
    mounts
}

/// Returns what follows the `-v` in a cluster of options without values: `-v/a:/b`, `-itv`.
fn cluster(text: &str) -> Option<&str> {
    let (flags, value) = text.strip_prefix('-')?.split_once('v')?;
    flags.chars().all(|flag| "diPtq".contains(flag)).then_some(value)
}

/// Whether the source of a mount is a path. Otherwise it is the name of a volume.
fn is_path(source: &str) -> bool {
    source.contains('/') || source.starts_with(['.', '~', UNKNOWN])
}

/// Returns the mounted paths of this machine, without a `/` at the end, and their paths in the container.
fn mounts(container: &Command<'_>) -> Vec<(String, String)> {
    let paths = all_mounts(container).into_iter().filter(|(source, _)| is_path(source));
    paths.map(|(source, at)| (source.trim_end_matches('/').to_owned(), at)).collect()
}

/// Returns the paths in the container of volumes that keep data.
fn volumes(container: &Command<'_>) -> Vec<String> {
    const PASSING: [&str; 5] = ["cache", "modules", "target", "build", "tmp"];
    let is_kept = |source: &str| !is_path(source) && !PASSING.iter().any(|name| source.contains(name));
    let named = all_mounts(container).into_iter().filter(|(source, _)| is_kept(source));
    named.map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox_sdk::{ShellCommand, ShellWord};

    fn mounted(text: &str) -> Vec<(String, String)> {
        let mut command = ShellCommand::default();
        command.argv = text.split(' ').map(|word| ShellWord::Known(word.to_owned())).collect();
        mounts(&Command::new(&command))
    }

    #[test]
    fn mounts_are_read_in_each_form() {
        let one = |source: &str, at: &str| vec![(source.to_owned(), at.to_owned())];
        assert_eq!(mounted("docker run -v /a:/b x"), one("/a", "/b"));
        assert_eq!(mounted("docker run -v/a:/b x"), one("/a", "/b"));
        assert_eq!(mounted("docker run --rm -itv /a:/b x"), one("/a", "/b"));
        assert_eq!(mounted("docker run --volume=./a:/b:ro x"), one("./a", "/b"));
        assert_eq!(mounted("docker run --mount type=bind,source=/a,target=/b x"), one("/a", "/b"));
        assert_eq!(mounted("docker run -v data:/b x"), []);
        assert_eq!(mounted("docker run --mount source=data,target=/b x"), []);
        assert_eq!(mounted("docker run -v /:/host x"), one("", "/host"));
    }
}
