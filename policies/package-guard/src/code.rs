//! Code on the command line that installs packages.

use hookbox_policy::{Command, Word};

const INTERPRETERS: &[&str] = &[
    "python", "pypy", "ipython", "perl", "ruby", "node", "php", "R", "Rscript", "julia", "bun", "elixir", "iex", "sbt",
    "clojure", "clj", "bb", "groovy", "amm", "emacs",
];
/// What installs packages in one of these languages.
const CALLS: &[&str] = &[
    "install.packages(",
    "Pkg.add(",
    "pip.main(",
    "pip._internal",
    "CPAN::install",
    "CPAN::Shell",
    "remotes::install",
    "devtools::install",
    "pak::pkg_install",
    "renv::install",
    "BiocManager::install",
    "Gem.install",
    "Mix.install(",
    "libraryDependencies +",
    "resolvers +=",
    "resolvers ++=",
    "addSbtPlugin(",
    ":mvn/version",
    ":git/url",
    "deps/add-deps",
    "@Grab(",
    "import $ivy",
    "(package-install ",
];
/// Command lines that install packages, which code may run.
const LINES: &[&str] = &[
    "pip install",
    "pip3 install",
    "uv add",
    "poetry add",
    "npm install",
    "pnpm add",
    "yarn add",
    "npm i ",
    "gem install",
    "cargo install",
    "\"npm\", \"i",
];
/// What runs a command line.
const RUNS: &[&str] = &["system", "exec", "subprocess", "spawn", "popen", "$`"];
/// Languages in which a command line between backquotes runs. In others they quote text, such as Markdown.
const BACKQUOTES: &[&str] = &["perl", "ruby", "php", "julia"];

/// Returns the call that installs packages in code on the command line.
pub(crate) fn of_code(command: &Command) -> Option<&'static str> {
    let base = command.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !INTERPRETERS.contains(&base) {
        return None;
    }
    let input = command.facts.stdin.as_ref().map(Word::from);
    let texts = || command.args().iter().chain(&input).map(Word::text);
    let codes = || texts().filter(|text| text.contains(['(', ';', '{', ' ']));
    // In ipython, this is also `!pip install` and `%pip install`.
    let runs = |code: &str| {
        RUNS.iter().any(|word| code.contains(word))
            || BACKQUOTES.contains(&base) && code.contains('`')
            || base == "ipython" && code.contains(['!', '%'])
    };
    let is_cpan = base == "perl"
        && texts().any(|text| text.starts_with("-MCPAN"))
        && texts().any(|text| text.contains("install") || text == "shell");
    let call = is_cpan.then_some("-MCPAN").or_else(|| find(CALLS, |call| codes().any(|code| code.contains(call))));
    call.or_else(|| {
        let lines: Vec<String> =
            codes().filter(|code| runs(code)).map(|code| format!("{code}\n{}", joined(code))).collect();
        find(LINES, |line| lines.iter().any(|code| code.contains(line)))
    })
}

/// Returns code with a space for all that separates the texts of a list: `"pip",["install","x"]` becomes
/// `pip install x ]`.
fn joined(code: &str) -> String {
    let words = code.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '[' | '('));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn find(texts: &[&'static str], is_it: impl Fn(&str) -> bool) -> Option<&'static str> {
    texts.iter().copied().find(|text| is_it(text))
}
