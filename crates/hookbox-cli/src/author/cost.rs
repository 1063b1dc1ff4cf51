//! What a hook costs: once, when it is loaded, and for each call.

use super::recorder::Recorder;
use super::subject::Subject;
use super::trial::{Trial, Workbench};
use hookbox::config::{Entry, HookTarget, Loader};
use hookbox::runtime::Hook;
use hookbox::runtime::component::ComponentHook;
use hookbox::{Code, Failure, Input, Kind};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The least that a hook could cost as a shell hook.
pub const SHELL: &str = "cat >/dev/null; echo {}";

/// How often a process stands between calls of the hook, so that both meet the same noise.
const ROUNDS: usize = 100;

/// How often the component is loaded and instantiated.
const LOADS: usize = 20;
const INSTANCES: usize = 200;

/// Calls that are not counted: the first ones pay for what later ones find in place.
const WARM_UP: usize = 20;

/// More fuel than a call can use up in the time that it has.
const PLENTY: u64 = 1 << 48;

/// What many measurements of one thing come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// Half of them are at most this.
    pub p50: Duration,
    /// 99 of 100 are at most this.
    pub p99: Duration,
}

/// What a hook costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// How it is run.
    pub kind: Kind,
    /// What only a component costs.
    pub component: Option<ComponentCost>,
    /// A call, with everything that the engine does for it.
    pub call: Figure,
    /// A process that does nothing, [`SHELL`], measured in turns with the calls.
    pub shell: Figure,
    /// How many calls were counted.
    pub calls: usize,
}

/// What only a component costs.
#[derive(Clone, Debug)]
pub struct ComponentCost {
    /// Bytes of the file.
    pub size: u64,
    /// What it imports.
    pub imports: Vec<String>,
    /// The time to compile it, which is needed once.
    pub compile: Duration,
    /// The time to load its machine code from the cache, if there is a cache.
    pub load: Option<Duration>,
    /// The time of a new instance, which is a part of each call.
    pub instantiate: Figure,
    /// Bytes of the memory that a call uses.
    pub memory: u64,
    /// The fuel that a call uses up.
    pub fuel: u64,
}

/// With what a hook is measured.
pub struct Means<'m> {
    /// What prepares it without a cache.
    pub fresh: &'m Loader,
    /// What prepares it with a cache, if there is one.
    pub cached: Option<&'m Loader>,
    /// Where its agent works.
    pub cwd: &'m Path,
    /// Where what it writes goes.
    pub recorder: &'m Arc<Recorder>,
    /// How many calls are to be counted.
    pub calls: usize,
}

/// Measures a hook that is asked about this Input.
///
/// # Errors
/// It cannot be prepared, fails, or is not asked about such an Input; or no process can be started.
pub async fn measure(subject: &Subject, input: &Input, means: &Means<'_>) -> Result<Cost, Failure> {
    let component = match subject.component() {
        Some(path) => Some(component(subject, input, means, &path).await?),
        None => None,
    };
    let mut bench = Workbench::new(means.cached.unwrap_or(means.fresh), subject, means.cwd)?;
    let Trial { given, asked, .. } = bench.ask_about(input, None).await?;
    match (given.failure, given.unheard) {
        (Some(failure), _) => return Err(failure),
        (None, Some(why)) => return Err(Failure::new(Code::Usage, format!("was not asked: {why}"))),
        (None, None) if !asked => {
            return Err(Failure::new(Code::Usage, "was not asked: its `match` does not concern the tool of the Input"));
        }
        (None, None) => {}
    }
    let per_round = means.calls.div_ceil(ROUNDS).max(1);
    let (mut calls, mut processes) = (Vec::with_capacity(per_round * ROUNDS), Vec::with_capacity(ROUNDS));
    let payload = input.to_json();
    for _ in 0..WARM_UP {
        bench.ask_about(input, None).await?;
    }
    for _ in 0..ROUNDS {
        for _ in 0..per_round {
            calls.push(bench.ask_about(input, None).await?.took);
        }
        processes.push(shell(&payload).map_err(|error| Failure::new(Code::Spawn, format!("`sh` failed: {error}")))?);
        means.recorder.take();
    }
    let count = calls.len();
    Ok(Cost { kind: bench.kind(), component, call: figure(calls), shell: figure(processes), calls: count })
}

async fn component(subject: &Subject, input: &Input, means: &Means<'_>, path: &Path) -> Result<ComponentCost, Failure> {
    let size = std::fs::metadata(path).map_err(|error| Failure::new(Code::Unreadable, error.to_string()))?.len();
    let mut input = input.clone();
    subject.dialect.complete(&mut input, means.cwd);
    let (hook, compile) = prepare(means.fresh, subject, subject.entry.clone())?;
    let load = match means.cached {
        Some(cached) => {
            // The first one fills the cache.
            prepare(cached, subject, subject.entry.clone())?;
            let loads = (0..LOADS).map(|_| Ok(prepare(cached, subject, subject.entry.clone())?.1));
            Some(figure(loads.collect::<Result<_, Failure>>()?).p50)
        }
        None => None,
    };
    let measured = of(hook.as_ref())?.measure(&input).await?;
    let mut instances = Vec::with_capacity(INSTANCES);
    for _ in 0..INSTANCES {
        instances.push(of(hook.as_ref())?.measure(&input).await?.instantiate);
    }
    let mut metered: Entry = subject.entry.clone();
    if let HookTarget::Component(component) = &mut metered.target {
        component.limits.fuel.get_or_insert(PLENTY);
    }
    let (metered, _) = prepare(means.cached.unwrap_or(means.fresh), subject, metered)?;
    let fuel = of(metered.as_ref())?.measure(&input).await?.fuel;
    Ok(ComponentCost {
        size,
        imports: of(hook.as_ref())?.imports(),
        compile,
        load,
        instantiate: figure(instances),
        memory: measured.memory_bytes as u64,
        fuel: fuel.ok_or_else(|| Failure::new(Code::Internal, "has no fuel that could be counted"))?,
    })
}

/// The hook in a sandbox of its own, and how long it took: what is set up once for all hooks does not count.
fn prepare(loader: &Loader, subject: &Subject, entry: Entry) -> Result<(Arc<dyn Hook>, Duration), Failure> {
    loader.sandbox()?;
    let started = Instant::now();
    let hook = loader.hook(&subject.file, entry)?;
    Ok((hook, started.elapsed()))
}

fn of(hook: &dyn Hook) -> Result<&ComponentHook, Failure> {
    hook.as_component().ok_or_else(|| Failure::new(Code::Internal, "is not the component that its config names"))
}

fn figure(mut samples: Vec<Duration>) -> Figure {
    samples.sort_unstable();
    let at = |percent: usize| samples.get((samples.len() * percent / 100).min(samples.len().saturating_sub(1)));
    let at = |percent| at(percent).copied().unwrap_or_default();
    Figure { p50: at(50), p99: at(99) }
}

/// A process that reads the Input and allows.
fn shell(payload: &str) -> std::io::Result<Duration> {
    let started = Instant::now();
    let mut child = Command::new("sh").args(["-c", SHELL]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let took = started.elapsed();
    if !output.status.success() {
        return Err(std::io::Error::other(format!("it ended with {}", output.status)));
    }
    Ok(took)
}
