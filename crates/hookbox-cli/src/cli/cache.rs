//! `hookbox cache`: manages the cache of compiled components.

use super::scope::{Scope, absolute};
use super::{Exit, Format, print_json, print_line};
use anyhow::Context;
use bytesize::ByteSize;
use clap::{Args, Subcommand};
use hookbox::runtime::component::{Cache as Entries, CacheEntry};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List or empty the cache of compiled components
///
/// A component is compiled when it is needed first, and its machine code is kept. Nothing in the cache is needed: what is
/// not there is compiled again.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox cache list")]
pub(super) struct Cache {
    #[command(subcommand)]
    what: Operation,

    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR", global = true)]
    home: Option<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", global = true)]
    format: Format,
}

#[derive(Clone, Copy, Subcommand)]
enum Operation {
    /// List the entries
    List,
    /// Remove every entry
    Clean,
    /// Print the directory of the cache
    Path,
}

#[derive(Serialize)]
struct Listing {
    path: PathBuf,
    size: u64,
    entries: Vec<CacheEntry>,
}

#[derive(Serialize)]
struct Cleaned {
    removed: usize,
    size: u64,
}

impl Cache {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let project = absolute(Path::new(""))?;
        let cache = Scope::of_place("hookbox".to_owned(), self.home, Some(project), None).places()?.any_cache();
        let is_json = self.format == Format::Json;
        match self.what {
            Operation::List => list(&cache, is_json)?,
            Operation::Clean => clean(&cache, is_json)?,
            Operation::Path if is_json => print_json(&serde_json::json!({ "path": cache.path() }))?,
            Operation::Path => {
                print_line(&cache.path().display().to_string()).then_some(()).context("stdout is closed")?
            }
        }
        Ok(Exit::Success)
    }
}

fn list(cache: &Entries, is_json: bool) -> anyhow::Result<()> {
    let entries = cache.entries().context("the cache cannot be read")?;
    let size = entries.iter().map(|entry| entry.size).sum();
    if is_json {
        return print_json(&Listing { path: cache.path().to_owned(), size, entries });
    }
    for CacheEntry { sha256, kind, size, idle_s, .. } in &entries {
        let used = match idle_s / (24 * 60 * 60) {
            0 => "today".to_owned(),
            1 => "1 day ago".to_owned(),
            days => format!("{days} days ago"),
        };
        print_line(&format!("{sha256}  {kind:<7}  {:>9}  {used}", ByteSize(*size).to_string()));
    }
    let count = match entries.len() {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    print_line(&format!("{count}, {} in {}", ByteSize(size), cache.path().display()));
    Ok(())
}

fn clean(cache: &Entries, is_json: bool) -> anyhow::Result<()> {
    let (removed, size) = cache.clean().context("the cache cannot be emptied")?;
    if is_json {
        return print_json(&Cleaned { removed, size });
    }
    let count = match removed {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    print_line(&format!("removed {count}, {}", ByteSize(size)));
    Ok(())
}
