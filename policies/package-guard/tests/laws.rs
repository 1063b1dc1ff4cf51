//! A law: the text around a command never weakens its verdict.

use hookbox_sdk::{Decision, Error, Input, Tool, ToolKind, json, shell};
use package_guard::{Settings, judge};
use proptest::prelude::*;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn facts(line: &str) -> Result<Tool> {
    let request = json!({ "text": line, "home": "/home/me", "cwd": "/home/me/app" });
    let answer: serde_json::Value = serde_json::from_str(&shell::facts::answer(&request.to_string())?)?;
    let mut tool = serde_json::to_value(Tool::new(ToolKind::Shell))?;
    for key in ["commands", "complete", "unknown"] {
        if let (Some(value), Some(tool)) = (answer.get(key), tool.as_object_mut()) {
            tool.insert(key.to_owned(), value.clone());
        }
    }
    let mut tool: Tool = serde_json::from_value(tool)?;
    tool.command = Some(line.to_owned());
    tool.cwd = Some("/home/me/app".to_owned());
    Ok(tool)
}

fn decision(line: &str) -> Result<u8> {
    let input = Input::pre_tool("bash", json!({ "command": line })).with_facts(&facts(line)?);
    let action = judge(&input.with_settings(Settings::default())).map_err(|error: Error| error.to_string())?;
    Ok(match action.decision {
        Decision::Allow | Decision::Modify => 0,
        Decision::Ask => 1,
        Decision::Deny => 2,
    })
}

/// Returns the commands of the cases that have no settings.
fn lines() -> Result<Vec<String>> {
    let cases: toml::Table = include_str!("../cases.toml").parse()?;
    let cases = cases.get("case").and_then(toml::Value::as_array).ok_or("no cases")?;
    let plain = cases.iter().filter(|case| case.get("settings").is_none());
    let lines = plain.filter_map(|case| case.get("input")?.get("command")?.as_str());
    Ok(lines.map(str::to_owned).collect())
}

#[test]
fn the_facts_are_used() -> Result {
    assert!(lines()?.len() > 250);
    assert_eq!((decision("ls -la")?, decision("npm i -g left-pad")?), (0, 2));
    Ok(())
}

#[test]
fn surroundings_never_weaken() -> Result {
    for line in lines()? {
        let plain = decision(&line)?;
        let mut around = vec![format!("true; {line}"), format!("cd /tmp && ls; {line}")];
        if !line.contains('\n') && !line.ends_with('&') {
            around.extend([format!("( {line} )"), format!("{line}; true"), format!("{{ {line}; }}")]);
            if !line.contains(['\'', '\\', '$', '`']) {
                around.push(format!("bash -c '{line}'"));
                around.push(format!("sudo sh -c '{line}'"));
            }
        }
        let is_simple = line.starts_with(|c: char| c.is_ascii_lowercase())
            && !line.contains(['|', ';', '&', '\n', '(', '=', '<', '>', '{', '\'', '"', '$', '`', '\\'])
            && !["if ", "for ", "while ", "until ", "alias ", "export ", "source ", "eval ", "exec "]
                .iter()
                .any(|word| line.starts_with(word));
        if is_simple {
            around.extend(
                ["sudo", "env X=1", "command", "nohup", "timeout 5", "nice"].map(|with| format!("{with} {line}")),
            );
        }
        for text in around {
            assert!(decision(&text)? >= plain, "`{text}` is weaker than `{line}`");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_judged(line in ".{0,200}") {
        prop_assert!(facts(&line).and_then(|_| decision(&line)).is_ok());
    }

    #[test]
    fn any_words_are_judged(words in prop::collection::vec("npm|pip|cargo|npx|go|i|install|add|-e|-r|-[a-zA-Z]|--[a-z]{2,6}|https?://[a-z.@:\\[\\]%]{0,9}|[a-z:.@/=]{1,9}|\\$\\(|\\)|\\||sh|\\$X|[\"']", 0..12)) {
        let line = words.join(" ");
        prop_assert!(decision(&line).is_ok(), "{}", line);
    }
}
