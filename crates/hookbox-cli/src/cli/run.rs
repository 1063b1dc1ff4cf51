//! `hookbox run`: reads one Input from stdin and prints one Outcome to stdout.

use super::log::Recorder;
use super::scope::Scope;
use super::seen;
use super::{Exit, print_raw, render};
use clap::Args;
use hookbox::config::{Dialect, Loaded};
use hookbox::record::{Decided, Told, Via};
use hookbox::{Blocking, Caller, Code, Input, InputError, MAX_INPUT_BYTES, Outcome, Verdict};
use rustix::fs::{OFlags, fcntl_getfl};
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::sync::Arc;
use std::time::Instant;
use tokio::signal::unix::{SignalKind, signal};

/// The number of bytes of an oversized Input that are read and discarded, so that its writer gets to read the answer.
const MAX_DRAINED_BYTES: u64 = 64 << 20;

/// Ask the hooks about one event: Input JSON on stdin, Outcome JSON on stdout
///
/// The Input ends where stdin ends. Exit status: 0 allow, 2 deny, 3 ask. 1 means that no verdict could be formed (bad
/// usage, unreadable Input, broken config), for which stdout has a deny all the same, or that stdout cannot be written.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    echo '{\"event\":\"pre_tool\",\"tool_name\":\"bash\",\"tool_input\":{\"command\":\"ls\"}}' |\n    \
    hookbox run --config hooks.toml")]
pub(super) struct Run {
    #[command(flatten)]
    scope: Scope,

    /// Read an Input of hookbox's own from stdin, not the dialect's payload
    #[arg(long, requires = "dialect")]
    neutral: bool,

    /// Print what the dialect's own system would report, in place of the Outcome
    #[arg(long, requires = "dialect")]
    answer: bool,

    /// Only record what the hooks decide: the event goes on as it is
    #[arg(long)]
    monitor: bool,
}

impl Run {
    pub(super) fn exec(self) -> Exit {
        let started = Instant::now();
        let dialect = self.scope.dialect();
        let printer = Printer { dialect: self.answer.then(|| Arc::clone(&dialect)) };
        let read = |bytes: &[u8]| if self.neutral { Input::from_slice(bytes) } else { dialect.decode_payload(bytes) };
        let mut input = match read_input(read) {
            Ok(input) => input,
            Err((code, message)) => return printer.no_verdict(code, &message, None),
        };
        if let Ok(cwd) = self.scope.project() {
            dialect.complete(&mut input, &cwd);
        }
        let loaded = match self.scope.load_for(&input) {
            Ok(mut loaded) => {
                loaded.problems.extend(seen::gone(&self.scope));
                Arc::new(loaded)
            }
            Err(error) => return printer.no_verdict(Code::Usage, &format!("{error:#}"), Some(input)),
        };
        Decision { recorder: Recorder::new(&loaded), printer, is_monitored: self.monitor, started }.take(loaded, input)
    }
}

/// A printer that writes the Outcome to stdout.
struct Printer {
    /// The dialect to print in; `None` for hookbox's own form.
    dialect: Option<Arc<dyn Dialect>>,
}

impl Printer {
    /// Prints the Outcome. Returns false if it could not be written.
    fn print(&self, outcome: &Outcome) -> bool {
        let Some(dialect) = &self.dialect else {
            return print_raw(&outcome.to_json_line());
        };
        // The dialect's own format has no place for warnings.
        for warning in &outcome.warnings {
            render::warning(warning.code, &warning.message);
        }
        print_raw(&dialect.encode_outcome(outcome))
    }

    fn no_verdict(&self, code: Code, message: &str, input: Option<Input>) -> Exit {
        render::message(code, message);
        self.print(&Outcome::no_verdict(code, message, input));
        Exit::Failure
    }
}

/// One event on its way to a printed Outcome.
struct Decision {
    recorder: Recorder,
    printer: Printer,
    is_monitored: bool,
    started: Instant,
}

impl Decision {
    fn take(&self, loaded: Arc<Loaded>, input: Input) -> Exit {
        let original = input.clone();
        let hooks = Blocking::new(Arc::clone(&loaded.registry));
        let span = tracing::debug_span!("decision", id = self.recorder.id());
        let ended = span.in_scope(|| hooks.run_unless(input, Caller::unbounded(), interrupted()));
        let exit = match ended {
            Ok(Ok(outcome)) => self.conclude(&loaded, outcome, original),
            Ok(Err(signal)) => return self.fail(&format!("hookbox was ended by {signal}"), original),
            Err(error) => return self.fail(&error.to_string(), original),
        };
        // The verdict has been printed; background hooks get their remaining time.
        let left = hooks.close_unless(async {
            interrupted().await;
        });
        if left > 0 {
            render::message(Code::Timeout, &format!("async hooks still running after 2s, which were ended: {left}"));
        }
        // The process is about to exit; dropping everything first would only keep the agent waiting.
        std::mem::forget((hooks, loaded));
        exit
    }

    /// Records and prints the Outcome, and returns the exit status.
    fn conclude(&self, loaded: &Loaded, mut outcome: Outcome, original: Input) -> Exit {
        loaded.add_problems(&mut outcome);
        let event = original.event;
        let is_broken = loaded.registry.rule(event).gating && loaded.broken.is_some() && !self.is_monitored;
        if self.is_monitored {
            outcome = outcome.unapplied(original.clone());
        }
        let exit = match outcome.verdict {
            _ if is_broken => Exit::Failure,
            Verdict::Deny => Exit::Deny,
            Verdict::Allow => Exit::Success,
            Verdict::Ask => Exit::Ask,
        };
        self.record(&mut outcome, &original, exit);
        let is_told = self.printer.print(&outcome) && !(says_more_than_status(&outcome) && stdout_is_closed());
        // A caller that only checks the status must not continue with an Input that it never received.
        if !is_told && !matches!(exit, Exit::Deny | Exit::Failure) {
            render::message(Code::Internal, "the Outcome could not be written to stdout");
            return Exit::Failure;
        }
        exit
    }

    /// Records and prints the end of an event that the hooks have not decided.
    fn fail(&self, message: &str, original: Input) -> Exit {
        let mut outcome = Outcome::no_verdict(Code::Internal, message, Some(original.clone()));
        self.record(&mut outcome, &original, Exit::Failure);
        self.printer.no_verdict(Code::Internal, message, Some(original))
    }

    fn record(&self, outcome: &mut Outcome, original: &Input, exit: Exit) {
        let mut decided = Decided::new(original.event.as_str(), Via::Run);
        decided.input = Some(original);
        decided.outcome = Some(outcome);
        decided.took = self.started.elapsed();
        decided.told = Some(Told::status(exit.status()));
        let warning = self.recorder.write(decided);
        outcome.warnings.extend(warning);
    }
}

/// Whether an allow carries more than its exit status says.
fn says_more_than_status(outcome: &Outcome) -> bool {
    let adds_context = !outcome.system_prompt_additions.is_empty() || !outcome.additional_context.is_empty();
    outcome.modified || outcome.stop || adds_context
}

/// Whether stdout cannot be written, for example because the caller closed it (`>&-`), so that output would be lost
/// without an error. On Unix, Rust replaces a closed standard stream with the null device, opened for reading and
/// writing. A shell's `>/dev/null` opens it for writing only, which means that the caller does not want the output.
/// Some programs discard output by opening the null device for both (Python's `DEVNULL`, Node's `ignore`); for them,
/// the exit status also reports what would be lost.
pub(super) fn stdout_is_closed() -> bool {
    let stdout = io::stdout();
    // Writing to a file that is open for reading only fails, but Rust's stdout reports success.
    let access = fcntl_getfl(&stdout).map(|flags| flags & OFlags::ACCMODE);
    if access.is_ok_and(|access| access == OFlags::RDONLY) {
        return true;
    }
    if !access.is_ok_and(|access| access == OFlags::RDWR) {
        return false;
    }
    let device = |file: io::Result<Metadata>| file.ok().filter(|file| file.file_type().is_char_device());
    let stdout = device(stdout.as_fd().try_clone_to_owned().map(File::from).and_then(|stdout| stdout.metadata()));
    let null = device(std::fs::metadata("/dev/null"));
    stdout.zip(null).is_some_and(|(stdout, null)| stdout.rdev() == null.rdev())
}

/// Waits for a signal that asks this process to end, and returns the signal's name.
pub(super) async fn interrupted() -> &'static str {
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup(), SignalKind::quit()];
    let [Ok(mut term), Ok(mut int), Ok(mut hup), Ok(mut quit)] = kinds.map(signal) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => "SIGTERM",
        _ = int.recv() => "SIGINT",
        _ = hup.recv() => "SIGHUP",
        _ = quit.recv() => "SIGQUIT",
    }
}

/// Returns the message for an Input that is too large.
pub(super) fn too_large() -> String {
    format!("the Input has more than {MAX_INPUT_BYTES} bytes, which is the limit")
}

fn read_input(read: impl Fn(&[u8]) -> Result<Input, InputError>) -> Result<Input, (Code, String)> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    // One byte over the limit is enough to detect that it is exceeded.
    let limit = MAX_INPUT_BYTES as u64 + 1;
    stdin
        .by_ref()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| (Code::InputSyntax, format!("the Input cannot be read: {error}")))?;
    if bytes.len() > MAX_INPUT_BYTES {
        let _ = io::copy(&mut stdin.take(MAX_DRAINED_BYTES), &mut io::sink());
        return Err((Code::InputSize, too_large()));
    }
    if bytes.is_empty() {
        return Err((Code::InputSyntax, "stdin is empty: `hookbox run` reads one Input from it".to_owned()));
    }
    read(&bytes).map_err(|error| (error.code, error.message))
}
