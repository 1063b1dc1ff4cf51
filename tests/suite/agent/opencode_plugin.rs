//! The plugin that `hookbox install opencode` writes, called as OpenCode calls it.

use super::install::install;
use crate::support::project::Project;
use crate::support::skip;
use serde_json::{Value, json};
use std::process::Command;

/// A hook that denies `rm`, and rewrites `ls`.
const GUARD: &str = r#"
[hooks.guard]
events  = ["pre_tool"]
command = "/bin/sh"
args    = ["-c", '''case $(cat) in
*'"command":"rm '*) echo '{"decision":"deny","reason":"rm is not for agents"}';;
*'"command":"ls"'*) echo '{"decision":"modify","modified_tool_input":{"command":"ls -a"}}';;
*) echo '{"decision":"allow"}';;
esac''']
"#;

/// A script that announces a tool call to the plugin, and prints what is left of the arguments, or why the call is
/// stopped.
const DRIVER: &str = r#"
const [plugin, directory, tool, args] = process.argv.slice(2)
const { Hookbox } = await import(plugin)
const hooks = await Hookbox({ directory })
const output = { args: JSON.parse(args) }
const input = { tool, sessionID: "s1", callID: "c1" }
const ended = await hooks["tool.execute.before"](input, output).then(() => output.args, (error) => error.message)
console.log(JSON.stringify(ended))
"#;

/// Returns what becomes of a tool call: its arguments, or the reason why it does not run. Returns `None` without
/// Node.js.
fn announced(tool: &str, args: &Value) -> Option<Value> {
    let project = Project::new().user(GUARD);
    install(&project, "opencode");
    // The plugin is loaded as a module, whatever this version of Node.js takes a `.js` file for.
    let written = std::fs::read(project.home().join(".config/opencode/plugins/hookbox.js")).unwrap();
    let plugin = project.write("home/plugin.mjs", written);
    let driver = project.write("home/driver.mjs", DRIVER);
    let mut node = Command::new("node");
    let node = node.arg(driver).arg(plugin).arg(project.dir()).arg(tool).arg(args.to_string());
    match node.output() {
        Ok(ran) => {
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            Some(serde_json::from_slice(&ran.stdout).unwrap())
        }
        Err(error) => {
            skip(&format!("`node` cannot be started: {error}"));
            None
        }
    }
}

#[test]
fn each_call_of_a_batch_is_judged() {
    let batch = |second: &str| {
        let call = |command: &str| json!({"tool": "bash", "parameters": {"command": command}});
        json!({"tool_calls": [call("ls"), call(second)]})
    };
    let Some(stopped) = announced("batch", &batch("rm -rf src")) else { return };
    assert!(stopped.as_str().unwrap().contains("rm is not for agents"), "{stopped}");
    let left = announced("batch", &batch("cat README.md")).unwrap();
    let commands = left["tool_calls"].as_array().unwrap().iter().map(|call| &call["parameters"]["command"]);
    assert_eq!(commands.collect::<Vec<_>>(), ["ls -a", "cat README.md"]);
}

#[test]
fn a_single_call_is_judged() {
    let Some(stopped) = announced("bash", &json!({"command": "rm x"})) else { return };
    assert!(stopped.as_str().unwrap().contains("rm is not for agents"), "{stopped}");
    assert_eq!(announced("bash", &json!({"command": "ls"})).unwrap(), json!({"command": "ls -a"}));
}
