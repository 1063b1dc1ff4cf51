//! ok, whose hooks answer by their exit status alone: 0 passes, 2 blocks, anything else is a warning. They cannot
//! change anything. A project's hooks only run if the user trusts the project.

mod answer;
mod config;
mod executor;
mod outcome;
mod payload;
mod trust;

use super::payload::name_of;
use super::{MAX_CONFIG_BYTES, Strictness};
use crate::chain::Rule;
use crate::config::{
    ConfigFile, Dialect, HostEnv, Layer, Places, Problem, ReadRules, Reading, Reply, TrustedProjects, WhenBroken,
};
use crate::protocol::{Action, Answer, Event, Input, InputError, Json, Outcome, Source};
use crate::runtime::HookInfo;
use crate::runtime::shell::{Bounds, Codec, Command, End, Overflow, PipeGrace};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use executor::Executor;
pub use outcome::{HookOutcome, OkDecision, Report, format_outcome};
pub use trust::TrustFile;

/// The most output of each of a hook's streams that is kept, in bytes. The figure is ok's.
const MAX_OUTPUT_BYTES: usize = 256 << 10;

/// How long a process that a hook left behind may hold its pipes. The figure is ok's.
const PIPE_GRACE: Duration = Duration::from_millis(500);

/// The settings file, relative to a project or home directory.
const SETTINGS: &str = ".ok/settings.json";

/// The events, in the order in which ok reads them from a file.
pub(super) const EVENTS: [(&str, Event); 4] = [
    ("PreToolUse", Event::PreTool),
    ("PostToolUse", Event::PostTool),
    ("UserPromptSubmit", Event::PreMessage),
    ("Stop", Event::PostMessage),
];

/// Returns ok's name for an event.
fn event_name(event: Event) -> &'static str {
    name_of(event, &EVENTS)
}

/// ok's dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct OkDialect {
    strictness: Strictness,
}

impl OkDialect {
    /// Creates the dialect, as lenient as ok or strict.
    #[must_use]
    pub const fn new(strictness: Strictness) -> Self {
        OkDialect { strictness }
    }

    /// Returns the label of the user's hooks.
    #[must_use]
    pub const fn global() -> Source {
        Source::fixed("global")
    }

    /// Whether a project has hooks, trusted or not.
    #[must_use]
    pub fn project_defines_hooks(root: &Path) -> bool {
        let file =
            ConfigFile::read(&root.join(SETTINGS), Source::PROJECT, OkDialect::default().read_rules()).ok().flatten();
        // A hook whose pattern is not a regex is one, too. Only the strict reading keeps it, as a hook that denies.
        file.is_some_and(|file| !config::read(&file, Strictness::Strict).entries.is_empty())
    }
}

impl Codec for OkDialect {
    fn payload(&self, input: &Input, _: Option<&Json>) -> String {
        payload::encode(input)
    }

    /// Sets the working directory: a hook whose config names no directory works in the session's directory.
    fn prepare_command(&self, command: &mut Command, input: &Input) {
        if let Some(pwd) = input.pwd.as_deref().filter(|pwd| !command.cwd_is_given && !pwd.is_empty()) {
            command.cwd = command.cwd.join(pwd);
        }
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            stdout: MAX_OUTPUT_BYTES,
            stderr: MAX_OUTPUT_BYTES,
            overflow: Overflow::Discard,
            pipe_grace: PipeGrace { with_answer: PIPE_GRACE, without_answer: PIPE_GRACE },
        }
    }

    fn answer(&self, input: &Input, _: &HookInfo, end: End) -> Answer {
        answer::decode(self.strictness, input.event, end)
    }
}

impl Dialect for OkDialect {
    fn name(&self) -> &'static str {
        "ok"
    }

    /// Returns the project's file, then the user's. Parent directories are not searched.
    fn layers(&self, places: &Places<'_>) -> Vec<Layer> {
        let project = Layer { path: places.cwd.join(SETTINGS), source: Source::PROJECT };
        let global = places.home.map(|home| Layer { path: home.join(SETTINGS), source: OkDialect::global() });
        std::iter::once(project).chain(global).collect()
    }

    fn named(&self, file: PathBuf, places: &Places<'_>) -> Layer {
        let is_project = file == places.cwd.join(SETTINGS);
        Layer { path: file, source: if is_project { Source::PROJECT } else { OkDialect::global() } }
    }

    fn names_hooks(&self) -> bool {
        false
    }

    fn trusts_project(&self, places: &Places<'_>) -> Result<bool, Box<Problem>> {
        places.home.map_or(Ok(false), |home| TrustFile::below(home).look_up(places.cwd))
    }

    fn trusted_projects(&self, home: &Path) -> Option<Box<dyn TrustedProjects>> {
        Some(Box::new(TrustFile::below(home)))
    }

    /// Returns lossy rules, because Go accepts JSON that is not UTF-8.
    fn read_rules(&self) -> ReadRules {
        ReadRules { max_bytes: MAX_CONFIG_BYTES, lossy: true }
    }

    fn read(&self, file: &ConfigFile, _: &HostEnv<'_>) -> Reading {
        config::read(file, self.strictness)
    }

    fn when_broken(&self, _: &Source) -> WhenBroken {
        if self.strictness.is_strict() { WhenBroken::Deny } else { WhenBroken::Warn }
    }

    fn rule(&self) -> fn(Event) -> Rule {
        Rule::hookbox
    }

    fn decode_payload(&self, payload: &[u8]) -> Result<Input, InputError> {
        payload::decode(payload)
    }

    fn complete(&self, input: &mut Input, cwd: &Path) {
        if input.pwd.as_ref().is_none_or(String::is_empty) {
            input.pwd = Some(cwd.display().to_string());
        }
    }

    fn encode_answer(&self, event: Event, action: &Action) -> Reply {
        answer::encode(event, action)
    }

    fn differences(&self) -> &'static [&'static str] {
        &["a call without a tool's name concerns every hook, whatever its `match`."]
    }

    fn encode_outcome(&self, outcome: &Outcome) -> String {
        Report::from_outcome(outcome).to_json()
    }
}
