//! The hooks that answer. Even under load, they do not reach their time limit. Their answers repeat the call's own
//! text, so that an answer delivered to the wrong call is noticed.

use crate::component::Guest;
use crate::expect::{Expected, Kind, Scenario, tool_input};
use crate::hostile::shell;
use hookbox::runtime::component::{ComponentFile, ComponentHook, Grants, Limits, Prepared, Sandbox};
use hookbox::{Action, Event, Hook, HookInfo, Input, Json, NativeHook};
use std::path::Path;
use std::time::Duration;

/// A time limit far longer than any of these hooks needs on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn info(name: &str, timeout: Duration) -> HookInfo {
    let mut info = HookInfo::new(name, [Event::PreTool]);
    info.timeout = Some(timeout);
    info
}

pub(crate) fn scenarios(sandbox: &Sandbox) -> Vec<Scenario> {
    let judge = sandbox.prepare(&judge().build(), None, Grants::default(), Limits::default()).unwrap();
    let hook = |prepared: &Prepared| -> Box<dyn Hook> {
        Box::new(ComponentHook::new(info("good", PATIENCE), prepared.clone(), None))
    };
    let example = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/guests").join(file);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        hook(&sandbox.prepare(&bytes, None, Grants::default(), Limits::default()).unwrap())
    };
    let script = ComponentFile::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/soak/judge.js")).unwrap();
    let script = sandbox.prepare_script(&script, None, Grants::default(), Limits::default()).unwrap();
    let judged = |name| Scenario::new(name, Kind::Good, [hook(&judge)], token, judgement);
    vec![
        judged("component"),
        Scenario::new("component, then native", Kind::Good, [hook(&judge), native("adm")], token, judgement),
        judged("component, again"),
        // The native hook changes a command that the component has allowed into one that it denies, so the component
        // must be asked again.
        Scenario::new("component, rewritten behind it", Kind::Good, [hook(&judge), native("d")], allowed, |command| {
            let rewritten = command.replacen('a', "d", 1);
            Expected::deny(&rewritten, format!("no {rewritten}"))
        }),
        Scenario::new(
            "example hook, pure",
            Kind::Good,
            [example("no_destructive_commands.wasm")],
            command,
            command_judgement,
        ),
        Scenario::new("native", Kind::Good, [native("adm")], token, Expected::allow),
        Scenario::new(
            "example hook, stock wasm32-wasip2",
            Kind::Good,
            [example("no_destructive_commands.wasip2.wasm")],
            command,
            command_judgement,
        ),
        Scenario::new("script", Kind::Good, [hook(&script)], token, judgement),
        Scenario::new("shell", Kind::Process, [shell(SCRIPT, PATIENCE)], token, judgement),
    ]
}

/// Makes a unique text for each call. The first letter determines the expected result.
fn token(number: u64) -> String {
    let letter = ['a', 'd', 'm'][usize::try_from(number % 3).unwrap()];
    format!("{letter}{number:015}")
}

fn allowed(number: u64) -> String {
    format!("a{number:015}")
}

fn judgement(command: &str) -> Expected {
    match command.chars().next() {
        Some('d') => Expected::deny(command, format!("no {command}")),
        Some('m') => Expected::allow(command).rewritten(format!(r#"{{"command":"{command}","seen":true}}"#)),
        _ => Expected::allow(command).with_context(command),
    }
}

/// A script that judges a call by the first letter of its command.
const SCRIPT: &str = r#"read -r line; line=${line#*'"command":"'}; line=${line%%'"'*}
case $line in
    d*) echo "{\"decision\":\"deny\",\"reason\":\"no $line\"}" ;;
    m*) echo "{\"decision\":\"modify\",\"modified_tool_input\":{\"command\":\"$line\",\"seen\":true}}" ;;
    *) echo "{\"decision\":\"allow\",\"additional_context\":\"$line\"}" ;;
esac"#;

/// Makes a component that does the same as [`SCRIPT`]. It reads the command at the offset at which every Input of this
/// program has it.
fn judge() -> Guest {
    const TOKEN: &str = "a000000000000000";
    let sample = Input::pre_tool("bash", &tool_input(TOKEN)).unwrap().to_hook_json(None);
    let command = sample.find(TOKEN).unwrap();
    let answers = [
        format!(r#"{{"decision":"deny","reason":"no {TOKEN}"}}"#),
        format!(r#"{{"decision":"modify","modified_tool_input":{{"command":"{TOKEN}","seen":true}}}}"#),
        format!(r#"{{"decision":"allow","additional_context":"{TOKEN}"}}"#),
    ];
    let mut items = String::from(
        "(func $give (param $command i32) (param $at i32) (param $hole i32) (param $length i32) (result i32)
          (memory.copy (i32.add (local.get $at) (local.get $hole)) (local.get $command) (i32.const 16))
          (i32.store8 (i32.const 0) (i32.const 0))
          (i32.store (i32.const 4) (local.get $at))
          (i32.store (i32.const 8) (local.get $length))
          (i32.const 0))",
    );
    let mut gives = Vec::new();
    for (answer, at) in answers.iter().zip([1024, 2048, 3072]) {
        items.push_str(&format!("(data (i32.const {at}) \"{}\")", answer.replace('"', "\\22")));
        let hole = answer.find(TOKEN).unwrap();
        gives.push(format!(
            "(return (call $give (local.get $command) (i32.const {at}) (i32.const {hole}) (i32.const {})))",
            answer.len()
        ));
    }
    Guest::running(&format!(
        "(local $command i32)
        (local.set $command (i32.add (local.get $input) (i32.const {command})))
        (if (i32.eq (i32.load8_u (local.get $command)) (i32.const {})) (then {}))
        (if (i32.eq (i32.load8_u (local.get $command)) (i32.const {})) (then {}))
        {}",
        u32::from('d'),
        gives[0],
        u32::from('m'),
        gives[1],
        gives[2]
    ))
    .with_items(&items)
}

/// Makes a hook that makes the command begin with one of these letters.
fn native(letters: &'static str) -> Box<dyn Hook> {
    Box::new(NativeHook::with_info(info("native", PATIENCE), move |input: &Input| {
        let Some(Ok(before)) = input.tool_input.as_ref().map(Json::to::<serde_json::Value>) else {
            return Ok(Action::deny("no tool input"));
        };
        let command = before["command"].as_str().unwrap_or_default();
        if command.starts_with(|letter| letters.contains(letter)) {
            return Ok(Action::allow());
        }
        let rewritten = format!("{letters}{}", &command[1..]);
        Ok(Action::modify_tool_input(Json::parse(&tool_input(&rewritten)).unwrap()))
    }))
}

/// Makes a command that the example hook allows, denies or changes.
fn command(number: u64) -> String {
    match number % 3 {
        0 => format!("ls {number}"),
        1 => format!("git push --force origin main topic-{number}"),
        _ => format!("git push --force origin topic-{number}"),
    }
}

fn command_judgement(command: &str) -> Expected {
    let gentle = command.replace("--force", "--force-with-lease");
    if command.starts_with("ls") {
        Expected::allow(command)
    } else if command.contains(" main ") {
        let reason = format!(
            "`{command}` would overwrite the protected branch main; push without force, or push to a branch of your own"
        );
        Expected::deny(command, reason)
    } else {
        Expected::allow(command).rewritten(tool_input(&gentle))
    }
}
