//! Components of hooks in Python import the powers that their modules import, and no others.

use super::languages::{hookbox, hookbox_reads};
use crate::support::guests::is_built;
use crate::support::project::Project;
use crate::support::server::{Server, read_request};
use hookbox_componentize::{Power, python_powers};
use serde_json::Value;
use std::fs;
use std::io::Write;

/// Returns the powers of a hook with these modules, by the first interface of each.
fn powers(modules: &[(&str, &str)]) -> Vec<&'static str> {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in modules {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let first = |power: &Power<'static>| power.interfaces[0];
    python_powers(dir.path()).unwrap().iter().map(first).collect()
}

#[test]
fn powers_are_found_in_all_modules_that_the_hook_imports() {
    const LOG: &str = "hookbox:log/logging@0.1.0";
    const STORE: &str = "hookbox:store/store@0.1.0";
    const HTTP: &str = "hookbox:http/fetch@0.1.0";
    assert_eq!(powers(&[("hook.py", "import hookbox\n# from hookbox import store\n")]), [""; 0]);
    assert_eq!(powers(&[("hook.py", "from hookbox import http, log")]), [LOG, HTTP]);
    let other = ("other.py", "import hookbox.store");
    assert_eq!(powers(&[("hook.py", "import hookbox"), other]), [""; 0], "it is not part of the hook");
    assert_eq!(powers(&[("hook.py", "import other"), other]), [STORE]);
    let package = [
        ("rules/__init__.py", "from . import first"),
        ("rules/first.py", "from .deep.second import x\nimport hook"),
        ("rules/deep/__init__.py", ""),
        ("rules/deep/second.py", "from ..third import y"),
        ("rules/third.py", "from hookbox import log"),
        ("rules/unused.py", "from hookbox import http"),
    ];
    assert_eq!(powers(&[&[("hook.py", "import rules")], &package[..]].concat()), [LOG]);
    assert_eq!(powers(&[&[("hook.py", "from rules import unused")], &package[..]].concat()), [LOG, HTTP]);
}

const HOOK: &str = r#"
import hookbox
from hookbox import log
import service

@hookbox.hook
def judge(input):
    command = input.text("command")
    log.info(f"asked about {command}")
    answer = service.ask(input.settings["url"], command)
    return hookbox.allow() if answer == "yes" else hookbox.deny(f"the service says {answer}")
"#;

const SERVICE: &str = r#"
from hookbox import http

def ask(url, command):
    response = http.fetch(url, method="POST", body=command, headers={"x-asks": "hookbox"})
    if response.status != 200:
        raise ValueError(f"status {response.status}")
    return response.text()
"#;

#[test]
fn a_hook_asks_a_service_that_it_is_granted() {
    if !is_built("same_rule_python.wasm") {
        return;
    }
    let server = Server::new(|stream| {
        while let Some(request) = read_request(stream) {
            let request = String::from_utf8(request).unwrap();
            let (status, body) = match request.rsplit("\r\n\r\n").next() {
                Some("make") if request.contains("x-asks: hookbox") => ("200 OK", "yes"),
                Some("break") => ("500 Internal Server Error", "no"),
                _ => ("200 OK", "no"),
            };
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    let url = server.url("/v1/ask");
    let entry = format!(
        "[hooks.asks]\nevents = [\"pre_tool\"]\ncomponent = \"asks/asks.wasm\"\ntimeout = \"20s\"\nsettings = {{ url = {url:?} }}\n"
    );
    let grants = format!("[hooks.asks.grants]\nnet = [{{ url = {url:?}, methods = [\"POST\"], private = true }}]\n");
    let project = Project::new();
    project.write("project/asks/hook.py", HOOK);
    project.write("project/asks/service.py", SERVICE);
    let built = hookbox(&project, &["build", "asks"]);
    assert_eq!(built.status, 0, "{built:?}");
    assert!(built.stdout.contains("hookbox:log/logging@0.1.0, hookbox:http/fetch@0.1.0\n"), "{built:?}");
    let config = project.write("project/hooks.toml", format!("{entry}{grants}"));
    let config = config.display().to_string();
    let checked = hookbox(&project, &["check", "--config", &config]);
    assert_eq!(checked.status, 0, "{checked:?}");
    let ask = |command: &str| {
        let outcome: Value = hookbox_reads(&project, &["run", "--config", &config], &bash(command)).json();
        (outcome["decision"].as_str().unwrap().to_owned(), outcome["reason"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(ask("make"), ("allow".to_owned(), String::new()));
    assert_eq!(ask("deploy"), ("deny".to_owned(), "the service says no".to_owned()));
    let (decision, reason) = ask("break");
    assert!(decision == "deny" && reason.contains("E108") && reason.contains("status 500 at service.py:7"), "{reason}");
    // Without the grant, no request is sent, and the hook cannot run.
    project.write("project/hooks.toml", entry);
    let (decision, reason) = ask("make");
    assert!(decision == "deny" && reason.contains("grants.net"), "{reason}");
}

fn bash(command: &str) -> String {
    format!(r#"{{"event":"pre_tool","tool_name":"bash","tool_input":{{"command":"{command}"}}}}"#)
}
