//! The types for editors match what exists.

use hookbox::{Action, Event, Field};

#[test]
fn the_types_for_editors_know_every_event_and_every_member() {
    let types = include_str!("../../../guest-sdk/js/hookbox.d.ts");
    for event in Event::ALL {
        assert!(types.contains(&format!("  | \"{}\"", event.as_str())), "{event}");
    }
    assert_eq!(types.matches("\n  | \"").count(), Event::ALL.len());
    for field in Field::ALL {
        assert!(types.contains(&format!("\n  {}?: ", field.as_str())), "{}", field.as_str());
    }
    // The types of an answer match what is accepted: an unknown member would be an invalid Action.
    let (_, actions) = types.split_once("export interface Beside").unwrap();
    let (actions, _) = actions.split_once("export type Action").unwrap();
    let mut members = 0;
    for line in actions.lines().filter_map(|line| line.strip_prefix("  ")) {
        let Some((name, _)) = line.split_once([':', '?']).filter(|(name, _)| !name.contains([' ', '*', '/'])) else {
            continue;
        };
        let answer = format!(r#"{{"{name}":null}}"#);
        let read = Action::from_slice(answer.as_bytes(), Event::PreTool);
        let unknown = read.err().is_some_and(|error| error.to_string().contains("unknown key"));
        assert!(!unknown, "{name}");
        members += 1;
    }
    assert!(members > 15, "{members}");
}
