//! Containers whose image is a program that opens a tunnel: `docker run cloudflare/cloudflared tunnel …`.

use super::Traffic;
use super::special::TUNNELS;
use crate::Word;

/// More names of images, of programs that are not commands on their own.
const IMAGES: &[&str] =
    &["ngrok-docker", "frp", "frps", "rathole", "wstunnel", "gost", "sshuttle", "pgrok", "sish", "inlets"];
/// Directories in which such a name is a file of the container.
const DIRECTORIES: &[&str] = &["bin", "sbin", "usr", "opt", "src", "cmd", "tools", "vendor", "build", "target", "dist"];

/// Reads the arguments of `docker run`. `operands` are those that are neither options nor values of options.
pub(super) fn read(args: &[Word], operands: &[Word], traffic: &mut Traffic) {
    let mut verbs = operands.iter().map(Word::text).skip_while(|verb| *verb == "container");
    if !matches!(verbs.next(), Some("run" | "create")) {
        return;
    }
    let is_image = |word: &&Word| is_tunnel(word.text());
    let Some(image) = operands.iter().find(is_image) else { return };
    // The words after the image are for the program in it.
    let mut after = args.iter().map(Word::text).skip_while(|text| *text != image.text()).skip(1);
    if !matches!(after.next(), Some("version" | "--version" | "help" | "--help")) {
        traffic.serves = Some("it opens a tunnel".to_owned());
    }
}

/// Whether the name of an image, with its owner, is that of a program that opens a tunnel: `ngrok/ngrok:3`.
fn is_tunnel(image: &str) -> bool {
    let Some((owner, name)) = image.rsplit_once('/') else { return false };
    let name = name.split([':', '@']).next().unwrap_or_default();
    let first = owner.split('/').next().unwrap_or_default();
    let is_path = owner.starts_with(['.', '~']) || first.is_empty() || DIRECTORIES.contains(&first);
    // A short word may be the name of anything.
    let is_known = TUNNELS.contains(&name) && !matches!(name, "lt" | "expose" | "bore") || IMAGES.contains(&name);
    !is_path
        && !image.contains([' ', '=', ','])
        && !image.contains("://")
        && (is_known || image.starts_with("ekzhang/bore"))
}
