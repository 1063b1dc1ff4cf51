//! `hookbox state`: shows what components keep in their stores.

use super::list::align;
use super::render::printable_line;
use super::scope::{Scope, absolute};
use super::{Exit, Format, print_json, print_line};
use anyhow::{Context, anyhow, bail};
use bytesize::ByteSize;
use clap::{Args, Subcommand, ValueEnum};
use hookbox::runtime::component::StoreServer;
use hookbox_store::{Entry, Store, Usage};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The time limit for one operation on the stores.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// List, show or delete what components keep in their stores
///
/// A component that is granted a store keeps values there from call to call. Each hook has its own, by session, by project,
/// for all calls of the user, or for all machines that use the server that the config names under `[stores]`.
#[derive(Args)]
#[command(after_help = "Examples:\n  hookbox state list\n  hookbox state clear rate-limit\n  \
                        hookbox state clear budget --only shared")]
pub(super) struct State {
    #[command(subcommand)]
    what: Operation,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR", global = true)]
    home: Option<PathBuf>,

    /// Use the server that this file names, in place of those that the usual config files name; may be given again
    #[arg(long, value_name = "FILE", global = true)]
    config: Vec<PathBuf>,

    /// Leave the other stores out
    #[arg(long, value_enum, value_name = "WHICH", global = true)]
    only: Option<Which>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", global = true)]
    format: Format,
}

/// Where stores are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Those on this machine
    Local,
    /// Those on the server that machines share
    Shared,
}

#[derive(Subcommand)]
enum Operation {
    /// List the stores
    List {
        /// Only those of this hook
        hook: Option<String>,
    },
    /// Show the keys and values of a hook
    Show {
        /// The hook
        hook: String,
    },
    /// Delete all values of a hook
    Clear {
        /// The hook
        #[arg(required_unless_present = "all")]
        hook: Option<String>,

        /// Those of all hooks. If the config names a server, say with --only which ones
        #[arg(long, conflicts_with = "hook")]
        all: bool,
    },
}

/// One store, as it is printed.
#[derive(Serialize)]
struct Listed {
    hook: String,
    config: String,
    scope: String,
    keys: u64,
    bytes: u64,
    quota: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_expiry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Shown>>,
}

/// One value, as it is printed.
#[derive(Serialize)]
struct Shown {
    key: String,
    /// The value as text; invalid bytes are replaced.
    value: String,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiry: Option<String>,
}

impl State {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let project = absolute(Path::new(""))?;
        let mut scope = Scope::of_place("hookbox".to_owned(), self.home, Some(project), None);
        scope.name_files(self.config);
        let mut stores = Vec::new();
        if self.only != Some(Which::Shared) {
            stores.extend(local(scope.places()?.state())?);
        }
        if self.only != Some(Which::Local) {
            stores.extend(shared(&scope)?);
        }
        if let Operation::Clear { all: true, .. } = self.what
            && self.only.is_none()
            && stores.iter().any(|store| store.is_shared)
        {
            bail!("the config names a server whose stores machines share: add `--only local` or `--only shared`");
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(exec(self.what, &stores, self.format == Format::Json))?;
        Ok(Exit::Success)
    }
}

/// A place that has stores.
struct Place {
    store: Store,
    is_shared: bool,
}

impl Place {
    /// Returns the message for a failed operation.
    fn failed(&self, what: &'static str) -> &'static str {
        if self.is_shared { "the shared stores cannot be used; `--only local` leaves them out" } else { what }
    }
}

/// Opens the stores of this machine, if there are any: listing must not create one.
fn local(dir: &Path) -> anyhow::Result<Option<Place>> {
    if !dir.join(hookbox_store::FILE_NAME).try_exists()? {
        return Ok(None);
    }
    let store = Store::local(dir).context("the stores cannot be read")?;
    Ok(Some(Place { store, is_shared: false }))
}

/// Opens the stores on the servers that the config names.
fn shared(scope: &Scope) -> anyhow::Result<Vec<Place>> {
    let help = "the config cannot be used to find the shared stores; `--only local` leaves them out";
    let open = |server: Result<StoreServer, String>| {
        let store = server.map_err(|why| anyhow!(why)).and_then(|server| connect(&server));
        Ok(Place { store: store.context(help)?, is_shared: true })
    };
    scope.loader()?.store_servers().into_iter().map(open).collect()
}

#[cfg(feature = "shared")]
fn connect(server: &StoreServer) -> anyhow::Result<Store> {
    Ok(Store::shared(server.url())?)
}

#[cfg(not(feature = "shared"))]
fn connect(_: &StoreServer) -> anyhow::Result<Store> {
    bail!("this hookbox was built without the feature `shared`")
}

/// The stores of some hooks in one place.
type Found<'a> = (&'a Place, Vec<Usage>);

async fn exec(what: Operation, places: &[Place], is_json: bool) -> anyhow::Result<()> {
    let wanted = match &what {
        Operation::List { hook } | Operation::Clear { hook, .. } => hook.as_deref(),
        Operation::Show { hook } => Some(hook.as_str()),
    };
    let mut found: Vec<Found<'_>> = Vec::with_capacity(places.len());
    for place in places {
        let mut usages =
            place.store.usage(deadline()).await.with_context(|| place.failed("the stores cannot be read"))?;
        usages.retain(|usage| wanted.is_none_or(|wanted| usage.namespace.hook() == wanted));
        found.push((place, usages));
    }
    if let Some(wanted) = wanted.filter(|_| found.iter().all(|(_, usages)| usages.is_empty())) {
        bail!("no hook {wanted:?} has a store with values; `hookbox state list` lists those that have");
    }
    match what {
        Operation::List { .. } => list(&found, is_json),
        Operation::Show { .. } => show(&found, is_json).await,
        Operation::Clear { .. } => clear(&found, is_json).await,
    }
}

fn deadline() -> Instant {
    Instant::now() + TIME_LIMIT
}

fn list(found: &[Found<'_>], is_json: bool) -> anyhow::Result<()> {
    let usages: Vec<&Usage> = found.iter().flat_map(|(_, usages)| usages).collect();
    if is_json {
        return print_json(&usages.into_iter().map(listed).collect::<Vec<_>>());
    }
    if usages.is_empty() {
        print_line("no component keeps anything");
        return Ok(());
    }
    let mut rows = vec![["HOOK", "CONFIG", "SCOPE", "KEYS", "SIZE", "QUOTA", "EXPIRES"].map(str::to_owned).to_vec()];
    for usage in usages {
        let Listed { hook, config, scope, keys, bytes, quota, first_expiry, .. } = listed(usage);
        rows.push(vec![
            printable_line(&hook),
            printable_line(&config),
            printable_line(&scope),
            keys.to_string(),
            ByteSize(bytes).to_string(),
            ByteSize(quota).to_string(),
            first_expiry.unwrap_or_else(|| "never".to_owned()),
        ]);
    }
    print_line(&align(&rows));
    Ok(())
}

async fn show(found: &[Found<'_>], is_json: bool) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for (place, usage) in each(found) {
        let entries = place.store.entries(&usage.namespace, deadline()).await;
        let entries = entries.with_context(|| place.failed("the store cannot be read"))?;
        all.push(Listed { values: Some(entries.iter().map(shown).collect()), ..listed(usage) });
    }
    if is_json {
        return print_json(&all);
    }
    for Listed { hook, config, scope, values, .. } in all {
        print_line(&format!("{} ({}; {})", printable_line(&hook), printable_line(&config), printable_line(&scope)));
        let rows: Vec<Vec<String>> = values
            .into_iter()
            .flatten()
            .map(|Shown { key, value, expiry, .. }| {
                let until = expiry.map(|expiry| format!("until {expiry}")).unwrap_or_default();
                vec![format!("  {}", printable_line(&key)), printable_line(&value), until]
            })
            .collect();
        print_line(&align(&rows));
    }
    Ok(())
}

async fn clear(found: &[Found<'_>], is_json: bool) -> anyhow::Result<()> {
    let (mut deleted, mut stores) = (0, 0);
    for (place, usage) in each(found) {
        let cleared = place.store.clear(&usage.namespace, deadline()).await;
        deleted += cleared.with_context(|| place.failed("the store cannot be cleared"))?;
        stores += 1;
    }
    if is_json {
        return print_json(&serde_json::json!({ "deleted": deleted, "stores": stores }));
    }
    let count = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    print_line(&format!("deleted {} in {}", count(deleted, "value"), count(stores, "store")));
    Ok(())
}

/// Returns each store together with the place that has it.
fn each<'a>(found: &'a [Found<'a>]) -> impl Iterator<Item = (&'a Place, &'a Usage)> {
    found.iter().flat_map(|(place, usages)| usages.iter().map(|usage| (*place, usage)))
}

fn listed(usage: &Usage) -> Listed {
    Listed {
        hook: usage.namespace.hook().to_owned(),
        config: usage.namespace.layer().to_string(),
        scope: usage.namespace.scope().to_string(),
        keys: usage.keys,
        bytes: usage.bytes,
        quota: usage.quota,
        first_expiry: usage.first_expiry.and_then(time),
        values: None,
    }
}

fn shown(entry: &Entry) -> Shown {
    Shown {
        key: entry.key.clone(),
        value: String::from_utf8_lossy(&entry.value).into_owned(),
        bytes: entry.value.len(),
        expiry: entry.expiry.and_then(time),
    }
}

/// Writes a time. Returns `None` after the year 9999, which has no such form and means the same as never.
fn time(time: SystemTime) -> Option<String> {
    let mut text = String::new();
    write!(text, "{}", humantime::format_rfc3339_seconds(time)).is_ok().then_some(text)
}
