//! Parses the commands of package managers.

use crate::elsewhere;
use crate::managers::{self, Does, Manager};
use crate::names::Registry;
use crate::program::{Found, found};
use hookbox_policy::{Command, Opt, Options, UNKNOWN, Word, options_but};

/// A parsed command of a package manager.
pub(crate) struct Order<'m> {
    pub(crate) manager: &'m Manager,
    /// The program, as named in the table.
    pub(crate) program: &'static str,
    pub(crate) does: Option<Does>,
    pub(crate) read: Options,
    /// The operands after the subcommand.
    pub(crate) operands: Vec<Word>,
}

impl Order<'_> {
    /// Whether the packages that are added must be those of the project's workspace: `pnpm add @acme/core --workspace`.
    /// If another word may undo this or lead to another workspace, it does not count.
    pub(crate) fn is_of_workspace(&self) -> bool {
        let is_it = |option: &Opt| option.name == "--workspace" && option.value.is_none();
        let may_undo = |option: &Opt| {
            let name = option.name.as_str();
            // Options may be abbreviated: `--works=false`.
            let is_like = name.starts_with("--w") || name.starts_with("--no-w") || name.contains("workspace");
            // The option `--prefix` means the same as `--dir`.
            let begins = ["--config", "--di", "--prefi"].iter().any(|start| name.starts_with(*start));
            let leads = begins || name == "-C" || name.contains("dir") || name.contains(UNKNOWN);
            let is_unknown = option.value.as_ref().is_some_and(Word::is_unknown);
            !is_it(option) && (is_like && name != "--workspace-root" || leads || is_unknown)
        };
        let Options { options, operands } = &self.read;
        let adds = self.program == "pnpm" && operands.first().is_some_and(|word| word.text() == "add");
        adds && options.iter().any(is_it)
            && !options.iter().any(may_undo)
            && !operands.iter().any(|word| word.is_unknown() || word.text() == "false")
    }
}

/// Options without a value whose names begin like those of options with a value.
const FLAGS: &[&str] = &[
    "--save",
    "--pre",
    "--no",
    "--all",
    "--dev",
    "--lock",
    "--user",
    "--system",
    "--global",
    "--force",
    "--locked",
    "--quiet",
    "--yes",
    "--production",
    "--prod",
    "--include",
    "--source",
    "--optional",
    "--offline",
    "--in",
    "--require",
    "--log",
    "--with",
    "--upgrade",
    "--reinstall",
    "--refresh",
    "--no-build",
];

/// Parses the words of a command. Returns `None` if the command is not a package manager.
pub(crate) fn order(command: &Command) -> Option<Order<'static>> {
    let outer = found(command)?;
    let is_pipx = outer.name == "pipx";
    let Found { mut manager, name, args } = inner(outer);
    // These managers have options in place of subcommands: `pacman -S name`, `nix-env -iA name`.
    let flagged = if manager.names.contains(&"pacman") { flagged(name, args)? } else { Vec::new() };
    let args = if flagged.is_empty() { args } else { flagged.as_slice() };
    let long = if manager.names.contains(&"conan") { conan(args) } else { Vec::new() };
    let args = if long.is_empty() { args } else { long.as_slice() };
    let flags = flags_of(manager, args);
    let values: Vec<&str> = manager.values.iter().chain(manager.sources).copied().collect();
    let values: Vec<&str> =
        values.into_iter().filter(|value| !flags.contains(value)).chain(elsewhere::addressed(args)).collect();
    let runs = |does: Option<Does>| matches!(does, Some(Does::Run));
    let read = match manager.registry {
        // The options of Go have a single dash.
        Registry::Go => go_options(args, &values),
        _ => options_but(args, &values, FLAGS),
    };
    let has_options_first = args.first().is_some_and(|word| word.text().starts_with('-'));
    let (mut does, mut used) = verb(manager, &read.operands, has_options_first);
    // A program in the table may have plugins, too: `spin plugin install name`.
    if does.is_none()
        && let Some(plugins) = managers::of_plugins(command.name, args)
    {
        (does, used) = verb(plugins, &read.operands, has_options_first);
        manager = plugins;
    }
    // The project's manager has nothing to do with the environments of pipx.
    if is_pipx && name == "pip" && does == Some(Does::Add) {
        does = Some(Does::Tool);
    }
    // The options after the program belong to that program.
    let read = if runs(does) { until_program(args, &values, used) } else { read };
    let operands = requested(manager, does, read.operands.get(used..).unwrap_or_default());
    let program = manager.names.first().copied().unwrap_or_default();
    let program = manager.names.iter().find(|known| **known == name).copied().unwrap_or(program);
    Some(Order { manager, program, does, read, operands })
}

/// Returns the manager that another one runs, or the same manager.
fn inner(found: Found<'_>) -> Found<'_> {
    let Found { manager, name, args } = found;
    let after = |at: usize| args.get(at..).unwrap_or_default();
    let first = args.first().map_or("", Word::text);
    // This is `cargo +nightly add`.
    if first.starts_with('+') && manager.names.contains(&"cargo") {
        return Found { manager, name, args: after(1) };
    }
    // `uv pip` has the options of uv, and `corepack pnpm@10` those of pnpm.
    if name == "corepack"
        && let Some(program) = first.split('@').next()
        && let Some(manager) = managers::find(program)
    {
        return Found { manager, name: program, args: after(1) };
    }
    // This is `pipx runpip ENVIRONMENT install name`.
    if name == "pipx"
        && let Some(at) = args.iter().position(|word| !word.text().starts_with('-'))
        && args.get(at).is_some_and(|word| word.text() == "runpip")
        && let Some(manager) = managers::find("pip")
    {
        return Found { manager, name: "pip", args: after(at + 2) };
    }
    Found { manager, name, args }
}

/// Returns the operands that say what is installed. `words` are those after the subcommand.
fn requested(manager: &Manager, does: Option<Does>, words: &[Word]) -> Vec<Word> {
    if manager.names.contains(&"mpremote") {
        return chained(words);
    }
    let is_place = |to: &Word| to.text().starts_with('.') || to.text().contains(['/', ':']);
    match words {
        // In `opam pin add name ./path`, the name only says what the path contains.
        [_, rest @ ..]
            if manager.names.contains(&"opam") && does == Some(Does::Add) && rest.first().is_some_and(is_place) =>
        {
            rest.to_vec()
        }
        _ => words.to_vec(),
    }
}

/// Returns the packages of all commands in `mpremote mip install name + mip install other + reset`. `words` are those
/// after the first subcommand.
fn chained(words: &[Word]) -> Vec<Word> {
    let installs = |pair: &[Word]| pair.iter().map(Word::text).eq(["mip", "install"]);
    let mut commands = words.split(|word| word.text() == "+");
    let first = commands.next().unwrap_or_default();
    let others = commands.filter_map(|words| {
        let at = words.windows(2).position(installs)?;
        words.get(at + 2..)
    });
    first.iter().chain(others.flatten()).cloned().collect()
}

/// Returns the options that take no value, although they take one in other managers of the table, or in a subcommand
/// that runs a package.
fn flags_of(manager: &Manager, args: &[Word]) -> &'static [&'static str] {
    let is = |name: &str| manager.names.contains(&name);
    let first = args.iter().map(Word::text).find(|text| !text.starts_with('-'));
    let runs = || matches!(first, Some("exec" | "x" | "dlx" | "create" | "init" | "innit"));
    if is("npm") && !runs() {
        &["-p", "-F"]
    } else if is("pnpm") && !runs() {
        // The package to add is then one of the workspace.
        &["-p", "--workspace"]
    } else if (is("yarn") || is("bun")) && !runs() {
        &["-p"]
    } else if is("pipenv") || is("pdm") {
        &["-d", "--prerelease"]
    } else {
        &[]
    }
}

/// Options of conan that have one dash and more than one letter, and the same options with two dashes.
#[rustfmt::skip] // A table reads better with one row per line.
const CONAN: &[(&str, &str)] = &[
    ("-of", "--output-folder"), ("-if", "--install-folder"), ("-nr", "--no-remote"), ("-cc", "--core-conf"),
    ("-pr", "--profile"), ("-pr:a", "--profile:all"), ("-pr:b", "--profile:build"), ("-pr:h", "--profile:host"),
    ("-s:a", "--settings:all"), ("-s:b", "--settings:build"), ("-s:h", "--settings:host"),
    ("-o:a", "--options:all"), ("-o:b", "--options:build"), ("-o:h", "--options:host"),
    ("-c:a", "--conf:all"), ("-c:b", "--conf:build"), ("-c:h", "--conf:host"),
];

/// Returns the arguments of conan with long options in place of those that look like joined short ones: `-of build` is
/// not `-o f` and a package.
fn conan(args: &[Word]) -> Vec<Word> {
    let long = |word: &Word| {
        let text = word.text();
        let name = text.split('=').next().unwrap_or(text);
        let (_, long) = CONAN.iter().find(|(short, _)| *short == name)?;
        Some(Word::new(&text.replacen(name, long, 1)))
    };
    args.iter().map(|word| long(word).unwrap_or_else(|| word.clone())).collect()
}

/// Returns the arguments of a manager whose subcommands are options, with a word in place of the option. Returns `None`
/// if the command installs nothing new.
fn flagged(name: &str, args: &[Word]) -> Option<Vec<Word>> {
    let letters = |word: &Word| {
        word.text().strip_prefix('-').filter(|rest| !rest.starts_with('-') && !rest.is_empty()).map(str::to_owned)
    };
    let clusters: String = args.iter().filter_map(letters).collect();
    let has = |long: &[&str]| args.iter().any(|word| long.contains(&word.text()));
    let looks = ['s', 'i', 'l', 'g', 'p', 'c', 'q'];
    let installs = match name {
        "pamac" => return Some(args.to_vec()),
        "emerge" => {
            let only_looks = clusters.contains(['p', 's', 'S', 'C', 'c'])
                || has(&["--pretend", "--search", "--sync", "--unmerge", "--depclean"]);
            !only_looks
        }
        "nix-env" => clusters.contains('i') || has(&["--install"]),
        // Without packages, it reads `shell.nix`.
        "nix-shell" => {
            clusters.contains('p') || has(&["--packages"]) || args.iter().any(|word| word.text().contains("://"))
        }
        _ => {
            let syncs = clusters.contains('S') || has(&["--sync"]);
            let is_file = clusters.contains('U') || has(&["--upgrade"]);
            // Without an operation, helpers of pacman search for a package and install it.
            let is_search =
                name != "pacman" && clusters.is_empty() && !args.iter().any(|word| word.text().starts_with("--"));
            is_file
                || is_search
                || (syncs && !clusters.contains(looks) && !has(&["--search", "--info", "--list", "--print"]))
        }
    };
    let is_operand = |word: &&Word| !(word.text().starts_with('-') || name == "emerge" && word.text().starts_with('@'));
    let mut words = vec![Word::new("install")];
    words.extend(
        args.iter()
            .filter(|word| letters(word).is_none())
            .filter(|word| is_operand(word) || word.text().starts_with("--"))
            .cloned(),
    );
    installs.then_some(words)
}

/// Returns the longest subcommand that the operands begin with, and its length in operands. If options come first, the
/// value of one that is not known may come before the subcommand: `npm --fetch-retries 3 install`.
fn verb(manager: &Manager, operands: &[Word], has_options_first: bool) -> (Option<Does>, usize) {
    let texts: Vec<&str> = operands.iter().map(Word::text).collect();
    // The subcommand may come later, as in `yarn workspace web add …` and `dotnet add PROJECT package …`.
    if let ["add", _, "package", ..] = texts.as_slice()
        && manager.names.contains(&"dotnet")
    {
        return (Some(Does::Add), 3);
    }
    let skipped = if matches!(texts.first(), Some(&"workspace")) { 2.min(texts.len()) } else { 0 };
    let most = match has_options_first {
        // Other commands may come before: `mpremote connect PORT mip install name`.
        _ if manager.names.contains(&"mpremote") => texts.len(),
        true => skipped + 2,
        false => skipped,
    };
    let found = (skipped..=most).find_map(|start| {
        let rest = texts.get(start..)?;
        let mut verbs = manager.verbs.iter().filter(|(words, _)| start == skipped || !words.is_empty());
        verbs.find(|(words, _)| rest.starts_with(words)).map(|(words, does)| (*does, start + words.len()))
    });
    match found {
        Some((does, used)) => (Some(does), used),
        // `yarn` without a subcommand installs.
        None if texts.is_empty() && manager.names.contains(&"yarn") => (Some(Does::Sync), 0),
        None => (None, 0),
    }
}

/// Returns the options before the program that is run, and the program's words as operands.
fn until_program(args: &[Word], values: &[&str], used: usize) -> Options {
    let mut at = 0;
    let mut seen = 0;
    while let Some(word) = args.get(at) {
        let text = word.text();
        if text == "--" {
            break;
        }
        if !text.starts_with('-') {
            seen += 1;
            if seen > used {
                break;
            }
        } else if values.contains(&text) {
            at += 1;
        }
        at += 1;
    }
    let (head, tail) = args.split_at_checked(at).unwrap_or((args, &[]));
    let mut read = options_but(head, values, FLAGS);
    read.operands.extend(tail.iter().filter(|word| word.text() != "--").cloned());
    read
}

fn go_options(args: &[Word], values: &[&str]) -> Options {
    let mut read = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if text.starts_with('-') && text.len() > 1 {
            let (name, value) = match text.split_once('=') {
                Some((name, _)) => (name, Some(word.after(name.len() + 1))),
                None if values.contains(&text) => (text, words.next().cloned()),
                None => (text, None),
            };
            read.options.push(Opt { name: name.to_owned(), value });
        } else {
            read.operands.push(word.clone());
        }
    }
    read
}
