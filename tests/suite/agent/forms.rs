//! The forms that each agent's tools take, and what hooks see of them: the table of `docs/reference/agents.md`.

use super::{agent, before_tool, decode};
use hookbox::Tool;
use hookbox::facts::{Facts, Scene, Tools};
use serde_json::Value;

const BEGIN: &str = "<!-- forms: begin, written by `cargo test` -->\n";
const END: &str = "<!-- forms: end -->";

const ADD: &str = r#"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"#;

/// A tool's input, with `PATCH` for a patch that adds a file, and what it means.
type Form = (&'static str, &'static str, &'static str);

const CLAUDE: &[Form] = &[
    ("Bash", r#"{"command":"C"}"#, "runs `C`"),
    ("Bash", r#"{"command":"C","cwd":"/x"}"#, "runs `C`, and it is not known all"),
    ("Read", r#"{"file_path":"a"}"#, "read a"),
    ("Write", r#"{"file_path":"a","content":"x"}"#, "write a"),
    ("Edit", r#"{"file_path":"a","old_string":"x","new_string":"y"}"#, "write a"),
    ("MultiEdit", r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]}"#, "write a"),
    ("NotebookEdit", r#"{"notebook_path":"a","new_source":"x"}"#, "write a"),
    ("Glob", r#"{"pattern":"*","path":"d"}"#, "list d"),
    ("Grep", r#"{"pattern":"x","path":"d"}"#, "read d"),
    ("WebFetch", r#"{"url":"https://x.test","prompt":"p"}"#, "fetches https://x.test"),
];

const CODEX: &[Form] = &[
    ("Bash", r#"{"command":"C"}"#, "runs `C`"),
    ("shell", r#"{"command":["P","A"]}"#, "runs `P A`"),
    ("apply_patch", r#"{"command":"PATCH"}"#, "create a"),
    ("apply_patch", r#"{"input":"PATCH"}"#, "create a"),
];

const GEMINI: &[Form] = &[
    ("run_shell_command", r#"{"command":"C"}"#, "runs `C`"),
    ("run_shell_command", r#"{"command":"C","directory":"d"}"#, "runs `C` in d"),
    ("run_shell_command", r#"{"command":"C","dir_path":"d"}"#, "runs `C` in d"),
    ("read_file", r#"{"file_path":"a"}"#, "read a"),
    ("read_file", r#"{"absolute_path":"/home/me/app/a"}"#, "read a"),
    ("read_many_files", r#"{"paths":["a","b"]}"#, "read a, read b"),
    ("write_file", r#"{"file_path":"a","content":"x"}"#, "write a"),
    ("replace", r#"{"file_path":"a","old_string":"x","new_string":"y"}"#, "write a"),
    ("list_directory", r#"{"dir_path":"d"}"#, "list d"),
    ("glob", r#"{"pattern":"*","dir_path":"d"}"#, "list d"),
    ("web_fetch", r#"{"prompt":"see https://x.test"}"#, "fetches https://x.test"),
];

const QWEN: &[Form] = &[
    ("run_shell_command", r#"{"command":"C","is_background":false}"#, "runs `C`"),
    ("run_shell_command", r#"{"command":"C","directory":"d"}"#, "runs `C` in d"),
    ("read_file", r#"{"file_path":"a"}"#, "read a"),
    ("write_file", r#"{"file_path":"a","content":"x"}"#, "write a"),
    ("edit", r#"{"file_path":"a","old_string":"x","new_string":"y"}"#, "write a"),
];

const COPILOT: &[Form] = &[
    ("bash", r#"{"command":"C","description":"d"}"#, "runs `C`"),
    ("bash", r#""{\"command\":\"C\"}""#, "runs `C`"),
    ("write_bash", r#"{"sessionId":"1","input":"C"}"#, "runs `C`, and it is not known all"),
    ("view", r#"{"path":"a"}"#, "read a"),
    ("create", r#"{"path":"a","file_text":"x"}"#, "create a"),
    ("edit", r#"{"path":"a","old_str":"x","new_str":"y"}"#, "write a"),
    ("str_replace_editor", r#"{"command":"create","path":"a","file_text":"x"}"#, "create a"),
    ("apply_patch", r#""PATCH""#, "create a"),
];

const CURSOR: &[Form] = &[
    ("Shell", r#"{"command":"C"}"#, "runs `C`"),
    ("Shell", r#"{"command":"C","cwd":"d"}"#, "runs `C` in d"),
    ("Shell", r#""{\"command\":\"C\",\"working_directory\":\"d\"}""#, "runs `C` in d"),
    ("Read", r#"{"file_path":"a"}"#, "read a"),
    ("Write", r#"{"file_path":"a","contents":"x"}"#, "write a"),
    ("Delete", r#"{"path":"a"}"#, "delete a"),
    ("Grep", r#"{"pattern":"x","path":"d"}"#, "read d"),
];

const DROID: &[Form] = &[
    ("Execute", r#"{"command":"C","riskLevel":"low"}"#, "runs `C`"),
    ("Read", r#"{"file_path":"a"}"#, "read a"),
    ("Create", r#"{"file_path":"a","content":"x"}"#, "create a"),
    ("Edit", r#"{"file_path":"a","old_str":"x","new_str":"y"}"#, "write a"),
    ("ApplyPatch", r#"{"input":"PATCH"}"#, "create a"),
    ("LS", r#"{"directory_path":"d"}"#, "list d"),
    ("FetchUrl", r#"{"url":"https://x.test"}"#, "fetches https://x.test"),
];

const CLINE: &[Form] = &[
    ("run_commands", r#"{"commands":["C"]}"#, "runs `C`"),
    ("run_commands", r#"{"commands":["C","D"]}"#, "runs `C`; `D`"),
    ("run_commands", r#"{"commands":[{"command":"P","args":["A;"]},"D"]}"#, "runs `P 'A;'`; `D`"),
    ("run_commands", r#"{"commands":"C"}"#, "runs `C`"),
    ("run_commands", r#"{"commands":{"command":"P","args":["A"]}}"#, "runs `P A`"),
    ("run_commands", r#"{"commands":"[\"C\",\"D\"]"}"#, "runs `C`; `D`"),
    ("run_commands", r#"{"command":"C"}"#, "runs `C`"),
    ("run_commands", r#"{"command":"P","args":["A"]}"#, "runs `P A`"),
    ("run_commands", r#"{"command":"C;","args":["A"]}"#, "runs `C;`; `C; A`"),
    ("run_commands", r#"{"command":"P","cmd":"C","args":["A"]}"#, "runs `P A`; `C A`"),
    ("run_commands", r#"{"cmd":"C"}"#, "runs `C`"),
    ("run_commands", r#"["C","D"]"#, "runs `C`; `D`"),
    ("run_commands", r#"[{"command":"P","args":["A"]}]"#, "runs `P A`"),
    ("run_commands", r#""C""#, "runs `C`"),
    ("run_commands", r#"{"commands":["C"],"cwd":"/x"}"#, "runs `C`, and it is not known all"),
    ("run_commands", r#"{"commands":["C",{"run":"D"}]}"#, "runs `C`; `C\\n{\"run\":\"D\"}`, and it is not known all"),
    ("execute_command", r#"{"command":"C","requires_approval":false}"#, "runs `C`"),
    ("read_files", r#"{"files":[{"path":"a","start_line":1},"b"]}"#, "read a, read b"),
    ("read_files", r#"{"files":{"path":"a"}}"#, "read a"),
    ("read_files", r#"{"files":"a"}"#, "read a"),
    ("read_files", r#"{"file_paths":["a"]}"#, "read a"),
    ("read_files", r#"{"file_paths":"a"}"#, "read a"),
    ("read_files", r#"{"paths":["a",{"path":"b"}]}"#, "read a, read b"),
    ("read_files", r#"{"path":"a"}"#, "read a"),
    ("read_files", r#"[{"path":"a"}]"#, "read a"),
    ("read_files", r#"["a","b"]"#, "read a, read b"),
    ("read_files", r#""a""#, "read a"),
    ("editor", r#"{"path":"a","old_text":"x","new_text":"y"}"#, "write a"),
    ("apply_patch", r#"{"input":"PATCH"}"#, "create a"),
    ("apply_patch", r#""PATCH""#, "create a"),
    ("search_codebase", r#"{"queries":["x"]}"#, "read ."),
    ("search_codebase", r#"["x"]"#, "read ."),
    ("fetch_web_content", r#"{"requests":[{"url":"https://x.test","prompt":"p"}]}"#, "fetches https://x.test"),
    ("write_to_file", r#"{"path":"a","content":"x"}"#, "write a"),
    ("replace_in_file", r#"{"path":"a","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}"#, "write a"),
];

const OPENCODE: &[Form] = &[
    ("bash", r#"{"command":"C"}"#, "runs `C`"),
    ("bash", r#"{"command":"C","workdir":"d"}"#, "runs `C` in d"),
    ("read", r#"{"filePath":"a"}"#, "read a"),
    ("write", r#"{"filePath":"a","content":"x"}"#, "write a"),
    ("edit", r#"{"filePath":"a","oldString":"x","newString":"y"}"#, "write a"),
    ("apply_patch", r#"{"patchText":"PATCH"}"#, "create a"),
    ("list", r#"{"path":"d"}"#, "list d"),
    ("grep", r#"{"pattern":"x","path":"d"}"#, "read d"),
    ("webfetch", r#"{"url":"https://x.test","format":"text"}"#, "fetches https://x.test"),
];

const FORMS: &[(&str, &[Form])] = &[
    ("claude", CLAUDE),
    ("codex", CODEX),
    ("gemini", GEMINI),
    ("copilot", COPILOT),
    ("cursor", CURSOR),
    ("qwen", QWEN),
    ("droid", DROID),
    ("cline", CLINE),
    ("opencode", OPENCODE),
];

/// Returns the facts in words.
fn said(tool: &Tool) -> String {
    let here = |path: &str| match path.strip_prefix("/home/me/app") {
        Some("") => ".".to_owned(),
        Some(rest) => rest.trim_start_matches('/').to_owned(),
        None => path.to_owned(),
    };
    let lines: Vec<&str> = match tool.shells.as_slice() {
        [] => tool.command.as_deref().into_iter().collect(),
        shells => shells.iter().map(|shell| shell.command.as_str()).collect(),
    };
    let mut parts: Vec<String> = Vec::new();
    if !lines.is_empty() {
        let lines: Vec<String> = lines.iter().map(|line| format!("`{}`", line.replace('\n', "\\n"))).collect();
        let cwd = here(tool.cwd.as_deref().unwrap());
        let place = if cwd == "." { String::new() } else { format!(" in {cwd}") };
        parts.push(format!("runs {}{place}", lines.join("; ")));
    }
    parts.extend(tool.paths.iter().map(|path| format!("{} {}", path.access, here(&path.path))));
    parts.extend(tool.urls.iter().map(|url| format!("fetches {url}")));
    parts.extend((!tool.complete).then(|| "and it is not known all".to_owned()));
    parts.join(", ")
}

#[test]
fn each_form_means_what_the_agent_does_with_it() {
    let facts = Facts::new(Scene::new("/home/me/app").with_home("/home/me"), Tools::default());
    let mut wrong = Vec::new();
    for (agent, forms) in FORMS {
        for (tool, form, expected) in *forms {
            let input: Value = serde_json::from_str(&form.replace("PATCH", ADD)).unwrap();
            let call = decode(agent, &before_tool(agent, tool, &input));
            let found = said(&facts.find(&call.input.unwrap()).unwrap());
            if found != *expected {
                wrong.push(format!("{agent} {tool} {form}\n  expected {expected}\n  found    {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn table() -> String {
    let mut table = "| agent | tool | its input | what hooks see |\n|---|---|---|---|\n".to_owned();
    for (name, forms) in FORMS {
        for (tool, form, meaning) in *forms {
            let meaning = meaning.replace(", and it is not known all", ", and that this is not known for certain");
            table.push_str(&format!("| {} | `{tool}` | `{form}` | {meaning} |\n", agent(name).title()));
        }
    }
    table
}

/// With `HOOKBOX_UPDATE_DOCS=1`, this test writes the table.
#[test]
fn the_forms_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/agents.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (old, after) = rest.split_once(END).unwrap();
    if std::env::var_os("HOOKBOX_UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{}{END}{after}", table())).unwrap();
    } else {
        assert_eq!(old, table(), "run this test with HOOKBOX_UPDATE_DOCS=1");
    }
}
