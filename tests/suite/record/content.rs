//! What a line contains, and what it does not.

use hookbox::record::{Decided, Inputs, Line, Log, Mask, Settings, Told, Via, What, read};
use hookbox::{Code, Input, Outcome};
use proptest::prelude::*;
use tempfile::TempDir;

/// A mask that takes out one word, and fails at another.
struct Words;

impl Mask for Words {
    fn mask(&self, text: &str) -> Option<String> {
        assert!(!text.contains("unreadable"), "a text that the detectors cannot read");
        text.contains("hunter2").then(|| text.replace("hunter2", "[masked]"))
    }
}

fn write(inputs: Inputs, decided: &Decided<'_>) -> (Line, String) {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let settings = set!(Settings::new(&file), inputs: inputs, what: What::All);
    Log::new(settings, Some(Box::new(Words))).write(decided).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let line = read(&file).unwrap().next().unwrap().unwrap();
    (line, text)
}

fn of<'a>(outcome: &'a Outcome, told: Told) -> Decided<'a> {
    set!(Decided::new("pre_tool", Via::Hook), outcome: Some(outcome), agent: Some("claude"), told: Some(told))
}

#[test]
fn secrets_are_masked_wherever_they_are() {
    let input = crate::support::bash("login hunter2");
    let outcome = Outcome::no_verdict(Code::Usage, "saw hunter2", Some(input));
    let told = Told::reply(0, r#"{"reason":"saw hunter2"}"#, "hunter2", []);
    let (line, text) = write(Inputs::Masked, &of(&outcome, told.clone()));
    assert!(!text.contains("hunter2"), "{text}");
    assert_eq!(line.masked, ["/reason", "/told/stdout", "/told/stderr", "/input/tool_input/command"]);
    assert!(line.input.unwrap().get().contains("login [masked]"));

    let (line, text) = write(Inputs::Full, &of(&outcome, told));
    assert!(line.masked.is_empty() && text.matches("hunter2").count() == 4, "{text}");
}

/// The line repeats parts of the Input outside the Input.
#[test]
fn secrets_are_masked_beside_the_input_too() {
    let mut input = Input::pre_tool("hunter2", "{}").unwrap();
    for text in [&mut input.session_id, &mut input.tool_use_id, &mut input.pwd, &mut input.mode_name] {
        *text = Some("a hunter2".to_owned());
    }
    let outcome = Outcome::allow(input);
    let told = Told::reply(0, "", "", ["lost hunter2".to_owned()]);
    let decided = set!(of(&outcome, told), agent: Some("hunter2"), event: "hunter2", unknown_event: Some("hunter2"));
    let (_, text) = write(Inputs::Masked, &decided);
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn the_digest_is_that_of_the_recorded_input() {
    let of_input = |json: &str, inputs| {
        let outcome = Outcome::allow(Input::pre_tool("bash", json).unwrap());
        write(inputs, &of(&outcome, Told::status(0))).0
    };
    let masked = of_input(r#"{"command":"login hunter2"}"#, Inputs::Masked);
    let other = of_input(r#"{"command":"login [masked]"}"#, Inputs::Full);
    assert_eq!(masked.input_sha256, other.input_sha256, "it tells nothing about what was masked");
    assert_ne!(masked.input_sha256, of_input(r#"{"command":"login hunter2"}"#, Inputs::Full).input_sha256);
    assert!(masked.has_recorded_input() && masked.input_sha256.as_ref().is_some_and(|digest| digest.len() == 64));
    let changed = set!(masked, input: other.input.map(|_| serde_json::value::to_raw_value(&1).unwrap()));
    assert!(!changed.has_recorded_input());
    assert_eq!(of_input("{}", Inputs::None).input_sha256, None);
    let long = of_input(&format!(r#"{{"command":"{}"}}"#, "x".repeat(100_000)), Inputs::Full);
    assert!(long.input_sha256.is_some() && !long.cut.is_empty() && long.has_recorded_input());
}

#[test]
fn a_text_that_cannot_be_masked_is_left_out() {
    let input = Input::pre_tool("bash", r#"{"command":"unreadable hunter2"}"#).unwrap();
    let outcome = Outcome::allow(input);
    let (line, text) = write(Inputs::Masked, &of(&outcome, Told::status(0)));
    assert!(!text.contains("hunter2") && !text.contains("unreadable"), "{text}");
    assert_eq!(line.cut, ["/input"]);
    assert_eq!(line.verdict, "allow");
}

#[test]
fn without_inputs_nothing_of_the_call_is_there() {
    let outcome = Outcome::no_verdict(Code::Usage, "saw swordfish", Some(crate::support::bash("swordfish")));
    let told = Told::reply(2, "swordfish", "swordfish", []);
    let (line, text) = write(Inputs::None, &of(&outcome, told));
    assert!(!text.contains("swordfish"), "{text}");
    assert_eq!(line.tool.unwrap().name.as_deref(), Some("bash"));
    assert_eq!(line.verdict, "deny");
}

#[test]
fn a_masked_log_without_detectors_has_no_inputs() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("log.jsonl");
    let outcome = Outcome::allow(crate::support::bash("swordfish"));
    let log = Log::new(set!(Settings::new(&file), what: What::All), None);
    log.write(&of(&outcome, Told::status(0))).unwrap();
    assert!(!std::fs::read_to_string(&file).unwrap().contains("swordfish"));
}

#[test]
fn ids_sort_by_time() {
    let ids: Vec<String> = (0..1000).map(|_| hookbox::record::new_id()).collect();
    assert!(ids.is_sorted());
}

#[test]
fn a_line_fits_whatever_is_long_besides_the_input() {
    let secrets: Vec<String> = (0..4000).map(|key| format!(r#""key{key}":"hunter2""#)).collect();
    let secrets = Outcome::allow(Input::pre_tool("bash", &format!("{{{}}}", secrets.join(","))).unwrap());
    let plain = Outcome::allow(crate::support::bash("ls"));
    let long = "x".repeat(100_000);
    let degraded = |texts: Vec<String>| of(&plain, Told::reply(0, "", "", texts));
    for (what, decided) in [
        ("masked pointers", of(&secrets, Told::status(0))),
        ("the name of the event", set!(of(&plain, Told::status(0)), unknown_event: Some(long.as_str()))),
        ("a long text", degraded(vec![long.clone()])),
        ("many texts", degraded(vec!["x".to_owned(); 50_000])),
        ("many long texts", degraded(vec!["x".repeat(200); 5000])),
    ] {
        let (line, written) = write(Inputs::Masked, &decided);
        assert!(written.len() <= 64 << 10, "{what}: {}", written.len());
        assert!(!line.cut.is_empty(), "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the event, its line is one line, has at most 64 KiB, and can be read back.
    #[test]
    fn a_line_fits(
        keys in 0..3000_usize,
        length in 0..100_000_usize,
        reason in "\\PC{0,200}",
        name in "[a-z]{1,5}",
    ) {
        let members: Vec<String> = (0..keys).map(|key| format!(r#""{name}{key}":"{key}""#)).collect();
        let text = "é".repeat(length);
        let json = format!("{{\"text\":\"{text}\"{}{}}}", if keys > 0 { ",\n" } else { "" }, members.join(",\r\n"));
        let outcome = Outcome::no_verdict(Code::Usage, reason.repeat(200), Some(Input::pre_tool(name, &json).unwrap()));
        for inputs in [Inputs::Masked, Inputs::Full, Inputs::None] {
            let (line, written) = write(inputs, &of(&outcome, Told::reply(0, text.clone(), text.clone(), [])));
            prop_assert!(written.len() <= 64 << 10, "{}", written.len());
            prop_assert_eq!(written.matches('\n').count(), 1);
            prop_assert_eq!(line.verdict, "deny");
            if inputs == Inputs::Full && length > 40_000 {
                prop_assert!(line.cut.iter().any(|pointer| pointer == "/input/tool_input/text" || pointer == "/input"), "{:?}", line.cut);
            }
        }
    }
}
