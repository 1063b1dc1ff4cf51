//! Measures the cost of a hook: of loading it, and of each call.

use super::recorder::Recorder;
use super::subject::Subject;
use super::trial::{Network, Trial, Workbench};
use hookbox::config::{Entry, HookTarget, Loader};
use hookbox::runtime::Hook;
use hookbox::runtime::component::ComponentHook;
use hookbox::{Code, Failure, Input, Kind};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The cheapest possible shell hook.
pub const SHELL: &str = "cat >/dev/null; echo {}";

/// How many processes are run between the calls of the hook, so that both are exposed to the same noise.
const ROUNDS: usize = 100;

/// How many times the component is loaded and instantiated.
const LOADS: usize = 20;
const INSTANCES: usize = 200;

/// The number of calls that are not counted: the first calls do work that later ones reuse.
const WARM_UP: usize = 20;

/// More fuel than a call can consume within its time limit.
const PLENTY: u64 = 1 << 48;

/// The summary of many measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// The median.
    pub p50: Duration,
    /// The 99th percentile.
    pub p99: Duration,
}

/// The cost of a hook.
#[derive(Clone, Debug)]
pub struct Cost {
    /// How the hook is run.
    pub kind: Kind,
    /// The costs that only a component has.
    pub component: Option<ComponentCost>,
    /// The time of a call, including everything that the engine does for it.
    pub call: Figure,
    /// The time of a process that does nothing, [`SHELL`], measured alternately with the calls.
    pub shell: Figure,
    /// The number of calls counted.
    pub calls: usize,
}

/// The costs that only a component has.
#[derive(Clone, Debug)]
pub struct ComponentCost {
    /// The size of the file, in bytes.
    pub size: u64,
    /// The component's imports.
    pub imports: Vec<String>,
    /// The time to compile it, which is needed once.
    pub compile: Duration,
    /// The time to load its machine code from the cache, if there is a cache.
    pub load: Option<Duration>,
    /// The time to create an instance, which is part of each call.
    pub instantiate: Figure,
    /// The memory that a call uses, in bytes.
    pub memory: u64,
    /// The fuel that a call consumes.
    pub fuel: u64,
}

/// The inputs of a measurement.
pub struct Means<'m> {
    /// The loader without a cache.
    pub fresh: &'m Loader,
    /// The loader with a cache, if there is one.
    pub cached: Option<&'m Loader>,
    /// The agent's working directory.
    pub cwd: &'m Path,
    /// Where the hook's output goes.
    pub recorder: &'m Arc<Recorder>,
    /// The number of calls to count.
    pub calls: usize,
}

/// Measures a hook on this Input.
///
/// # Errors
/// Returns an error if the hook cannot be prepared, fails, or is not asked about such an Input, or if no process can be
/// started.
pub async fn measure(subject: &Subject, input: &Input, means: &Means<'_>) -> Result<Cost, Failure> {
    let mut bench = Workbench::new(means.cached.unwrap_or(means.fresh), subject, means.cwd, Network::Live)?;
    let component = match subject.component_size()? {
        Some(size) => Some(component(subject, &bench.complete(input).await, means, size).await?),
        None => None,
    };
    let Trial { given, asked, .. } = bench.ask_about(input).await?;
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
        bench.ask_about(input).await?;
    }
    for _ in 0..ROUNDS {
        for _ in 0..per_round {
            calls.push(bench.ask_about(input).await?.took);
        }
        processes.push(shell(&payload).map_err(|error| Failure::new(Code::Spawn, format!("`sh` failed: {error}")))?);
        means.recorder.take();
    }
    let count = calls.len();
    Ok(Cost { kind: bench.kind(), component, call: figure(calls), shell: figure(processes), calls: count })
}

async fn component(subject: &Subject, input: &Input, means: &Means<'_>, size: u64) -> Result<ComponentCost, Failure> {
    let (hook, compile) = prepare(means.fresh, subject, subject.entry.clone())?;
    let load = match means.cached {
        Some(cached) => {
            // The first load fills the cache.
            prepare(cached, subject, subject.entry.clone())?;
            let loads = (0..LOADS).map(|_| Ok(prepare(cached, subject, subject.entry.clone())?.1));
            Some(figure(loads.collect::<Result<_, Failure>>()?).p50)
        }
        None => None,
    };
    let measured = component_of(hook.as_ref())?.measure(input).await?;
    let mut instances = Vec::with_capacity(INSTANCES);
    for _ in 0..INSTANCES {
        instances.push(component_of(hook.as_ref())?.measure(input).await?.instantiate);
    }
    let mut metered: Entry = subject.entry.clone();
    if let HookTarget::Component(component) = &mut metered.target {
        component.limits.fuel.get_or_insert(PLENTY);
    }
    let (metered, _) = prepare(means.cached.unwrap_or(means.fresh), subject, metered)?;
    let fuel = component_of(metered.as_ref())?.measure(input).await?.fuel;
    Ok(ComponentCost {
        size,
        imports: component_of(hook.as_ref())?.imports(),
        compile,
        load,
        instantiate: figure(instances),
        memory: measured.memory_bytes as u64,
        fuel: fuel.ok_or_else(|| Failure::new(Code::Internal, "has no fuel that could be counted"))?,
    })
}

/// Prepares the hook in its own sandbox, and measures how long that takes. Setup that all hooks share does not count.
fn prepare(loader: &Loader, subject: &Subject, entry: Entry) -> Result<(Arc<dyn Hook>, Duration), Failure> {
    loader.sandbox()?;
    let started = Instant::now();
    let hook = loader.hook(&subject.file, entry)?;
    Ok((hook, started.elapsed()))
}

fn component_of(hook: &dyn Hook) -> Result<&ComponentHook, Failure> {
    hook.as_component().ok_or_else(|| Failure::new(Code::Internal, "is not the component that its config names"))
}

fn figure(mut samples: Vec<Duration>) -> Figure {
    samples.sort_unstable();
    let at = |percent: usize| samples.get((samples.len() * percent / 100).min(samples.len().saturating_sub(1)));
    let at = |percent| at(percent).copied().unwrap_or_default();
    Figure { p50: at(50), p99: at(99) }
}

/// Times a process that reads the Input and allows.
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
