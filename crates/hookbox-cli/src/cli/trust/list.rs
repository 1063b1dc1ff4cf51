//! `hookbox trust --list`: lists what is trusted, and whether that still holds.

use super::keeper::{Keeper, Trusted};
use super::report;
use crate::cli::list::align;
use crate::cli::{Exit, Format, print_json, print_line, render};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    trusted: &'a [Trusted],
}

pub(super) fn exec(keeper: &Keeper, format: Format) -> anyhow::Result<Exit> {
    let (trusted, problems) = keeper.list();
    render::problems(&problems);
    if format == Format::Json {
        print_json(&Report { trusted: &trusted })?;
    } else if trusted.is_empty() {
        print_line("(no project is trusted)");
    } else {
        let mut rows = vec![["STATE", "SINCE", "PATH"].map(str::to_owned).to_vec()];
        rows.extend(
            trusted
                .iter()
                .map(|one| vec![one.state.to_owned(), one.since.clone().unwrap_or_default(), report::path(&one.path)]),
        );
        print_line(&align(&rows));
    }
    Ok(Exit::Success)
}
