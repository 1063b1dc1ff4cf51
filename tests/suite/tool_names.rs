//! Tool names that could pass for another name go to every hook.

use crate::support::project::Project;
use hookbox::{Action, Code, Event, HookInfo, Input, Matcher, NativeHook, Outcome, Registry, Verdict};
use serde_json::json;

/// Disguised names, each with what is wrong with it.
const DISGUISED: [(&str, &str); 24] = [
    (" bash", "white space"),
    ("bash ", "white space"),
    ("bash\u{a0}", "white space"),
    ("\u{3000}bash", "white space"),
    ("bash\n", "cannot be seen"),
    ("ba\0sh", "cannot be seen"),
    ("ba\u{7f}sh", "cannot be seen"),
    ("ba\u{9b}sh", "cannot be seen"),
    ("ba\u{200b}sh", "cannot be seen"),
    ("bash\u{200d}", "cannot be seen"),
    ("bash\u{feff}", "cannot be seen"),
    ("bash\u{fe0f}", "cannot be seen"),
    ("\u{202e}hsab", "cannot be seen"),
    ("bash\u{e0041}", "cannot be seen"),
    ("ba\u{ad}sh", "cannot be seen"),
    ("bаsh", "several scripts"),
    ("вash", "several scripts"),
    ("bαsh", "several scripts"),
    ("ѕсоре", "looks like a name in ASCII"),
    ("ｂａｓｈ", "does not recommend"),
    ("𝐛𝐚𝐬𝐡", "does not recommend"),
    ("ᵇᵃˢʰ", "does not recommend"),
    ("baſh", "does not recommend"),
    ("bas\u{2002}h", "does not recommend"),
];

const HONEST: [&str; 9] = [
    "bash",
    "Read File",
    "mcp__git/status:v1.2-x",
    "поиск",
    "検索する",
    "搜索",
    "Öffnen",
    "αναζήτηση",
    "~weird [name]!",
];

/// Returns a guard that denies everything that it is asked.
fn guard(name: &str, matcher: Matcher) -> NativeHook<impl Fn(&Input) -> Result<Action, hookbox::Failure>> {
    let mut info = HookInfo::new(name, [Event::PreTool, Event::PostTool, Event::PreMessage]);
    info.matcher = matcher;
    NativeHook::with_info(info, |_| Ok(Action::deny("no")))
}

async fn ask(matcher: Matcher, tool: &str) -> Outcome {
    let registry = Registry::new();
    registry.register(guard("guard", matcher)).unwrap();
    registry.run_pre(Input::pre_tool(tool, "{}").unwrap()).await
}

#[tokio::test]
async fn a_disguised_name_concerns_every_hook_and_is_told() {
    let matchers = [
        Matcher::new("bash").unwrap(),
        Matcher::new("nothing_like_it").unwrap(),
        Matcher::unanchored("^edit$").unwrap(),
        Matcher::names(vec!["edit".to_owned()]),
    ];
    for (name, why) in DISGUISED {
        for matcher in matchers.clone() {
            assert!(matcher.matches(Some(name)), "{name:?}");
            let outcome = ask(matcher, name).await;
            assert_eq!(outcome.verdict, Verdict::Deny, "{name:?}");
            let [warning] = outcome.warnings.as_slice() else { panic!("{name:?}: {outcome:?}") };
            assert_eq!((warning.code, warning.hook.as_str()), (Code::InputName, "tool_name"));
            assert!(warning.message.contains(why), "{name:?}: {}", warning.message);
            assert!(warning.message.is_ascii(), "{}", warning.message);
        }
        assert!(!Matcher::none().matches(Some(name)), "{name:?}");
    }
}

#[tokio::test]
async fn an_honest_name_is_matched_as_it_is() {
    for name in HONEST {
        let other = ask(Matcher::new("other").unwrap(), name).await;
        assert_eq!((other.verdict, other.warnings.len(), other.hooks.len()), (Verdict::Allow, 0, 0), "{name}");
        let own = ask(Matcher::new(&regex::escape(name)).unwrap(), name).await;
        assert_eq!((own.verdict, own.warnings.len()), (Verdict::Deny, 0), "{name}");
    }
}

#[tokio::test]
async fn every_event_of_a_tool_is_meant_and_no_other() {
    let registry = Registry::new();
    registry.register(guard("guard", Matcher::new("bash").unwrap())).unwrap();
    let after = Input::pre_tool("вash", "{}").unwrap().into_post_tool(hookbox::ToolResult::default());
    let outcome = registry.run_post(after).await;
    assert_eq!((outcome.hooks.len(), outcome.warnings[0].code), (1, Code::InputName));
    let mut message = Input::pre_message("hi");
    message.tool_name = Some("вash".to_owned());
    let outcome = registry.run_pre(message).await;
    assert_eq!((outcome.hooks.len(), outcome.warnings.len()), (1, 0), "there is no tool on this event");
}

#[test]
fn a_process_for_one_event_loads_every_hook() {
    let project = Project::new().user(
        "[hooks.guard]\nevents = [\"pre_tool\"]\nmatch = \"bash\"\ncommand = \"sh\"\n\
         args = [\"-c\", \"echo '{\\\"decision\\\":\\\"deny\\\"}'\"]\n",
    );
    let ask = |name: &str| project.ask(&json!({ "event": "pre_tool", "tool_name": name }).to_string());
    for (name, _) in DISGUISED.iter().filter(|(name, _)| !name.contains(char::is_control)) {
        let ran = ask(name);
        assert_eq!((ran.status, &ran.json()["warnings"][0]["code"]), (2, &json!("E607")), "{name:?}: {ran:?}");
    }
    let ran = ask("поиск");
    assert_eq!((ran.status, ran.json()["hooks"].as_array().unwrap().len()), (0, 0), "{ran:?}");
    for name in ["bash\n", "ba\u{9b}sh"] {
        let ran = ask(name);
        assert_eq!(ran.status, 1, "no tool has such a name: {ran:?}");
    }
}

#[test]
fn payloads_of_other_systems_are_no_way_around() {
    let shell = |reason: &str| format!("echo {reason} >&2; exit 2");
    let docker = "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks: [{type: command, command: 'exit 2'}]\n";
    let ok = json!({ "hooks": { "PreToolUse": [{ "match": "shell", "command": shell("no") }] } }).to_string();
    let ub = "hooks:\n  pre_tool_call:\n    - {command: [\"false\"], tools: [shell], on_failure: block}\n";
    type Payload = fn(&str) -> serde_json::Value;
    let rows: [(&str, &str, &str, Payload); 3] = [
        ("docker-agent", "d.yaml", docker, |name| json!({ "hook_event_name": "pre_tool_use", "tool_name": name })),
        ("ok", "o.json", &ok, |name| json!({ "event": "PreToolUse", "toolName": name, "toolArgs": {} })),
        ("ub", "u.yaml", ub, |name| json!({ "event": "pre_tool_call", "tool": { "name": name } })),
    ];
    for (dialect, file, config, payload) in rows {
        let project = Project::new();
        project.write(&format!("project/{file}"), config);
        let ask = |name: &str| {
            let args = ["run", "--dialect", dialect, "--config", file];
            project.run(&args, &payload(name).to_string())
        };
        for name in ["ѕhеll", "shell\u{200b}", " shell"] {
            let ran = ask(name);
            assert_eq!(
                (ran.status, &ran.json()["warnings"][0]["code"]),
                (2, &json!("E607")),
                "{dialect} {name:?}: {ran:?}"
            );
        }
        let ran = ask("other");
        assert_eq!((ran.status, ran.json()["warnings"].as_array().unwrap().len()), (0, 0), "{dialect}: {ran:?}");
        assert_eq!(ask("shell").status, 2, "{dialect}");
    }
}
