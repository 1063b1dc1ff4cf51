//! Cases that cannot be used: nothing is asked, and everything that is wrong is reported.

use super::{stable, test};
use crate::support::component::allowing;
use crate::support::project::{Project, Ran};

fn with_guard() -> Project {
    let project = Project::new();
    project.write("project/guard.wasm", allowing());
    project
}

fn broken(cases: &str) -> Ran {
    test(&with_guard(), cases, &[])
}

#[test]
fn everything_that_is_wrong_is_shown_with_its_place() {
    let ran = broken(
        r#"setings = { a = 1 }

[[case]]
nam = "a"
expect = "allow"

[[case]]
event = "pre_tol"
expect = "denied"

[[case]]
tool = 5
input = { when = nan }
expect = "deny"
error = "E101"

[[case]]
whole = { event = "pre_tool" }
tool = "bash"
expect = "allow"
modified = { a = 1 }
"#,
    );
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(ran.stderr, @r#"
    error[E503]: unknown key `setings`
     --> <root>/project/cases.toml:1:1
      |
    1 | setings = { a = 1 }
      | ^^^^^^^
      = help: did you mean `settings`?

    error[E503]: unknown key `nam`
     --> <root>/project/cases.toml:4:1
      |
    4 | nam = "a"
      | ^^^
      = help: did you mean `name`?

    error[E504]: unknown event "pre_tol"
     --> <root>/project/cases.toml:8:9
      |
    8 | event = "pre_tol"
      |         ^^^^^^^^^
      = help: did you mean `pre_tool`?

    error[E504]: `expect` is "denied"
     --> <root>/project/cases.toml:9:10
      |
    9 | expect = "denied"
      |          ^^^^^^^^
      = help: did you mean `deny`?

    error[E504]: this has no JSON form: nan is not a JSON number
      --> <root>/project/cases.toml:13:9
       |
    13 | input = { when = nan }
       |         ^^^^^^^^^^^^^^

    error[E503]: `tool` does not go with `whole`
      --> <root>/project/cases.toml:19:1
       |
    19 | tool = "bash"
       | ^^^^
       = help: `whole` is the whole Input: put it there

    error[E503]: `modified` does not go with expect = "allow"
      --> <root>/project/cases.toml:21:12
       |
    21 | modified = { a = 1 }
       |            ^^^^^^^^^
       = help: only expect = "modify" changes anything
    "#);
}

#[test]
fn each_mistake_has_its_word() {
    for (case, words) in [
        ("", "the case does not say what it expects"),
        ("reason = \"a\"", "`reason` without `expect`"),
        ("error = \"timeout\"", "which is not a code\n"),
        ("error = \"timeout\"", "help: that is E101"),
        ("error = \"E1\"", "help: such as \"E101\""),
        ("error = \"E101\"\nmodified = {a=1}", "`modified` does not go with `error`"),
        ("expect = 1", "`expect` must be a string, not a number"),
        ("expect = \"allow\"\nname = []", "`name` must be a string, not an array"),
        ("expect = \"allow\"\nsettings = \"a\"", "`settings` must be a table, not a string"),
        ("expect = \"modify\"\nmodified = {}", "so that it would check nothing"),
        ("expect = \"deny\"\nreason = 1", "`reason` must be a string or a table, not a number"),
        ("expect = \"deny\"\nreason = {}", "must have one of `contains` and `regex`"),
        ("expect = \"deny\"\nreason = { contains = \"a\", regex = \"b\" }", "must have one of `contains` and `regex`"),
        ("expect = \"deny\"\nreason = { contains = \"\" }", "so that any reason would do"),
        ("expect = \"deny\"\nreason = { contain = \"a\" }", "help: did you mean `contains`?"),
        ("expect = \"deny\"\nreason = { contains = 1 }", "`reason.contains` must be a string"),
        ("expect = \"deny\"\nreason = { regex = \"(\" }", "`reason.regex` is not a regex: unclosed group"),
        ("expect = \"deny\"\nwhole = { message = \"a\" }", "error[E606]: the Input has no `event`"),
        ("expect = \"deny\"\nwhole = { event = \"pre_tool\", turn = \"a\" }", "`turn` has the wrong type"),
        (
            "expect = \"deny\"\nevent = \"pre_message\"\ninput = \"a\"",
            "`input` is for a tool, and pre_message is about none",
        ),
        ("expect = \"deny\"\nname = \"a\"\nname = \"b\"", "error[E502]: duplicate key"),
    ] {
        let ran = broken(&format!("[[case]]\n{case}\n"));
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{case}");
        assert!(ran.stderr.contains(words), "{case}: {}", ran.stderr);
    }
}

#[test]
fn a_file_without_cases_does_not_pass() {
    for (cases, words) in [
        ("", "has no case, so that it would check nothing"),
        ("settings = {}\n", "has no case"),
        ("case = []\n", "has no case"),
        ("[case]\nexpect = \"allow\"\n", "write [[case]], with two brackets"),
        ("case = [1]\n", "a case must be a table"),
    ] {
        let ran = broken(cases);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{cases}");
        assert!(ran.stderr.contains(words), "{cases}: {}", ran.stderr);
    }
    let ran = test(&with_guard(), "[[case]]\nexpect = \"allow\"\n", &["--filter", "other"]);
    let message = "error: no case has a name with \"other\" in it, so that nothing would be checked\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
    let ran = test(&with_guard(), "", &["--cases", "none.toml"]);
    assert!(ran.status == 2 && ran.stderr.contains("error[E501]: does not exist"), "{}", ran.stderr);
}

#[test]
fn lines_are_strict_json() {
    let project = with_guard();
    project.write(
        "project/cases.jsonl",
        "{\"expect\":\"allow\"}\n{\"expect\":\"allow\",\"expect\":\"deny\"}\n  {\"expct\" : \"allow\"}\n[1]\n{\"expect\":\"alow\"}\n",
    );
    let ran = stable(&project, project.run(&["test"], ""));
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(ran.stderr, @r#"
    error[E502]: duplicate key "expect" at column 26
     --> <root>/project/cases.jsonl:2:1
      |
    2 | {"expect":"allow","expect":"deny"}
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: each line is one case, which is a JSON object

    error[E503]: unknown key `expct`
     --> <root>/project/cases.jsonl:3:5
      |
    3 |   {"expct" : "allow"}
      |     ^^^^^
      = help: did you mean `expect`?

    error[E502]: invalid type: sequence, expected an object at column 0
     --> <root>/project/cases.jsonl:4:1
      |
    4 | [1]
      | ^^^
      = help: each line is one case, which is a JSON object

    error[E504]: `expect` is "alow"
     --> <root>/project/cases.jsonl:5:11
      |
    5 | {"expect":"alow"}
      |           ^^^^^^
      = help: did you mean `allow`?
    "#);
}
