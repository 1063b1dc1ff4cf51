//! `hookbox state`: shows what components keep in their stores.

use super::list::align;
use super::render::printable_line;
use super::scope::{Scope, absolute};
use super::{Exit, Format, print_json, print_line};
use anyhow::{Context, bail};
use bytesize::ByteSize;
use clap::{Args, Subcommand};
use hookbox_store::{Entry, Store, Usage};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The time for one operation on the stores.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// List, show or delete what components keep in their stores
///
/// A component that is granted a store keeps values there from call to call. Each hook has its own, by session, by project, or
/// for all calls of the user.
#[derive(Args)]
#[command(after_help = "Examples:\n  hookbox state list\n  hookbox state clear rate-limit")]
pub(super) struct State {
    #[command(subcommand)]
    what: Operation,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR", global = true)]
    home: Option<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", global = true)]
    format: Format,
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

        /// Those of all hooks
        #[arg(long, conflicts_with = "hook")]
        all: bool,
    },
}

/// One store.
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

/// One value.
#[derive(Serialize)]
struct Shown {
    key: String,
    /// As text; invalid bytes are replaced.
    value: String,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiry: Option<String>,
}

impl State {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let project = absolute(Path::new(""))?;
        let places = Scope::of_place("hookbox".to_owned(), self.home, Some(project), None).places()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(exec(self.what, places.state(), self.format == Format::Json))?;
        Ok(Exit::Success)
    }
}

async fn exec(what: Operation, dir: &Path, is_json: bool) -> anyhow::Result<()> {
    let wanted = match &what {
        Operation::List { hook } | Operation::Clear { hook, .. } => hook.as_deref(),
        Operation::Show { hook } => Some(hook.as_str()),
    };
    // Listing must not create a store.
    let is_empty = !dir.join(hookbox_store::FILE_NAME).try_exists()?;
    let store = Store::local(dir).context("the stores cannot be read")?;
    let all = if is_empty { Vec::new() } else { store.usage(deadline()).await.context("the stores cannot be read")? };
    let usages: Vec<Usage> =
        all.into_iter().filter(|usage| wanted.is_none_or(|wanted| usage.namespace.hook() == wanted)).collect();
    if let Some(wanted) = wanted.filter(|_| usages.is_empty()) {
        bail!("no hook {wanted:?} has a store with values; `hookbox state list` lists those that have");
    }
    match what {
        Operation::List { .. } => list(&usages, is_json),
        Operation::Show { .. } => show(&store, &usages, is_json).await,
        Operation::Clear { .. } => clear(&store, &usages, is_json).await,
    }
}

fn deadline() -> Instant {
    Instant::now() + TIME_LIMIT
}

fn list(usages: &[Usage], is_json: bool) -> anyhow::Result<()> {
    if is_json {
        return print_json(&usages.iter().map(listed).collect::<Vec<_>>());
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

async fn show(store: &Store, usages: &[Usage], is_json: bool) -> anyhow::Result<()> {
    let mut all = Vec::with_capacity(usages.len());
    for usage in usages {
        let entries = store.entries(&usage.namespace, deadline()).await.context("the store cannot be read")?;
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

async fn clear(store: &Store, usages: &[Usage], is_json: bool) -> anyhow::Result<()> {
    let mut deleted = 0;
    for usage in usages {
        deleted += store.clear(&usage.namespace, deadline()).await.context("the store cannot be cleared")?;
    }
    if is_json {
        return print_json(&serde_json::json!({ "deleted": deleted, "stores": usages.len() }));
    }
    let count = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    print_line(&format!("deleted {} in {}", count(deleted, "value"), count(usages.len() as u64, "store")));
    Ok(())
}

fn listed(usage: &Usage) -> Listed {
    Listed {
        hook: usage.namespace.hook().to_owned(),
        config: usage.namespace.layer().to_string(),
        scope: usage.namespace.scope().to_string(),
        keys: usage.keys,
        bytes: usage.bytes,
        quota: usage.quota,
        first_expiry: usage.first_expiry.map(time),
        values: None,
    }
}

fn shown(entry: &Entry) -> Shown {
    Shown {
        key: entry.key.clone(),
        value: String::from_utf8_lossy(&entry.value).into_owned(),
        bytes: entry.value.len(),
        expiry: entry.expiry.map(time),
    }
}

fn time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}
