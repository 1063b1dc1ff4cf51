//! Durations in Go's syntax.

use hookbox::config::{format_duration, parse_duration};
use proptest::prelude::*;
use std::time::Duration;

#[test]
fn go_spellings_are_read() {
    for (text, nanos) in [
        ("0", 0),
        ("0s", 0),
        ("500ms", 500_000_000),
        ("1m30s", 90_000_000_000),
        ("1.5h", 5_400_000_000_000),
        (".5s", 500_000_000),
        ("1.s", 1_000_000_000),
        ("+2us", 2_000),
        ("2µs", 2_000),
        ("3ns", 3),
        ("-1s", 0),
        ("1h0m0.000000001s", 3_600_000_000_001),
    ] {
        assert_eq!(parse_duration(text), Some(Duration::from_nanos(nanos)), "{text}");
    }
}

#[test]
fn what_go_refuses_is_refused() {
    for text in
        ["", "-", "+", "10", "abc", "1d", "s", ".s", "1", "1s2", "1 s", " 1s", "1S", "--1s", "1.2.3s", "99999999h"]
    {
        assert_eq!(parse_duration(text), None, "{text}");
    }
}

#[test]
fn durations_are_written_as_go_does() {
    for (millis, text) in [
        (0, "0s"),
        (100, "100ms"),
        (1_500, "1.5s"),
        (5_000, "5s"),
        (90_000, "1m30s"),
        (120_000, "2m0s"),
        (3_600_000, "1h0m0s"),
    ] {
        assert_eq!(format_duration(Duration::from_millis(millis)), text);
    }
    assert_eq!(format_duration(Duration::from_nanos(1)), "1ns");
    assert_eq!(format_duration(Duration::from_nanos(1_500)), "1.5µs");
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(nanos in 0..=i64::MAX as u64) {
        let duration = Duration::from_nanos(nanos);
        prop_assert_eq!(parse_duration(&format_duration(duration)), Some(duration));
    }

    #[test]
    fn no_text_crashes_the_reader(text in "[0-9.+-]{0,25}[a-zµ]{0,3}[0-9.]{0,25}[a-z]{0,2}") {
        let _ = parse_duration(&text);
    }
}
