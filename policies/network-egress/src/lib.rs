//! Lets commands and tools reach only listed hosts.

mod hosts;
mod judge;
mod leaves;
mod settings;

use hookbox_policy::network::{Contact, Target, fetched_then_run, target, traffic, unread_then_run};
use hookbox_policy::{
    Command, Findings, Word, all_unknown_but_paths, only_cmdlets, only_local, only_sets_up, with_possible,
};
use hookbox_sdk::{Action, Error, Event, Input, Tool, ToolKind, hook};
use judge::Rules;
use leaves::{bare_hosts, is_argument, is_named, sent};
pub use settings::{Settings, Verdict};

/// The name that reasons begin with.
const NAME: &str = "network-egress";
/// What hookbox notes about each call of a tool that it does not know.
const OF_TOOL: &str = "what the tool does with its arguments";

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the Input has no facts about the tool call, or if a pattern in the settings is invalid.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    with_possible(input, answer)
}

/// Answers one event. If `facts` is set, judges these facts instead of the Input's.
fn answer(input: &Input<Settings>, facts: Option<Tool>) -> Result<Action, Error> {
    let rules = Rules::new(&input.settings)?;
    if input.event != Event::PreTool {
        return Ok(Action::allow());
    }
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    let mut found = Findings::default();
    if tool.command.is_some() || tool.commands.is_some() {
        commands(&tool, &rules, &mut found);
    }
    match tool.kind {
        ToolKind::Fetch | ToolKind::Mcp | ToolKind::Other => urls(input, &tool, &rules, &mut found),
        // If the commands are known, they say which of the URLs are requested.
        ToolKind::Shell if tool.commands.is_none() => found.unknown("the commands of this call are not known"),
        _ => {}
    }
    Ok(found.action(NAME, &input.settings.common()).unwrap_or_default())
}

/// Judges the commands that a shell would run.
fn commands(tool: &Tool, rules: &Rules<'_>, found: &mut Findings) {
    let commands: Vec<Command> = tool.commands.iter().flatten().map(Command::new).collect();
    let fetched = fetched_then_run(&commands);
    let mut is_excused = false;
    if let Some(fetched) = fetched
        && let (Some(fetch), Some(run)) = (commands.get(fetched.fetch), commands.get(fetched.run))
    {
        is_excused = rules.may_run(&traffic(fetched.fetch, &commands).contacts);
        if !is_excused {
            found.deny(format!(
                "{} runs what {} fetches, unseen; save it, read it, then run it, or add the host to `run_from`",
                run.quote(),
                fetch.quote()
            ));
        }
    }
    if let Some(fetched) = unread_then_run(&commands)
        && let (Some(fetch), Some(run)) = (commands.get(fetched.fetch), commands.get(fetched.run))
        && !rules.may_run(&traffic(fetched.fetch, &commands).contacts)
    {
        found.ask(format!(
            "{} runs something that {} fetches, which nobody has read; read it first, or add the host to `run_from`",
            run.quote(),
            fetch.quote()
        ));
    }
    for (index, command) in commands.iter().enumerate() {
        let traffic = traffic(index, &commands);
        let what = || command.quote();
        let may_run = traffic.runs && rules.may_run(&traffic.contacts);
        if traffic.runs && !may_run {
            found.deny(format!(
                "{} runs what it fetches, unseen; save it, read it, then run it, or add the host to `run_from`",
                what()
            ));
        }
        if let Some(shell) = &traffic.shell {
            found.deny(format!("{} gives another machine control of this one: {shell}; leave that out", what()));
        }
        if let Some(serves) = &traffic.serves {
            found.ask(format!("{} lets other machines in: {serves}; is that meant?", what()));
        }
        for contact in traffic.contacts.iter().chain(&traffic.modules) {
            // The program's source is listed, so it has already been judged.
            let is_judged = may_run || is_excused && fetched.is_some_and(|fetched| fetched.fetch == index);
            if !is_judged && !is_copy_of_project(command, contact, tool.cwd.as_deref()) {
                rules.contact(contact, &what(), found);
            }
        }
        if let Some(hidden) = &traffic.hidden {
            let which = format!("which hosts {} reaches", what());
            found.unknown(format!("{which} cannot be known: {hidden}; name them in the command"));
        }
    }
    let is_excused_by = |reason: &str| only_cmdlets(reason, &commands) || only_local(reason, &commands);
    let mut reasons = all_unknown_but_paths(tool).filter(|reason| matters(reason, tool) && !is_excused_by(reason));
    if let Some(reason) = reasons.next().filter(|_| !is_excused && !only_sets_up(&commands)) {
        found.unknown(format!("the command may reach any host, since this cannot be known: {reason}; write it out"));
    }
}

/// Whether git only copies the project, or a repository in it: `git clone file:///path/of/project /tmp/x`.
fn is_copy_of_project(command: &Command, contact: &Contact, project: Option<&str>) -> bool {
    // A directory to start from does not change a path from the root.
    let args = match command.args() {
        [option, _, rest @ ..] if option.text() == "-C" => rest,
        args => args,
    };
    let verb = args.first().map(Word::text);
    let reads = command.name == "git" && matches!(verb, Some("clone" | "fetch" | "pull" | "ls-remote"));
    let path = contact.word.strip_prefix("file://").filter(|_| reads && contact.target == Target::File);
    path.zip(project).is_some_and(|(path, project)| {
        // Git decodes `%2e`, and a shell may change the rest.
        let is_plain = path.chars().all(|c| c.is_alphanumeric() || "-_./+@".contains(c));
        let goes_up = path.split('/').any(|part| part == "..");
        let below = path.strip_prefix(project.trim_end_matches('/'));
        is_plain && !goes_up && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Whether something unknown may reach a host. A program with an unknown name is judged by its arguments, and links in
/// paths only lead to files.
fn matters(reason: &str, tool: &Tool) -> bool {
    // A tool that hookbox does not know passes without a command, too.
    let is_of_tool = reason == OF_TOOL && tool.kind != ToolKind::Shell && tool.commands.is_some();
    !is_of_tool && !reason.starts_with("which program") && !reason.contains("links")
}

/// Judges the URLs among the arguments of other tools.
fn urls(input: &Input<Settings>, tool: &Tool, rules: &Rules<'_>, found: &mut Findings) {
    let name = input.tool_name.as_deref().unwrap_or("the tool");
    let lower = name.to_ascii_lowercase();
    // A search does not request the text that is searched for.
    let is_search = lower.replace('_', "").ends_with("websearch");
    let arguments = leaves::of(input);
    let is_request = tool.kind == ToolKind::Fetch
        || ["fetch", "http", "curl"].iter().any(|word| lower.contains(word))
        || lower.ends_with("request") && !["pull", "merge"].iter().any(|word| lower.contains(word));
    let sends = sent(input, is_request);
    for url in tool.urls.iter().filter(|url| !is_search || is_named(url, &arguments)) {
        let what = format!("{name} ({url})");
        let target = target(url);
        if tool.kind == ToolKind::Fetch || is_argument(url, &arguments) {
            rules.contact(&Contact { target, word: url.clone(), sends: sends.clone() }, &what, found);
        } else if let Target::Host(host) = target {
            rules.mention(&host, &what, found);
        }
    }
    if tool.kind != ToolKind::Fetch {
        for (text, target) in bare_hosts(&arguments) {
            let what = format!("{name} ({text})");
            rules.contact(&Contact { target, word: text.to_owned(), sends: sends.clone() }, &what, found);
        }
    }
    // Whoever fills the list chooses what comes after its end.
    let has_more = tool.unknown.iter().any(|what| what.starts_with("more URLs"));
    if has_more || tool.kind == ToolKind::Fetch && !is_search && !tool.complete && tool.urls.is_empty() {
        found.unknown(format!("which host {name} reaches cannot be known; name its URL"));
    }
}
