//! The texts of an unknown tool that may be paths, and the limits of what is looked at.

use super::{facts, input_of, paths};
use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Tool, ToolKind};
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

/// Returns the possible paths of a call in `/w`.
fn possible(tool: &str, input: &Value) -> Vec<String> {
    let found = facts(tool, input);
    found.paths.into_iter().filter(|path| !path.certain).map(|path| path.path).collect()
}

fn has(tool: &Tool, path: &str, certain: bool) -> bool {
    tool.paths.iter().any(|found| found.path == path && found.certain == certain)
}

#[test]
fn every_key_of_an_unknown_tool_may_hold_a_path() {
    for key in [
        "dest_path",
        "to_path",
        "save_to",
        "local_path",
        "file_uri",
        "out_file",
        "output",
        "db_path",
        "config_path",
        "log_file",
        "link_path",
        "new_name",
        "x",
        "Привет",
        "url",
        "text",
        "body",
        "title",
        "args",
        "query",
    ] {
        for tool in ["mcp__box__do", "mystery", "MCP:do"] {
            let found = facts(tool, &json!({ key: "/srv/.env" }));
            assert!(has(&found, "/srv/.env", false), "{tool} {key}: {:?}", found.paths);
            assert!(!found.complete);
        }
    }
    assert!(has(&facts("mcp__box__do", &json!({"path": "/srv/.env"})), "/srv/.env", true), "a known key is certain");
    let other: Vec<String> = possible("mcp__box__do", &json!({"path": "/srv/.env"}));
    assert!(other.is_empty(), "and its value is not listed twice: {other:?}");
}

#[test]
fn paths_that_are_keys_items_or_in_json_in_a_string() {
    let expected = "/srv/.env";
    for input in [
        json!({"files": {"/srv/.env": "x"}}),
        json!({"files": {"/srv/.env": null}}),
        json!({"files": {"/srv/.env": {}}}),
        json!({"/srv/.env": 1}),
        json!({"a": [{"b": [["/srv/.env"]]}]}),
        json!(["/srv/.env"]),
        json!("/srv/.env"),
        json!({"params": r#"{"x":"/srv/.env"}"#}),
        json!({"params": r#"{"x":"{\"y\":[\"/srv/.env\"]}"}"#}),
        json!({"params": r#"{"/srv/.env":1,"/srv/.env":2}"#}),
        json!({"params": r#"["/srv/.env"]"#}),
        json!({"params": r#""/srv/.env""#}),
        json!({"params": "{'x': '/srv/.env'}"}),
        json!({"params": "{x: /srv/.env, // y\n}"}),
        json!(r#"{"x":"/srv/.env"}"#),
        json!({"path": r#"["/srv/.env"]"#}),
        json!({"x": "a.txt,/srv/.env"}),
        json!({"x": "a.txt\n/srv/.env\n"}),
        json!({"x": "--file=/srv/.env"}),
        json!({"x": "@/srv/.env"}),
        json!({"x": "file=@/srv/.env"}),
        json!({"x": "/srv/.env:/data:ro"}),
        json!({"x": "'/srv/.env'"}),
        json!({"x": " /srv/.env\n"}),
        json!({"x": "/srv/.env\u{0}.png"}),
        json!({"x": "/srv/a b/../.env"}),
        json!({"x": format!("/srv/{}.env", "a/../".repeat(2000))}),
        json!({"x": "file:///srv/%2eenv"}),
        json!({"x": "file:/srv/%2eenv"}),
        json!({"x": "FILE://localhost/srv/.env?x#y"}),
        json!({"x": "https://a/../../../srv/.env"}),
        json!({"x": "--out /srv/.env"}),
        json!({"x": "-o /srv/.env --quiet"}),
        json!({"x": "-o/srv/.env"}),
        json!({"x": "-F file=@/srv/.env"}),
        json!({"x": "--file=\"/srv/.env\""}),
        json!({"x": "key='/srv/.env'"}),
        json!({"x": "key=@\"/srv/.env\""}),
        json!({"x": "path: /srv/.env"}),
        json!({"x": "path: \"/srv/.env\""}),
        json!({"x": "path:/srv/.env"}),
        json!({"x": "paths:\n  - a.txt\n  - /srv/.env\n"}),
        json!({"x": "---\n# files\n- path: /srv/.env\n  why: they asked for it\n"}),
        json!({"x": "[files]\nsource = \"/srv/.env\"\n"}),
        json!({"x": "\"path\": \"/srv/.env\","}),
        json!({"x": "(/srv/.env)"}),
        json!({"x": "open(\"/srv/.env\")"}),
        json!({"x": "[env](/srv/.env)"}),
        json!({"x": "<path>/srv/.env</path>"}),
        json!({"x": "<file path=\"/srv/.env\" mode=\"w\"/>"}),
        json!({"x": "src/a.rs -> /srv/.env"}),
        json!({"x": "src/a.rs /srv/.env"}),
        json!({"x": "\"src/a.rs\",\"/srv/.env\""}),
        json!({"x": "/srv/%2Eenv"}),
        json!({"x": "/srv/{.env,x}"}),
        json!({"x": "/srv/[.]env"}),
        json!({"x": "/srv/.e@(n)v"}),
        json!({"x": "/srv/.e\\nv"}),
        json!({"x": "\u{feff}/srv/.env"}),
    ] {
        let found = facts("mcp__box__do", &input);
        assert!(has(&found, expected, false), "{input}: {:?}", paths(&found));
    }
}

#[test]
fn two_texts_may_be_a_path_together() {
    let dir = TempDir::new().unwrap();
    let root = dir.path().to_str().unwrap();
    let whole = format!("{root}/gh/hosts.yml");
    let input = json!({"root": root, "leaf": "gh/hosts.yml", "note": "of the login", "mode": "fast"});
    let found = possible("mcp__box__do", &input);
    assert!(found.contains(&whole), "{found:?}");
    assert!(!found.contains(&format!("{root}/fast")), "{found:?}");
    // `/nowhere` is not a directory, so it has no files.
    let found = possible("mcp__box__do", &json!({"root": "/nowhere", "leaf": "gh/hosts.yml"}));
    assert!(!found.contains(&"/nowhere/gh/hosts.yml".to_owned()), "{found:?}");
}

#[test]
fn what_is_no_path() {
    for input in [
        json!({"x": "https://example.com/srv/.env"}),
        json!({"x": "Please read the file /srv/.env"}),
        json!({"x": "see docs/a and\nrun /srv/.env"}),
        json!({"x": "- fix the path of /srv/.env\n- add tests"}),
        json!({"x": "Note: it is in /srv/.env"}),
        json!({"exclude": ["/srv/.env"], "excludePatterns": "/srv/.env", "ignore_patterns": ["/srv/.env"]}),
        json!({"options": "{\"ignore\": [\"/srv/.env\"]}"}),
        json!({"x": "---\ntitle: Notes\n---\nIt is in /srv/.env now."}),
        json!({"x": "<p>See <code>/srv/.env</code> for more.</p>"}),
        json!({"x": "postgres://u@h/.env"}),
        json!({"x": 7, "y": true, "z": null}),
        json!({"command": "cat /srv/.env"}),
    ] {
        let found = possible("mcp__box__do", &input);
        assert!(!found.iter().any(|path| path.contains("env")), "{input}: {found:?}");
    }
    for (tool, input) in [
        ("Write", json!({"file_path": "a", "content": "/srv/.env", "x": "/srv/.env"})),
        ("Bash", json!({"command": "ls", "description": "/srv/.env"})),
        ("TodoWrite", json!({"x": "/srv/.env"})),
    ] {
        assert!(facts(tool, &input).paths.iter().all(|path| path.certain), "{tool} is known");
    }
    let content = r#"{"exclude":["/srv/.env"]}"#;
    let written = facts("mcp__files__write_file", &json!({"path": "a.json", "content": content}));
    assert!(!has(&written, "/srv/.env", false), "what is written is no argument");
}

#[test]
fn a_tool_that_runs_a_command_may_have_paths_beside_it() {
    let found = facts("a_new_tool", &json!({"command": "ls", "log_file": "/srv/.env"}));
    assert_eq!(found.kind, ToolKind::Shell);
    assert!(has(&found, "/srv/.env", false), "{:?}", found.paths);
    let words = facts("mcp__box__run", &json!({"args": ["/srv/.env"]}));
    assert!(has(&words, "/srv/.env", false), "words without a command");
}

#[test]
fn an_object_where_a_known_tool_takes_a_text_may_hold_paths() {
    for tool in ["Grep", "Read", "search_file_content"] {
        for input in [
            json!({"pattern": "x", "path": {"a": "/srv/.env"}}),
            json!({"pattern": "x", "glob": {"/srv/.env": true}}),
            json!({"pattern": "x", "include": [{"name": "/srv/.env"}]}),
        ] {
            let found = facts(tool, &input);
            assert!(has(&found, "/srv/.env", false), "{tool} {input}: {:?}", found.paths);
        }
    }
}

#[test]
fn a_tool_that_the_user_describes_has_no_possible_paths() {
    let mut tools = Tools::default();
    tools.add(
        "any",
        "render",
        hookbox::facts::Spec::new(ToolKind::Write).with_key("target", hookbox::facts::Role::Text),
    );
    let found =
        Facts::new(Scene::new("/w"), tools).find(&input_of(None, "render", &json!({"x": "/srv/.env"}))).unwrap();
    assert!(found.paths.is_empty(), "{:?}", found.paths);
}

/// A scheme is letters at the beginning, and only a known scheme makes a text an address.
#[test]
fn a_colon_and_two_slashes_hide_no_path() {
    for (text, path) in [
        ("/srv/a://../.env", "/srv/.env"),
        ("a://../../../srv/.env", "/srv/.env"),
        ("x/y://../../../srv/.env", "/srv/.env"),
        ("://../../srv/.env", "/srv/.env"),
        ("https://../../../srv/.env", "/srv/.env"),
        ("note://x", "/w/note:/x"),
        (" file:///srv/.env", "/srv/.env"),
        ("\tFiLe:/srv/%2Eenv", "/srv/.env"),
        ("file:\\\\\\srv\\.env", "/srv/.env"),
        ("file://.env", "/w/.env"),
        ("file:.env", "/w/.env"),
        ("fi\nle:///srv/.env", "/srv/.env"),
        ("file:///srv/.env?a", "/srv/.env"),
        ("file:///srv/.env#a", "/srv/.env"),
        (" /srv/.env ", "/srv/.env"),
    ] {
        for tool in ["mcp__files__write", "Write", "Read"] {
            let found = facts(tool, &json!({"path": text}));
            assert!(has(&found, path, true), "{tool} {text:?}: {:?}", paths(&found));
        }
    }
    for text in ["https://example.com/a", "HTTP://example.com/.env", "ssh://git@host/x.git", "s3://bucket/.env"] {
        assert!(facts("mcp__web__get", &json!({"path": text})).paths.iter().all(|path| !path.certain), "{text}");
        assert_eq!(facts("mcp__web__get", &json!({"path": text})).urls, [text]);
    }
}

/// Anyone who may make a directory called `https:` chooses what is in it.
#[test]
fn an_address_is_a_path_where_a_directory_has_its_name() {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let find = || {
        let input = input_of(None, "mcp__files__write", &json!({"path": "https://srv/.env"}));
        Facts::new(Scene::new(dir.path()), Tools::default()).find(&input).unwrap()
    };
    let is_path = |tool: &Tool| tool.paths.iter().any(|path| path.certain);
    assert!(!is_path(&find()));
    fs::create_dir(dir.path().join("https:")).unwrap();
    assert!(is_path(&find()));
}

#[test]
fn a_name_with_a_space_counts_where_it_could_be_a_file() {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir_all(dir.path().join("my files")).unwrap();
    fs::create_dir_all(dir.path().join(".claude/commands")).unwrap();
    let find = |text: &str| {
        let input = input_of(None, "mcp__box__do", &json!({"x": text}));
        let found = Facts::new(Scene::new(dir.path()), Tools::default()).find(&input).unwrap();
        found.paths.iter().any(|path| path.as_written == text)
    };
    for text in ["my files/.env", ".claude/commands/my review.md", "no such/../.env", "my files"] {
        assert!(find(text), "{text}");
    }
    for text in ["Please fix web/.env", ".claude/commands is where they are", ".env is not read", "see a.md"] {
        assert!(!find(text), "{text}");
    }
}

/// The rest of a list that is too long is not harmless: the facts say that they lack it.
#[test]
fn what_is_beyond_a_limit_is_noted() {
    let many = |number: usize| (0..number).map(|number| format!("f{number}")).collect::<Vec<_>>();
    let says = |tool: &Tool, what: &str| tool.unknown.iter().any(|unknown| unknown.starts_with(what));
    for tool in ["read_many_files", "mcp__files__read", "Write"] {
        let found = facts(tool, &json!({"paths": many(257)}));
        assert!(!found.complete && says(&found, "more paths than are looked at"), "{tool}");
        assert!(!says(&facts(tool, &json!({"paths": many(256)})), "more paths"), "{tool}");
    }
    let found = facts("mcp__box__do", &json!({"x": many(1025)}));
    assert!(says(&found, "more texts than are looked at"), "{:?}", found.unknown);
    assert!(!says(&facts("mcp__box__do", &json!({"x": many(1024)})), "more texts"));
    let certain = facts("mcp__box__do", &json!({"x": many(2000), "path": "/srv/.env"}));
    assert!(has(&certain, "/srv/.env", true), "what is possible takes no place from what is certain");
    // The text is below 9 levels of JSON in a string.
    let mut deep = r#"["/srv/.env"]"#.to_owned();
    for _ in 0..9 {
        deep = json!([deep]).to_string();
    }
    let found = facts("mcp__box__do", &json!({"x": deep}));
    assert!(says(&found, "more texts than are looked at"), "{:?}", found.unknown);
    let long = facts("Read", &json!({"path": format!("/srv/{}", "x".repeat(5000))}));
    assert!(says(&long, "a path that no file can have"));
    let cleaned = facts("Read", &json!({"path": format!("/srv/{}.env", "a/../".repeat(2000))}));
    assert!(has(&cleaned, "/srv/.env", true), "a tool that cleans paths reads this one");
    let braces = facts("Grep", &json!({"pattern": ".", "glob": "{a,b}".repeat(10)}));
    assert!(says(&braces, "which files a pattern is for"));
}

/// Each alternative repeats the text around it, so a pattern may stand for gigabytes.
#[test]
fn a_pattern_that_takes_too_long_to_follow_is_noted() {
    let braces = format!("{}{{{}}}", "a".repeat(150_000), ",".repeat(100_000));
    for pattern in ["{a}".repeat(2000), "@(".repeat(20_000), braces] {
        for (tool, input) in
            [("Read", json!({"file_path": pattern})), ("Grep", json!({"pattern": ".", "glob": pattern}))]
        {
            let unknown = facts(tool, &input).unknown;
            let is_noted = unknown.iter().any(|what| what == "which files a pattern is for");
            assert!(is_noted, "{tool} {}: {unknown:?}", &pattern[..4]);
        }
    }
}

#[test]
fn the_files_of_a_search_are_read() {
    for (tool, input) in [
        ("Grep", json!({"pattern": ".", "glob": ".env", "output_mode": "content"})),
        ("grep_search", json!({"pattern": ".", "include": ".env"})),
        ("grep_search", json!({"pattern": ".", "include_pattern": ".env"})),
        ("search_file_content", json!({"pattern": ".", "include": ".env"})),
        ("search_files", json!({"regex": ".", "file_pattern": ".env"})),
        ("rg", json!({"pattern": ".", "glob": ".env"})),
        ("rg", json!({"pattern": ".", "globs": ["*.rs", ".env"]})),
        ("Grep", json!({"pattern": ".", "glob_pattern": "{a,.env}"})),
        ("Grep", json!({"pattern": ".", "glob": "[.]env"})),
        ("Grep", json!({"pattern": ".", "glob": "*.rs, .env"})),
        ("Grep", json!({"pattern": ".", "glob": "@(.env|x)"})),
        ("Grep", json!({"pattern": ".", "glob": "+(.)env"})),
        ("read_many_files", json!({"paths": ["*.rs,.env"]})),
        ("Grep", json!({"pattern": ".", "glob": "{a,{b,.e}nv}"})),
        ("read_many_files", json!({"include": [".env"]})),
        ("read_many_files", json!({"paths": ["{.env,x}"]})),
    ] {
        let found = facts(tool, &input);
        assert!(paths(&found).contains(&"read /w/.env".to_owned()), "{tool} {input}: {:?}", paths(&found));
    }
    let inside = facts("Grep", &json!({"pattern": ".", "path": "/srv/.aws", "glob": "cred*"}));
    assert_eq!(paths(&inside), ["read /srv/.aws", "read /srv/.aws/cred*"]);
    let outside = facts("Grep", &json!({"pattern": ".", "glob": "!.env"}));
    assert_eq!(paths(&outside), ["read /w"], "what is left out is not read");
    let names = facts("Glob", &json!({"pattern": "**/.env"}));
    assert_eq!(paths(&names), ["list /w"], "names are no content");
    let text = facts("Grep", &json!({"pattern": ".env", "path": "src"}));
    assert_eq!(paths(&text), ["read /w/src"], "what is looked for is no file");
}

#[test]
fn a_fetched_file_is_read() {
    let found = facts("WebFetch", &json!({"url": "file:///srv/.env"}));
    assert_eq!(paths(&found), ["read /srv/.env"]);
}

/// Each file is compared with all others. Without a limit for all patches together, that would take seconds.
#[test]
fn the_files_of_many_patches_are_told() {
    let patch = |at: usize| (0..1000).map(|file| format!("*** Add File: {at}_{file}\n")).collect::<String>();
    let found = facts("mcp__box__do", &json!({"x": [patch(0), patch(1), patch(2)]}));
    assert!(found.paths.len() <= 256 + 1024, "{}", found.paths.len());
    let expected = "more texts than are looked at, which may be paths";
    assert!(found.unknown.iter().any(|what| what == expected), "{:?}", found.unknown);
}

#[test]
fn an_absolute_path_between_quotes_may_be_one_in_any_text() {
    let found = possible("mcp__db__run", &json!({"sql": "COPY t FROM '/srv/.env' CSV"}));
    assert!(found.contains(&"/srv/.env".to_owned()), "{found:?}");
    let prose = possible("mcp__chat__post", &json!({"text": "It fails if '.env' is missing, as in `/srv/.env`."}));
    assert!(!prose.iter().any(|path| path.ends_with(".env")), "{prose:?}");
}

#[test]
fn what_is_sought_or_offered_as_an_answer_is_no_path() {
    for (tool, input) in [
        ("mcp__docs__search", json!({"query": ".env"})),
        ("mcp__docs__grep_files", json!({"regex": ".env"})),
        ("mcp__box__ask_user", json!({"question": ".env", "options": [{"label": ".env"}]})),
        ("ask_followup_question", json!({"questions": [{"options": [".env"]}]})),
    ] {
        assert_eq!(possible(tool, &input), [""; 0], "{tool} {input}");
    }
    for (tool, input) in [
        ("mcp__docs__read_query", json!({"query": ".env"})),
        ("mcp__docs__search", json!({"in": ".env"})),
        ("mcp__box__task", json!({"options": [".env"]})),
    ] {
        assert_eq!(possible(tool, &input), ["/w/.env"], "{tool} {input}");
    }
}
