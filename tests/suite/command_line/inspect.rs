//! `hookbox inspect`: what a component is and needs.

use crate::support::component::{Guest, allowing};
use crate::support::guests;
use crate::support::project::{Project, Ran};

fn inspect(wasm: &[u8], args: &[&str]) -> Ran {
    let project = Project::new();
    let file = project.write("guard.wasm", wasm);
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    command.arg("inspect").arg(file).args(args);
    let mut ran = crate::support::project::run(&mut command);
    ran.stderr = project.stable(&ran.stderr);
    ran
}

#[test]
fn a_pure_component_needs_nothing() {
    let wasm = allowing();
    let ran = inspect(&wasm, &[]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let sha256 = hookbox::runtime::component::digest(&wasm);
    let size = wasm.len();
    assert_eq!(
        ran.stdout,
        format!(
            "sha256   {sha256}\nsize     {size} bytes\nexports  hookbox:hook/hook@0.1.0\nimports  none\n\
             runs as a hook without any grant\n"
        )
    );
}

#[test]
fn needed_grants_are_named() {
    let ran = inspect(&guests::read("clocks.wasm"), &[]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.ends_with("runs as a hook with grants = { clocks = true }\n"), "{}", ran.stdout);
    let report = inspect(&guests::read("clocks.wasm"), &["--format", "json"]).json();
    assert_eq!(report["grants"], serde_json::json!(["clocks"]));
    assert_eq!(report["runnable"], true);
    let clock = report["imports"].as_array().unwrap().iter().find(|import| import["grant"] == "clocks").unwrap();
    assert!(clock["name"].as_str().unwrap().starts_with("wasi:clocks/"));
}

#[test]
fn what_cannot_be_a_hook_says_why() {
    let import = r#"(import "wasi:sockets/tcp@0.2.0" (instance (export "f" (func))))"#;
    let ran = inspect(&Guest::default().with_imports(import, "", "").build(), &[]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.ends_with(
            "cannot be a hook: it imports `wasi:sockets/tcp@0.2.0`: the network cannot be granted in this version\n"
        ),
        "{}",
        ran.stdout
    );
    let ran = inspect(&wat::parse_str("(component)").unwrap(), &["--format", "json"]);
    assert_eq!((ran.status, &ran.json()["runnable"]), (1, &false.into()));
}

#[test]
fn what_is_no_component_is_an_error() {
    let ran = inspect(&wat::parse_str("(module)").unwrap(), &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stderr, @"error: E202: `<root>/guard.wasm` is a core module, not a component: build it with `hookbox build` or for the target wasm32-wasip2, or make a component of it with `wasm-tools component new`");
    let mut command = assert_cmd::Command::cargo_bin("hookbox").unwrap();
    let ran = crate::support::project::run(command.args(["inspect", "/no/such.wasm"]));
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (1, "error: E205: `/no/such.wasm`: No such file or directory (os error 2)\n")
    );
}
