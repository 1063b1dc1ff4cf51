//! The spelling of a command never makes a policy more lenient.

use super::{Bench, cases, strictness};
use hookbox::policy::Policy;

/// One in this many cases is asked about in all forms.
const STEP: usize = 3;

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Whether the text is one command, which a word before it would run.
fn is_simple(command: &str) -> bool {
    let first = command.split_whitespace().next().unwrap_or_default();
    let is_program =
        !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    const WORDS: [&str; 24] = [
        "coproc", "pushd", "if", "for", "while", "until", "case", "function", "select", "time", "cd", "export",
        "source", ".", "eval", "alias", "hash", "trap", "set", "exec", "unset", "command", "builtin", "test",
    ];
    is_program && !WORDS.contains(&first) && !command.contains([';', '|', '&', '\n', '(', '{', '<'])
}

/// Returns the same command in other forms.
fn forms(command: &str) -> Vec<String> {
    let mut forms = vec![
        format!("true; {command}"),
        format!("ls -la && {{ {command}\n}}"),
        format!("(\n{command}\n)"),
        format!("{{ {command}\n}}"),
        format!("bash -c {}", quoted(command)),
        format!("eval {}", quoted(command)),
        format!("if true; then\n{command}\nfi"),
        // A case may have a function `f` of its own, and one that calls its own name is only asked about.
        format!("wrapped() {{\n{command}\n}}; wrapped"),
    ];
    if !command.contains("<<") {
        forms.push(format!("{command}; echo done"));
        forms.push(format!("{command} && ls"));
    }
    if is_simple(command) {
        for prefix in ["sudo", "env X=1", "command", "nice -n 5", "timeout 5", "time", "nohup", "X=1"] {
            forms.push(format!("{prefix} {command}"));
        }
        let (program, rest) = command.split_once(' ').unwrap_or((command, ""));
        let (first, others) = program.split_at(1);
        forms.push(format!("'{program}' {rest}"));
        forms.push(format!("\\{program} {rest}"));
        forms.push(format!("{first}\"\"{others} {rest}"));
        forms.push(format!("p={program}; $p {rest}"));
    }
    forms
}

async fn hold(name: &str) {
    let bench = Bench::new(name, None);
    let (mut tried, mut weaker) = (0, Vec::new());
    for case in cases(Policy::find(name).unwrap().cases).iter().filter(|case| case.expect != "allow").step_by(STEP) {
        // A text that ends with an operator cannot be followed by anything.
        let Some(command) = case.command().filter(|command| !command.ends_with(['&', '\\', '|'])) else { continue };
        let plain = strictness(&bench.ask_bash(command).await);
        for form in forms(command) {
            tried += 1;
            if strictness(&bench.ask_bash(&form).await) < plain {
                weaker.push(form);
            }
        }
    }
    assert!(tried > 100, "only {tried}");
    assert!(weaker.is_empty(), "{} of {tried}:\n{}", weaker.len(), weaker.join("\n"));
}

macro_rules! each_holds {
    ($($test:ident $name:literal)+) => {
        $(#[tokio::test] async fn $test() { hold($name).await; })+
    };
}

each_holds! {
    no_destructive_commands "no-destructive-commands"
    protect_paths "protect-paths"
    network_egress "network-egress"
    package_guard "package-guard"
    no_secret_leaks "no-secret-leaks"
}
