//! The rule: no shell command may remove the root directory or overwrite what others have pushed.

use hookbox_sdk::{Action, Error, Input};
use memchr::memmem;

/// The texts that commands must not contain.
const FORBIDDEN: [&str; 3] = ["rm -rf /", "git push --force", "mkfs."];

/// Judges one event.
pub(crate) fn judge(input: &Input) -> Result<Action, Error> {
    if !input.is_tool(&["bash"]) {
        return Ok(Action::allow());
    }
    let Some(command) = input.text("command")? else {
        return Ok(Action::allow());
    };
    Ok(match FORBIDDEN.iter().find(|words| memmem::find(command.as_bytes(), words.as_bytes()).is_some()) {
        Some(words) => Action::deny(format!("`{words}` is not allowed here")),
        None => Action::allow(),
    })
}
