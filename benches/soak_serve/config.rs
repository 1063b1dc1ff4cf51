//! The config of the servers, which changes every second.

use crate::component::Guest;
use crate::hooks::{self, Components};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Within how long after an edit it applies to every event. Reload promises a second, and then reads the files.
const PROMPT: Duration = Duration::from_secs(4);

/// What the config says about the tool `extra`, in the order of the edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extra {
    /// No hook hears of it.
    Absent,
    /// A hook denies it.
    Denied,
    /// The file is not TOML, so everything stays as it was.
    Broken,
    /// The same hook, whose answer does not count.
    Monitored,
    /// The same hook, with a pin that does not fit.
    Pinned,
    /// A new hook whose file is not a component.
    Unusable,
    /// Its entry has a key that does not exist.
    Misspelt,
}

/// The edits, again and again.
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
    /// Its number, which is in the name of a hook that each event is given to.
    pub(crate) number: u64,
    pub(crate) extra: Extra,
    /// When the file was written, if it is.
    ended: Option<Instant>,
}

impl Edit {
    /// The number of the component that denies `extra`. Each cycle has another one, so each is compiled.
    pub(crate) const fn cycle(&self) -> u64 {
        self.number / CYCLE.len() as u64
    }
}

/// The config file, and what it has said so far.
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

    /// How many edits there were.
    pub(crate) fn edits(&self) -> u64 {
        self.next.load(Ordering::SeqCst)
    }

    /// Makes edits until nothing hears of `extra`, so that two such moments can be compared.
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
        // A server may use an edit before it is known here that it was made.
        if edit.extra != Extra::Broken {
            self.edits.lock().unwrap().push(edit);
        }
        if (number + edit.cycle()).is_multiple_of(2) {
            // As editors do it.
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
            // Nothing names those of earlier cycles any more.
            for old in 0..edit.cycle() {
                let _ = fs::remove_file(self.dir.join(format!("extra-{old}.wasm")));
            }
        }
    }

    /// The edit with this number, if an event that was sent then may be judged by it. `seen` is the last edit that an
    /// answer had shown by then.
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

/// Why `extra` is denied.
pub(crate) fn reason(edit: &Edit) -> String {
    format!("no extra in cycle {}", edit.cycle())
}
