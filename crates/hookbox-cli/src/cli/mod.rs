//! The command line: parses arguments, calls the library, prints the result, and sets the exit status.

mod answering;
mod ask;
mod bench;
mod build;
mod cache;
mod check;
mod completions;
mod convert;
mod diff;
mod doctor;
mod explain;
mod given_hooks;
mod guard;
mod hook;
mod inspect;
mod install;
mod list;
mod log;
mod new;
mod off;
mod output;
mod own_code;
mod policies;
mod render;
mod replay;
#[cfg(feature = "report")]
mod report;
mod run;
mod scope;
mod seen;
mod serve;
mod show;
#[cfg(feature = "store")]
mod state;
mod subject;
mod test;
mod trust;
mod unknown_events;
mod user_home;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use hookbox::config::Dialect;
use hookbox::dialect::{self, Options};
use hookbox::{Code, Outcome};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// Hooks for AI agents as sandboxed WebAssembly components.
///
/// An agent hands each tool call and message to `hookbox hook AGENT`, and a program of your own to `hookbox run`; a chain
/// of hooks answers: allow, deny, ask, or change it.
#[derive(Parser)]
#[command(name = "hookbox", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(
    after_help = "The options that say which config counts, such as --config and --home, may stand before the command too.\n\n\
    Example:\n  \
    echo '{\"event\":\"pre_tool\",\"tool_name\":\"bash\",\"tool_input\":{\"command\":\"ls\"}}' | hookbox run"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Log what happens to stderr; twice for more
    #[arg(short, long, global = true, display_order = 1000, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// The same for the commands that agents call at every step: to describe all the others takes longer than to run one.
#[derive(Parser)]
#[command(name = "hookbox", max_term_width = 100, disable_help_subcommand = true)]
struct CliOfAgents {
    #[command(subcommand)]
    command: CommandOfAgents,

    /// Log what happens to stderr; twice for more
    #[arg(short, long, global = true, display_order = 1000, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum CommandOfAgents {
    Run(run::Run),
    Hook(hook::Hook),
}

impl From<CommandOfAgents> for Command {
    fn from(command: CommandOfAgents) -> Self {
        match command {
            CommandOfAgents::Run(run) => Command::Run(run),
            CommandOfAgents::Hook(hook) => Command::Hook(hook),
        }
    }
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Hook(hook::Hook),
    Serve(serve::Serve),
    Install(install::Install),
    Uninstall(install::Uninstall),
    Doctor(doctor::Doctor),
    Off(off::TurnOff),
    On(off::TurnOn),
    #[command(alias = "explain-policy")]
    Policies(policies::Policies),
    Add(policies::Add),
    Init(policies::Init),
    Log(log::ShowLog),
    Explain(log::Explain),
    Replay(replay::Replay),
    #[cfg(feature = "report")]
    Report(report::Report),
    List(list::List),
    Show(show::Show),
    Check(check::Check),
    Trust(trust::Trust),
    Inspect(inspect::Inspect),
    Convert(convert::Convert),
    Cache(cache::Cache),
    #[cfg(feature = "store")]
    State(state::State),
    New(new::New),
    Build(build::Build),
    Test(test::Test),
    Bench(bench::Bench),
    Completions(completions::Completions),
    #[command(name = "__man", hide = true)]
    Man(completions::Man),
    #[command(name = "__own-code", hide = true)]
    OwnCode(own_code::OwnCode),
}

/// The result of a command, which determines the exit status. Callers rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command succeeded; for `run`: allowed.
    Success,
    /// The command failed, or found a problem; for `run`: no verdict could be formed.
    Failure,
    /// `run`: denied.
    Deny,
    /// `run`: the user must be asked.
    Ask,
    /// `test`, `bench` and `replay`: nothing could be tried.
    Unusable,
    /// `hook`: the status that the agent understands.
    Status(u8),
}

impl Exit {
    const fn status(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Deny | Exit::Unusable => 2,
            Exit::Ask => 3,
            Exit::Status(status) => status,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.status())
    }
}

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

#[derive(Args)]
struct FormatArg {
    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// Runs the command that the arguments name.
pub fn main(args: impl Iterator<Item = OsString>) -> Exit {
    guard::hold_signals();
    let args = scope::behind_command(args.collect());
    let is_hook = is_hook(&args);
    guard::ignore_file_size_signal();
    guard::keep_exit_statuses();
    if !is_hook {
        guard::release_signals();
    }
    // The guard must exist before anything can fail.
    if let Some(exit) = is_hook.then(|| hook::guarded(&args)).flatten() {
        return exit;
    }
    let is_run = !is_hook && args.iter().skip(1).any(|arg| arg == "run");
    // A caller that asks for a verdict always gets one, even after a panic.
    let ended = std::panic::catch_unwind(|| dispatch(&args, is_run));
    guard::ended(ended.unwrap_or_else(|_| {
        if is_hook {
            return hook::refuse(&args, &format!("{}: hookbox crashed; please report it", Code::Internal));
        }
        if is_run {
            print_no_verdict(Code::Internal, "hookbox crashed; please report it", wants_answer(&args));
        }
        Exit::Failure
    }))
}

/// Whether the command is `hook`, whichever options stand before it.
fn is_hook(args: &[OsString]) -> bool {
    let Some(command) = first_word(args) else { return false };
    if command == "hook" {
        return true;
    }
    // The value of an unknown option may stand where the command should be.
    let follows_option = args.get(1).is_some_and(|first| first != command);
    let names_agent = |pair: &[OsString]| matches!(pair, [word, name] if word == "hook" && hook::is_agent(name));
    follows_option && args.windows(2).any(names_agent) && Cli::command().find_subcommand(command).is_none()
}

/// Returns the first argument that is not an option.
fn first_word(args: &[OsString]) -> Option<&OsString> {
    args.iter().skip(1).find(|arg| !arg.as_encoded_bytes().starts_with(b"-"))
}

fn dispatch(args: &[OsString], is_run: bool) -> Exit {
    let is_hook = is_hook(args);
    let parsed = match is_hook || args.get(1).is_some_and(|arg| arg == "run") {
        true => CliOfAgents::try_parse_from(args)
            .map(|CliOfAgents { command, verbose }| Cli { command: command.into(), verbose }),
        false => Cli::try_parse_from(args),
    };
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let text = error.render().to_string();
            // The message is only the first paragraph, because the hints after it are for people.
            let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
            let message = lines.join(" ").trim_start_matches("error: ").to_owned();
            if is_hook && !is_help {
                return hook::refuse(args, &format!("{}: {message}", Code::Usage));
            }
            let _ = error.print();
            if is_run && !is_help {
                print_no_verdict(Code::Usage, &message, wants_answer(args));
            }
            return match is_help {
                true => Exit::Success,
                false if tries_a_hook(args) => Exit::Unusable,
                false => Exit::Failure,
            };
        }
    };
    let verbose = cli.verbose;
    let lists_all = matches!(cli.command, Command::Test(_));
    log(verbose.saturating_sub(u8::from(lists_all)));
    let result = match cli.command {
        Command::Run(command) => return command.exec(),
        Command::Hook(command) => return command.exec(),
        Command::Serve(command) => command.exec(),
        Command::Install(command) => command.exec(),
        Command::Uninstall(command) => command.exec(),
        Command::Doctor(command) => command.exec(),
        Command::Off(command) => command.exec(),
        Command::On(command) => command.exec(),
        Command::Policies(command) => command.exec(),
        Command::Add(command) => command.exec(),
        Command::Init(command) => command.exec(),
        Command::Log(command) => command.exec(),
        Command::Explain(command) => command.exec(),
        Command::Replay(command) => return command.exec(),
        #[cfg(feature = "report")]
        Command::Report(command) => command.exec(),
        Command::List(command) => command.exec(),
        Command::Show(command) => command.exec(),
        Command::Check(command) => command.exec(),
        Command::Trust(command) => command.exec(),
        Command::Inspect(command) => command.exec(),
        Command::Convert(command) => command.exec(),
        Command::Completions(command) => command.exec(),
        Command::Man(command) => command.exec(),
        Command::OwnCode(command) => command.exec(),
        Command::Cache(command) => command.exec(),
        #[cfg(feature = "store")]
        Command::State(command) => command.exec(),
        Command::New(command) => command.exec(),
        Command::Build(command) => command.exec(),
        Command::Test(command) => return command.exec(verbose),
        Command::Bench(command) => return command.exec(),
    };
    result.unwrap_or_else(|error| {
        render::error(&error);
        Exit::Failure
    })
}

/// Whether the command must distinguish its own failure from one that it found in a hook.
fn tries_a_hook(args: &[OsString]) -> bool {
    first_word(args).is_some_and(|word| ["test", "bench", "replay"].iter().any(|command| word == command))
}

fn log(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => tracing::Level::DEBUG,
        _ => tracing::Level::TRACE,
    };
    let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(move || render::LogWriter { colours })
        .with_ansi(colours)
        .without_time()
        .init();
}

/// Prints a deny, in a dialect's form if requested.
fn print_no_verdict(code: Code, message: &str, dialect: Option<Arc<dyn Dialect>>) {
    let outcome = Outcome::no_verdict(code, message, None);
    print_raw(&dialect.map_or_else(|| outcome.to_json_line(), |dialect| dialect.encode_outcome(&outcome)));
}

/// Returns the dialect in whose form the answer is requested, as far as the arguments show, which may be invalid.
fn wants_answer(args: &[OsString]) -> Option<Arc<dyn Dialect>> {
    let mut rest = args.iter().filter_map(|arg| arg.to_str());
    let name = loop {
        let arg = rest.next()?;
        if arg == "--dialect" {
            break rest.next()?;
        }
        if let Some(name) = arg.strip_prefix("--dialect=") {
            break name;
        }
    };
    let wants = args.iter().any(|arg| arg == "--answer");
    dialect::by_name(name, &Options::default()).filter(|_| wants)
}

/// Prints a line for people to stdout. Returns false if it could not be written.
fn print_line(line: &str) -> bool {
    print_raw(&hookbox::visible(line))
}

/// Prints a line to stdout unchanged. Returns false if it could not be written.
fn print_raw(line: &str) -> bool {
    let mut stdout = std::io::stdout().lock();
    let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    written.is_ok()
}

fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print_raw(&hookbox::visible_json(&serde_json::to_string(value).context("the result has no JSON form")?));
    Ok(())
}
