//! The figures of a report.

use hookbox::record::Line;
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The maximum number of points of the plot.
const MAX_BUCKETS: u64 = 60;

/// The lengths of time that one point of the plot can stand for.
const BUCKETS: [Duration; 8] = [
    Duration::from_secs(1),
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(600),
    Duration::from_secs(3600),
    Duration::from_secs(6 * 3600),
    Duration::from_secs(24 * 3600),
    Duration::from_secs(7 * 24 * 3600),
];

/// The decisions, in the order of the plot's lines.
pub(super) const DECISIONS: [&str; 4] = ["allow", "deny", "ask", "modify"];

/// Names, each with how often it occurred.
pub(super) type Counts = Vec<(String, usize)>;

pub(super) struct Figures {
    pub(super) first: String,
    pub(super) last: String,
    pub(super) total: usize,
    /// One count for each of [`DECISIONS`].
    pub(super) by_decision: [usize; DECISIONS.len()],
    /// The beginning of each point of the plot, with the counts of its decisions.
    pub(super) over_time: Vec<(SystemTime, [usize; DECISIONS.len()])>,
    pub(super) denying: Counts,
    pub(super) failures: Counts,
    pub(super) agents: Counts,
    /// The hooks, the slowest first.
    pub(super) hooks: Vec<HookTimes>,
    pub(super) lost: u64,
}

/// How long the calls of a hook took, in microseconds.
pub(super) struct HookTimes {
    pub(super) name: String,
    pub(super) calls: usize,
    pub(super) p50: u64,
    pub(super) p99: u64,
}

impl Figures {
    pub(super) fn of(lines: &[Line]) -> Self {
        let mut by_decision = [0; DECISIONS.len()];
        let (mut denying, mut failures, mut agents) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut times: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for line in lines {
            if let Some(count) = index(line).and_then(|index| by_decision.get_mut(index)) {
                *count += 1;
            }
            if let Some(by) = line.by.as_deref().filter(|_| line.verdict == "deny") {
                *denying.entry(by).or_insert(0) += 1;
            }
            for hook in &line.hooks {
                if let Some(code) = &hook.code {
                    *failures.entry(code.as_str()).or_insert(0) += 1;
                }
                times.entry(&hook.name).or_default().push(hook.us);
            }
            *agents.entry(line.agent.as_deref().unwrap_or("(none)")).or_insert(0) += 1;
        }
        Figures {
            first: lines.first().map(|line| line.time.clone()).unwrap_or_default(),
            last: lines.last().map(|line| line.time.clone()).unwrap_or_default(),
            total: lines.len(),
            by_decision,
            over_time: over_time(lines),
            denying: most(&denying),
            failures: most(&failures),
            agents: most(&agents),
            hooks: slowest(times),
            lost: lines.iter().map(|line| line.lost).fold(0, u64::saturating_add),
        }
    }
}

fn index(line: &Line) -> Option<usize> {
    DECISIONS.iter().position(|decision| *decision == line.verdict)
}

/// Returns the counts, the most frequent first.
fn most(counts: &BTreeMap<&str, usize>) -> Counts {
    let mut counts: Counts = counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn slowest(times: BTreeMap<&str, Vec<u64>>) -> Vec<HookTimes> {
    let mut hooks: Vec<HookTimes> = times
        .into_iter()
        .map(|(name, mut times)| {
            times.sort_unstable();
            let at = |percent: usize| {
                let place = (times.len() * percent).div_ceil(100).saturating_sub(1);
                times.get(place).copied().unwrap_or_default()
            };
            HookTimes { name: name.to_owned(), calls: times.len(), p50: at(50), p99: at(99) }
        })
        .collect();
    hooks.sort_by_key(|hook| std::cmp::Reverse(hook.p99));
    hooks
}

fn over_time(lines: &[Line]) -> Vec<(SystemTime, [usize; DECISIONS.len()])> {
    let timed: Vec<(u64, &Line)> = lines
        .iter()
        .filter_map(|line| {
            let time = humantime::parse_rfc3339(&line.time).ok()?;
            Some((time.duration_since(UNIX_EPOCH).ok()?.as_secs(), line))
        })
        .collect();
    let seconds = timed.iter().map(|(time, _)| *time);
    let (Some(first), Some(last)) = (seconds.clone().min(), seconds.max()) else { return Vec::new() };
    let fits = |bucket: &&Duration| (last - first) / bucket.as_secs() < MAX_BUCKETS;
    let longest = Duration::from_secs((last - first) / MAX_BUCKETS + 1);
    let bucket = BUCKETS.iter().find(fits).copied().unwrap_or(longest).as_secs();
    let start = first - first % bucket;
    let buckets = usize::try_from((last - start) / bucket).unwrap_or_default() + 1;
    let time = |index: usize| UNIX_EPOCH + Duration::from_secs(start + bucket * index as u64);
    let mut points: Vec<_> = (0..buckets).map(|index| (time(index), [0; DECISIONS.len()])).collect();
    for (time, line) in timed {
        let point = usize::try_from((time - start) / bucket).ok().and_then(|index| points.get_mut(index));
        if let (Some((_, counts)), Some(index)) = (point, index(line))
            && let Some(count) = counts.get_mut(index)
        {
            *count += 1;
        }
    }
    points
}
