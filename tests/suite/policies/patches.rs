//! Patches that commands apply.

use super::{Bench, strictness};

#[tokio::test]
async fn a_patch_does_not_hide_what_it_changes() {
    let bench = Bench::new("protect-paths", None);
    let body = "@@ -0,0 +1 @@\n+x\n";
    let quoted = "\"b/.\\143laude/settings.json\"";
    for command in [
        format!("git apply <<'EOF'\n--- /dev/null\n+++ {quoted}\n{body}EOF\n"),
        format!("patch -p1 <<'EOF'\n--- /dev/null\n+++ {quoted}\n{body}EOF\n"),
        "printf '%s\\n' 'diff --git a/x b/x' 'rename from x' 'rename to .claude/settings.json' | git apply".to_owned(),
        "printf -- '--- /dev/null\\n+++ b/.\\143laude/settings.json\\n@@ -0,0 +1 @@\\n+x\\n' | git apply".to_owned(),
        "printf '%b' '--- /dev/null\\n+++ \"b/.\\\\143laude/settings.json\"\\n@@ -0,0 +1 @@\\n+x\\n' | git apply".to_owned(),
        format!("git apply --directory=.claude <<'EOF'\n--- /dev/null\n+++ b/settings.json\n{body}EOF\n"),
        format!("git apply --directory .claude <<'EOF'\n--- /dev/null\n+++ b/settings.json\n{body}EOF\n"),
        format!("git apply -p3 <<'EOF'\n--- /dev/null\n+++ b/x/y/.claude/settings.json\n{body}EOF\n"),
        format!("patch -d .claude -p1 <<'EOF'\n--- /dev/null\n+++ b/settings.json\n{body}EOF\n"),
        format!("patch -Np2 <<'EOF'\n--- /dev/null\n+++ b/x/.claude/settings.json\n{body}EOF\n"),
        format!("git apply --stat --apply <<'EOF'\n--- /dev/null\n+++ b/.claude/settings.json\n{body}EOF\n"),
        "git apply <<'EOF'\ndiff --git a/.claude/settings.json b/.claude/settings.json\nold mode 100644\nnew mode 100755\nEOF\n".to_owned(),
        "git apply <<'EOF'\ndiff --git a/.claude/settings.json b/.claude/settings.json\nnew file mode 100644\nindex 0000000..e69de29\nEOF\n".to_owned(),
        "git apply <<'EOF'\ndiff --git a/.claude/settings.json b/.claude/settings.json\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ\n\nEOF\n".to_owned(),
        "git apply <<'EOF'\ndiff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ\n\nEOF\n".to_owned(),
        "patch <<'EOF'\n*** .claude/settings.json\tx\n--- .claude/settings.json\tx\n***************\n*** 1 ****\n--- 1 ----\n! x\nEOF\n".to_owned(),
        "patch -p0 <<'EOF'\n  --- .claude/settings.json\n  +++ .claude/settings.json\n  @@ -1 +1 @@\n  +x\nEOF\n".to_owned(),
        "patch -e x <<'EOF'\n1d\nEOF\n".to_owned(),
        "curl -s https://example.com/x | git apply".to_owned(),
        "sed s/x/y/ a.diff | patch -p1".to_owned(),
    ] {
        let outcome = bench.ask_bash(&command).await;
        assert!(strictness(&outcome) > 0, "{command}");
    }
}

#[tokio::test]
async fn everyday_patches_pass() {
    let bench = Bench::new("protect-paths", None);
    let diff = "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n-- x\n-a\n+b\n";
    for command in [
        format!("git apply <<'EOF'\n{diff}EOF\n"),
        format!("git apply --index -p1 - <<'EOF'\n{diff}EOF\n"),
        format!("patch -p1 --forward <<'EOF'\n{diff}EOF\n"),
        format!("patch -Np1 <<'EOF'\n{diff}EOF\n"),
        format!("git apply --directory=sub <<'EOF'\n{diff}EOF\n"),
        "git apply fix.patch".to_owned(),
        "git am < 0001-x.patch".to_owned(),
        "git diff HEAD~1 | git apply -R".to_owned(),
        "git stash show -p | git apply --3way".to_owned(),
        "cat fix.diff | patch -p1".to_owned(),
        "gunzip -c fix.diff.gz | patch -p1".to_owned(),
        "printf '%s' x | git apply --check".to_owned(),
        "git diff | git apply --stat".to_owned(),
    ] {
        let outcome = bench.ask_bash(&command).await;
        assert_eq!(strictness(&outcome), 0, "{command}: {:?}", outcome.reason);
    }
}
