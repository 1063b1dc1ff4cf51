//! Patches of every form.

use super::{facts, paths};
use hookbox::Tool;
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
    // Beside the path of the file, the diff spells it differently.
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
