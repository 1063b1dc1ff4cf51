//! Files that no tool may write.

use hookbox_sdk::{Action, Error, Input, hook};
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
    // Tools name their file under one of these keys.
    for key in ["file_path", "path"] {
        // `?`: what is no text is an error of the hook, and then the tool does not run.
        let Some(path) = input.text(key)? else { continue };
        let name = path.rsplit('/').next().unwrap_or_default();
        if input.settings.files.iter().any(|file| file == name) {
            return Ok(Action::deny(format!("`{name}` is protected")));
        }
    }
    Ok(Action::allow())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox_sdk::json;

    #[test]
    fn files_of_secrets_are_protected() {
        let write = |path: &str| {
            let input = Input::pre_tool("write", json!({ "file_path": path })).with_settings(Settings::default());
            judge(&input).unwrap()
        };
        assert!(write("config/.env").is_deny());
        assert!(write(".env.example").is_allow());
    }
}
