//! Files of this machine that a container gets: `docker run -v ~/.aws:/root/.aws:ro x`.

use crate::inputs::value_of;
use hookbox_policy::{Command, Word};

/// Programs that run containers.
#[rustfmt::skip] // Many names to a line.
const CONTAINERS: &[&str] = &[
    "apptainer", "buildah", "devcontainer", "distrobox", "docker", "docker-compose", "finch", "k3d", "nerdctl", "podman", "singularity", "toolbox",
];

/// Options whose value is a path, the path in the container, and flags.
const VOLUMES: &[&str] = &["--bind", "--volume", "-B", "-v"];

/// Flags of a mount that change nothing on this machine. `U` changes the owner of the files, and `z` their label.
#[rustfmt::skip] // Many names to a line.
const FLAGS: &[&str] = &[
    "bind", "cached", "consistent", "delegated", "nocopy", "nodev", "noexec", "nosuid", "private", "rbind", "ro", "rprivate", "rshared", "rslave",
    "shared", "slave",
];

/// Keys of `--mount` by which the files change, or may be changed.
const CHANGES: &[&str] = &["U", "chown", "idmap", "relabel", "rw", "z", "Z"];

/// Whether an argument is a mount that the container can only read.
pub(crate) fn is_read_only(command: &Command<'_>, at: usize) -> bool {
    if command.name == "flatpak" {
        return value_of(command, at, &["--filesystem"]).is_some_and(|value| value.ends_with(":ro"));
    }
    if !CONTAINERS.contains(&command.name) || may_remount(command) {
        return false;
    }
    let volume = value_of(command, at, VOLUMES).or_else(|| of_cluster(command, at));
    volume.is_some_and(is_read_only_volume) || value_of(command, at, &["--mount"]).is_some_and(is_read_only_mount)
}

/// Returns the paths in `--mount type=bind,source=PATH,target=x`.
pub(crate) fn sources<'c>(command: &'c Command<'_>, at: usize) -> impl Iterator<Item = &'c str> {
    let is_container = CONTAINERS.contains(&command.name);
    let mount = value_of(command, at, &["--mount"]).filter(|_| is_container).unwrap_or_default();
    let sources = fields(mount).filter(|(key, _)| matches!(*key, "source" | "src")).filter_map(|(_, value)| value);
    sources.map(|source| source.trim_matches('"'))
}

/// Returns the value of `-v` after other letters: `docker run -itv a:b x`.
fn of_cluster<'c>(command: &'c Command<'_>, at: usize) -> Option<&'c str> {
    let before = command.args().get(at.checked_sub(1)?)?.text();
    let is_cluster = before.starts_with('-') && !before.starts_with("--") && before.ends_with('v');
    command.args().get(at).map(Word::text).filter(|_| is_cluster)
}

fn is_read_only_volume(value: &str) -> bool {
    let mut parts = value.split(':');
    let (Some(source), Some(target), Some(flags), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    // Some programs take a list with commas, whose other items have flags of their own.
    let is_one = !source.contains(',') && !target.contains(',') && !target.is_empty();
    is_one && flags.split(',').any(|flag| flag == "ro") && flags.split(',').all(|flag| FLAGS.contains(&flag))
}

fn is_read_only_mount(value: &str) -> bool {
    let mut read_only = fields(value).filter(|(key, _)| matches!(*key, "readonly" | "ro"));
    let is_on = read_only.next().is_some_and(|(_, value)| value.is_none_or(|value| matches!(value, "true" | "1")));
    let may_change = value.contains('"') || fields(value).any(|(key, _)| CHANGES.contains(&key));
    is_on && read_only.next().is_none() && !may_change
}

/// Returns the fields of `--mount`, each with its value if it has one.
fn fields(mount: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    mount.split(',').map(|field| match field.split_once('=') {
        Some((key, value)) => (key.trim_matches('"'), Some(value)),
        None => (field.trim_matches('"'), None),
    })
}

/// Whether the container may mount the files again, to write to them.
fn may_remount(command: &Command<'_>) -> bool {
    let is_mighty = |word: &Word| {
        let text = word.text();
        ["--add-caps", "--cap-add", "--privileged"].iter().any(|option| text.starts_with(option))
    };
    command.args().iter().any(is_mighty)
}

#[cfg(test)]
mod tests {
    use super::{is_read_only_mount, is_read_only_volume};

    #[test]
    fn a_mount_that_can_only_be_read() {
        for value in ["/a:/b:ro", "a:/b:ro,cached", "~/a:/b:rslave,ro"] {
            assert!(is_read_only_volume(value), "{value}");
        }
        for value in ["type=bind,src=/a,dst=/b,readonly", "src=/a,ro=true,dst=/b", "readonly=1,src=/a"] {
            assert!(is_read_only_mount(value), "{value}");
        }
    }

    #[test]
    fn a_mount_through_which_files_change() {
        for value in ["/a:/b", "/a:/ro", "/a:ro", "/a:/b:rw", "/a:/b:ro,rw", "/a:/b:ro,U", "/a:/b:ro,/c", "/c,/a:/b:ro"]
        {
            assert!(!is_read_only_volume(value), "{value}");
        }
        for value in
            ["src=/a,dst=/b", "src=/a,readonly=false", "src=/ro", "src=/a,ro,readonly=false", "src=/a,ro,U=true"]
        {
            assert!(!is_read_only_mount(value), "{value}");
        }
    }
}
