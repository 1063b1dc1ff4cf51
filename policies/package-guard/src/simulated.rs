//! Installations that are only simulated: `apt-get install --simulate NAME`.

use crate::managers::Does;
use crate::order::Order;
use hookbox_policy::{Opt, UNKNOWN, Word};

/// A group of managers that can tell what they would install.
struct Simulator {
    programs: &'static [&'static str],
    /// The options that have them only tell it.
    options: &'static [&'static str],
    /// Options that can set any other one: `-o APT::Get::Simulate=no`.
    sets: &'static [&'static str],
}

/// Some managers are missing, since they run code of a package to see what it needs (pip, uv, poetry), or ignore
/// options that they do not know (yarn).
#[rustfmt::skip] // A table reads better with one row per line.
const SIMULATORS: &[Simulator] = &[
    Simulator { programs: &["apt", "apt-get", "aptitude"], options: &["-s", "--simulate", "--just-print", "--dry-run", "--recon", "--no-act"],
        sets: &["-o", "--option", "-c", "--config-file"] },
    Simulator { programs: &["apk"], options: &["-s", "--simulate"], sets: &[] },
    Simulator { programs: &["dnf", "dnf5", "yum"], options: &["--assumeno"], sets: &["--setopt"] },
    Simulator { programs: &["npm", "cargo", "composer", "conda", "mamba", "micromamba", "brew", "zypper"], options: &["--dry-run"], sets: &[] },
    Simulator { programs: &["opam"], options: &["--dry-run", "--show-actions"], sets: &[] },
];
/// What is left of `-s=no` and `-s-`, which switch the option off.
const REST: &[&str] = &["-=", "--"];
/// Words that switch the option before them off.
const NO: &[&str] = &["no", "false", "off", "without", "disable", "0"];

/// Whether a command only tells what it would install. If another word may switch this off, it does not count.
pub(crate) fn simulates(order: &Order<'_>) -> bool {
    let installs = matches!(order.does, Some(Does::Add | Does::AddGlobal | Does::Tool));
    let row = SIMULATORS.iter().find(|row| row.programs.contains(&order.program));
    let Some(row) = row.filter(|_| installs) else {
        return false;
    };
    let is_one = |option: &Opt| option.value.is_none() && row.options.contains(&option.name.as_str());
    let may_undo = |option: &Opt| {
        let name = option.name.as_str();
        // This is `--no-simulate` or `--simulate=no`.
        let mut long = row.options.iter().filter_map(|option| option.strip_prefix("--"));
        let is_like_one = !is_one(option) && long.any(|option| name.contains(option));
        let is_unknown = name.contains(UNKNOWN) || option.value.as_ref().is_some_and(Word::is_unknown);
        is_like_one || is_unknown || row.sets.contains(&name) || REST.contains(&name)
    };
    let is_no = |word: &Word| word.is_unknown() || NO.contains(&word.text().to_ascii_lowercase().as_str());
    let given = &order.read.options;
    given.iter().any(is_one) && !given.iter().any(may_undo) && !order.read.operands.iter().any(is_no)
}
