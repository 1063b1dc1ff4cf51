//! Patches of every form.

use super::{facts, paths};
use hookbox::{Access, Tool};
use serde_json::json;

fn patch(text: &str) -> Tool {
    facts("apply_patch", &json!({"command": text}))
}

#[test]
fn a_patch_names_each_file_and_what_becomes_of_it() {
    let tool = patch(
        "*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n*** Update File: old.txt\n*** Move to: ../moved.txt\n@@ fn x\n \
         context\n-gone\n+come\n*** End of File\n*** Delete File: /etc/passwd\n*** End Patch\n",
    );
    assert_eq!(
        paths(&tool),
        ["create /w/new.txt", "write /w/old.txt", "delete /w/old.txt", "write /moved.txt", "delete /etc/passwd"]
    );
    assert_eq!((tool.added_text, tool.complete), (vec!["one\ntwo\n".to_owned(), "come\n".to_owned()], true));
}

#[test]
fn heads_that_some_reader_may_take_for_one_count() {
    let tool = patch(
        "*** Begin Patch\n*** Update File: a\n@@\n   *** Delete File: .git/config\n+*** Add File: x\n*** End Patch",
    );
    assert_eq!(paths(&tool), ["write /w/a", "delete /w/.git/config"], "an added line is no head");
    let tool = patch("bash <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF");
    assert_eq!(paths(&tool), ["create /w/a"]);
}

#[test]
fn what_is_not_understood_is_not_complete() {
    for text in [
        "",
        "rm -rf /",
        "*** Begin Patch\n*** End Patch",
        "*** Begin Patch\n*** Update File: a\nsomething else\n*** End Patch",
        "*** Begin Patch\n*** Copy File: a\n*** End Patch",
    ] {
        assert!(!patch(text).complete, "{text}");
    }
}

#[test]
fn unified_diffs() {
    let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/z\nrename from y\nrename to z\n\
                --- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+c\n--- a/old\n+++ /dev/null\n";
    let tool = facts("apply_patch", &json!({"patch": diff}));
    assert_eq!(paths(&tool), ["write /w/x", "delete /w/y", "write /w/z", "create /w/new", "delete /w/old"]);
    assert_eq!(tool.added_text, ["b\n", "c\n"]);
    // The diff spells the path differently from the member with the path of the file.
    let tool = facts("edit", &json!({"file_path": "/w/x", "diff": "--- a/w/x\n+++ b/w/x\n@@ -1 +1 @@\n+b\n"}));
    assert_eq!((paths(&tool), tool.complete), (vec!["write /w/x".to_owned()], true));
}

#[test]
fn blocks_to_search_and_replace() {
    let diff = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";
    let tool = facts("replace_in_file", &json!({"path": "a", "diff": diff}));
    assert_eq!(
        (paths(&tool), tool.added_text, tool.complete),
        (vec!["write /w/a".to_owned()], vec!["new\n".to_owned()], true)
    );
}

#[test]
fn names_in_quotes_are_read_as_c_writes_them() {
    for name in [r#""b/.\143laude/settings.json""#, r#""b/.cl\x61ude""#, r#""b/.claude/settings.json" x"#] {
        let tool = patch(&format!("--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n"));
        let is_read = paths(&tool) == ["create /w/.claude/settings.json"];
        assert!(is_read || !tool.complete, "{name} {tool:?}");
    }
    let tool =
        patch("diff --git \"a/t\\303\\244st\\t\\\"1\" \"b/t\\303\\244st\\t\\\"1\"\nold mode 100644\nnew mode 100755\n");
    assert_eq!((paths(&tool), tool.complete), (vec!["write /w/täst\t\"1".to_owned()], true));
    for bad in [r#""b/x"#, r#""b/\9""#, r#""b/\377\376""#, r#""b/x\"#] {
        assert!(!patch(&format!("--- a/x\n+++ {bad}\n@@ -1 +1 @@\n+x\n")).complete, "{bad}");
    }
}

#[test]
fn files_that_only_git_s_header_names() {
    for (text, path, is_complete) in [
        ("old mode 100644\nnew mode 100755\n", "write /w/.envrc", true),
        ("new file mode 100644\nindex 0000000..e69de29\n", "create /w/.envrc", true),
        ("deleted file mode 100644\nindex e69de29..0000000\n", "delete /w/.envrc", true),
        ("index 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ\n", "write /w/.envrc", false),
        ("index 1..2 100644\nBinary files a/.envrc and b/.envrc differ\n", "write /w/.envrc", false),
    ] {
        let tool = patch(&format!("diff --git a/.envrc b/.envrc\n{text}"));
        assert_eq!((paths(&tool), tool.complete), (vec![path.to_owned()], is_complete), "{text}");
    }
    let tool = patch("diff --git a/My File b/My File\nnew file mode 100644\n");
    assert_eq!((paths(&tool), tool.complete), (vec!["create /w/My File".to_owned()], true));
    assert!(!patch("diff --git a/x b/y z b/w\nold mode 100644\nnew mode 100755\n").complete, "where it is split");
    let tool = patch("diff --git a/x b/.envrc\nsimilarity index 100%\nrename from x\nrename to \".\\145nvrc\"\n");
    assert_eq!(paths(&tool), ["delete /w/x", "write /w/.envrc"]);
    let tool = patch("diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+c\n");
    assert_eq!((paths(&tool), tool.complete), (vec!["create /w/new".to_owned()], true));
}

#[test]
fn diffs_of_other_programs() {
    let tool =
        patch("*** a/.envrc\tMon Jan  1\n--- b/.envrc\tMon Jan  1\n***************\n*** 1,2 ****\n--- 1,2 ----\n! x\n");
    assert_eq!(paths(&tool), ["write /w/.envrc"]);
    assert_eq!(tool.added_text, ["x\n"]);
    let tool = patch("Index: .envrc\n====\n");
    assert_eq!(paths(&tool), ["write /w/.envrc"]);
    let tool = patch("  --- a/.envrc\n  +++ b/.envrc\n  @@ -1 +1 @@\n  +x\n");
    assert_eq!(paths(&tool), ["write /w/.envrc"]);
    let tool = patch("--- x/.github/w\n+++ x/.github/w\n@@ -1 +1 @@\n+x\n");
    assert_eq!(paths(&tool), ["write /w/.github/w", "write /w/x/.github/w"], "whether the first name counts");
    for text in ["1d\n", "1,2c\nx\n.\n"] {
        assert!(!patch(text).complete, "{text}");
    }
}

/// A line in front of a patch, or one of its context, does not turn it into another form.
#[test]
fn a_patch_that_may_be_of_several_forms_is_not_complete() {
    let diff = "--- a/.envrc\n+++ b/.envrc\n@@ -1,2 +1,2 @@\n";
    for text in [
        format!("*** Begin Patch\n{diff}+x\n"),
        format!("{diff} *** Begin Patch\n+x\n"),
        format!("{diff} *** Update File: a\n+x\n*** End Patch\n"),
        format!("<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n{diff}+x\n"),
    ] {
        let tool = patch(&text);
        assert!(paths(&tool).contains(&"write /w/.envrc".to_owned()) && !tool.complete, "{text} {tool:?}");
    }
    // The content is another patch, or has the marks of a conflict.
    let tool = patch(
        "*** Begin Patch\n*** Update File: a\n@@\n---- comment\n-<<<<<<< HEAD\n->>>>>>> x\n+--- a/x\n++++ b/x\n*** End Patch",
    );
    assert_eq!((paths(&tool), tool.complete), (vec!["write /w/a".to_owned()], true));
    let tool = patch("*** Begin Patch\n*** Update File: .envrc\u{feff}\n@@\n+x\n*** End Patch");
    assert_eq!(paths(&tool), ["write /w/.envrc"], "JavaScript drops the mark");
}

#[test]
fn a_diff_beside_a_path_names_no_other_file() {
    let diff = "--- a/.envrc\n+++ b/.envrc\n@@ -1 +1 @@\n+b\n";
    let tool = facts("edit", &json!({"file_path": "/w/x", "diff": diff}));
    assert_eq!(paths(&tool), ["write /w/x", "write /w/.envrc"]);
}

/// A link counts as what it leads to, and so do the files below it.
#[test]
fn a_link_that_a_patch_makes_leads_somewhere() {
    let body = "--- /dev/null\n+++ b/d/l\n@@ -0,0 +1 @@\n+../.git/hooks\n\\ No newline at end of file\n";
    for head in [
        "diff --git a/d/l b/d/l\nnew file mode 120000\nindex 0000000..1234567\n",
        "diff --git a/d/l b/d/l\nnew file mode 0120000\n",
        "diff --git a/d/l b/d/l\nindex 1234567..2345678 120000\n",
        "diff --git a/d/l b/d/l\nold mode 100644\nnew mode 120000\n",
    ] {
        let tool = patch(&format!("{head}{body}diff --git a/x b/x\n--- a/d/l/pre-commit\n+++ b/d/l/pre-commit\n"));
        let found = paths(&tool);
        for path in ["write /w/.git/hooks", "write /w/.git/hooks/pre-commit"] {
            assert!(found.iter().any(|found| found == path), "{head} {found:?}");
        }
        let indented: String = format!("{head}{body}").lines().map(|line| format!("  {line}\n")).collect();
        assert!(paths(&patch(&indented)).contains(&"write /w/.git/hooks".to_owned()), "{indented}");
    }
    let absolute = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/cron.d\n";
    assert!(paths(&patch(absolute)).contains(&"write /etc/cron.d".to_owned()));
    // The patches have a file with the same mode in its text, a link that is deleted, and a link whose target is
    // missing.
    let plain = "diff --git a/l b/l\nnew file mode 100644\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+120000\n+.git\n";
    assert_eq!(paths(&patch(plain)), ["create /w/l"]);
    let gone = "diff --git a/l b/l\ndeleted file mode 120000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-.git\n";
    assert_eq!((paths(&patch(gone)), patch(gone).complete), (vec!["delete /w/l".to_owned()], true));
    assert!(!patch("diff --git a/l b/l\nnew file mode 120000\nindex 0000000..e69de29\n").complete);
}

/// It does not matter what the tool and the key are called.
#[test]
fn a_patch_under_any_key_is_found() {
    let section = "*** Begin Patch\n*** Add File: .envrc\n+x\n*** End Patch\n";
    let diff = "--- /dev/null\n+++ b/.envrc\n@@ -0,0 +1 @@\n+x\n";
    for text in [section, diff] {
        for input in [
            json!({"path": "src/a", "changes": text}),
            json!({"path": "src/a", "patches": [text]}),
            json!({"path": "src/a", "edits": [{"diff": text}]}),
            json!({"path": "src/a", "hunks": {"text": [text]}}),
            json!([text]),
            json!(text),
        ] {
            for name in ["apply_patch", "ApplyPatch", "edit", "mcp__fs__apply_patch", "mcp__fs__applyDiff", "git-apply"]
            {
                // Known tools write what is in these keys.
                let is_content = name == "edit" && input.pointer("/hunks/text").is_some();
                let tool = facts(name, &input);
                let is_found = tool.paths.iter().any(|path| path.path == "/w/.envrc" && path.access == Access::Create);
                assert!(is_found || is_content, "{name} {input} {tool:?}");
            }
            let tool = facts("mcp__fs__change", &input);
            let is_found = tool.paths.iter().any(|path| path.path == "/w/.envrc");
            assert!(is_found || input.pointer("/hunks/text").is_some(), "{input} {tool:?}");
        }
        for key in ["content", "text", "body"] {
            let tool = facts("mcp__fs__apply_patch", &json!({"path": "src/a", key: text}));
            assert!(tool.paths.iter().any(|path| path.path == "/w/.envrc" && path.certain), "{key} {tool:?}");
        }
    }
    let tool = facts("mcp__fs__edit_file", &json!({"path": "src/a", "content": diff}));
    assert!(tool.paths.iter().any(|path| path.path == "/w/.envrc" && !path.certain), "{tool:?}");
    // What a tool writes into a file is not a patch.
    let tool = facts("Write", &json!({"file_path": "doc/fix.diff", "content": diff}));
    assert_eq!((paths(&tool), tool.complete), (vec!["write /w/doc/fix.diff".to_owned()], true));
    let tool = facts("mcp__fs__write", &json!({"path": "doc/fix.diff", "content": diff}));
    assert_eq!(paths(&tool), ["write /w/doc/fix.diff"]);
}

#[test]
fn a_patch_that_is_not_read_is_told() {
    for (name, input) in [
        ("apply_patch", json!({"path": "src/a", "ops": "1d"})),
        ("apply_patch", json!({"path": "src/a", "ops": "1,2c\nx\n."})),
        ("apply_patch", json!({"path": "src/a", "changes": "[{\"op\":\"x\"}]"})),
        ("mcp__fs__applyDiff", json!({"path": "src/a", "ops": "1d"})),
        ("mcp__fs__applyDiff", json!({"path": "src/a", "ops": "1,2c\nx\n."})),
        ("mcp__fs__edit_file", json!({"path": "src/a", "diff": "1,2c\nx\n."})),
        ("mcp__fs__edit_file", json!({"diff": "@@ -1 +1 @@\n-a\n+b"})),
    ] {
        let tool = facts(name, &input);
        let is_told = tool.unknown.iter().any(|what| what.contains("the patch") || what.contains("a patch"));
        assert!(is_told && !tool.complete, "{name} {input} {tool:?}");
    }
    // The text has only the changes, beside the path of their file.
    for name in ["edit", "mcp__fs__edit_file"] {
        let tool = facts(name, &json!({"path": "src/a", "diff": "@@ -1 +1 @@\n-a\n+b\n"}));
        assert_eq!((paths(&tool), tool.added_text), (vec!["write /w/src/a".to_owned()], vec!["b\n".to_owned()]));
        assert!(!tool.unknown.iter().any(|what| what.contains("patch")), "{:?}", tool.unknown);
    }
    // This is a patch of a service.
    let tool = facts("mcp__k8s__patch_resource", &json!({"name": "x", "patch": "{\"spec\":{\"replicas\":1}}"}));
    assert!(!tool.unknown.iter().any(|what| what.contains("a patch")), "{:?}", tool.unknown);
}

#[test]
fn a_diff_of_more_files_than_are_read_is_told() {
    let diff = |count: usize| (0..count).map(|at| format!("--- a/{at}\n+++ b/{at}\n")).collect::<String>();
    let is_told = |count| {
        let unknown = patch(&diff(count)).unknown;
        unknown.iter().any(|what| what == "more files in the patch than are read")
    };
    assert!(!is_told(1024) && is_told(2000));
    let is_told_in_a_shell_text = |count| {
        let script = hookbox_sdk::shell::parse(&format!("git apply <<'E'\n{}E\n", diff(count)));
        let mut files = script.known_commands().iter().flat_map(|command| command.files());
        files.any(|file| file.path.is_unknown())
    };
    assert!(!is_told_in_a_shell_text(1024) && is_told_in_a_shell_text(2000));
}

/// A patch means the same in a shell text as elsewhere.
#[test]
fn both_readers_of_diffs_are_the_same() {
    let [host, guest] = ["src/facts/patch/diff.rs", "guest-sdk/rust/src/shell/files/diff.rs"].map(|file| {
        let text = std::fs::read_to_string(crate::support::root().join(file)).unwrap();
        text.split_once("/// Reads a diff.").unwrap().1.to_owned()
    });
    assert_eq!(host, guest);
}
