//! Tool calls that may use the network.

use hookbox_sdk::{ShellWord, Tool, ToolKind};

/// Returns how the tool call may use the network, in words that go on after "and".
pub(crate) fn reached_by(tool: &Tool, offline: &[String]) -> Option<String> {
    match tool.kind {
        ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Delete | ToolKind::Search => None,
        ToolKind::Shell => of_shell(tool, offline),
        ToolKind::Fetch => Some(match tool.urls.first() {
            Some(url) => format!("this call asks {url}"),
            None => "this call uses the network".to_owned(),
        }),
        _ => Some("this tool may use the network".to_owned()),
    }
}

/// Returns how a shell command may use the network. A program is known to stay offline, or may use the network.
fn of_shell(tool: &Tool, offline: &[String]) -> Option<String> {
    let Some(commands) = tool.commands.as_ref().filter(|_| tool.complete) else {
        return Some("not all that this command runs is known".to_owned());
    };
    let online = commands.iter().find(|command| {
        // bash opens connections by itself.
        let opens = |word: &str| word.contains("/dev/tcp/") || word.contains("/dev/udp/");
        let mut targets = command.redirects.iter().filter_map(|redirect| redirect.target.as_ref());
        // `./cat` is another program than `cat`.
        let is_bare = |name: &String| command.argv.first().and_then(ShellWord::known) == Some(name.as_str());
        let is_offline = |name: &String| is_bare(name) && offline.contains(name);
        targets.any(|target| opens(target.written())) || !command.name.as_ref().is_some_and(is_offline)
    })?;
    let name = online.name.as_deref().unwrap_or("a program that is not known");
    Some(format!("`{name}` may use the network"))
}
