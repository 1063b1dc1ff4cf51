//! `hookbox bench`: measures the cost of a hook, and checks it against a budget.

mod budget;

use super::render::{self, span};
use super::run::interrupted;
use super::subject::{Found, Stopped, SubjectArgs};
use super::{Exit, Format, FormatArg, print_json, print_line};
use crate::author::Recorder;
use crate::author::cases::NOW;
use crate::author::cost::{Cost, Figure, Means, SHELL, measure};
use anyhow::{Context, anyhow};
use budget::Budget;
use bytesize::ByteSize;
use clap::Args;
use hookbox::{Event, Failure, Input, Kind};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A tool call of typical size.
const TOOL_INPUT: &str =
    r#"{"command":"cargo test --workspace --locked 2>&1 | tail -50","description":"Run the tests","timeout":120000}"#;

/// Measure what a hook costs: size, compilation, loading, a call, fuel and memory
///
/// Each call has a new instance and goes through the chain, as an agent's does. In between stands `sh -c 'cat >/dev/null;
/// echo {}'`, the least that a shell hook could take, so that both meet the same noise. Size, fuel and memory are the same
/// each time and on each machine; times are not, so leave headroom in their budgets.
///
/// Exit status: 0 if it was measured, 1 if the budget is exceeded, 2 if it could not be measured (bad usage, an Input that the
/// hook fails on or is not asked about, a budget for something that this hook does not have).
#[derive(Args)]
#[command(after_help = "Example:\n  hookbox bench guard.wasm --budget call=200us,memory=2MiB,fuel=1000000,size=1MiB")]
pub(super) struct Bench {
    #[command(flatten)]
    subject: SubjectArgs,

    /// The Input that the hook is asked about, in place of a tool call or message of usual size
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// How many calls are counted, to the next hundred
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    calls: u32,

    /// The most that may be used: `call` (the median), `call-p99`, `instantiate`, `load`, `compile` with a time, `memory` and
    /// `size` with bytes, `fuel` with a number
    #[arg(long, value_name = "NAME=LIMIT,…", value_delimiter = ',')]
    budget: Vec<Budget>,

    #[command(flatten)]
    format: FormatArg,
}

/// The measurements, for programs. Times are in microseconds.
#[derive(Serialize)]
struct Report<'r> {
    hook: &'r str,
    kind: Kind,
    #[serde(flatten)]
    component: Option<ComponentReport<'r>>,
    calls: usize,
    call_us: f64,
    call_p99_us: f64,
    sh_us: f64,
    call_per_sh: f64,
    over: Vec<String>,
}

#[derive(Serialize)]
struct ComponentReport<'r> {
    size: u64,
    imports: &'r [String],
    compile_us: f64,
    load_us: Option<f64>,
    instantiate_us: f64,
    fuel: u64,
    memory: u64,
}

impl Bench {
    pub(super) fn exec(self) -> Exit {
        self.run().unwrap_or_else(Stopped::exit)
    }

    fn run(&self) -> Result<Exit, Stopped> {
        let found = self.subject.find()?;
        let input = self.read_input(found.subject.first_event())?;
        let cost = self.measure(&found, &input)?;
        let mut over = Vec::new();
        for budget in &self.budget {
            let missing = || anyhow!("there is no `{}` of this hook that a budget could be for", budget.name());
            over.extend(budget.exceeded(&cost).ok_or_else(missing)?);
        }
        match self.format.format {
            Format::Json => print_json(&report(found.subject.name(), &cost, &over))?,
            Format::Text => {
                for line in lines(found.subject.name(), &cost) {
                    print_line(&line);
                }
                for line in &over {
                    print_line(&format!("over budget: {line}"));
                }
            }
        }
        Ok(if over.is_empty() { Exit::Success } else { Exit::Failure })
    }

    fn read_input(&self, event: Option<Event>) -> anyhow::Result<Input> {
        let mut input = match &self.input {
            Some(path) => {
                let shown = path.display();
                let bytes = std::fs::read(path).with_context(|| format!("`{shown}` cannot be read"))?;
                Input::from_slice(&bytes).map_err(|error| anyhow!("{}: `{shown}`: {error}", error.code))?
            }
            None => {
                let event = event.unwrap_or(Event::PreTool);
                let mut input = match event.has_tool() {
                    true => Input::pre_tool("bash", TOOL_INPUT).map_err(|error| anyhow!("{error}"))?,
                    false => Input::pre_message("Please run the tests."),
                };
                input.event = event;
                input
            }
        };
        // A different time in each run could change the fuel.
        input.now.get_or_insert_with(|| NOW.to_owned());
        Ok(input)
    }

    fn measure(&self, found: &Found, input: &Input) -> Result<Cost, Stopped> {
        let recorder = Arc::new(Recorder::default());
        let fresh = found.loader(&recorder);
        let cached = (!self.subject.no_cache).then(|| found.cached_loader(&recorder)).flatten();
        let means = Means {
            fresh: &fresh,
            cached: cached.as_ref(),
            cwd: &found.cwd,
            recorder: &recorder,
            calls: usize::try_from(self.calls).unwrap_or(usize::MAX),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
        let ended = runtime.block_on(async {
            tokio::select! {
                biased;
                signal = interrupted() => Err(Stopped::Error(anyhow!("ended by {signal}"))),
                cost = measure(&found.subject, input, &means) => cost.map_err(|Failure { code, message, .. }| {
                    render::message(code, &format!("hook `{}` {message}", found.subject.name()));
                    Stopped::Told
                }),
            }
        });
        runtime.shutdown_background();
        ended
    }
}

fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e9).round() / 1e3
}

fn ratio(cost: &Cost) -> f64 {
    cost.call.p50.as_secs_f64() / cost.shell.p50.as_secs_f64()
}

fn report<'r>(hook: &'r str, cost: &'r Cost, over: &[String]) -> Report<'r> {
    Report {
        hook,
        kind: cost.kind,
        component: cost.component.as_ref().map(|component| ComponentReport {
            size: component.size,
            imports: &component.imports,
            compile_us: micros(component.compile),
            load_us: component.load.map(micros),
            instantiate_us: micros(component.instantiate.p50),
            fuel: component.fuel,
            memory: component.memory,
        }),
        calls: cost.calls,
        call_us: micros(cost.call.p50),
        call_p99_us: micros(cost.call.p99),
        sh_us: micros(cost.shell.p50),
        call_per_sh: (ratio(cost) * 1e5).round() / 1e5,
        over: over.to_vec(),
    }
}

fn lines(hook: &str, cost: &Cost) -> Vec<String> {
    let mut lines = vec![format!("hook         {hook} ({})", cost.kind)];
    if let Some(component) = &cost.component {
        let imports = if component.imports.is_empty() { "none".to_owned() } else { component.imports.join(", ") };
        let load = component.load.map_or_else(|| "not measured: there is no cache".to_owned(), span);
        lines.extend([
            format!("size         {} ({} bytes)", ByteSize(component.size), component.size),
            format!("imports      {imports}"),
            format!("compile      {}, once", span(component.compile)),
            format!("load         {load}"),
            format!("instantiate  {}", spread(component.instantiate)),
            format!("memory       {} ({} bytes)", ByteSize(component.memory), component.memory),
            format!("fuel         {}", component.fuel),
        ]);
    }
    lines.push(format!("call         {}, of {} calls", spread(cost.call), cost.calls));
    let (word, times) = match ratio(cost) {
        ratio if ratio <= 1.0 => ("fast", 1.0 / ratio),
        ratio => ("slow", ratio),
    };
    lines.push(format!(
        "sh           {}, of `sh -c '{SHELL}'` in turns: the hook is {times:.1} times as {word}",
        spread(cost.shell)
    ));
    lines.iter().map(|line| render::printable_line(line)).collect()
}

fn spread(Figure { p50, p99 }: Figure) -> String {
    format!("{} (p99 {})", span(p50), span(p99))
}
