//! `script` in hooks.toml.

use super::command_line::ask;
use crate::support::project::Project;

fn check(toml: &str) -> (i32, String) {
    let project = Project::new();
    project.write("home/.agents/hook.js", "export default () => ({})");
    let project = project.user(toml);
    let ran = project.hookbox("check", &[]);
    (ran.status, project.stable(&ran.stderr))
}

#[track_caller]
fn complains(keys: &str, words: &[&str]) {
    let (status, stderr) = check(&format!("[hooks.a]\nevents = [\"pre_tool\"]\n{keys}\n"));
    assert_eq!(status, 1, "{stderr}");
    for words in words {
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn a_hook_is_one_thing() {
    complains("script = \"hook.js\"\ncommand = \"true\"", &["E503", "a `script` or a `command`, not both"]);
    complains("script = \"hook.js\"\ncomponent = \"a.wasm\"", &["E503", "a `component` or a `script`, not both"]);
    complains(
        "description = \"none\"",
        &["E503", "has no `policy`, `component`, `script`, `builtin`, `model` or `command`"],
    );
    complains("scrpt = \"hook.js\"", &["unknown key `scrpt`", "did you mean `script`?"]);
}

#[test]
fn keys_that_do_not_fit_a_script_are_refused() {
    let why = "a script can have a `store`; what needs more is a component";
    for (key, value) in [
        ("clocks", "true"),
        ("random", "true"),
        ("env", "[\"LANG\"]"),
        ("dirs", "[{ path = \".\", as = \"/p\" }]"),
        ("net", "[{ url = \"https://api.example.com/v1/\" }]"),
    ] {
        let entry = format!("script = \"hook.js\"\ngrants = {{ {key} = {value}, store = {{ scope = \"user\" }} }}");
        complains(&entry, &[&format!("`grants.{key}` does not fit here"), why]);
    }
    complains("script = \"hook.js\"\nargs = [\"a\"]", &["`args` does not fit here", "a script has no arguments"]);
    complains("script = \"\"", &["`script` is empty"]);
    complains("script = \"~/hook.js\"", &["starts with `~`, which is not expanded"]);
    complains("script = 1", &["E504", "`script`"]);
    complains("script = \"hook.js\"\ntimeout = \"5m\"", &["`timeout` must be over 0s and at most 1m"]);
}

#[test]
fn a_file_that_is_no_script_is_refused() {
    let project = Project::new();
    project.write("home/.agents/latin.js", b"// one\n// caf\xe9\n");
    project.write("home/.agents/guard.js", crate::support::component::allowing());
    project.write("home/.agents/large.js", "//".repeat(1 << 20));
    let entry = |name: &str| format!("[hooks.{name}]\nevents = [\"pre_tool\"]\nscript = \"{name}.js\"\n");
    let names = ["latin", "guard", "large", "missing"];
    let project = project.user(&names.map(entry).concat());
    let ran = project.hookbox("check", &[]);
    assert_eq!(ran.status, 1);
    for words in [
        "latin.js` is not a script: it is not UTF-8 from line 2 on",
        "guard.js` is WebAssembly: name it as `component`",
        "large.js` has 2097152 bytes; the limit is 1 MiB",
        "missing.js`: No such file",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches("error[E208]").count(), 2, "{}", ran.stderr);
}

#[test]
fn a_pin_holds_the_text_of_the_script() {
    let source = "export default () => ({ decision: \"deny\", reason: \"pinned\" })";
    let pin = hookbox::runtime::component::digest(source.as_bytes());
    let entry = |pin: &str| format!("[hooks.a]\nevents = [\"pre_tool\"]\nscript = \"hook.js\"\nsha256 = \"{pin}\"\n");
    let project = Project::new();
    let path = project.write("home/.agents/hook.js", source);
    let project = project.user(&entry(&pin));
    assert_eq!(ask(&project, &[], "ls").json()["reason"], "pinned");
    std::fs::write(path, format!("{source}\n")).unwrap();
    let refused = ask(&project, &[], "ls").json();
    assert_eq!(refused["hooks"][0]["code"], "E303", "{refused}");
}
