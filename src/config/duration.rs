//! Durations in Go's syntax, which hygge's configs and listings use: `1m30s`, `500ms`.

use std::time::Duration;

/// The nanoseconds in each unit.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Parses a duration; returns `None` if the text is not one, or if it is longer than 292 years. A negative duration,
/// which Go allows, becomes zero.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(Duration::ZERO);
    }
    if rest.is_empty() {
        return None;
    }
    let mut nanos: u64 = 0;
    while !rest.is_empty() {
        let (whole, tail) = split_digits(rest);
        let (fraction, tail) = match tail.strip_prefix('.') {
            Some(tail) => split_digits(tail),
            None => ("", tail),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let unit_end = tail.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_end);
        let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        nanos = nanos
            .checked_add(whole.checked_mul(*scale)?)?
            .checked_add(fraction_of(fraction, *scale))
            .filter(|nanos| i64::try_from(*nanos).is_ok())?;
        rest = tail;
    }
    Some(Duration::from_nanos(if negative { 0 } else { nanos }))
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Returns the nanoseconds in a decimal fraction of a unit, rounded down.
fn fraction_of(digits: &str, scale: u64) -> u64 {
    let mut place = u128::from(scale) * 1_000_000_000;
    let mut sum = 0;
    for digit in digits.bytes() {
        place /= 10;
        sum += place * u128::from(digit.saturating_sub(b'0'));
    }
    u64::try_from(sum / 1_000_000_000).unwrap_or(u64::MAX)
}

/// Formats a duration as Go does: the largest unit first, and from one second on always with seconds.
#[must_use]
pub fn format_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    if nanos == 0 {
        return "0s".to_owned();
    }
    for (unit, scale, next) in [("ns", 1, 1_000), ("µs", 1_000, 1_000_000), ("ms", 1_000_000, 1_000_000_000)] {
        if nanos < next {
            return format!("{}{unit}", decimal(nanos, scale));
        }
    }
    let seconds = duration.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let rest = decimal(nanos % 60_000_000_000, 1_000_000_000);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, minutes) => format!("{minutes}m{rest}s"),
        (hours, minutes) => format!("{hours}h{minutes}m{rest}s"),
    }
}

fn decimal(nanos: u128, scale: u128) -> String {
    let digits = scale.ilog10() as usize;
    let (whole, fraction) = (nanos / scale, nanos % scale);
    if fraction == 0 {
        return whole.to_string();
    }
    let fraction = format!("{fraction:0digits$}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}
