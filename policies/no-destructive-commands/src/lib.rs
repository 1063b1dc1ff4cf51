//! Stops commands that destroy data: deletes, resets, force pushes, formatted disks, dropped databases.
//!
//! hookbox lists every command that would run. Each module judges one kind of loss, and their findings are combined.

mod bombs;
mod code;
mod container;
mod delete;
mod devices;
mod disk;
mod find;
mod git;
mod keys;
mod launched;
mod lost;
mod made;
mod possible;
mod prefix;
mod renamed;
mod rewrite;
mod run;
mod scene;
mod services;
mod settings;
mod target;
mod typed;
mod unread;

use hookbox_policy::{Command, Findings, with_possible};
use hookbox_sdk::{Access, Action, Error, Event, Input, Tool, ToolKind, hook};
use scene::Scene;
pub use settings::{Settings, SkipHooks};
use target::{Place, Target};

/// The name that reasons begin with.
const NAME: &str = "no-destructive-commands";

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
    let tool = facts.map_or_else(|| input.facts(), Ok)?;
    let listed = tool.commands.as_deref().unwrap_or_default();
    let (mut made, is_cut) = made::of(listed);
    let mut commands: Vec<Command<'_>> = listed.iter().map(scene::read).collect();
    made.extend(code::commands(&commands));
    commands.extend(made.iter().map(scene::read));
    let root = tool.cwd.as_deref().filter(|cwd| cwd.starts_with('/')).unwrap_or(&input.pwd);
    let scene = Scene {
        commands: &commands,
        settings: &input.settings,
        place: Place::new(root, tool.home.as_deref(), &input.settings.scratch),
        text: tool.command.as_deref().unwrap_or_default(),
    };
    let mut found = Findings::default();
    if is_cut {
        found.unknown("the call has more commands that other programs build than are looked at; split it up");
    }
    let mut rewrites: Vec<git::Rewrite> = Vec::new();
    for command in &commands {
        let (mine, rewrite) = one(command, &scene);
        found.add(mine);
        // A command may run in several ways.
        let rewrite = rewrite.filter(|rewrite| !rewrites.contains(rewrite));
        rewrites.extend(rewrite);
    }
    possible::judge(&scene, &mut found);
    bombs::judge(&scene, &mut found);
    run::judge(&scene, &mut found);
    unread::judge(&tool, &scene, &mut found);
    if tool.kind != ToolKind::Shell {
        files(&tool, &scene, &mut found);
    }
    Ok(action(input, &tool, found, &rewrites))
}

/// Judges a command by itself. Also returns how to make a forced push safer, if that is its only problem.
fn one(command: &Command<'_>, scene: &Scene<'_>) -> (Findings, Option<git::Rewrite>) {
    let mut found = Findings::default();
    delete::judge(command, scene, &mut found);
    disk::judge(command, scene, &mut found);
    lost::blanked(command, scene, &mut found);
    keys::replaced(command, scene, &mut found);
    services::judge(command, scene, &mut found);
    code::judge(command, scene, &mut found);
    let mut rewrite = git::judge(command, scene, &mut found);
    // Whether a typed command runs depends on what reads it.
    if command.facts.via.as_deref() == Some(typed::VIA) {
        if rewrite.take().is_some() {
            found.ask(format!("{} would overwrite commits of others", command.quote()));
        }
        found = found.perhaps(&format!("{} may be typed into a shell", command.quote()));
    }
    if prefix::is_named(command, &scene.settings.ask) {
        found.ask(format!("{} is one of the commands that the settings ask about", command.quote()));
    }
    if prefix::is_named(command, &scene.settings.allow) {
        found = found.denials();
    }
    (found, rewrite)
}

/// Returns the answer, which makes forced pushes safer if they are the only problem.
fn action(input: &Input<Settings>, tool: &Tool, mut found: Findings, rewrites: &[git::Rewrite]) -> Action {
    let common = input.settings.common();
    if found.is_empty() && !rewrites.is_empty() {
        if let Some(action) = rewrite::change(input, tool, rewrites) {
            if common.mode == hookbox_policy::Mode::Enforce {
                return action;
            }
            // An audit changes nothing.
            let reason = action.reason.unwrap_or_default();
            let mut audit = Action::allow();
            audit.system_message = Some(format!("audit, would have changed it: {reason}"));
            return audit;
        }
        let instead = "run `git push --force-with-lease` as a command of its own";
        found.deny(format!("`git push --force` would overwrite commits of others without notice; {instead}"));
    }
    found.action(NAME, &common).unwrap_or_default()
}

/// Judges what a tool that is not a shell does with files.
fn files(tool: &Tool, scene: &Scene<'_>, found: &mut Findings) {
    for path in &tool.paths {
        let mut mine = Findings::default();
        let targets = [Some(path.path.as_str()), path.real.as_deref()];
        let worst = targets.into_iter().flatten().map(|path| scene.place.target(path, "")).max();
        let is_device =
            path.path.starts_with("/dev/") && !path.path.starts_with("/dev/shm/") && path.path != "/dev/null";
        match (path.access, worst) {
            (
                Access::Delete,
                Some(Target::FileSystem | Target::Home | Target::Surroundings | Target::System(_) | Target::GitData),
            ) => {
                let instead = "name the files that you mean";
                mine.deny(format!("`{}` would be deleted, with all that is in it; {instead}", path.as_written));
            }
            (Access::Write | Access::Create, _) if is_device => {
                mine.deny(format!(
                    "`{}` would be overwritten, and it is a device; write to a file instead",
                    path.as_written
                ));
            }
            _ => {}
        }
        found.add(if path.certain { mine } else { mine.possible("the tool may take a text of the call for a path") });
    }
}
