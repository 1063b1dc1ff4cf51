//! Web servers whose files are those of a store of credentials: `python3 -m http.server -d ~/.ssh`.

use crate::copies::place;
use crate::reads::Reading;
use crate::stores::{Class, class_of_directory};
use hookbox_policy::{Command, Findings, Word, attached};

/// Programs and modules that serve the files of a directory.
#[rustfmt::skip] // Many names to a line.
const SERVERS: [&str; 14] = [
    "serve", "http-server", "live-server", "servor", "http.server", "SimpleHTTPServer", "httpd", "darkhttpd", "miniserve",
    "dufs", "simple-http-server", "file-server", "sirv", "webfsd",
];

/// Programs that run such a program or module, or do the same by a subcommand.
const LAUNCHERS: [&str; 10] = ["npx", "bunx", "npm", "pnpm", "yarn", "bun", "ruby", "busybox", "caddy", "rclone"];

pub(crate) fn judge(commands: &[Command], reading: &Reading, found: &mut Findings) {
    for command in commands.iter().filter(|command| is_server(command)) {
        let words = command.args().iter().map(Word::text).flat_map(|text| attached(text).chain([text]));
        let mut places = words.chain(["."]).map(|text| place(command, text, reading.here));
        let is_store = |path: &String| {
            class_of_directory(path).is_some() || reading.class(&format!("{path}/x")) == Some(Class::Deny)
        };
        if let Some(store) = places.find(is_store) {
            found.deny(format!(
                "{} serves {store}, where credentials are kept; serve a directory that holds none",
                command.quote()
            ));
        }
    }
}

/// Whether a command serves files to whoever asks for them.
fn is_server(command: &Command) -> bool {
    let mut words = command.args().iter().map(Word::text);
    let launches = LAUNCHERS.contains(&command.name) || command.name.starts_with("python");
    SERVERS.contains(&command.name)
        || launches && words.any(|word| SERVERS.contains(&word.strip_prefix("-m").unwrap_or(word)))
        || command.name == "php" && command.args().iter().any(|word| word.text().starts_with("-S"))
}
