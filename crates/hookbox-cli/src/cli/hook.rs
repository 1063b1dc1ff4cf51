//! `hookbox hook`: reads an agent's payload from stdin and replies exactly as that agent understands it.
//!
//! However this ends, the agent gets one reply, and if hookbox failed, that is a deny: never a usage error from clap, a
//! panic's exit status, or an empty stdout.

use super::Exit;
use super::explain;
use super::off::{self, Off, Switch};
use super::scope::Scope;
use clap::Args;
use clap::builder::PossibleValuesParser;
use hookbox::agent::{
    self, Agent, CANARY_TOOL, Call, Capabilities, Environment, MAX_PAYLOAD_BYTES, Plan, Reply, Say, plan,
};
use hookbox::{Blocking, Caller, Code, Input, InputError, Outcome};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an event may take. Agents are told to wait longer, because they let the tool run after a time-out.
const DEADLINE: Duration = Duration::from_secs(25);

/// How much later a reply is forced, if the event has not ended by then.
const GRACE: Duration = Duration::from_secs(2);

/// How much of a payload is read. One that exceeds [`MAX_PAYLOAD_BYTES`] is refused, in a way that depends on its
/// event.
const MAX_READ_BYTES: u64 = 8 * MAX_PAYLOAD_BYTES as u64;

const LATE: &str = "did not come to an end in time";

/// The name that means recognizing the agent by its payload.
const AUTO: &str = "auto";

/// Answer an agent: its payload on stdin, its reply on stdout, stderr and in the exit status
///
/// This is what an agent's own settings name as the command of its hooks.
#[derive(Args)]
#[command(after_help = "Example, as Claude Code starts it:\n  \
    echo '{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}' |\n    \
    hookbox hook claude")]
pub(super) struct Hook {
    /// The agent; `auto` recognizes it by its payload
    #[arg(value_name = "AGENT", value_parser = PossibleValuesParser::new(names()))]
    name: String,

    /// Print for a person what was understood and what the agent would get, in place of the reply
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    scope: Scope,
}

fn names() -> impl Iterator<Item = &'static str> {
    agent::all().iter().map(|agent| agent.name()).chain([AUTO])
}

/// The reply to an agent that started hookbox with invalid arguments.
pub(super) fn refuse(args: &[OsString], reason: &str) -> Exit {
    let named = args.iter().skip(2).find_map(|arg| agent::by_name(arg.to_str()?));
    let agent = named.unwrap_or_else(|| agent::detect(&[], &environment()));
    send(&agent.veto(reason))
}

impl Hook {
    pub(super) fn exec(mut self) -> Exit {
        let environment = environment();
        // An agent that does not close stdin must also get its reply.
        let unread = agent::by_name(&self.name).unwrap_or_else(|| agent::detect(&[], &environment));
        let last_word = LastWord::in_time(unread.veto(&format!("{}: hookbox {LATE}", Code::Timeout)));
        let payload = match read_payload() {
            Ok(payload) => payload,
            Err(error) => return send(&unread.veto(&format!("{}: {error}", Code::InputSyntax))),
        };
        let agent = agent::by_name(&self.name).unwrap_or_else(|| agent::detect(&payload, &environment));
        let agent = agent.sender(&payload, &environment).unwrap_or(agent);
        let call = match agent.decode(&payload, &environment) {
            Ok(call) => call,
            Err(error) => return send(&self.refuse(agent, &payload, &environment, &error)),
        };
        let pwd = call.input.as_ref().and_then(|input| input.pwd.as_deref()).map(Path::new);
        if let Some(pwd) = pwd.filter(|pwd| pwd.is_absolute() && pwd.is_dir()) {
            self.scope.default_project(pwd);
        }
        let off = self.off(agent, &call);
        if let Ok(Some(off)) = &off {
            if self.explain {
                explain::row("off", &off.in_words());
            }
            return self.conclude(agent, &call, None);
        }
        let Some(input) = call.input.clone() else {
            return self.conclude(agent, &call, None);
        };
        let late = Outcome::no_verdict(Code::Timeout, format!("hookbox {LATE}"), Some(input.clone()));
        last_word.set(reply(agent, &call, &late).1);
        let (mut outcome, hooks) = self.judge(input);
        // The user must know that hookbox does not do what was requested.
        outcome.system_messages.extend(off.err());
        let exit = self.conclude(agent, &call, Some(&outcome));
        // The reply is out; background hooks get their remaining time.
        if let Some(hooks) = hooks {
            hooks.close_unless(async {
                super::run::interrupted().await;
            });
            // The process is about to exit; dropping everything first would only keep the agent waiting.
            std::mem::forget(hooks);
        }
        exit
    }

    /// Returns that hookbox is off, if it is, and records this event.
    ///
    /// # Errors
    /// The file that says so does not count, or the event could not be recorded: hookbox is on.
    fn off(&self, agent: &dyn Agent, call: &Call) -> Result<Option<Off>, String> {
        let Ok(places) = self.scope.places() else { return Ok(None) };
        let off = match Switch::read(&places) {
            Switch::On | Switch::Expired(_) => return Ok(None),
            Switch::Doubtful(why) => return Err(off::doubt(&why)),
            Switch::Off(off) => off,
        };
        let input = call.input.as_ref();
        let tool = input.and_then(|input| input.tool_name.as_deref());
        if tool == Some(CANARY_TOOL) {
            return Ok(None);
        }
        // An explained event does not run.
        if !self.explain {
            let session = input.and_then(|input| input.session_id.as_deref());
            let recorded = off::append(&places, agent.name(), &call.event, tool, session);
            recorded.map_err(|error| off::doubt(&format!("what runs meanwhile cannot be recorded: {error}")))?;
        }
        Ok(Some(off))
    }

    /// The reply to a payload that cannot be judged. If its event is known, it is the reply of a deny: a veto that fits
    /// every event does not withhold a result from the model.
    fn refuse(
        &self,
        agent: &'static dyn Agent,
        payload: &[u8],
        environment: &Environment,
        error: &InputError,
    ) -> Reply {
        let stops = |repaired: &[u8]| {
            let agent = agent::by_name(&self.name).unwrap_or_else(|| agent::detect(repaired, environment));
            let agent = agent.sender(repaired, environment).unwrap_or(agent);
            let call = agent.decode(repaired, environment).ok()?;
            let outcome = Outcome::no_verdict(error.code, &error.message, Some(call.input.clone()?));
            let (plan, reply) = reply(agent, &call, &outcome);
            (plan.result.is_some() || matches!(plan.say, Say::Deny(_))).then_some(reply)
        };
        let reply = agent::repaired(payload).as_deref().and_then(stops);
        reply.unwrap_or_else(|| agent.veto(&format!("{}: {}", error.code, error.message)))
    }

    /// Asks the hooks. Also returns those that may have work in the background.
    fn judge(&self, input: Input) -> (Outcome, Option<Blocking>) {
        if input.tool_name.as_deref() == Some(CANARY_TOOL) {
            return (canary(input), None);
        }
        let caller = Caller::default().until(Instant::now() + DEADLINE);
        let loaded = match self.scope.load_for(&input) {
            Ok(loaded) => loaded,
            Err(error) => return (Outcome::no_verdict(Code::Usage, format!("{error:#}"), Some(input)), None),
        };
        let given_up = input.clone();
        let hooks = Blocking::new(Arc::clone(&loaded.registry));
        let outcome = match hooks.run_unless(input, &caller, super::run::interrupted()) {
            Ok(Ok(mut outcome)) => {
                loaded.add_problems(&mut outcome);
                outcome
            }
            Ok(Err(signal)) => {
                Outcome::no_verdict(Code::Internal, format!("hookbox was ended by {signal}"), Some(given_up))
            }
            Err(error) => Outcome::no_verdict(Code::Internal, error, Some(given_up)),
        };
        std::mem::forget(loaded);
        (outcome, Some(hooks))
    }

    /// Replies. Without an Outcome, the event goes on unjudged.
    fn conclude(&self, agent: &dyn Agent, call: &Call, outcome: Option<&Outcome>) -> Exit {
        let (plan, reply) = match outcome {
            Some(outcome) => reply(agent, call, outcome),
            None => (Plan::default(), agent.encode(call, &Plan::default())),
        };
        if !self.explain {
            return send(&reply);
        }
        ANSWERED.store(true, Ordering::SeqCst);
        explain::print(agent, call, outcome, &plan, &reply);
        Exit::Success
    }
}

/// The reply that is sent if hookbox does not finish.
struct LastWord(Arc<Mutex<Reply>>);

/// How long an event may take before that reply is sent.
fn deadline() -> Duration {
    // Released builds ignore the variable: ending an event early decides it.
    #[cfg(debug_assertions)]
    if let Some(seconds) = std::env::var("HOOKBOX_TEST_DEADLINE").ok().and_then(|text| text.parse().ok()) {
        return Duration::from_secs(seconds).clamp(Duration::from_secs(1), DEADLINE);
    }
    DEADLINE + GRACE
}

impl LastWord {
    /// Sends this reply, or one that was set later, when the time is up.
    fn in_time(reply: Reply) -> Self {
        let word = Arc::new(Mutex::new(reply));
        let last = Arc::clone(&word);
        std::thread::spawn(move || {
            std::thread::sleep(deadline());
            let reply = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let Exit::Status(status) = send(&reply) else { return };
            std::process::exit(i32::from(status));
        });
        LastWord(word)
    }

    fn set(&self, reply: Reply) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reply;
    }
}

/// The verdict on the call with which `hookbox doctor` tests whether a deny arrives.
pub(super) fn canary(input: Input) -> Outcome {
    Outcome::no_verdict(Code::Untrusted, "no agent has this tool: it is there to be denied", Some(input))
}

pub(super) fn reply(agent: &dyn Agent, call: &Call, outcome: &Outcome) -> (Plan, Reply) {
    let capabilities: Capabilities = agent.capabilities(call);
    let plan = plan(outcome, call, &capabilities);
    let reply = agent.encode(call, &plan);
    (plan, reply)
}

/// The variables that are valid text: agents set only such ones.
fn environment() -> Environment {
    Environment::new(
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    )
}

fn read_payload() -> Result<Vec<u8>, String> {
    let mut payload = Vec::new();
    io::stdin().lock().take(MAX_READ_BYTES + 1).read_to_end(&mut payload).map_err(|error| error.to_string())?;
    match payload.len() {
        0 => Err("stdin is empty: `hookbox hook` reads an agent's payload from it".to_owned()),
        length if length as u64 > MAX_READ_BYTES => Err(format!("the payload has more than {MAX_READ_BYTES} bytes")),
        _ => Ok(payload),
    }
}

/// Whether the agent has its reply. A second one would invalidate the first.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Writes the reply. If that fails, it becomes the only veto left: an exit status.
fn send(reply: &Reply) -> Exit {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        // Another thread is about to end the process.
        loop {
            std::thread::park();
        }
    }
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(reply.stdout.as_bytes()).and_then(|()| stdout.flush());
    let _ = io::stderr().write_all(reply.stderr.as_bytes());
    match written {
        Err(error) if !reply.stdout.is_empty() => {
            let _ = writeln!(io::stderr(), "hookbox: the reply could not be written: {error}");
            Exit::Status(2)
        }
        _ => Exit::Status(reply.status),
    }
}
