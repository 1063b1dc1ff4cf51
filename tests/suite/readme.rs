//! The README says what is true.

use crate::support::project::Project;
use hookbox::Code;

const README: &str = include_str!("../../README.md");

#[test]
fn the_table_of_error_codes_is_complete() {
    let rows: Vec<String> =
        Code::ALL.iter().map(|code| format!("| {} | {} | {} |", code.as_str(), code.title(), code.meaning())).collect();
    let table: Vec<&str> = README.lines().filter(|line| line.starts_with("| E")).collect();
    assert_eq!(table, rows);
}

#[test]
fn every_hooks_toml_in_it_is_without_problems() {
    let blocks = README.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let samples: Vec<&str> = blocks.filter(|block| block.contains("[hooks.")).collect();
    assert_eq!(samples.len(), 3);
    for sample in samples {
        let project = Project::new();
        let wasm = crate::support::component::allowing();
        for file in ["no_destructive_commands.wasm", "licence_check.wasm"] {
            project.write(file, &wasm);
        }
        project.write("no-force-push.js", "export default () => ({ decision: 'allow' });");
        let sample = sample.replace("4f6b3c…", &hookbox::runtime::component::digest(&wasm));
        let file = project.write("hooks.toml", sample);
        assert_eq!(crate::support::loader(project.dir()).file(file).load().problems, []);
    }
}
