//! Checks what package managers would install.

mod checks;
mod code;
mod editors;
mod elsewhere;
mod install;
mod lists;
mod managers;
mod manifests;
mod maven;
mod names;
mod order;
mod others;
mod paths;
mod places;
mod program;
mod rewrite;
mod run;
mod servers;
mod set;
mod settings;
mod simulated;
mod spec;
mod switches;
mod unlisted;

use code::of_code;
use hookbox_policy::network::fetched_then_run;
use hookbox_policy::{Command, Findings, Mode, Word, all_unknown_but_paths, only_cmdlets, only_sets_up, with_possible};
use hookbox_sdk::{Action, Error, Event, Input, ShellWord, Tool, ToolKind, hook};
use install::{Judge, tell};
use manifests::{Manifest, manifest, suspect};
use order::{Order, order};
use paths::{leads_into, resolved};
use rewrite::{Wish, replaced, wish};
pub use settings::{Choice, Settings, Verdict};

/// The name that reasons begin with.
const NAME: &str = "package-guard";

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the Input has no facts about the tool call.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    with_possible(input, answer)
}

/// Answers one event. If `facts` is set, judges these facts instead of the Input's.
fn answer(input: &Input<Settings>, facts: Option<Tool>) -> Result<Action, Error> {
    if input.event != Event::PreTool {
        return Ok(Action::allow());
    }
    let settings = &input.settings;
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    let mut found = Findings::default();
    let commands: Vec<Command> = tool.commands.iter().flatten().map(Command::new).collect();
    let mut judge = Judge { settings, cwd: tool.cwd.as_deref(), found: &mut found };
    files(&tool, &commands, &mut judge);
    let mut rewrites = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        let Some(order) = judged(index, &commands, &mut judge) else {
            continue;
        };
        match wish(&order, settings) {
            Some(Wish::Instead(text)) => rewrites.push((command, text)),
            Some(Wish::Other(program)) => judge.found.deny(format!(
                "{} uses {}, and this project uses {program}; do the same with {program}",
                command.quote(),
                order.program
            )),
            None => {}
        }
    }
    if !fetched(&commands, &mut judge) {
        unknown(&tool, &commands, judge.found);
    }
    let mut rewritten = None;
    if let [(command, text)] = rewrites.as_slice()
        && found.is_empty()
        && settings.mode == Mode::Enforce
        && let Some(line) = &tool.command
    {
        rewritten = replaced(input, line, command, text).map(|(key, whole)| {
            let reason = format!("{NAME}: {} became `{text}`, as the settings say", command.quote());
            Action::update_input(key, whole).with_reason(reason)
        });
    }
    if rewritten.is_none() {
        for (command, text) in &rewrites {
            found.deny(format!("{} is not what the settings want; run `{text}` in its place", command.quote()));
        }
    }
    Ok(rewritten.or_else(|| found.action(NAME, &settings.common())).unwrap_or_default())
}

/// Judges one of the commands. Returns its order to a package manager.
fn judged(index: usize, commands: &[Command], judge: &mut Judge<'_>) -> Option<Order<'static>> {
    let command = commands.get(index)?;
    if let Some(set) = switches::of_variables(command, |place| judge.is_listed(place)) {
        judge.found.deny(format!(
            "{} changes where packages come from, or switches a protection off ({set}); leave it",
            command.quote()
        ));
    }
    if let Some(set) = checks::of_command(command, |place| judge.is_listed(place)) {
        judge.found.deny(format!(
            "{} switches a check of packages off, or takes them from another place ({set}); leave it",
            command.quote()
        ));
    }
    packages_of_files(command, judge.found);
    if let Some(how) = of_code(command) {
        let reason =
            format!("the code in {} says `{how}`, which installs packages; use the package manager", command.quote());
        tell(judge.settings.new, reason, judge.found);
    }
    judge.maven(command);
    judge.server(command);
    judge.runner(command);
    judge.template(command);
    judge.backend(command);
    judge.editor(command);
    judge.edited(index, commands);
    judge.elsewhere(command);
    let order = order(command).or_else(|| unlisted::order(index, commands))?;
    judge.order(&order, command);
    judge.lists(&order, index, commands);
    Some(order)
}

/// Judges `curl … | sh`, which runs an unseen installer. Returns whether there is an installer that the settings list.
fn fetched(commands: &[Command], judge: &mut Judge<'_>) -> bool {
    let Some(fetched) = fetched_then_run(commands) else {
        return false;
    };
    let (Some(fetch), Some(run)) = (commands.get(fetched.fetch), commands.get(fetched.run)) else {
        return false;
    };
    let is_listed = judge.lists_hosts_of(fetched.fetch, commands);
    if !is_listed {
        judge.found.deny(format!(
            "{} runs what {} fetches, unseen; use a package, or save it and read it first",
            run.quote(),
            fetch.quote()
        ));
    }
    is_listed
}

/// Judges a command with hidden parts, which may hide an installation.
fn unknown(tool: &Tool, commands: &[Command], found: &mut Findings) {
    if tool.kind == ToolKind::Shell && tool.commands.is_none() {
        found.unknown("the commands of this call are not known");
    }
    if tool.complete {
        return;
    }
    // An unknown program may be told to install something.
    let verbs = ["install", "add", "require", "i"];
    let is_told = |command: &&Command| {
        command.name.is_empty() && command.args().first().is_some_and(|word| verbs.contains(&word.text()))
    };
    if let Some(command) = commands.iter().find(is_told) {
        found.unknown(format!(
            "which program {} tells to install is known only when it runs; write its name",
            command.quote()
        ));
    }
    let matters = |reason: &&str| !reason.starts_with("which program") && !reason.contains("links");
    let mut reasons = all_unknown_but_paths(tool).filter(matters).filter(|reason| !only_cmdlets(reason, commands));
    let is_open = tool.kind == ToolKind::Shell && !only_sets_up(commands);
    if let Some(reason) = reasons.next().filter(|_| is_open) {
        found.unknown(format!("the command may install anything, since this cannot be known: {reason}; write it out"));
    }
}

/// Judges `dpkg -i x.deb`, `rpm -ivh x.rpm` and `installer -pkg`.
fn packages_of_files(command: &Command, found: &mut Findings) {
    let installs = match command.name {
        "dpkg" => command.args().iter().any(|word| matches!(word.text(), "-i" | "--install" | "--unpack")),
        "rpm" => command.args().iter().any(|word| {
            let text = word.text();
            matches!(text, "--install" | "--upgrade" | "--freshen")
                || text.starts_with("-i")
                || text.starts_with("-U")
                || text.starts_with("-F")
        }),
        "installer" => command.args().iter().any(|word| word.text() == "-pkg"),
        "gdebi" | "alien" => true,
        "Install-Module"
        | "Install-Package"
        | "Install-PackageProvider"
        | "Install-PSResource"
        | "Install-Script"
        | "Install-WinGetPackage" => {
            found.ask(format!("{} installs a module for the user; is that meant?", command.quote()));
            false
        }
        "Register-PSRepository"
        | "Register-PSResourceRepository"
        | "Register-PackageSource"
        | "Set-PSRepository"
        | "Set-PSResourceRepository"
        | "Set-PackageSource" => {
            found.ask(format!("{} changes where modules come from; is that meant?", command.quote()));
            false
        }
        _ => false,
    };
    if installs {
        found.deny(format!(
            "{} installs a file for the whole system, whose origin is not known; use the system's registry",
            command.quote()
        ));
    }
}

/// Judges manifests that a tool or a command writes.
fn files(tool: &Tool, commands: &[Command], judge: &mut Judge<'_>) {
    if matches!(tool.kind, ToolKind::Write | ToolKind::Edit | ToolKind::Mcp | ToolKind::Other) {
        let written = tool.paths.iter().filter(|path| path.access.changes());
        for (path, manifest) in written.filter_map(|path| Some((path, manifest(&path.path)?))) {
            // A link below the project leads a path elsewhere; one above it does not matter.
            let below = judge.cwd.and_then(|project| path.path.strip_prefix(project));
            let is_real = below.zip(path.real.as_deref()).is_some_and(|(below, real)| real.ends_with(below));
            let folder = path.path.rsplit_once('/').map(|(folder, _)| folder).filter(|_| is_real);
            for text in &tool.added_text {
                manifest_text(manifest, &path.as_written, folder, text, judge);
            }
        }
    }
    for (index, command) in commands.iter().enumerate() {
        let files = command.facts.files.iter().filter(|file| file.access.changes()).map(|file| Word::from(&file.path));
        let redirects = command.facts.redirects.iter().filter(|redirect| redirect.op.contains('>'));
        let targets = redirects.filter_map(|redirect| redirect.target.as_ref().map(Word::from));
        for (file, manifest) in files.chain(targets).filter_map(|file| Some((file.clone(), manifest(file.text())?))) {
            let sources = command.facts.reads_from.iter().filter_map(|source| commands.get(*source));
            let mut texts: Vec<String> = command.args().iter().map(|word| word.text().to_owned()).collect();
            for source in sources.chain(commands.get(index)) {
                texts.extend(source.args().iter().map(|word| word.text().replace("\\n", "\n")));
                texts.extend(source.facts.stdin.as_ref().map(|input| Word::from(input).text().to_owned()));
            }
            // A `sed` expression is not a line of a manifest.
            let starts = ["git+", "github:", "\"npm:", "git://"];
            let is_edit = |text: &&String| text.starts_with("s/") || text.starts_with("s#") || text.starts_with("s|");
            if let Some(text) =
                texts.iter().filter(is_edit).find(|text| starts.iter().any(|start| text.contains(start)))
            {
                judge.found.ask(format!(
                    "{} is edited by `{text}`, which takes a package from another place; is that meant?",
                    file.raw()
                ));
            }
            let new: Vec<String> = texts.iter().filter_map(|text| set::replacement(text)).collect();
            texts.extend(new);
            let base = command.facts.cwd.as_ref().map_or(judge.cwd, ShellWord::known);
            let whole = base.and_then(|base| resolved(file.text(), base));
            let folder = whole.as_deref().and_then(|path| path.rsplit_once('/')).map(|(folder, _)| folder);
            texts.iter().for_each(|text| manifest_text(manifest, file.raw(), folder, text, judge));
        }
    }
}

/// Judges a text that is written into a manifest in a folder, if it is known which.
fn manifest_text(manifest: Manifest, path: &str, folder: Option<&str>, text: &str, judge: &mut Judge<'_>) {
    if manifest == Manifest::Servers {
        judge.written_servers(path, text);
    }
    let project = judge.cwd;
    let is_inside = |path: &str| folder.zip(project).is_some_and(|(folder, project)| leads_into(path, folder, project));
    if let Some((line, what)) = suspect(manifest, text, |place| judge.is_listed(place), is_inside) {
        judge.found.ask(format!("{path} gets `{line}`, {what}; add the place to `sources` if it is yours"));
    }
}
