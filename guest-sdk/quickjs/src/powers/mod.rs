//! What a script can do besides computing: Rust functions that the JavaScript around the script calls.

mod arguments;
mod http;
mod log;
mod store;

pub(crate) use store::Module as StoreModule;

use arguments::{Bytes, Key};
use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object, Result};
use std::cell::Cell;

/// The powers of the script that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Powers {
    pub(crate) origin: Origin,
    pub(crate) log: bool,
    pub(crate) store: bool,
    pub(crate) http: bool,
}

/// Where the script comes from, for messages about powers that it lacks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A file that an entry of a config names.
    Plain,
    /// A part of the component that was built from the script.
    Built,
}

impl Powers {
    const NONE: Powers = Powers { origin: Origin::Plain, log: false, store: false, http: false };

    /// Returns why there is no module for the store, or `None` if there is one.
    pub(crate) const fn without_store(self) -> Option<&'static str> {
        match (self.store, self.origin) {
            (true, _) => None,
            (false, Origin::Plain) => Some("the script is granted no store: `grants.store` in its entry grants one"),
            (false, Origin::Built) => Some("the component was built without a store: write its name as it is"),
        }
    }

    const fn without_http(self) -> Option<&'static str> {
        match (self.http, self.origin) {
            (true, _) => None,
            (false, Origin::Plain) => {
                Some("a script has no network: make a component of it with `hookbox build`, and grant that `net`")
            }
            (false, Origin::Built) => Some("the component was built without the network: call `fetch` by its name"),
        }
    }
}

thread_local! {
    static POWERS: Cell<Powers> = const { Cell::new(Powers::NONE) };
    /// Whether the hook has been called.
    static CALLED: Cell<bool> = const { Cell::new(false) };
}

/// Gives the script its powers. The store and the network stay closed until the script's hook is called.
pub(crate) fn give(powers: Powers) {
    POWERS.set(powers);
}

pub(crate) fn given() -> Powers {
    POWERS.get()
}

/// Opens the store and the network, because the hook is called next.
pub(crate) fn open() {
    CALLED.set(true);
}

/// Returns an error unless the hook is being called. Loading a script only computes, so hookbox can load a file just to
/// see whether it is a script.
fn check_open(ctx: &Ctx<'_>, what: &str) -> Result<()> {
    match CALLED.get() {
        true => Ok(()),
        false => Err(Exception::throw_message(ctx, &format!("{what} is there when the hook is called, not before"))),
    }
}

/// Returns the functions for the JavaScript around the script.
pub(crate) fn functions<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let functions = Object::new(ctx.clone())?;
    functions.set("log", Func::from(log::log))?;
    functions.set("send", Func::from(http::send))?;
    functions.set("decode", Func::from(decode))?;
    Ok(functions)
}

/// Decodes bytes as text.
fn decode(ctx: Ctx<'_>, bytes: Bytes) -> Result<String> {
    text(&ctx, bytes.0, "the body of the response")
}

fn text(ctx: &Ctx<'_>, bytes: Vec<u8>, what: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Exception::throw_type(ctx, &format!("{what} is not text")))
}
