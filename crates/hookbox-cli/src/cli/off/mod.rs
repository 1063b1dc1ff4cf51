//! `hookbox off` and `hookbox on`: a person lets agents work without hooks for a while.

mod record;
mod started_by;
mod state;
mod terminal;

use super::scope::Scope;
use super::{Exit, print_line, render};
use anyhow::Context;
use clap::Args;
use hookbox::config::parse_duration;
use hookbox::{Code, UserPlaces};
pub(super) use record::append;
use state::LONGEST;
pub(super) use state::{Off, Switch};
use std::path::PathBuf;
use std::time::Duration;
pub(super) use terminal::{of_a_person, of_no_agent};

/// The maximum length of a reason, in bytes.
const MAX_WHY: usize = 1000;

/// Let agents work without hooks for a while
///
/// For a person at a terminal who must get on, whatever the policies say. `hookbox hook` then allows what agents ask about,
/// and records each event; `hookbox run` and programs that embed hookbox ask their hooks as before. It ends by itself, or
/// with `hookbox on`. Without options, it says whether hookbox is off.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox off --for 10m --why \"the new policy denies every build\"")]
pub(super) struct TurnOff {
    /// For how long, such as `10m`; at most `8h`
    #[arg(long = "for", value_name = "DURATION", value_parser = length, requires = "why")]
    length: Option<Duration>,

    /// Why, for the record
    #[arg(long, value_name = "TEXT", value_parser = reason, requires = "length")]
    why: Option<String>,

    #[command(flatten)]
    place: Place,
}

/// Let hooks be asked again, after `hookbox off`
///
/// Says how many events ran meanwhile. Anyone may do it, agents too.
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox on")]
pub(super) struct TurnOn {
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
struct Place {
    /// The user's home directory, in place of $HOME
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
}

impl Place {
    fn places(self) -> anyhow::Result<UserPlaces> {
        Scope::of_place("hookbox".to_owned(), self.home, None, None).places()
    }
}

fn length(text: &str) -> Result<Duration, String> {
    match parse_duration(text).filter(|length| !length.is_zero()) {
        None => Err("a duration is a number with a unit, such as `10m` or `1h30m`".to_owned()),
        Some(length) if length > LONGEST => Err("hookbox can be off for at most 8h".to_owned()),
        Some(length) => Ok(length),
    }
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("say why, for those who look at the record".to_owned()),
        text if text.len() > MAX_WHY => Err(format!("at most {MAX_WHY} bytes")),
        text => Ok(text.to_owned()),
    }
}

impl TurnOff {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let places = self.place.places()?;
        let (Some(length), Some(why)) = (self.length, self.why) else {
            tell(&places);
            return Ok(Exit::Success);
        };
        let terminal = match terminal::of_a_person() {
            Ok(terminal) => terminal,
            Err(why) => return Ok(refuse("turn hookbox off", &why)),
        };
        let off = Off::lasting(length, &why, terminal::who());
        let question = format!(
            "No hook will be asked about what agents do until {}.\nEach event is recorded in {}.\n\
             Type `off` to turn hookbox off: ",
            off.until,
            record::path(&places).display()
        );
        if terminal::ask(terminal, &hookbox::visible(&question))? != "off" {
            print_line("hookbox stays on");
            return Ok(Exit::Failure);
        }
        // The time starts when the user answers.
        let off = Off::lasting(length, &why, off.who);
        let path = state::path(&places);
        off.write(&places).with_context(|| format!("hookbox stays on: `{}` could not be written", path.display()))?;
        print_line(&format!("hookbox is off until {}; `hookbox on` ends it", off.until));
        Ok(Exit::Success)
    }
}

impl TurnOn {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let places = self.place.places()?;
        let switch = Switch::read(&places);
        let path = state::path(&places);
        let removed = state::remove(&places).with_context(|| format!("`{}` could not be removed", path.display()))?;
        if !removed {
            print_line("hookbox was on");
            return Ok(Exit::Success);
        }
        match switch {
            Switch::Off(off) => print_line(&format!("hookbox is on again; {}", ran(&places, &off))),
            Switch::Expired(off) => {
                print_line(&format!("hookbox was on again since {}; {}", off.until, ran(&places, &off)))
            }
            Switch::On => print_line("hookbox was on"),
            Switch::Doubtful(why) => print_line(&format!("hookbox was on, since {why}; it is removed")),
        };
        Ok(Exit::Success)
    }
}

/// Returns how many events ran while hookbox was off, as text.
fn ran(places: &UserPlaces, off: &Off) -> String {
    match record::count(places, off) {
        Ok(0) => "no event ran meanwhile".to_owned(),
        Ok(1) => format!("1 event ran meanwhile: see {}", record::path(places).display()),
        Ok(count) => format!("{count} events ran meanwhile: see {}", record::path(places).display()),
        Err(error) => format!("how many events ran meanwhile is not known: {error}"),
    }
}

fn tell(places: &UserPlaces) {
    match Switch::read(places) {
        Switch::On => _ = print_line("hookbox is on"),
        Switch::Expired(off) => {
            print_line(&format!("hookbox is on again since {}; {}", off.until, ran(places, &off)));
        }
        Switch::Off(off) => {
            print_line(&off.in_words());
            print_line(&format!("{}; `hookbox on` ends it", ran(places, &off)));
        }
        Switch::Doubtful(why) => {
            print_line("hookbox is on");
            render::warning(Code::Permissions, &doubt(&why));
        }
    }
}

/// Returns the warning that the file that turns hookbox off does not count.
pub(super) fn doubt(why: &str) -> String {
    format!("hookbox stays on: {why}. `hookbox on` removes the file")
}

/// Prints that only a person can do this, and why this is none.
pub(super) fn refuse(what: &str, why: &str) -> Exit {
    let message = format!(
        "only a person can {what}, at a terminal that no agent started: {why}. Run this command yourself, in a terminal \
         window of your own"
    );
    render::message(Code::Person, &message);
    Exit::Failure
}
