//! A command in the context of its tool call.

use crate::container;
use crate::find::hands_on_all;
use crate::settings::Settings;
use crate::target::{Place, Target};
use hookbox_policy::{Command, Glob, Opt, UNKNOWN, Word};
use hookbox_sdk::{ShellCommand, ShellWord};

/// Everything that a tool call would run.
pub(crate) struct Scene<'a> {
    pub(crate) commands: &'a [Command<'a>],
    pub(crate) settings: &'a Settings,
    pub(crate) place: Place<'a>,
    /// The text of the command, as passed to the tool.
    pub(crate) text: &'a str,
}

/// Ways to change to the project's root, or to the directory of one of its scripts.
const IN_PROJECT: [&str; 4] =
    ["$(git rev-parse --show-toplevel)", "`git rev-parse --show-toplevel`", "$(dirname \"$0\")", "$(dirname $0)"];

/// Programs of Windows that may destroy something. Windows finds them in upper and lower case.
const OF_WINDOWS: [&str; 9] =
    ["bcdedit", "diskpart", "fsutil", "reg", "robocopy", "vssadmin", "wbadmin", "wevtutil", "wmic"];

/// The programs that zsh has as commands with the prefix `zf_`.
const OF_ZSH: [&str; 9] = ["chgrp", "chmod", "chown", "ln", "mkdir", "mv", "rm", "rmdir", "sync"];

/// Reads a command from its facts. A program of Windows has the same name with and without `.exe`, and with its path.
pub(crate) fn read(facts: &ShellCommand) -> Command<'_> {
    let mut command = Command::new(facts);
    let stem = command.name.rsplit_once('.').filter(|(_, extension)| extension.eq_ignore_ascii_case("exe"));
    if let Some((stem, _)) = stem {
        command.name = stem.rsplit(['\\', '/']).next().unwrap_or(stem);
    }
    // The module `zsh/files` has these programs as commands of the shell.
    let of_zsh = command.name.strip_prefix("zf_").filter(|name| OF_ZSH.contains(name));
    let name = of_zsh.unwrap_or(command.name);
    command.name = name;
    if let Some(known) = OF_WINDOWS.into_iter().find(|known| name.eq_ignore_ascii_case(known)) {
        command.name = known;
    }
    command
}

impl<'a> Scene<'a> {
    /// Returns the directory that a command runs in, which is empty if it is not known.
    pub(crate) fn dir(&self, command: &Command<'_>) -> String {
        match command.facts.cwd.as_ref().map(Word::from) {
            None => self.place.dir(),
            Some(word) if IN_PROJECT.contains(&word.raw().trim_matches('"')) => self.place.dir(),
            Some(word) => self.absolute(&word),
        }
    }

    fn absolute(&self, word: &Word) -> String {
        let text = word.text();
        if text.starts_with(['/', '~']) || word.is_unknown() || self.place.dir().is_empty() {
            text.to_owned()
        } else {
            format!("{}/{text}", self.place.dir())
        }
    }

    /// Returns the target that a word of a command names.
    pub(crate) fn target(&self, command: &Command<'_>, word: &Word) -> Target {
        match self.ancestors(command).iter().find(|by| container::is_one(by)) {
            Some(by) => {
                let dirs = self.dirs_in(by, command);
                container::target(by, word, &dirs, |path| self.place.target(path, &self.place.dir()))
            }
            None => self.local(command, word),
        }
    }

    /// Returns the directories in a container in which a command there may run, as far as they are known.
    fn dirs_in(&self, container: &Command<'_>, command: &Command<'_>) -> Vec<String> {
        if let Some(dir) = command.facts.cwd.as_ref().and_then(ShellWord::known) {
            return vec![dir.to_owned()];
        }
        let is_inside =
            |other: &Command<'_>| self.ancestors(other).iter().any(|outer| std::ptr::eq(outer.facts, container.facts));
        let moves = self.commands.iter().filter(|other| matches!(other.name, "cd" | "pushd") && is_inside(other));
        let entered: Vec<&str> = moves.filter_map(|other| other.args().last()).map(Word::text).collect();
        let dirs = container::workdirs(container).into_iter();
        if entered.is_empty() {
            return dirs.map(str::to_owned).collect();
        }
        // It is not known which of these the command comes after.
        let relative = dirs.flat_map(|dir| {
            let entered = entered.iter().filter(|into| !into.starts_with('/'));
            entered.map(move |into| format!("{dir}/{into}"))
        });
        let absolute = entered.iter().filter(|into| into.starts_with('/')).map(|into| (*into).to_owned());
        relative.chain(absolute).collect()
    }

    /// Returns the target that a word names on this machine.
    fn local(&self, command: &Command<'_>, word: &Word) -> Target {
        let in_project = IN_PROJECT.iter().find_map(|root| {
            let path = word.raw().trim_matches('"').strip_prefix(root)?.strip_prefix('/')?;
            (!path.is_empty() && !path.contains(['$', '`', '*', '?', '['])).then_some(path)
        });
        let in_project = in_project.filter(|_| word.raw().contains("--show-toplevel"));
        if let Some(path) = in_project {
            return self.place.target(path, &self.place.dir());
        }
        let dir = self.dir(command);
        let dir = if dir.starts_with('~') { dir.replacen('~', "/home/~", 1) } else { dir };
        let (text, raw) = (word.text(), word.raw());
        if let Some(rest) = text.strip_prefix(UNKNOWN).filter(|_| raw.starts_with('~')) {
            // This is another user's home directory.
            return self.place.target(&format!("~{rest}"), &dir);
        }
        // In quotes, `~` is an ordinary character.
        let is_quoted = text.starts_with('~') && raw.starts_with(['"', '\'', '\\']);
        self.place.target(&if is_quoted { format!("./{text}") } else { text.to_owned() }, &dir)
    }

    /// Returns the worst target that one of these words names, and the word.
    pub(crate) fn worst<'w>(
        &self,
        command: &Command<'_>,
        words: impl IntoIterator<Item = &'w Word>,
    ) -> Option<(Target, Word)> {
        let targets = words.into_iter().map(|word| (self.target(command, word), word.clone()));
        targets.max_by(|(a, _), (b, _)| a.cmp(b))
    }

    /// Returns the command that runs this one.
    pub(crate) fn parent(&self, command: &Command<'_>) -> Option<&'a Command<'a>> {
        self.commands.get(command.facts.parent?)
    }

    /// Returns the commands whose output this one reads.
    pub(crate) fn sources(&self, command: &Command<'_>) -> impl Iterator<Item = &'a Command<'a>> {
        command.facts.reads_from.iter().filter_map(|at| self.commands.get(*at))
    }

    /// Whether a command belongs to a function that the text does not call.
    pub(crate) fn is_uncalled(&self, command: &Command<'_>) -> bool {
        let via_function = |command: &Command<'_>| command.facts.via.as_deref() == Some("function");
        command.facts.function.is_some()
            && !via_function(command)
            && !self.ancestors(command).iter().any(|by| via_function(by))
    }

    /// Returns the commands that run this one, nearest first.
    pub(crate) fn ancestors(&self, command: &Command<'_>) -> Vec<&'a Command<'a>> {
        let mut all = Vec::new();
        let mut next = self.parent(command);
        while let Some(parent) = next.filter(|_| all.len() < 16) {
            all.push(parent);
            next = self.parent(parent);
        }
        all
    }

    /// Returns the variables that a command gets from the text: its own, those of the commands that run it, and exported
    /// ones.
    pub(crate) fn variables(&self, command: &Command<'_>) -> Vec<(String, String)> {
        let assigned = |command: &Command<'_>| -> Vec<(String, String)> {
            let sets = command.facts.assignments.iter();
            sets.map(|set| (set.name.clone(), text_of(Some(&set.value)))).collect()
        };
        let own = std::iter::once(command).chain(self.ancestors(command)).flat_map(assigned);
        let exports = self.commands.iter().filter(|command| matches!(command.name, "export" | "declare" | "typeset"));
        let words: Vec<&str> = exports.flat_map(|command| command.args()).map(Word::text).collect();
        let exported = words.iter().filter_map(|word| word.split_once('='));
        let exported = exported.map(|(name, value)| (name.to_owned(), value.to_owned()));
        // This is `HUSKY=0; export HUSKY`.
        let unnamed = self.commands.iter().filter(|command| command.words.is_empty());
        let earlier = unnamed.flat_map(assigned).filter(|(name, _)| words.contains(&name.as_str()));
        own.chain(exported).chain(earlier).collect()
    }

    /// Whether a `find` selects git's own data for this command.
    pub(crate) fn chooses_git(&self, command: &Command<'_>) -> bool {
        let ancestors = self.ancestors(command);
        let readers = std::iter::once(command).chain(ancestors.iter().copied());
        let finders = ancestors.iter().copied().chain(readers.flat_map(|reader| self.sources(reader)));
        finders.chain(self.substituted(command)).any(selects_git)
    }

    /// Returns the commands in substitutions among the words of a command.
    pub(crate) fn substituted(&self, command: &Command<'_>) -> impl Iterator<Item = &'a Command<'a>> {
        let own = self.commands.iter().position(|other| std::ptr::eq(other.facts, command.facts));
        self.commands.iter().filter(move |other| {
            own.is_some()
                && other.facts.parent == own
                && other.facts.via.as_deref().is_some_and(|via| via.contains("substitution"))
        })
    }

    /// Returns the commands that a command runs, without those of its substitutions.
    pub(crate) fn run_by(&self, command: &Command<'_>) -> impl Iterator<Item = &'a Command<'a>> {
        let own = self.commands.iter().position(|other| std::ptr::eq(other.facts, command.facts));
        let is_substituted = |via: &str| via.contains("substitution");
        self.commands.iter().filter(move |other| {
            own.is_some() && other.facts.parent == own && !other.facts.via.as_deref().is_some_and(is_substituted)
        })
    }

    /// Returns whether the `find` that selected the files of this command used any test other than their location, or
    /// `None` if no `find` selected them.
    pub(crate) fn chosen_by(&self, command: &Command<'_>) -> Option<bool> {
        let find = |command: &Command<'_>| {
            matches!(command.name, "find" | "gfind" | "fd" | "fdfind").then(|| is_choosy(command))
        };
        let ancestors = self.ancestors(command);
        let by_parent = ancestors.iter().find_map(|parent| find(parent));
        // This is `rm -rf $(find . -name x)`.
        let substituted = || self.substituted(command).filter_map(find).min();
        by_parent.or_else(substituted).or_else(|| {
            let readers = std::iter::once(command).chain(ancestors.iter().copied());
            readers.flat_map(|reader| self.sources(reader)).find_map(find)
        })
    }
}

/// Whether a command is a `find` that selects git's own data.
pub(crate) fn selects_git(find: &Command<'_>) -> bool {
    let args = find.args();
    let is_pattern = |text: &str| {
        text.starts_with('.') && text.contains(['*', '?', '[']) && Glob::new(text, None).matches("/.git", false)
    };
    let is_git = |text: &str| {
        matches!(text, ".git" | "^.git$" | "^\\.git$" | "*.git") || text.contains(".git/") || is_pattern(text)
    };
    // `-not -path './.git/*'` excludes it.
    let is_negated = |at: usize| {
        let before = at.checked_sub(2).and_then(|before| args.get(before)).map_or("", Word::text);
        matches!(before, "!" | "-not")
    };
    // So does `-name .git -prune -o …`, but without the `-o` it is what an action gets.
    let is_pruned = |at: usize| {
        const ACTIONS: [&str; 5] = ["-delete", "-exec", "-fprint", "-ok", "-print"];
        let mut rest = args.iter().skip(at).map(Word::text);
        let end = rest.find(|text| *text == "-prune" || ACTIONS.iter().any(|action| text.starts_with(*action)));
        end == Some("-prune") && rest.find(|text| *text != ")").is_some_and(|text| matches!(text, "-o" | "-or"))
    };
    matches!(find.name, "find" | "gfind" | "fd" | "fdfind")
        && args.iter().enumerate().any(|(at, word)| is_git(word.text()) && !is_negated(at) && !is_pruned(at))
}

/// Whether a `find` has a test that excludes files.
pub(crate) fn is_choosy(command: &Command<'_>) -> bool {
    if !matches!(command.name, "find" | "gfind") {
        return command.args().iter().any(|word| !word.text().starts_with('-') && !matches!(word.text(), "." | "rm"));
    }
    has_test(command.args()) && !hands_on_all(command.args())
}

/// Whether one of these words of a `find` is a test that excludes files.
pub(crate) fn has_test(args: &[Word]) -> bool {
    const TESTS: [&str; 24] = [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-regex",
        "-iregex",
        "-mtime",
        "-mmin",
        "-atime",
        "-amin",
        "-ctime",
        "-cmin",
        "-newer",
        "-size",
        "-empty",
        "-user",
        "-group",
        "-perm",
        "-lname",
        "-inum",
        "-nouser",
        "-xtype",
        "-links",
    ];
    let mut words = args.windows(2).enumerate();
    words.any(|(at, pair)| match pair {
        [test, value] => {
            let all =
                matches!(value.text(), "*" | "**" | "*.*" | "./*" | "?*" | ".*" | ".+" | "./.*" | "^.*$" | "^.+$")
                    || value.is_unknown();
            // A negated test still selects nearly all files.
            let before = at.checked_sub(1).and_then(|before| args.get(before)).map_or("", Word::text);
            let is_negated = matches!(before, "!" | "-not") && test.text() != "-newer";
            (TESTS.contains(&test.text()) || test.text().starts_with("-newer"))
                && (!all || test.text() == "-empty")
                && !is_negated
        }
        _ => false,
    }) || args.last().is_some_and(|word| word.text() == "-empty")
}

/// Whether `xargs` or `parallel` passes arguments to this command.
pub(crate) fn is_handed_on(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    scene.ancestors(command).iter().any(|parent| matches!(parent.name, "xargs" | "parallel"))
}

/// Whether a command runs on many machines at once.
pub(crate) fn is_on_many(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    const FAN_OUT: [&str; 5] = ["clush", "pdsh", "pssh", "parallel-ssh", "dsh"];
    scene.ancestors(command).iter().any(|parent| FAN_OUT.contains(&parent.name))
}

/// Whether one of these options is given. Long names may be abbreviated.
pub(crate) fn has(options: &[Opt], names: &[&str]) -> bool {
    options.iter().any(|option| {
        let given = option.name.as_str();
        names
            .iter()
            .any(|name| given == *name || (given.len() > 3 && given.starts_with("--") && name.starts_with(given)))
    })
}

/// Returns the text of a word that may be unknown.
pub(crate) fn text_of(word: Option<&ShellWord>) -> String {
    word.map(Word::from).map(|word| word.text().to_owned()).unwrap_or_default()
}
