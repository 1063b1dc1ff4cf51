//! The page of a report. The text in the log is hostile: it gets into the page only as JSON data and as escaped text.

use super::chart::{COLORS, over_time};
use super::figures::{Counts, DECISIONS, Figures};
use crate::cli::log::{decision, short_id};
use crate::cli::render::span;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hookbox::record::Line;
use hookbox::visible;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::Duration;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The maximum length of a cell's text, in characters.
const MAX_CELL: usize = 400;

/// The maximum number of rows of a small table.
const MAX_ROWS: usize = 20;

/// Renders the page.
///
/// # Errors
/// Returns an error if the plot cannot be drawn, or if a line has no JSON form.
pub(super) fn render(figures: &Figures, lines: &[Line]) -> anyhow::Result<String> {
    let rows: Vec<_> = lines.iter().map(row).collect();
    // A `<` could begin the end tag of the script element.
    let data = serde_json::to_string(&rows)?.replace('<', "\\u003c");
    let script_hash = STANDARD.encode(Sha256::digest(SCRIPT));
    let mut page = String::new();
    write!(
        page,
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script_hash}'">
<title>hookbox: decisions</title>
<style>{STYLE}</style>
</head>
<body>
<header><h1>Decisions</h1><p>{} decisions from {} to {}</p></header>
<main>
"#,
        figures.total,
        escaped(&figures.first),
        escaped(&figures.last),
    )?;
    if figures.lost > 0 {
        writeln!(page, r#"<p class="warning">{} decisions are missing: they could not be written.</p>"#, figures.lost)?;
    }
    totals(&mut page, figures)?;
    writeln!(page, r#"<section><h2 id="plot-title">Decisions over time</h2>{}</section>"#, over_time(figures)?)?;
    page.push_str("<div class=\"grid\">\n");
    counts(&mut page, "Rules that deny most", "Hook", &figures.denying)?;
    hooks(&mut page, figures)?;
    counts(&mut page, "Failures by code", "Code", &figures.failures)?;
    counts(&mut page, "Agents", "Agent", &figures.agents)?;
    page.push_str("</div>\n");
    page.push_str(TABLE);
    write!(
        page,
        "<script id=\"data\" type=\"application/json\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )?;
    Ok(page)
}

const TABLE: &str = r#"<section>
<h2 id="table-title">All decisions</h2>
<form class="filter" role="search">
<label>Search <input id="search" type="search" autocomplete="off" placeholder="any text"></label>
<label>Decision <select id="decision"><option value="">any</option></select></label>
<output id="count" aria-live="polite"></output>
</form>
<div id="table" class="table" role="table" aria-labelledby="table-title" tabindex="0"><div id="head" role="row"></div><div id="body"></div></div>
<dialog id="detail" aria-label="One decision"><dl></dl><form method="dialog"><button>Close</button></form></dialog>
</section>
</main>
"#;

fn totals(page: &mut String, figures: &Figures) -> std::fmt::Result {
    page.push_str("<ul class=\"totals\">");
    for ((decision, count), (_, color)) in DECISIONS.iter().zip(figures.by_decision).zip(COLORS) {
        write!(page, r#"<li><span class="dot" style="background:{color}"></span>{decision} <b>{count}</b></li>"#)?;
    }
    page.push_str("</ul>\n");
    Ok(())
}

fn counts(page: &mut String, title: &str, what: &str, counts: &Counts) -> std::fmt::Result {
    write!(page, "<section><h2>{title}</h2>")?;
    if counts.is_empty() {
        page.push_str("<p>None.</p></section>\n");
        return Ok(());
    }
    write!(page, "<table><thead><tr><th>{what}</th><th class=\"number\">Events</th></tr></thead><tbody>")?;
    for (name, count) in counts.iter().take(MAX_ROWS) {
        write!(page, "<tr><td>{}</td><td class=\"number\">{count}</td></tr>", escaped(name))?;
    }
    page.push_str("</tbody></table></section>\n");
    Ok(())
}

fn hooks(page: &mut String, figures: &Figures) -> std::fmt::Result {
    page.push_str(
        "<section><h2>Slowest hooks</h2><table><thead><tr><th>Hook</th><th class=\"number\">Calls</th>\
         <th class=\"number\">p50</th><th class=\"number\">p99</th></tr></thead><tbody>",
    );
    for hook in figures.hooks.iter().take(MAX_ROWS) {
        let time = |us| span(Duration::from_micros(us));
        write!(
            page,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            escaped(&hook.name),
            hook.calls,
            time(hook.p50),
            time(hook.p99)
        )?;
    }
    page.push_str("</tbody></table></section>\n");
    Ok(())
}

/// Returns the cells of a decision, in the order of `COLUMNS` in `page.js`.
fn row(line: &Line) -> [String; 11] {
    let tool = line.tool.as_ref();
    let text = |text: Option<&str>| text.map(clipped).unwrap_or_default();
    let hooks = line.hooks.iter().map(|hook| {
        let code = hook.code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
        format!("{}: {}{code} ({})", hook.name, hook.decision, span(Duration::from_micros(hook.us)))
    });
    [
        line.time.clone(),
        short_id(&line.id).to_owned(),
        text(line.agent.as_deref()),
        clipped(&line.event),
        text(tool.and_then(|tool| tool.name.as_deref())),
        decision(line),
        text(line.by.as_deref()),
        text(line.reason.as_deref()),
        text(tool.and_then(|tool| tool.command.as_deref())),
        text(line.session.as_deref()),
        clipped(&hooks.collect::<Vec<_>>().join("\n")),
    ]
}

fn clipped(text: &str) -> String {
    let text = visible(text);
    match text.char_indices().nth(MAX_CELL) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
