//! Cases of hooks with a store or the network, which need neither a server nor earlier calls.

use super::test;
use crate::support::guests;
use crate::support::project::Project;
use crate::support::server::Server;

/// Creates a project with a config of hooks that do what the tool's input says.
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
fn live_answers_are_recorded() {
    let server = Server::answering(
        "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nSet-Cookie: id=1\r\nContent-Length: 15\r\n\r\n\
         {\"allow\":false}",
    );
    let url = server.url("/");
    let project = project(&format!("{{ url = \"{url}\", private = true }}"));
    let hook = ["--config", "hooks.toml", "--hook", "asks"];
    let live = [&hook[..], &["--live", "--update"]].concat();
    let read = || std::fs::read_to_string(project.dir().join("cases.toml")).unwrap().replace(&url, "URL/");
    for kind in ["fetch", "standard"] {
        let cases = format!(
            "[[case]]\ninput = {{ do = [[\"{kind}\", \"GET\", \"{url}\"]] }}\nexpect = \"ask\"\n\n[case.http] # Why.\n\
             \"POST {url}\" = {{ body = \"kept\" }}\n\"GET {url}\" = {{ body = \"old\" }} # This one.\n"
        );
        let ran = test(&project, &cases, &live);
        assert!(ran.status == 0 && ran.stdout.contains("updated case 1: http"), "{ran:?}");
        let recorded = read();
        let kept = r#"
[case.http] # Why.
"POST URL/" = { body = "kept" }
"GET URL/" = { status = 403, headers = { content-type = "application/json" }, body = { allow = false } } # This one.
"#;
        assert!(recorded.ends_with(kept), "{recorded}");
        // A second time there is nothing new, and a test needs no server.
        let asked = server.accepted();
        let recorded = recorded.replace("URL/", &url);
        let ran = test(&project, &recorded, &live);
        assert!(ran.stdout.contains("1 passed") && server.accepted() > asked, "{ran:?}");
        let asked = server.accepted();
        let told = format!("{recorded}\n[case.reason]\ncontains = '\"status\":403'\n");
        let ran = test(&project, &told, &hook);
        assert_eq!((ran.status, server.accepted()), (0, asked), "{ran:?}");
    }
    let lines = format!(
        "{{\"input\":{{\"do\":[[\"fetch\",\"GET\",\"{url}\"]]}},\"expect\":\"ask\",\"http\":{{\"POST {url}\":{{}}}}}}\n"
    );
    project.write("project/cases.jsonl", lines);
    let ran = project.run(&[&["test"], &live[..], &["--cases", "cases.jsonl"]].concat(), "");
    assert!(ran.status == 0 && ran.stdout.contains("updated"), "{ran:?}");
    let recorded = std::fs::read_to_string(project.dir().join("cases.jsonl")).unwrap();
    let wanted = r#""http":{"POST URL/":{},"GET URL/":{"status":403,"#.replace("URL/", &url);
    assert!(recorded.contains(&wanted), "{recorded}");
}

#[test]
fn an_update_does_not_hide_what_a_store_holds() {
    let cases = "[[case]]\ninput = { do = [[\"set\", \"a\", \"b\"]] }\nstore.after = {}\nexpect = \"deny\"\n";
    let ran = test(&project(API), cases, &["--config", "hooks.toml", "--hook", "counts", "--update"]);
    assert!(ran.status == 1 && ran.stdout.contains("not updated: `store.after`"), "{ran:?}");
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
