//! The network grant in a config: what is read, refused and listed.

use crate::support::guests;
use crate::support::project::Project;
use crate::support::server::Server;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

const HELLO: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

fn config(net: &str) -> String {
    let component = guests::path("requests.wasm").display().to_string();
    format!(
        "[hooks.asks]\nevents = [\"pre_tool\"]\ncomponent = \"{component}\"\n[hooks.asks.grants]\nnet = [\n{net}\n]\n"
    )
}

fn ask(project: &Project, url: &str) -> serde_json::Value {
    let input = json!({
        "event": "pre_tool", "session_id": "s1", "pwd": project.dir(), "tool_name": "bash",
        "tool_input": { "do": [["fetch", "GET", url]] },
    });
    project.ask(&input.to_string()).json()
}

#[test]
fn a_component_asks_a_service_with_a_secret_from_a_file() {
    let server = Server::echo();
    let url = server.url("/v1/");
    let project =
        Project::new().user(&config(&format!(r#"{{ url = "{url}", bearer = "file:token", private = true }}"#)));
    let token = project.home().join(".agents/token");
    fs::write(&token, "s3cr3t\n").unwrap();
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    let answer = ask(&project, &format!("{url}x"));
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("GET /v1/x HTTP/1.1") && reason.contains("Bearer s3cr3t"), "{answer}");
    // A token that others can read is not used.
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
    let answer = ask(&project, &url);
    assert_eq!(answer["decision"], "deny", "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("chmod 600"), "{answer}");
    let accepted = server.accepted();
    assert_eq!(accepted, 1);
}

#[test]
fn the_grant_is_listed_without_secrets() {
    let project = Project::new().user(&config(
        r#"{ url = "https://*.example.com/v1/", methods = ["GET", "POST"], bearer = "env:HOME", header = { x-key = "env:HOME" } },
           { url = "http://127.0.0.1:8080/", private = true }"#,
    ));
    let shown = project.hookbox("show", &["asks"]);
    for text in [
        "may send GET, POST requests to `https://*.example.com/v1/`, with `authorization` from `env:HOME`, with `x-key` from",
        "may send GET requests to `http://127.0.0.1:8080/`, also on this machine and in private networks",
    ] {
        assert!(shown.stdout.contains(text), "{shown:?}");
    }
    let checked = project.hookbox("check", &[]);
    assert_eq!(checked.status, 0, "{checked:?}");
    let component = guests::path("requests.wasm").display().to_string();
    let report = project.run(&["inspect", &component, "--format", "json"], "").json();
    assert_eq!(report["grants"], json!(["net"]));
}

#[test]
fn a_wrong_grant_is_named() {
    for (wrong, message) in [
        ("{}", "a network grant needs a `url`"),
        ("{ url = \"api.example.com\" }", "`url` must begin with `https://`"),
        ("{ url = \"https://api.example.com/?x=1\" }", "`url` has a query"),
        ("{ url = \"https://me@api.example.com/\" }", "use `bearer` or `header`"),
        ("{ url = \"https://*/\" }", "`*` is allowed only as `*.`"),
        ("{ url = \"https://169.254.169.254/\", private = true }", "169.254.169.254"),
        ("{ url = \"https://10.0.0.1/\" }", "private"),
        ("{ url = \"https://api.example.com/\", methods = [] }", "`grants.net.methods` is empty"),
        ("{ url = \"https://api.example.com/\", methods = [\"CONNECT\"] }", "`CONNECT`"),
        ("{ url = \"https://api.example.com/\", bearer = \"s3cr3t\" }", "write `env:NAME` or `file:PATH`"),
        ("{ url = \"https://api.example.com/\", bearer = \"file:~/token\" }", "which is not expanded"),
        ("{ url = \"https://api.example.com/\", header = { host = \"env:X\" } }", "`host` cannot be added"),
        ("{ url = \"http://api.example.com/\", bearer = \"env:X\" }", "must not be sent over plain `http`"),
        ("{ url = \"http://api.example.com/\", ca = \"ca.pem\" }", "`ca` is for `https` alone"),
        ("{ url = \"https://a.example.com/\" }, { url = \"https://a.example.com/v1/\" }", "never used"),
        ("{ url = \"https://a.example.com/\", method = [\"GET\"] }", "did you mean `methods`?"),
        (
            "{ url = \"https://a.example.com/\", bearer = \"env:NO_SUCH_VARIABLE\" }",
            "`env:NO_SUCH_VARIABLE` is not set",
        ),
        ("{ url = \"https://a.example.com/\", ca = \"no-such.pem\" }", "no-such.pem"),
    ] {
        let project = Project::new().user(&config(wrong));
        let checked = project.hookbox("check", &[]);
        assert!(checked.status == 1 && checked.stderr.contains(message), "{wrong}: {checked:?}");
        let answer = ask(&project, "https://a.example.com/");
        assert_eq!(answer["decision"], "deny", "{wrong}: {answer}");
        assert!(!answer.to_string().contains("s3cr3t"), "{wrong}: {answer}");
    }
}

#[test]
fn an_untrusted_project_reaches_no_network() {
    let server = Server::answering(HELLO);
    let url = server.url("/");
    let project = Project::new();
    project.write("project/.agents/requests.wasm", fs::read(guests::path("requests.wasm")).unwrap());
    let net = config(&format!(r#"{{ url = "{url}", private = true }}"#));
    let component = guests::path("requests.wasm").display().to_string();
    let project = project.project(&net.replace(&component, "requests.wasm"));
    ask(&project, &url);
    assert_eq!(server.accepted(), 0);
}

#[test]
fn a_trusted_project_names_no_files_of_its_own() {
    let project = Project::new();
    let component = guests::path("requests.wasm").display().to_string();
    project.write("project/.agents/requests.wasm", fs::read(&component).unwrap());
    project.write("project/ca.pem", "");
    symlink(project.dir(), project.home().join("link")).unwrap();
    let paths =
        [project.dir().join("ca.pem"), project.home().join("../project/ca.pem"), project.home().join("link/ca.pem")];
    let mut project = project;
    for ca in paths.map(|path| path.display().to_string()).into_iter().chain(["ca.pem".to_owned()]) {
        let net = config(&format!("{{ url = \"https://api.example.com/\", ca = \"{ca}\" }}"));
        project = project.project(&net.replace(&component, "requests.wasm"));
        let trusted = project.hookbox("trust", &[]);
        let message = format!("`{ca}` is a file of the project");
        assert!(trusted.status == 1 && trusted.stderr.contains(&message), "{trusted:?}");
    }
}
