//! `[stores]`: the servers on which the file's hooks keep shared state.

use crate::config::entry::{Entry, HookTarget};
use crate::config::fields::Fields;
use crate::config::file::ConfigFile;
use crate::protocol::Source;
use crate::runtime::component::{StoreScope, StoreServer};

/// The possible beginnings of a server's address. `env:NAME` keeps a password out of the file.
const SCHEMES: [&str; 6] = ["redis://", "rediss://", "valkey://", "valkeys://", "unix://", "env:"];

/// Reads the server of stores with the scope `shared`.
pub(super) fn read(file: &ConfigFile, root: &mut Fields<'_>) -> Option<StoreServer> {
    let (table, at) = root.table("stores", r#"{ shared = "rediss://cache.example.com" }"#)?;
    if file.source == Source::PROJECT {
        let help = "write `[stores]`, and the hooks that share a store, into your own hooks.toml";
        root.bad_key(&at, "a project cannot say where stores are", Some(help.to_owned()));
        return None;
    }
    let mut stores = Fields::new(file, None, "stores.", table);
    stores.only(&["shared"]);
    let server = stores.string("shared", r#""rediss://cache.example.com""#).and_then(|(url, at)| {
        if SCHEMES.iter().any(|scheme| url.starts_with(scheme)) {
            return Some(StoreServer::new(url));
        }
        let help = "a URL such as \"rediss://cache.example.com\", or \"env:NAME\" for a variable that holds one";
        stores.bad_value(&at, "`stores.shared` is not the URL of a Redis or Valkey", Some(help.to_owned()));
        None
    });
    root.absorb(stores.into_problems());
    server
}

/// Gives a hook with a shared store the server of that store.
pub(super) fn assign(server: Option<&StoreServer>, entry: &mut Entry) {
    if let (Some(server), HookTarget::Component(component)) = (server, &mut entry.target)
        && let Some(store) = component.grants.store.take()
    {
        let is_shared = store.scope == StoreScope::Shared;
        component.grants.store = Some(if is_shared { store.on(server.clone()) } else { store });
    }
}
