//! Judges the files that commands change.

use crate::habit::{Habit, habit};
use crate::links::{self, Link};
use crate::names::Names;
use crate::place::{Told, told, told_among};
use crate::rules::{Rules, Target, Verdict};
use crate::{ansible, code, finds, installs, output, own, sql, stores, unlisted};
use hookbox_policy::{Command, Findings, UNKNOWN, Word};
use hookbox_sdk::{Access, Input, Place, ShellWord, Tool, ToolKind, ToolPath};
use std::cell::OnceCell;

/// Programs that run commands on another machine, or in a container with its own files.
pub(crate) const ELSEWHERE: &[&str] = &[
    "adb",
    "ansible",
    "distrobox",
    "docker",
    "flyctl",
    "gcloud",
    "kubectl",
    "lxc",
    "multipass",
    "nerdctl",
    "oc",
    "podman",
    "ssh",
    "toolbox",
    "vagrant",
    "wsl",
];

/// Directories for temporary files.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/var/folders"];

/// Directories that cannot be projects and cannot contain any.
const OF_THE_SYSTEM: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "library",
    "proc",
    "program files",
    "run",
    "sbin",
    "sys",
    "system",
    "usr",
    "windows",
];

/// The judge of the paths of a call, which collects findings.
pub(crate) struct Judge<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) tool: &'a Tool,
    /// The directory that the agent works in, if it may be a project.
    project: Option<Names>,
    /// The project, or the call's own working directory.
    base: Option<Names>,
    /// The apparent effect of an unknown tool on the paths that it names.
    habit: Habit,
    pub(crate) commands: Vec<Command<'a>>,
    pub(crate) found: &'a mut Findings,
    /// The paths that the call changes, for checking links.
    changed: Vec<Target>,
    /// Whether the output of each command names ordinary files in the project. Few calls need this.
    listers: OnceCell<Vec<bool>>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new<S>(rules: &'a Rules, tool: &'a Tool, input: &Input<S>, found: &'a mut Findings) -> Self {
        let commands = tool.commands.iter().flatten().map(Command::new).map(unversioned).collect();
        let project = project(&input.pwd);
        let base = match (&project, &tool.cwd) {
            (None, Some(cwd)) if input.pwd.is_empty() => self::project(cwd),
            _ => project.clone(),
        };
        let habit = match tool.kind {
            ToolKind::Mcp | ToolKind::Other => {
                habit(tool.tool.as_deref().or(input.tool_name.as_deref()).unwrap_or_default())
            }
            _ => Habit::Known,
        };
        let (changed, listers) = (Vec::new(), OnceCell::new());
        Judge { rules, tool, project, base, habit, commands, found, changed, listers }
    }

    /// Judges all paths and commands of the call.
    pub(crate) fn all(&mut self) {
        let commands = std::mem::take(&mut self.commands);
        // Paths that no command names come from the tool itself or from a patch.
        let mut is_named = vec![false; self.tool.paths.len()];
        let mut links: Vec<Link> = Vec::new();
        for (at, command) in commands.iter().enumerate() {
            let is_elsewhere = is_elsewhere(command, &commands);
            for file in &command.facts.files {
                let word = Word::from(&file.path);
                let mut is_placed = false;
                for (path, is_named) in self.tool.paths.iter().zip(&mut is_named) {
                    let is_it = path.certain && !word.is_unknown();
                    if is_it && path.as_written == file.path.written() && path.access == file.access {
                        (*is_named, is_placed) = (true, true);
                        self.path(path, Some((command, &file.path)), is_elsewhere);
                    }
                }
                if !is_placed {
                    self.word(command, &file.path, file.access, is_elsewhere, &commands);
                }
            }
            if is_elsewhere {
                // The other machine may be this one: `ssh -tt localhost hookbox off`.
                if command.name == "hookbox" {
                    own::hookbox(command, self.found);
                }
                continue;
            }
            links.extend(links::made(command, self.tool));
            links::judge(command, self.tool, self.rules, self.found);
            finds::judge(at, command, &commands, self);
            own::judge(at, &commands, self.tool.command.as_deref(), self.found);
            code::judge(command, self);
            output::judge(command, &commands, self);
            installs::judge(at, &commands, self);
            ansible::judge(command, &commands, self);
            unlisted::judge(at, &commands, self);
            sql::judge(command, &commands, self);
            stores::judge(at, &commands, self);
        }
        for (path, is_named) in self.tool.paths.iter().zip(is_named) {
            if !is_named {
                let mut path = path.clone();
                // The key of a possible path may say that the path is written to, whatever the name of the tool is.
                let is_output = !path.certain && path.access == Access::Create;
                if self.habit == Habit::Reads && !is_output {
                    path.access = Access::Read;
                }
                if path.certain {
                    self.path(&path, None, self.habit == Habit::Elsewhere);
                } else {
                    self.possible(&path);
                }
            }
        }
        for link in &links {
            for target in &self.changed {
                if let Some(names) = link.follow(&target.names) {
                    let place = self.place_of(&names);
                    self.rules.judge(&Target { names, place, ..target.clone() }).tell(self.found);
                }
            }
        }
        self.commands = commands;
    }

    /// Judges a text that may be a path: asks if the path would be denied.
    fn possible(&mut self, path: &ToolPath) {
        self.possibly("the tool may take a text of the call for a path", |judge| judge.path(path, None, false));
    }

    /// Asks about a file that a command may write to, if the file is protected.
    pub(crate) fn named(&mut self, command: &Command<'_>, path: &str, all: &[Command<'_>]) {
        let told = told_among(&ShellWord::Known(path.to_owned()), all);
        let cwd = command.facts.cwd.as_ref().map(told_path).or_else(|| self.tool.cwd.clone()).unwrap_or_default();
        let names = Names::new(&told.path);
        let names = if names.is_absolute || told.place.is_some() { names } else { Names::new(&cwd).join(&told.path) };
        let place = told.place.or_else(|| self.place_of(&names));
        let target = Target { names, shown: path.to_owned(), access: Access::Write, place, keeps_content: false };
        // Augeas changes the files of the system in place.
        let is_certain = command.name == "augtool";
        let verdict = if is_certain { self.rules.judge(&target) } else { self.rules.protected(&target) };
        if let Verdict::Ask(reason) | Verdict::Deny(reason) = verdict {
            self.found.ask(format!("{} may write to this: {reason}", command.quote()));
        }
    }

    /// Judges something that is only possible: asks if it would be denied. `why` begins the question.
    pub(crate) fn possibly(&mut self, why: &str, judge: impl FnOnce(&mut Self)) {
        let certain = std::mem::take(self.found);
        let changed = self.changed.len();
        judge(self);
        // Changes that are only possible do not affect the judgement of other paths.
        self.changed.truncate(changed);
        let found = std::mem::replace(self.found, certain);
        self.found.add(found.possible(why));
    }

    /// Whether the call may change a file, or may read a file whose reading is guarded.
    pub(crate) fn may_change(&self) -> bool {
        let reads = matches!(self.tool.kind, ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::Agent);
        self.rules.guards_reads() || !(reads || self.habit == Habit::Reads)
    }

    /// Judges a path that the facts classify.
    fn path(&mut self, path: &ToolPath, by: Option<(&Command<'_>, &ShellWord)>, is_elsewhere: bool) {
        // A search also takes patterns.
        let is_search = by.is_none() && matches!(self.tool.kind, ToolKind::Search | ToolKind::Read);
        let has_wildcards = is_search || by.is_some_and(|(_, word)| word.known().is_none());
        let read = |text: &str| if has_wildcards { Names::with_wildcards(text) } else { Names::new(text) };
        let mut names = read(&path.path);
        let mut place = Some(path.place);
        let is_home = ["~/", "$HOME/", "${HOME}/"].iter().any(|home| path.as_written.starts_with(home));
        if is_home && names.all.iter().any(|name| name == "~" || name.starts_with('$')) {
            // If the tool does not expand `~`, treating the path as the home directory does no harm.
            let rest = path.as_written.split_once('/').map_or("", |(_, rest)| rest);
            names = Names::new("~").join(rest);
            place = Some(stricter(path.place, Place::Home));
        }
        if matches!(place, Some(Place::Home | Place::Other)) && self.is_in_project(&names) {
            place = Some(Place::Project);
        }
        let cwd = by.and_then(|(command, _)| command.facts.cwd.as_ref()).map(told);
        let is_adrift = !names.is_absolute && !is_home;
        if is_adrift {
            // After `cd "$(mktemp -d)"`, the place is known although its name is not.
            let by_path = |cwd: &Told| if cwd.is_anywhere { None } else { self.place_of(&Names::new(&cwd.path)) };
            place = cwd.as_ref().and_then(|cwd| cwd.place.or_else(|| by_path(cwd)));
        }
        let shown = shown(path);
        let keeps_content = by.is_some_and(|(command, _)| tightens(command));
        let target = Target { names, shown, access: path.access, place, keeps_content };
        if is_elsewhere {
            return self.rules.protected_elsewhere(&target).tell(self.found);
        }
        let mut verdict = self.rules.judge(&target);
        if verdict == Verdict::Allow && is_adrift && place.is_none() && path.access.changes() {
            verdict = Verdict::Unknown(format!(
                "`{}` starts in a directory that is not known; write the whole path",
                target.shown
            ));
        }
        verdict.tell(self.found);
        // The targets of these links depend on the process.
        let is_stream = path.path.starts_with("/dev/") || path.path.starts_with("/proc/self/fd/");
        let real = path.real.as_ref().filter(|real| **real != path.path && !is_stream);
        if let Some(real) = real {
            let names = read(real);
            let is_inside =
                target.place == Some(Place::Project) && path.place != Place::Project && !self.is_in_project(&names);
            let place = if is_inside { Some(path.place) } else { target.place };
            let real = Target { names, place, ..target.clone() };
            self.rules.judge(&real).tell(self.found);
        } else if path.real.is_none() && !is_stream && target.names.is_absolute && path.access.changes() {
            let reason = format!("where the links of `{}` lead cannot be found out; use another path", target.shown);
            self.found.unknown(reason);
        }
        let makes_link = by.is_some_and(|(command, _)| links::is_linker(command));
        if path.access.changes() && !makes_link {
            self.changed.push(target);
        }
    }

    /// Whether a path is in the project.
    fn is_in_project(&self, names: &Names) -> bool {
        self.project.as_ref().is_some_and(|project| names.is_in(project))
    }

    /// Returns the place that a path leads to, as written. The facts classify only known paths.
    pub(crate) fn place_of(&self, names: &Names) -> Option<Place> {
        match () {
            () if !names.is_absolute => names.all.first().filter(|name| *name == "~").map(|_| Place::Home),
            () if self.base.as_ref().is_some_and(|base| names.is_in(base)) => Some(Place::Project),
            () if TEMPORARY.iter().any(|temp| names.is_in(&Names::new(temp))) => Some(Place::Temp),
            () => Some(Place::Other),
        }
    }

    /// Judges a word of which a part is known only when the command runs.
    pub(crate) fn word(
        &mut self,
        command: &Command<'_>,
        word: &ShellWord,
        access: Access,
        is_elsewhere: bool,
        all: &[Command<'_>],
    ) {
        let told = told_among(word, all);
        let mut names = Names::new(&told.path);
        let mut place = told.place;
        let mut is_anywhere = told.is_anywhere;
        let from = command.facts.parent.and_then(|parent| all.get(parent)).map_or(&[][..], |by| &by.facts.reads_from);
        let from = if command.facts.reads_from.is_empty() { from } else { &command.facts.reads_from };
        if is_anywhere && finds::is_renamed(command, word, all) {
            (place, is_anywhere) = (Some(Place::Project), false);
        }
        let is_listed = || {
            let listers = self.listers.get_or_init(|| finds::listers(all));
            !from.is_empty() && from.iter().all(|at| listers.get(*at) == Some(&true))
        };
        if is_anywhere && told.path.starts_with(UNKNOWN) && is_listed() {
            (place, is_anywhere) = (Some(Place::Project), false);
        }
        if place.is_none() && !is_anywhere {
            if !names.is_absolute {
                let base = match command.facts.cwd.as_ref().map(crate::place::told) {
                    Some(base) if base.is_anywhere => {
                        is_anywhere = true;
                        Names::default()
                    }
                    Some(base) => Names::new(&base.path),
                    None => self.tool.cwd.as_deref().map(Names::new).unwrap_or_default(),
                };
                names = base.join(&told.path);
            }
            place = self.place_of(&names);
        }
        let keeps_content = tightens(command);
        let target = Target { names, shown: word.written().to_owned(), access, place, keeps_content };
        if is_elsewhere {
            return self.rules.protected_elsewhere(&target).tell(self.found);
        }
        match self.rules.judge(&target) {
            Verdict::Allow if is_anywhere && access.changes() => {
                let quote = command.quote();
                self.found.unknown(format!(
                    "{quote} changes `{}`, which is known only when the command runs; write the path out",
                    target.shown
                ));
            }
            verdict => verdict.tell(self.found),
        }
    }
}

/// Names the program without a version: `npx dotenv-vault@latest` runs `dotenv-vault`.
fn unversioned(command: Command<'_>) -> Command<'_> {
    let plain = command.name.split_once('@').map(|(plain, _)| plain).filter(|plain| !plain.is_empty());
    Command { name: plain.unwrap_or(command.name), ..command }
}

/// Returns the path of a word, as far as it is known.
fn told_path(word: &ShellWord) -> String {
    told(word).path
}

/// Returns the directory that the agent works in, unless it cannot be a project: the root, a home directory, a system
/// directory.
fn project(pwd: &str) -> Option<Names> {
    let names = Names::new(pwd);
    let first = names.all.first()?.as_str();
    let is_home = matches!(first, "home" | "users") && names.all.len() < 3;
    let is_odd =
        !names.is_absolute || is_home || names.all.len() < 2 && first == "root" || OF_THE_SYSTEM.contains(&first);
    (!is_odd).then_some(names)
}

/// Whether a command only removes access rights of other users, as in `chmod 600 server.key`.
fn tightens(command: &Command<'_>) -> bool {
    const MODES: &[&str] =
        &["400", "0400", "600", "0600", "700", "0700", "go-rwx", "og-rwx", "go=", "u=rw,go=", "go-rw", "o-rwx"];
    matches!(command.name, "chmod" | "gchmod")
        && command
            .args()
            .iter()
            .find(|word| !word.text().starts_with('-'))
            .is_some_and(|mode| MODES.contains(&mode.text()))
}

/// Returns the more protected of two places.
const fn stricter(place: Place, other: Place) -> Place {
    match place {
        Place::Hookbox | Place::AgentConfig => place,
        _ => other,
    }
}

/// Returns a path, for use in reasons.
fn shown(path: &ToolPath) -> String {
    let written = path.as_written.as_str();
    let is_plain = !written.is_empty() && !written.contains(['$', '{', '*', '`']) && written.len() > 2;
    if is_plain { written.to_owned() } else { path.path.clone() }
}

/// Whether a command runs on another machine or in a container.
fn is_elsewhere(command: &Command<'_>, all: &[Command<'_>]) -> bool {
    let mut command = command;
    // A command that runs others comes before them, so this loop ends.
    for _ in 0..64 {
        if command.facts.via.as_deref().is_some_and(|via| ELSEWHERE.contains(&via)) {
            return true;
        }
        match command.facts.parent.and_then(|parent| all.get(parent)) {
            Some(parent) => command = parent,
            None => return false,
        }
    }
    false
}
