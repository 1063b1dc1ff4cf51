//! `hookbox list` and `hookbox show`.

use crate::support::project::Project;

fn project() -> Project {
    let project = Project::new();
    project.write("home/.agents/ok.wasm", crate::support::component::allowing());
    project.user(
        "[hooks.guard]\ndescription = \"Policy check, with a text that is long enough to be clipped at sixty\"\n\
         events = [\"pre_tool\", \"post_tool\"]\ncommand = \"guard.sh\"\nargs = [\"--strict\"]\ntimeout = \"1m30s\"\n\
         [hooks.notify]\nevents = [\"post_message\"]\ncommand = \"notify\"\n\
         [hooks.pure]\nevents = [\"pre_message\"]\ncomponent = \"ok.wasm\"\nmatch = \"bash\"\n\
         grants = { clocks = true }\n",
    )
}

#[test]
fn list_shows_a_table() {
    let ran = project().hookbox("list", &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout, @r"
    NAME    KIND       SOURCE  EVENTS              MODE   TIMEOUT  DESCRIPTION
    guard   shell      user    pre_tool,post_tool  sync   1m30s    Policy check, with a text that is long enough to be clipped…
    pure    component  user    pre_message         sync   1s
    notify  shell      user    post_message        async  10s
    ");
}

#[test]
fn a_cell_of_any_length_is_shown() {
    let name = "x".repeat(70_000);
    let project = Project::new().user(&format!("[hooks.{name}]\nevents = [\"post_tool\"]\ncommand = \"true\"\n"));
    let ran = project.hookbox("list", &[]);
    assert!(ran.status == 0 && ran.stdout.contains(&format!("{name}  shell")), "{}", ran.stderr);
}

#[test]
fn list_can_be_narrowed_to_an_event() {
    let ran = project().hookbox("list", &["--event", "post_message"]);
    assert!(ran.stdout.contains("notify") && !ran.stdout.contains("guard"), "{}", ran.stdout);
    let none = project().hookbox("list", &["--event", "no_such"]);
    assert_eq!(none.stdout, "NAME  KIND  SOURCE  EVENTS  MODE  TIMEOUT  DESCRIPTION\n");
}

#[test]
fn two_hooks_of_one_name_are_told_apart_by_their_events() {
    let entry = |event: &str| format!("[hooks.x]\nevents = [\"{event}\"]\ncommand = \"true\"\n");
    let project = Project::new().user(&entry("post_tool")).project(&entry("pre_tool")).with_args(&["--trust-all"]);
    let ran = project.hookbox("list", &["--event", "pre_tool"]);
    assert!(ran.stdout.contains("x     shell  project  pre_tool"), "{}", ran.stdout);
}

#[test]
fn list_without_hooks_says_so() {
    assert_eq!(Project::new().hookbox("list", &[]).stdout, "(no hooks configured)\n");
    assert_eq!(Project::new().hookbox("list", &["--format", "json"]).stdout, "[]\n");
}

#[test]
fn list_as_json_has_everything() {
    let hooks = project().hookbox("list", &["--format", "json"]).json();
    assert_eq!(hooks[0]["name"], "guard");
    assert_eq!(hooks[0]["runs"], serde_json::json!(["guard.sh", "--strict"]));
    assert_eq!(hooks[1]["grants"], serde_json::json!(["may read the clocks"]));
    assert_eq!(hooks[1]["match"], "bash");
}

#[test]
fn show_shows_one_hook() {
    let project = project();
    let ran = project.hookbox("show", &["pure"]);
    assert_eq!(ran.status, 0);
    let sha256 = hookbox::runtime::component::digest(&crate::support::component::allowing());
    let stable = project.stable(&ran.stdout).replace(&sha256, "<sha256>");
    insta::assert_snapshot!(stable, @r"
    name:        pure
    source:      user
    events:      pre_message
    mode:        sync
    timeout:     1s
    description:
    kind:        component
    runs:        ok.wasm
    match:       bash
    on_error:    deny
    file:        <root>/home/.agents/hooks.toml:10
    sha256:      <sha256>
    grants:      may read the clocks
    ");
    assert_eq!(project.hookbox("show", &["pure", "--format", "json"]).json()["name"], "pure");
}

#[test]
fn text_of_a_config_cannot_forge_what_is_shown() {
    let project = Project::new()
        .user("[hooks.a]\nevents = [\"pre_tool\"]\ncommand = \"true\"\ndescription = \"x\\ngrants: none\\u001b[2J\"\n");
    for ran in [project.hookbox("list", &[]), project.hookbox("show", &["a"])] {
        assert!(ran.stdout.contains(r"x grants: none\u{1b}[2J"), "{}", ran.stdout);
    }
}

#[test]
fn show_of_an_unknown_hook_fails() {
    let ran = project().hookbox("show", &["nonexistent"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""));
    assert_eq!(ran.stderr, "error: no hook named \"nonexistent\" (use `hookbox list` to see what is configured)\n");
}
