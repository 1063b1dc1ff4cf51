//! Files that no tool may write.

use hookbox_sdk::{Action, Error, Input, ToolKind, hook};
use serde::Deserialize;

hook!(judge);

/// What `settings` in hooks.toml can hold.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// The names of the files.
    files: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { files: vec![".env".to_owned(), "id_rsa".to_owned()] }
    }
}

fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    // What the call means, whichever agent makes it. `?`: without facts the hook fails, and then the tool does not run.
    let tool = input.facts()?;
    for path in tool.paths.iter().filter(|path| path.access.changes()) {
        // A link may lead to another file.
        for place in [Some(&path.path), path.real.as_ref()].into_iter().flatten() {
            let name = place.rsplit('/').next().unwrap_or_default();
            if input.settings.files.iter().any(|file| file == name) {
                let reason = format!("`{name}` is protected");
                // A text that may be a path, in a call of a tool that hookbox does not know, is a question.
                return Ok(if path.certain { Action::deny(reason) } else { Action::ask(reason) });
            }
        }
    }
    // Without `facts = ["commands"]` in hooks.toml, the facts do not say which files a shell command changes.
    let is_unread = !tool.complete || (tool.kind == ToolKind::Shell && tool.commands.is_none());
    let writes = matches!(tool.kind, ToolKind::Write | ToolKind::Edit | ToolKind::Delete | ToolKind::Shell);
    Ok(if writes && is_unread { Action::ask("which files may this change?") } else { Action::allow() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox_sdk::{Access, Event, Place, Tool, ToolPath};

    #[test]
    fn files_of_secrets_are_protected() {
        let call = |path: &str, access| {
            let mut tool = Tool::new(ToolKind::Write);
            tool.paths.push(ToolPath::new(path, access, Place::Project));
            let input = Input::new(Event::PreTool).with_facts(&tool).with_settings(Settings::default());
            judge(&input).unwrap()
        };
        assert!(call("/app/config/.env", Access::Write).is_deny());
        assert!(call("/app/config/.env", Access::Read).is_allow());
        assert!(call("/app/.env.example", Access::Write).is_allow());
    }
}
