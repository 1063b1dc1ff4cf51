//! The table of `docs/reference/agents.md`.

use hookbox::agent::{self, Agent, Call, Settings};

const BEGIN: &str = "<!-- table: begin, written by `cargo test` -->\n";
const END: &str = "<!-- table: end -->";

fn table() -> String {
    let mut table = "| agent | event | cannot be told |\n|---|---|---|\n".to_owned();
    for agent in agent::all().iter().filter(|agent| agent.settings().is_some()) {
        for event in events(*agent) {
            let losses = agent.capabilities(&Call::unjudged(event)).losses(agent.event(event).unwrap());
            if !losses.is_empty() {
                let losses: Vec<&str> = losses.iter().map(|loss| loss.as_str()).collect();
                table.push_str(&format!("| {} | `{event}` | {} |\n", agent.title(), losses.join(", ")));
            }
        }
    }
    table
}

fn events(agent: &dyn Agent) -> Vec<&'static str> {
    match agent.settings() {
        Some(Settings::Entries(entries)) => entries.events.iter().map(|(event, _)| *event).collect(),
        _ => agent.own_events().to_vec(),
    }
}

/// With `HOOKBOX_UPDATE_DOCS=1`, this test writes the table.
#[test]
fn what_agents_cannot_be_told_is_documented() {
    check(BEGIN, END, &table());
}

/// With `HOOKBOX_UPDATE_DOCS=1`, this test writes the table.
#[test]
fn what_agents_do_not_load_is_documented() {
    let mut table = "| agent | loads no hook of a file with |\n|---|---|\n".to_owned();
    for agent in agent::all() {
        let Some(Settings::Entries(entries)) = agent.settings() else { continue };
        let refusals: Vec<String> = entries.refuses.iter().map(ToString::to_string).collect();
        let refusals = if refusals.is_empty() { "nothing else is known".to_owned() } else { refusals.join("; ") };
        table.push_str(&format!("| {} | {refusals} |\n", agent.title()));
    }
    check("<!-- loading: begin, written by `cargo test` -->\n", "<!-- loading: end -->", &table);
}

/// With `HOOKBOX_UPDATE_DOCS=1`, this test writes the table.
#[test]
fn what_passes_hooks_by_is_documented() {
    let mut table = "| agent | what happens | what closes it |\n|---|---|---|\n".to_owned();
    for agent in agent::all() {
        for hole in agent.holes() {
            table.push_str(&format!("| {} | {} | {} |\n", agent.title(), hole.what, hole.closes));
        }
    }
    check("<!-- holes: begin, written by `cargo test` -->\n", "<!-- holes: end -->", &table);
}

fn check(begin: &str, end: &str, table: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/agents.md");
    // The tests run at the same time, and each writes the whole file.
    static WRITING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _writing = WRITING.lock();
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(begin).unwrap();
    let (old, after) = rest.split_once(end).unwrap();
    if std::env::var_os("HOOKBOX_UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{begin}{table}{end}{after}")).unwrap();
    } else {
        assert_eq!(old, table, "run this test with HOOKBOX_UPDATE_DOCS=1");
    }
}
