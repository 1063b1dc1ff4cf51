//! The config of the servers, which changes every second.

use crate::component::Guest;
use crate::hooks::{self, Components};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time after an edit within which it must apply to every event. Reload promises a second, and must then read the
/// files.
const PROMPT: Duration = Duration::from_secs(4);

/// The config's entry for the tool `extra`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extra {
    /// No hook is asked about it.
    Absent,
    /// A hook denies it.
    Denied,
    /// The file is not TOML, so the config before it stays in force.
    Broken,
    /// The same hook is a monitor, so its answer does not count.
    Monitored,
    /// The same hook has a pin that does not match.
    Pinned,
    /// There is a new hook whose file is not a component.
    Unusable,
    /// The hook's entry has a key that does not exist.
    Misspelt,
}

/// The cycle of edits, which is repeated.
const CYCLE: [Extra; 10] = [
    Extra::Absent,
    Extra::Denied,
    Extra::Broken,
    Extra::Monitored,
    Extra::Pinned,
    Extra::Broken,
    Extra::Unusable,
    Extra::Broken,
    Extra::Misspelt,
    Extra::Broken,
];

/// An edit of the config.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    /// The number of the edit. It is in the name of a hook that is asked on every event.
    pub(crate) number: u64,
    pub(crate) extra: Extra,
    /// The time when the file was written; `None` before that.
    ended: Option<Instant>,
}

impl Edit {
    /// Returns the number of the component that denies `extra`. Each cycle has another component, so that each is
    /// compiled.
    pub(crate) const fn cycle(&self) -> u64 {
        self.number / CYCLE.len() as u64
    }
}

/// The config file and its history.
pub(crate) struct Config {
    dir: PathBuf,
    components: Components,
    edits: Mutex<Vec<Edit>>,
    next: AtomicU64,
}

impl Config {
    pub(crate) fn new(dir: &Path) -> Self {
        let config = Config {
            dir: dir.to_owned(),
            components: Components::write(dir),
            edits: Mutex::default(),
            next: AtomicU64::new(0),
        };
        config.edit();
        config
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.dir.join("hooks.toml")
    }

    /// Returns the number of edits so far.
    pub(crate) fn edits(&self) -> u64 {
        self.next.load(Ordering::SeqCst)
    }

    /// Makes edits until no hook is asked about `extra`, so that two such moments can be compared.
    pub(crate) fn rest(&self) {
        self.edit();
        while self.edits.lock().unwrap().last().unwrap().extra != Extra::Absent {
            self.edit();
        }
    }

    /// Makes the next edit.
    pub(crate) fn edit(&self) {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        let place = usize::try_from(number).unwrap() % CYCLE.len();
        let edit = Edit { number, extra: CYCLE[place], ended: None };
        if edit.extra == Extra::Denied {
            let component = Guest::answering(&format!(r#"{{"decision":"deny","reason":"{}"}}"#, reason(&edit)));
            fs::write(self.component(&edit), component.build()).unwrap();
        }
        let text = self.text(&edit);
        // The edit is recorded before it is made, because a server may use it before the write has returned.
        if edit.extra != Extra::Broken {
            self.edits.lock().unwrap().push(edit);
        }
        if (number + edit.cycle()).is_multiple_of(2) {
            // Editors replace a file in this way.
            let new = self.dir.join("hooks.toml.new");
            fs::write(&new, text).unwrap();
            fs::rename(new, self.file()).unwrap();
        } else {
            fs::write(self.file(), text).unwrap();
        }
        if edit.extra != Extra::Broken {
            self.edits.lock().unwrap().last_mut().unwrap().ended = Some(Instant::now());
        }
        if edit.extra == Extra::Pinned {
            // The config no longer names the components of earlier cycles.
            for old in 0..edit.cycle() {
                let _ = fs::remove_file(self.dir.join(format!("extra-{old}.wasm")));
            }
        }
    }

    /// Returns the edit with this number, if an event that was sent at this time may be judged by it. `seen` is the
    /// last edit that an answer had shown by then.
    pub(crate) fn in_force(&self, number: u64, sent: Instant, seen: u64) -> Result<Edit, String> {
        let edits = self.edits.lock().unwrap();
        let Some(edit) = edits.iter().rev().find(|edit| edit.number == number) else {
            return Err(format!("edit {number} was never made"));
        };
        let is_prompt = |edit: &&Edit| edit.ended.is_some_and(|ended| ended + PROMPT < sent);
        let oldest = edits.iter().rev().find(is_prompt).map_or(0, |edit| edit.number);
        if number < seen {
            return Err(format!("edit {number} applied after edit {seen} had"));
        }
        if number < oldest {
            return Err(format!("edit {number} still applied {PROMPT:?} after edit {oldest}"));
        }
        Ok(*edit)
    }

    fn component(&self, edit: &Edit) -> PathBuf {
        self.dir.join(format!("extra-{}.wasm", edit.cycle()))
    }

    fn text(&self, edit: &Edit) -> String {
        let mark = format!("[hooks.edit-{}]\nevents = [\"pre_tool\"]\ncomponent = \"allow.wasm\"\n", edit.number);
        let extra = |name: &str, file: &str, more: &str| {
            format!("[hooks.{name}]\nevents = [\"pre_tool\"]\nmatch = \"extra\"\ncomponent = {file:?}\n{more}\n")
        };
        let component = self.component(edit);
        let file = component.file_name().unwrap().to_str().unwrap();
        let about_extra = match edit.extra {
            Extra::Absent => String::new(),
            Extra::Denied => extra("extra", file, ""),
            Extra::Broken => "[hooks.extra\nevents =".to_owned(),
            Extra::Monitored => extra("extra", file, "enforce = false"),
            Extra::Pinned => extra("extra", file, &format!("sha256 = \"{}\"", "0".repeat(64))),
            Extra::Unusable => extra("other", "garbage.wasm", ""),
            Extra::Misspelt => extra("third", "allow.wasm", "enforced = true"),
        };
        mark + &hooks::text(&self.components) + &about_extra
    }
}

/// Returns the reason with which `extra` is denied.
pub(crate) fn reason(edit: &Edit) -> String {
    format!("no extra in cycle {}", edit.cycle())
}
