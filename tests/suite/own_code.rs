//! Machine code of hookbox's own components, installed beside the program.

use crate::support::guests::run_scripts;
use crate::support::project::Project;
use serde_json::Value;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SCRIPT: &str =
    "export default (input) => ({ decision: 'deny', reason: input.tool.commands.map((c) => c.name).join() });";
const ENTRY: &str = "[hooks.names]\nevents = [\"pre_tool\"]\nscript = \"names.js\"\nfacts = [\"commands\"]\n";
const INPUT: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{"command":"sudo rm x"}}"#;

/// A hookbox with the code of its components beside it.
struct Installed {
    dir: TempDir,
    code: Vec<PathBuf>,
}

impl Installed {
    fn new() -> Self {
        let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::hard_link(env!("CARGO_BIN_EXE_hookbox"), dir.path().join("hookbox")).unwrap();
        let made = Command::new(dir.path().join("hookbox")).arg("__own-code").arg(dir.path()).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        let code = String::from_utf8(made.stdout).unwrap().lines().map(PathBuf::from).collect();
        Installed { dir, code }
    }

    fn run(&self, project: &Project, command: &str, stdin: &str) -> String {
        let mut child = Command::new(self.dir.path().join("hookbox"))
            .args([command, "--home", project.home().to_str().unwrap()])
            .current_dir(project.dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// Returns the outcome of a policy for an Input, in a fresh home.
    fn judge(&self, policy: &str, input: &str) -> String {
        let project = Project::new().user(&format!("[hooks.policy]\npolicy = \"{policy}\"\n"));
        self.run(&project, "check", "");
        self.run(&project, "run", input)
    }

    /// Returns the answer of a script that wants commands, in a fresh home, and how many components were compiled for
    /// it.
    fn ask(&self) -> (String, usize) {
        let project = Project::new().user(ENTRY);
        project.write(project.home().join(".agents/names.js").to_str().unwrap(), SCRIPT);
        // A busy machine may take longer to compile than a call waits.
        self.run(&project, "check", "");
        let outcome: Value = serde_json::from_str(&self.run(&project, "run", INPUT)).unwrap();
        let compiled = fs::read_dir(project.home().join(".cache/hookbox/v1")).map_or(0, |entries| {
            entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().contains('.')).count()
        });
        (outcome["reason"].as_str().unwrap().to_owned(), compiled)
    }
}

/// This is one test, because compiling all components takes long.
#[test]
fn it_is_used_if_it_is_of_this_component_and_only_its_owner_can_have_put_it_there() {
    if !run_scripts() || !cfg!(target_os = "linux") {
        return;
    }
    let answer = "sudo,rm".to_owned();
    let installed = Installed::new();
    assert_eq!(installed.ask(), (answer.clone(), 0), "nothing is compiled");

    let of = |name: &str| {
        let is = |file: &&PathBuf| file.to_str().unwrap().contains(name);
        installed.code.iter().find(is).unwrap_or_else(|| panic!("{:?}", installed.code))
    };
    fs::copy(of("mcp-guard"), of("no-destructive-commands")).unwrap();
    let denied = installed.judge("no-destructive-commands", &INPUT.replace("sudo rm x", "rm -rf ~"));
    assert!(denied.contains("would delete a whole home directory"), "judged by the other policy's code: {denied}");

    let [open_to_all, garbage, ..] = installed.code.as_slice() else { panic!("{:?}", installed.code) };
    fs::set_permissions(open_to_all, Permissions::from_mode(0o666)).unwrap();
    fs::write(garbage, "\x7fELF of something else").unwrap();
    assert_eq!(
        installed.ask(),
        (answer, 2),
        "anyone could have written the one, and the other is no code of this engine"
    );
}
