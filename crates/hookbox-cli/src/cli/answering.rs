//! The steps from an agent's payload to the reply. `hookbox hook` and `hookbox serve` share them, so that their replies
//! cannot differ.

use super::log::Recorder;
use super::off::{self, Off, Switch};
use super::scope::Scope;
use hookbox::agent::{self, Agent, CANARY_TOOL, Call, Environment, Plan, Reply, Say, reply};
use hookbox::record::{Decided, Told, Via};
use hookbox::{Code, Input, InputError, Outcome, Warning};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long an event may take. Agents are told to wait longer, because they let the tool run after a time-out.
pub(super) const DEADLINE: Duration = Duration::from_secs(25);

/// The sender of a payload, by which the agent is recognized.
pub(super) struct Sender<'a> {
    /// The agent's name, or another word if the agent is to be recognized by its payload.
    pub(super) name: &'a str,
    /// The environment variables that the agent set.
    pub(super) environment: &'a Environment,
}

impl Sender<'_> {
    /// Returns the agent that sent this payload.
    pub(super) fn agent(&self, payload: &[u8]) -> &'static dyn Agent {
        let agent = agent::by_name(self.name).unwrap_or_else(|| agent::detect(payload, self.environment));
        agent.sender(payload, self.environment).unwrap_or(agent)
    }

    /// Returns the reply to a payload that cannot be judged. If its event is known, that is the reply of a deny,
    /// because a veto that fits every event does not withhold a result from the model. Where no reply can withhold the
    /// result, the model is warned; only ending the agent's run, as a veto does in Cline, would be stricter.
    pub(super) fn refuse(&self, payload: &[u8], code: Code, message: &str) -> Reply {
        let stops = |repaired: &[u8]| {
            let agent = self.agent(repaired);
            let call = agent.decode(repaired, self.environment).ok()?;
            let input = call.input.clone()?;
            let has_result = input.tool_result.is_some();
            // A message about the payload may quote the part that is wrong, and with it the result.
            let quotes = has_result && code.as_str().starts_with("E6");
            let message = if quotes { code.meaning() } else { message };
            let (plan, reply) = reply(agent, &call, &Outcome::no_verdict(code, message, Some(input)));
            let warns = has_result && plan.context.is_some();
            (plan.result.is_some() || warns || matches!(plan.say, Say::Deny(_))).then_some(reply)
        };
        let reply = agent::repaired(payload).as_deref().and_then(stops);
        reply.unwrap_or_else(|| self.veto(payload, &format!("{code}: {message}")))
    }

    /// Returns the strictest reply to a payload, of which possibly only a part was read.
    pub(super) fn veto(&self, payload: &[u8], reason: &str) -> Reply {
        match agent::by_name(self.name) {
            Some(_) => self.agent(payload).veto(reason),
            None => agent::veto_for_all(payload, reason),
        }
    }
}

/// Returns what to say if the system does not start another process or thread.
pub(super) fn no_more(what: &str, error: &io::Error) -> String {
    // Other errors than this one have nothing to do with the number of processes.
    let is_limit = error.kind() == io::ErrorKind::WouldBlock;
    let help = if is_limit { ": raise the limit on processes (`ulimit -u`)" } else { "" };
    format!("hookbox cannot start another {what}{help}: {error}")
}

/// Returns the agent's working directory, if the call names one. If that directory and the one of this process have
/// both been deleted, returns the nearest ancestor that exists.
pub(super) fn project_of(call: &Call) -> Option<&Path> {
    let pwd = call.input.as_ref().and_then(|input| input.pwd.as_deref()).map(Path::new)?;
    let is_lost = || std::env::current_dir().is_err();
    let mut dirs = pwd.ancestors().take_while(|dir| *dir == pwd || is_lost());
    dirs.find(|dir| pwd.is_absolute() && dir.is_dir())
}

/// Returns how hookbox was turned off, if it is off. With `records`, records this event.
///
/// # Errors
/// Returns an error if the file that turns hookbox off does not count, or if the event could not be recorded. In both
/// cases hookbox is on.
pub(super) fn off(scope: &Scope, agent: &dyn Agent, call: &Call, records: bool) -> Result<Option<Off>, String> {
    let Ok(places) = scope.places() else { return Ok(None) };
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
    if records {
        let session = input.and_then(|input| input.session_id.as_deref());
        let recorded = off::append(&places, agent.name(), &call.event, tool, session);
        recorded.map_err(|error| off::doubt(&format!("what runs meanwhile cannot be recorded: {error}")))?;
    }
    Ok(Some(off))
}

/// Returns the verdict on the call with which `hookbox doctor` tests whether a deny arrives; `None` for any other call.
pub(super) fn canary(input: &Input) -> Option<Outcome> {
    let is_canary = input.tool_name.as_deref() == Some(CANARY_TOOL);
    let message = "no agent has this tool: it is there to be denied";
    is_canary.then(|| Outcome::no_verdict(Code::Untrusted, message, Some(input.clone())))
}

/// How a call was judged, for the decision log.
pub(super) struct Judged {
    pub(super) recorder: Recorder,
    pub(super) started: Instant,
    pub(super) is_off: bool,
    pub(super) via: Via,
}

impl Judged {
    /// Records the call, and returns the reply. Without an Outcome, the call goes on unjudged.
    pub(super) fn conclude(&self, agent: &dyn Agent, call: &Call, outcome: Option<&mut Outcome>) -> Reply {
        let Some(outcome) = outcome else {
            let (plan, reply) = unjudged(agent, call);
            self.record(agent, call, None, (&plan, &reply));
            return reply;
        };
        let (plan, told) = reply(agent, call, outcome);
        let Some(warning) = self.record(agent, call, Some(outcome), (&plan, &told)) else { return told };
        outcome.system_messages.push(format!("hookbox: {}: {}", warning.code, warning.message));
        reply(agent, call, outcome).1
    }

    fn record(
        &self,
        agent: &dyn Agent,
        call: &Call,
        outcome: Option<&Outcome>,
        (plan, reply): (&Plan, &Reply),
    ) -> Option<Warning> {
        let input = call.input.as_ref();
        let mut decided = Decided::new(input.map_or(&*call.event, |input| input.event.as_str()), self.via);
        decided.agent = Some(agent.name());
        decided.input = input;
        decided.outcome = outcome;
        decided.took = self.started.elapsed();
        let losses = plan.losses.iter().map(|loss| loss.as_str().to_owned());
        decided.told = Some(Told::reply(reply.status, &*reply.stdout, &*reply.stderr, losses));
        decided.off = self.is_off;
        decided.unknown_event = call.is_unknown_event.then_some(&*call.event);
        self.recorder.write(decided)
    }

    /// Records a payload that could not be read.
    pub(super) fn refused(&self, agent: &dyn Agent, error: &InputError, reply: &Reply) {
        let outcome = Outcome::no_verdict(error.code, &error.message, None);
        let mut decided = Decided::new("", self.via);
        decided.agent = Some(agent.name());
        decided.outcome = Some(&outcome);
        decided.took = self.started.elapsed();
        decided.told = Some(Told::reply(reply.status, &*reply.stdout, &*reply.stderr, []));
        self.recorder.write(decided);
    }
}

/// Returns the reply to a call that no hook can judge.
pub(super) fn unjudged(agent: &dyn Agent, call: &Call) -> (Plan, Reply) {
    (Plan::default(), agent.encode(call, &Plan::default()))
}
