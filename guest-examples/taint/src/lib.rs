//! A hook that stops a session from using the network once the session has read a secret.

mod network;
mod secret;
mod settings;

use hookbox_sdk::{Action, Error, Input, hook, store};
pub use settings::{Otherwise, Settings};

hook!(judge);

/// The key under which the first secret that the session read is stored.
const READ: &str = "read";

/// Judges a tool call, and remembers it if it reads a secret.
///
/// # Errors
/// Returns an error if the call has no facts, or if the store failed.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    let (tool, settings) = (input.facts()?, &input.settings);
    let store = store::open()?;
    let secret = secret::read_by(&tool, &settings.secrets);
    let uses_network = network::reached_by(&tool, &settings.offline);

    if let Some(read) = store.get_text(READ)? {
        return Ok(match uses_network {
            Some(how) => settings.otherwise(format!("this session has read {read}, and {how}")),
            None => Action::allow(),
        });
    }
    let Some(secret) = secret else {
        return Ok(match tool.unknown.first() {
            Some(unknown) if !tool.complete => Action::ask(format!("this may read a secret: {unknown}")),
            None if !tool.complete => Action::ask("this may read a secret: not all that it does is known"),
            _ => Action::allow(),
        });
    };
    // A call that does both at once is stopped before it has read anything, so it leaves no trace.
    if let Some(how) = uses_network {
        return Ok(settings.otherwise(format!("this reads {secret}, and {how}")));
    }
    store.set(READ, secret)?;
    Ok(Action::allow().with_message(format!("{secret} was read: this session stays offline from now on")))
}
