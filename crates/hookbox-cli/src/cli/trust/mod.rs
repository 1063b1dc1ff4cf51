//! `hookbox trust`: the user allows a project's hooks to run.

mod keeper;
mod list;
mod report;

use super::ask::{self, Consent};
use super::off;
use super::scope::{self, Scope};
use super::seen;
use super::{Exit, Format, print_line, render};
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use hookbox::Code;
use hookbox::dialect;
use keeper::Keeper;
use std::path::PathBuf;

/// What only a person can do.
const TRUST: &str = "trust a project's hooks";

/// Look at a project's hooks and trust them
///
/// Shows the config, its hooks, what they are granted, and what has changed since they were trusted; then asks on the
/// terminal, unless an agent started this command. Trust holds for the config and every file that it names as they are:
/// a change of one ends it. Files that these files load in turn are not checked. Exit status 1 if the project is not
/// trusted in the end.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox trust ~/src/project")]
pub(super) struct Trust {
    /// The project, or a directory in it, in place of the current one
    #[arg(conflicts_with = "project")]
    dir: Option<PathBuf>,

    /// List what is trusted
    #[arg(long, conflicts_with_all = ["revoke", "dir"])]
    list: bool,

    /// Take back the trust in the project, and in all below DIR
    #[arg(long)]
    revoke: bool,

    /// Accept that a config of yours is gone, which `hookbox hook` denies until then
    #[arg(long, conflicts_with_all = ["list", "revoke", "dir", "project"])]
    gone: bool,

    /// How to print the list
    #[arg(long, value_enum, value_name = "FORMAT", requires = "list")]
    format: Option<Format>,

    /// The app whose config files are read: `.<APP>/` beside `.agents/`
    #[arg(long, default_value = "hookbox", value_parser = scope::app_name)]
    app: String,

    /// The user's home directory, in place of $HOME. Trust is then kept in it, whatever $XDG_STATE_HOME says
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,

    /// As DIR
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// Whose trust it is, in place of hookbox's own: `ok` has one
    #[arg(long, value_name = "DIALECT", value_parser = PossibleValuesParser::new(dialect::NAMES))]
    dialect: Option<String>,
}

impl Trust {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let project = self.dir.or(self.project);
        let scope = Scope::of_place(self.app, self.home, project, self.dialect);
        if self.gone {
            return forget_gone(&scope);
        }
        let keeper = Keeper::for_scope(&scope)?;
        if self.list {
            return list::exec(&keeper, self.format.unwrap_or_default());
        }
        if self.revoke {
            return revoke(&keeper, &scope);
        }
        trust(&keeper, &scope)
    }
}

fn trust(keeper: &Keeper, scope: &Scope) -> anyhow::Result<Exit> {
    let project = scope.project()?;
    let loader = scope.loader()?;
    let reviews = loader.review();
    if reviews.is_empty() {
        bail!("there is no config of a project in `{}` or above it", project.display());
    }
    let is_trusted: Vec<bool> = reviews.iter().map(|review| keeper.is_trusted(review, &project)).collect();
    let new = || reviews.iter().zip(&is_trusted).filter(|(_, is_trusted)| !**is_trusted).map(|(review, _)| review);
    for (review, is_trusted) in reviews.iter().zip(&is_trusted) {
        if *is_trusted {
            print_line(&format!("{} is trusted as it is", report::path(&review.file)));
        } else {
            print_line(report::text(review).trim_end());
            print_line("");
        }
        render::problems(&review.problems);
    }
    if new().next().is_none() {
        return Ok(Exit::Success);
    }
    if new().any(hookbox::config::Review::is_broken) {
        render::message(Code::Untrusted, "a config with such errors cannot be trusted: nothing was changed");
        return Ok(Exit::Failure);
    }
    if let Err(why) = off::of_no_agent() {
        return Ok(off::refuse(TRUST, &why));
    }
    match ask::ask(&format!("{} [y/N] ", keeper.question()))? {
        Consent::Yes => {}
        Consent::No => {
            print_line("nothing was changed");
            return Ok(Exit::Failure);
        }
        Consent::NoTerminal => {
            let why =
                "stdin, stdout and stderr are not a terminal (`--trust-all` runs one command with a project's hooks)";
            return Ok(off::refuse(TRUST, why));
        }
    }
    for review in new() {
        let file = review.file.display();
        let trusted = keeper
            .trust(review, &project)
            .with_context(|| format!("the trust in `{file}` could not be written down"))?;
        print_line(&format!("trusted {}", report::path(&trusted)));
    }
    Ok(Exit::Success)
}

/// Forgets the user's configs that are gone. Only a person may do that: an agent that can remove a config must not be
/// able to silence the error about it.
fn forget_gone(scope: &Scope) -> anyhow::Result<Exit> {
    if let Err(why) = off::of_a_person() {
        return Ok(off::refuse("accept that a config is gone", &why));
    }
    let gone = seen::forget(&scope.places()?).context("the state directory cannot be used")?;
    for path in &gone {
        print_line(&format!("no longer expected: {}", report::path(path)));
    }
    if gone.is_empty() {
        print_line("none of your configs is gone");
    }
    Ok(Exit::Success)
}

/// Ends the trust. A script may do that, but not an agent: the hooks of the project may be what stops it.
fn revoke(keeper: &Keeper, scope: &Scope) -> anyhow::Result<Exit> {
    if let Err(why) = off::of_no_agent() {
        return Ok(off::refuse("take back the trust in a project", &why));
    }
    let ends = keeper.revoke(scope)?;
    if ends.is_empty() {
        bail!("nothing in `{}` was trusted", scope.project()?.display());
    }
    let mut exit = Exit::Success;
    for end in ends {
        match end {
            Ok(path) => {
                print_line(&format!("no longer trusted: {}", report::path(&path)));
            }
            Err(error) => {
                render::error(&error);
                exit = Exit::Failure;
            }
        }
    }
    Ok(exit)
}
