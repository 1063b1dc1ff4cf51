//! Cases of hooks with a store or the network, which need neither a server nor earlier calls.

use super::test;
use crate::support::guests;
use crate::support::project::Project;
use crate::support::server::Server;

/// A project with a config of hooks that do what the tool's input says.
fn project(net: &str) -> Project {
    let project = Project::new();
    let path = |name: &str| guests::path(name).display().to_string();
    let config = format!(
        "[hooks.counts]\nevents = [\"pre_tool\"]\ncomponent = \"{}\"\ngrants = {{ store = {{ scope = \"session\" }} }}\n\
         [hooks.shares]\nevents = [\"pre_tool\"]\ncomponent = \"{}\"\ngrants = {{ store = {{ scope = \"shared\" }} }}\n\
         [hooks.asks]\nevents = [\"pre_tool\"]\ncomponent = \"{}\"\ngrants = {{ net = [{net}] }}\n",
        path("powers.wasm"),
        path("powers.wasm"),
        path("requests.wasm"),
    );
    project.write("project/hooks.toml", config);
    project
}

const API: &str = r#"{ url = "https://api.example.com/v1/", methods = ["GET", "POST"], bearer = "env:NO_SUCH_TOKEN" }"#;

#[test]
fn a_case_says_what_the_store_holds_before_and_after() {
    let cases = r#"
[[case]]
input = { do = [["increment", "n", 1], ["get", "who"]] }
store.before = { n = 41, who = "me" }
store.after = { n = 42, who = "me" }
expect = "ask"
reason = '[42,"me"]'

[[case]]
input = { do = [["increment", "n", 1]] }
store.after = { n = "1" }
expect = "ask"

[[case]]
input = { do = [["set", "left", "over"]] }
store = { after = {} }
expect = "ask"
"#;
    for hook in ["counts", "shares"] {
        let ran = test(&project(API), cases, &["--config", "hooks.toml", "--hook", hook]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.stdout.contains("2 passed, 1 failed"), "{ran:?}");
        assert!(ran.stdout.contains(r#"{"left":"over"}"#), "{ran:?}");
    }
}

#[test]
fn a_case_answers_requests_in_place_of_the_network() {
    let cases = r#"
[[case]]
name = "both interfaces"
input = { do = [["fetch", "POST", "https://api.example.com/v1/decide", [], "rm"], ["standard", "GET", "https://api.example.com/v1/x"]] }
expect = "ask"
reason = { contains = '"status":403' }
[case.http]
"POST https://api.example.com/v1/decide" = { status = 403, headers = { x-why = "no" }, body = { allow = false } }
"GET https://api.example.com/v1/x" = { body = "yes" }

[[case]]
name = "no answer is given"
input = { do = [["fetch", "GET", "https://api.example.com/v1/x"]] }
expect = "ask"
reason = { contains = "no answer is given for `GET https://api.example.com/v1/x`" }

[[case]]
name = "not granted"
input = { do = [["fetch", "GET", "https://other.example.com/"]] }
http = { "GET https://other.example.com/" = { body = "yes" } }
expect = "ask"
reason = { contains = "error" }
"#;
    let ran = test(&project(API), cases, &["--config", "hooks.toml", "--hook", "asks"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("3 passed"), "{ran:?}");
}

#[test]
fn live_requests_are_sent() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nreal");
    let url = server.url("/");
    let project = project(&format!("{{ url = \"{url}\", private = true }}"));
    let cases = format!(
        "[[case]]\ninput = {{ do = [[\"fetch\", \"GET\", \"{url}\"]] }}\nexpect = \"ask\"\nreason = {{ contains = \"WHAT\" }}\n\
         http = {{ \"GET {url}\" = {{ body = \"told\" }} }}\n"
    );
    let hook = ["--config", "hooks.toml", "--hook", "asks"];
    let ran = test(&project, &cases.replace("WHAT", "told"), &hook);
    assert_eq!((ran.status, server.accepted()), (0, 0), "{ran:?}");
    let ran = test(&project, &cases.replace("WHAT", "real"), &[&hook[..], &["--live"]].concat());
    assert_eq!((ran.status, server.accepted()), (0, 1), "{ran:?}");
}

#[test]
fn what_a_case_says_wrongly_is_named() {
    for (wrong, message) in [
        ("store = 1", "`store` must be a table"),
        ("store.befor = {}", "did you mean `before`?"),
        ("store.after = { n = true }", "`store.after.n` must be a string or a number, not a boolean"),
        ("http = []", "`http` must be a table"),
        ("http = { \"https://a.example\" = {} }", "is not a method and a URL"),
        ("http = { \"GET https://a.example/\" = { status = 99 } }", "a `status` from 200 to 599"),
        ("http = { \"GET https://a.example/\" = { stat = 200 } }", "did you mean `status`?"),
        ("http = { \"GET no-url\" = {} }", "the answer to `GET no-url`"),
    ] {
        let cases = format!("[[case]]\ninput = {{ do = [] }}\nexpect = \"ask\"\n{wrong}\n");
        let ran = test(&project(API), &cases, &["--config", "hooks.toml", "--hook", "asks"]);
        assert!(ran.status == 2 && ran.stderr.contains(message), "{wrong}: {ran:?}");
    }
}

#[test]
fn a_store_that_is_not_granted_is_a_mismatch() {
    let cases = "[[case]]\ninput = { do = [] }\nexpect = \"ask\"\nstore.after = {}\n";
    let ran = test(&project(API), cases, &["--config", "hooks.toml", "--hook", "asks"]);
    assert!(ran.status == 1 && ran.stdout.contains("the hook is granted no store"), "{ran:?}");
}
