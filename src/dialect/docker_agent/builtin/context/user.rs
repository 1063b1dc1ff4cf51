//! `add_user_info`: tells the model who runs the agent.

/// Returns what is known about the user. `None` if nothing is.
pub(super) fn info() -> Option<String> {
    let (user, full_name) = account();
    let known = [("User", user), ("Full name", full_name), ("Hostname", hostname())];
    let lines: Vec<String> = known
        .into_iter()
        .filter_map(|(what, text)| text.filter(|text| !text.is_empty()).map(|text| format!("{what}: {text}")))
        .collect();
    (!lines.is_empty()).then(|| format!("Current user:\n\n{}", lines.join("\n")))
}

/// Returns the name and the full name of the user that this process runs as.
fn account() -> (Option<String>, Option<String>) {
    let uid = rustix::process::getuid().as_raw().to_string();
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut rows = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let row = rows.find(|row| row.get(2) == Some(&uid.as_str())).unwrap_or_default();
    let name = row.first().map(|name| (*name).to_owned());
    // After the first comma are the office and telephone numbers.
    let full_name = row.get(4).and_then(|comment| comment.split(',').next()).map(str::to_owned);
    (name.or_else(|| std::env::var("USER").ok()), full_name)
}

fn hostname() -> Option<String> {
    let told =
        ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|file| std::fs::read_to_string(file).ok());
    told.or_else(|| std::env::var("HOSTNAME").ok()).map(|name| name.trim().to_owned())
}
