//! docker-agent: the templates of prompts.

use super::input_with;
use super::model::{Client, ask, asking, model};
use crate::conformance::by_test::{Named, named, row, rows};
use hookbox::{Event, Input, Json};

pub(super) const TESTS: &[Named] = named![templates_of_prompts, truncate_in_a_prompt];

/// Returns what the client is asked for this template, if it is asked at all.
async fn rendered(template: &str, input: Input) -> Option<String> {
    let client = Client::saying("x");
    let gates = input.event == Event::PreTool;
    let result = ask(&asking(&client), model(template, ""), input).await;
    let asked = client.asked();
    assert!(asked.len() < 2, "{template}: {asked:?}");
    if asked.is_empty() && gates {
        assert_eq!((result.allowed, result.exit_code), (false, -1), "{template}: {result:?}");
        assert!(result.message.starts_with("PreToolUse hook failed to execute: "), "{template}: {result:?}");
    }
    asked.into_iter().next().map(|request| request.prompt)
}

#[tokio::test]
async fn templates_of_prompts() {
    let args = Json::parse(r#"{"k":1.5,"cmd":"a <b> & c"}"#).unwrap();
    let call = input_with(Event::PreTool, |input| input.tool_input = Some(args));
    let turn = input_with(Event::TurnStart, |input| input.pwd = Some("/wd".to_owned()));
    for row in rows("docker-agent", "templates_of_prompts") {
        let input = if row.event() == Some(Event::TurnStart) { &turn } else { &call };
        // A row that expects nothing is about a template that is refused.
        assert_eq!(rendered(row.input(), input.clone()).await.as_deref(), row.maybe_expected(), "{}", row.name());
        row.holds();
    }
}

#[tokio::test]
async fn truncate_in_a_prompt() {
    let row = row("docker-agent", "truncate_in_a_prompt");
    let turn = input_with(Event::TurnStart, |input| input.pwd = Some("a".repeat(50)));
    assert_eq!(rendered(row.input(), turn).await.unwrap(), row.expected());
    row.holds();
}

/// What Go 1.27's `text/template` renders for each template, with `json.Marshal` as `toJSON` and the event as the
/// struct of v1.58.0; `null` if the template fails. In Go, the numbers of a tool's input are floats, which it does not
/// compare with integers.
#[derive(serde::Deserialize)]
struct FromGo {
    event: Box<serde_json::value::RawValue>,
    rows: Vec<(String, Option<String>)>,
}

#[tokio::test]
async fn templates_render_as_by_go() {
    let table: Vec<FromGo> = serde_json::from_str(include_str!("prompts.json")).unwrap();
    assert_eq!(table.iter().map(|event| event.rows.len()).sum::<usize>(), 47);
    let dialect = hookbox::dialect::by_name("docker-agent", &hookbox::dialect::Options::default()).unwrap();
    for FromGo { event, rows } in table {
        let input = dialect.decode_payload(event.get().as_bytes()).unwrap();
        for (template, expected) in rows {
            assert_eq!(rendered(&template, input.clone()).await, expected, "{template} on {}", input.event);
        }
    }
}

#[tokio::test]
async fn what_an_event_does_not_have_is_null_in_json() {
    let turn = input_with(Event::TurnStart, |_| {});
    let template =
        "{{ toJSON .Messages }} {{ toJSON .ToolInput }} {{ toJSON .FromAgentModels }} {{ toJSON .Iteration }}";
    assert_eq!(rendered(template, turn).await.as_deref(), Some("null null null 0"));
}
