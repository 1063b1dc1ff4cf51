//! Code on the command line that installs packages.

use hookbox_policy::{Command, Word};

#[rustfmt::skip] // Many words to a line.
const INTERPRETERS: &[&str] = &[
    "python", "pypy", "ipython", "perl", "ruby", "jruby", "irb", "node", "php", "R", "Rscript", "julia", "bun", "deno", "elixir", "iex",
    "sbt", "scala", "scala-cli", "kotlin", "clojure", "clj", "bb", "groovy", "amm", "dotnet", "emacs",
    "swipl", "micropython", "sbcl", "clisp", "ecl", "ccl", "abcl", "ros", "octave", "octave-cli", "lua", "luajit", "texlua", "racket",
    "tclsh", "ghci", "littler", "radian", "raku",
];
/// The interpreters of Common Lisp, in which the case of a name does not matter.
const LISPS: &[&str] = &["sbcl", "clisp", "ecl", "ccl", "abcl", "ros"];
/// What installs packages in some languages, and is a plain text in others. Between the words, there is one space.
const OWN: &[(&[&str], &[&str])] = &[
    // This is also `pkg("install", "-forge", "x")`.
    (&["octave", "octave-cli"], &["pkg install"]),
    (
        LISPS,
        &[
            "ql:quickload",
            "ql:update-dist",
            "ql-dist:install-dist",
            "quicklisp-quickstart:install",
            ":ql :quickload",
            "quickload :ql",
            "clpm-client:install",
            "ocicl:install",
        ],
    ),
    (&["racket"], &["pkg-install", "raco pkg install"]),
    (&["lua", "luajit", "texlua"], &["luarocks.cmd"]),
];
/// Modules of Perl that install each module that is used and not there.
const AUTOMATIC: &[&str] = &["lib::xi", "CPAN::AutoINC", "Module::AutoINC", "Acme::Everything"];
/// What installs packages in one of these languages.
const CALLS: &[&str] = &[
    "install.packages(",
    "Pkg.add",
    "REPLMode.pkgstr(",
    "pkg\"dev",
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
    ":git/sha",
    ":git/tag",
    "deps/add-deps",
    "@Grab(",
    "import $ivy",
    "(package-install ",
    "(package-vc-install ",
    "(package-install-file ",
    "(straight-use-package ",
    "(el-get-install ",
    "(quelpa ",
    "pack_install(",
    "micropip.install(",
    "mip.install(",
    "install_git(",
    "install_gitlab(",
    "install_url(",
    "install_bioc(",
    "Gem::DependencyInstaller",
    "Gem::GemRunner",
    "Pkg.develop(",
    "pkg\"add ",
    "from pip import",
    "App::cpanminus",
    "pacman::p_load",
    "install_github(",
    "pak::pak(",
    "//> using dep",
    "//> using lib",
    "@file:DependsOn(",
    "#r \"nuget:",
    "#:package ",
    "npm/lib/cli",
    "\"install.packages\"",
    "'install.packages'",
    ", install.packages",
    "install_version(",
    "install_cran(",
    "install_svn(",
    "pacman::p_install",
    "librarian::shelf(",
    "groundhog.library(",
    "py_install(",
    "py_require(",
    "rubygems/commands/install_command",
];
/// What an import in Deno begins with if it fetches a package.
const IMPORTS: &[&str] = &["npm:", "jsr:", "https://", "http://"];
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
    "composer require",
    "go install",
    "go get",
    "apt install",
    "apt-get install",
    "brew install",
    "conda install",
    "pipx install",
    "bun add",
    "npm add",
    "npm-cli.js install",
    "npm-cli.js i ",
    "luarocks install",
    "raco pkg install",
    "cabal install",
    "opam install",
    "zef install",
    "nimble install",
    "teacup install",
    "cpanm ",
    "mamba install",
    "dnf install",
    "yum install",
    "apk add",
    "choco install",
    "winget install",
    "snap install",
    "flatpak install",
    "\"npm\", \"i",
];
/// What runs a command line.
#[rustfmt::skip] // Many words to a line.
const RUNS: &[&str] = &[
    "system", "exec", "subprocess", "spawn", "popen", "proc_open", "passthru", "fork(", "run_module", "$`", "qx(", "qx{", "qx/", "%x(",
    "%x{", "%x[",
];
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
    // This is also `ruby -rbundler/inline -e …`.
    let is_inline = matches!(base, "ruby" | "jruby" | "irb") && texts().any(|text| text.contains("bundler/inline"));
    let call = is_cpan.then_some("-MCPAN").or(is_inline.then_some("bundler/inline"));
    let is_used =
        |text: &str, name: &str| text.contains(&format!("use {name}")) || text.starts_with(&format!("-M{name}"));
    let automatic = || find(AUTOMATIC, |name| base == "perl" && texts().any(|text| is_used(text, name)));
    let call = call.or_else(automatic).or_else(|| own(base, texts));
    let call = call.or_else(|| find(CALLS, |call| codes().any(|code| code.contains(call))));
    let import = || find(IMPORTS, |start| base == "deno" && codes().any(|code| imports(code, start)));
    call.or_else(import).or_else(|| {
        let lines: Vec<String> =
            codes().filter(|code| runs(code)).map(|code| format!("{code}\n{}", joined(code))).collect();
        find(LINES, |line| lines.iter().any(|code| code.contains(line)))
    })
}

/// Returns what installs packages in one language and means nothing in others.
fn own<'w, T: Iterator<Item = &'w str>>(base: &str, texts: impl Fn() -> T) -> Option<&'static str> {
    let mut calls = OWN.iter().filter(|(names, _)| names.contains(&base)).flat_map(|(_, calls)| calls.iter());
    // The words of one call may also be arguments of their own: `racket -l- raco pkg install x`.
    let code = joined(&texts().collect::<Vec<_>>().join(" "));
    let code = if LISPS.contains(&base) { code.to_ascii_lowercase().replace("::", ":") } else { code };
    calls.find(|call| code.contains(**call)).copied()
}

/// Returns code with a space for all that separates the texts of a list: `"pip",["install","x"]` becomes
/// `pip install x ]`.
fn joined(code: &str) -> String {
    let words = code.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '[' | '('));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether code imports what begins so: `import x from "npm:x"`. The standard library does not count.
fn imports(code: &str, start: &str) -> bool {
    let code = joined(code);
    ["import ", "from "].iter().any(|word| {
        let mut after = code.split(*word).skip(1).filter_map(|rest| rest.strip_prefix(start));
        after.any(|name| !(start == "jsr:" && name.starts_with("@std/")))
    })
}

fn find(texts: &[&'static str], is_it: impl Fn(&str) -> bool) -> Option<&'static str> {
    texts.iter().copied().find(|text| is_it(text))
}
