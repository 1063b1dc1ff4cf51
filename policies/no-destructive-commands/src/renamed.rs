//! Commands that another program offers under its own name or takes in parts.

use hookbox_sdk::{ShellCommand, ShellWord};

/// Subcommands of `cmake -E`, and the commands that they correspond to.
const CMAKE: &[(&str, &[&str])] =
    &[("remove_directory", &["rm", "-rf"]), ("rm", &["rm"]), ("remove", &["rm"]), ("rename", &["mv"])];

/// Returns the words of the command that this command stands for.
pub(crate) fn of(command: &ShellCommand) -> Option<Vec<ShellWord>> {
    match command.name.as_deref()? {
        _ if command.via.as_deref() == Some("composer") => composer(&command.argv),
        "cmake" => cmake(&command.argv),
        "ruby" => ruby(&command.argv),
        "mvn" | "mvnw" => maven(&command.argv),
        "deno" => deno(&command.argv),
        "nix" => nix(&command.argv),
        _ => None,
    }
}

fn known(text: &str) -> ShellWord {
    ShellWord::Known(text.to_owned())
}

/// Reads `cmake -E remove_directory x`.
fn cmake(argv: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let [_, option, subcommand, rest @ ..] = argv else { return None };
    let subcommand = subcommand.known().filter(|_| option.known() == Some("-E"))?;
    let (_, words) = CMAKE.iter().find(|(name, _)| *name == subcommand)?;
    Some(words.iter().map(|word| known(word)).chain(rest.iter().cloned()).collect())
}

/// Reads `composer exec rm -- -rf x`. Composer consumes the `--` itself.
fn composer(argv: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let [program, dashes, rest @ ..] = argv else { return None };
    let is_own = dashes.known() == Some("--");
    is_own.then(|| [program.clone()].into_iter().chain(rest.iter().cloned()).collect())
}

/// Reads `ruby -run -e rm -- -rf x`.
fn ruby(argv: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let is = |word: &ShellWord, text: &str| word.known() == Some(text);
    let loads = argv.iter().any(|word| is(word, "-run"))
        || argv.windows(2).any(|pair| matches!(pair, [option, library] if is(option, "-r") && is(library, "un")));
    let code = argv.iter().position(|word| is(word, "-e")).filter(|_| loads)?;
    let [name, rest @ ..] = argv.get(code + 1..)? else { return None };
    let rest = rest.strip_prefix([known("--")].as_slice()).unwrap_or(rest);
    Some([name.clone()].into_iter().chain(rest.iter().cloned()).collect())
}

/// Reads `deno run -A npm:rimraf x`.
fn deno(argv: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let is_package = |word: &ShellWord| word.known().is_some_and(|word| word.starts_with("npm:"));
    let at = argv.iter().position(is_package)?;
    let package = argv.get(at)?.known()?.strip_prefix("npm:")?;
    // The package may have a version or a scope: `npm:rimraf@6`, `npm:@scope/name`.
    let name = package.rsplit_once('@').map_or(package, |(name, _)| name);
    let name = if name.is_empty() { package } else { name };
    Some([known(name)].into_iter().chain(argv.get(at + 1..)?.iter().cloned()).collect())
}

/// Reads `nix run nixpkgs#rimraf -- x` and `nix run github:owner/repository/branch -- x`.
fn nix(argv: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let run = argv.iter().position(|word| word.known() == Some("run"))?;
    let mut rest = argv.get(run + 1..)?.iter();
    let package = rest.find_map(|word| word.known().filter(|text| !text.starts_with('-')))?;
    let name = match package.split_once('#') {
        Some((_, attribute)) => attribute.rsplit('.').next()?,
        // A path begins without a scheme. The part after the repository is a branch.
        None => package.split_once(':')?.1.split(['/', '?']).nth(1)?,
    };
    let args = rest.as_slice();
    let args = args.strip_prefix([known("--")].as_slice()).unwrap_or(args);
    (!name.is_empty()).then(|| [known(name)].into_iter().chain(args.iter().cloned()).collect())
}

/// Reads `mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf x'`.
fn maven(argv: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let value = |name: &str| {
        let mut values = argv.iter().filter_map(|word| word.known()?.strip_prefix(name));
        values.next()
    };
    let program = value("-Dexec.executable=")?;
    let args = value("-Dexec.args=").or(value("-Dexec.commandlineArgs=")).unwrap_or_default();
    Some([program].into_iter().chain(args.split_whitespace()).map(known).collect())
}
