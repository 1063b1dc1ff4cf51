//! What awk and sed programs run, read and write, and the commands of `fd`.

use crate::{are_incomplete, command, commands, facts, run_these, shown};

/// Returns the files of the first command of this name, as `access path`.
fn files(text: &str, name: &str) -> Vec<String> {
    let answer = facts(text);
    let files = command(&answer, name)["files"].as_array().cloned().unwrap_or_default();
    files.iter().map(|file| format!("{} {}", file["access"].as_str().unwrap(), shown(&file["path"]))).collect()
}

/// Checks that each text has one command, and is complete.
fn run_alone(texts: &[&str]) {
    for text in texts {
        let answer = facts(text);
        assert_eq!((commands(&answer).len(), &answer["complete"]), (1, &true.into()), "{text}: {answer}");
    }
}

#[test]
fn awk_texts_and_patterns_are_no_commands() {
    run_alone(&[
        r#"awk 'BEGIN{print "system failed"}'"#,
        r#"awk '{print "a | b", "c > d"}' x"#,
        "awk '/one|two/ {print}' x",
        "awk '/^a |^b / && $2 > 1' x",
        "awk '$1 ~ /[|/>]/ {n++} END {print n / 2}' x",
        r"awk '/a\/system/ {print}' x",
        "awk '{x = $1 / 2; y = $2 / 3; print x + y}' x",
        "awk '# system is not called\n{print}' x",
        "awk 'a || b' x",
        "awk '/x/{getline; print}' x",
        r#"awk '{print "it is late" > "/dev/stderr"}' x"#,
    ]);
}

#[test]
fn awk_runs_commands() {
    run_these(&[
        (r#"awk 'BEGIN{system("rm x")}'"#, &["rm x"]),
        (r#"awk '{y = 1 / 2; system("rm x"); z = 3 / 4}' f"#, &["rm x"]),
        (r#"awk 'function f(){system ("rm x")} BEGIN{f()}'"#, &["rm x"]),
        (r#"awk -e 'BEGIN{system("rm x")}'"#, &["rm x"]),
        (r#"awk '{print $2 | "sort -n | head -3"}' x"#, &["sort -n", "head -3"]),
    ]);
    are_incomplete(&[
        "awk 'BEGIN{system($0)}'",
        r#"awk 'BEGIN{system("r" "m")}'"#,
        r#"awk 'BEGIN{system("\x72m")}'"#,
        r#"awk '{print | "sh"}' x"#,
        r#"awk '{print | "sort; rm x"}' x"#,
        r#"awk '{c = "sort"; print | c}' x"#,
        r#"awk '{print |& "sort"}' x"#,
        r#"awk '"date" | getline d'"#,
        r#"awk '@include "x"; {print}' y"#,
        r#"awk '{f = "system"; @f("rm x")}' y"#,
        r#"awk '{a++ / "b; system("rm x"); c / "d"}' y"#,
        r#"awk "$PROGRAM" x"#,
        "awk -W exec=x y",
    ]);
}

#[test]
fn awk_names_files() {
    for (text, expected) in [
        (r#"awk '{print > "o"}' x"#, &["write o", "read x"][..]),
        (r#"awk '{print $1, $2 >> "o"; n++}' x"#, &["write o", "read x"]),
        (r#"awk '{printf("%s", $1) > "o"}' x"#, &["write o", "read x"]),
        (r#"awk '{print (1 > 2)}' x"#, &["read x"]),
        ("awk '$1 > 2' x", &["read x"]),
        (r#"awk 'BEGIN{while ((getline l < "i") > 0) n++}'"#, &["read i"]),
        ("gawk -oo '{print}' x", &["write o", "read x"]),
        ("gawk --profile=o '{print}' x", &["write o", "read x"]),
        ("gawk -d '{print}' x", &["write awkvars.out", "read x"]),
        ("gawk -i inplace '{print}' x", &["write x"]),
    ] {
        assert_eq!(files(text, text.split(' ').next().unwrap()), expected, "{text}");
    }
    let made_up = facts("awk '{print > $1}' x");
    assert!(command(&made_up, "awk")["files"][0]["path"]["parts"].as_array().unwrap().is_empty(), "{made_up}");
}

#[test]
fn sed_commands_are_told_from_texts() {
    run_alone(&[
        "sed 's/one/e/' x",
        "sed '/w /d; /e/p' x",
        "sed 'y/abc/wxe/' x",
        "sed 's/x/a w b/g' x",
        "sed 's/a/b/' 1e",
        "sed ':e;N;$!be;s/a/b/' x",
        "sed 'a e rm x' x",
        "sed 'i\\\ne rm x' x",
        "sed -n '/a/,/b/{p;q}' x",
        r"sed 's/\/e/x/' x",
        "sed '0~4d;2,+3p;/x/I,$d' x",
        "sed -i.e 's/a/b/' x",
        "sed '# e rm x' x",
    ]);
    run_these(&[
        ("sed -e p -e 'e rm x' f", &["rm x"]),
        ("sed '/a/{s/b/c/;e rm x\n}' f", &["rm x"]),
        (r"sed '\,a,e rm x' f", &["rm x"]),
        ("sed '1,/a/!e rm x' f", &["rm x"]),
        ("sed --expression='e rm x' f", &["rm x"]),
        ("sed -n '5e rm x\n6e rm y' f", &["rm x", "rm y"]),
        ("sed 'a one\ne rm x' f", &["rm x"]),
    ]);
    are_incomplete(&[
        "sed e x",
        "sed '$e' x",
        "sed 's,a,b,we' x; sed 's/a/b/ge' x",
        "sed 's/[/]/b/e' x",
        r#"sed "$PROGRAM" x"#,
    ]);
}

#[test]
fn sed_names_files() {
    for (text, expected) in [
        ("sed '/w /d' x", &["read x"][..]),
        ("sed 's/a/b/gw o' x", &["write o", "read x"]),
        ("sed '/a/w o' x", &["write o", "read x"]),
        ("sed '/a/{p;w o\n}' x", &["write o", "read x"]),
        ("sed 'w /dev/stdout' x", &["read x"]),
        ("sed -e p -e 'W o' x", &["write o", "read x"]),
        ("sed '$R i' x", &["read i", "read x"]),
        ("sed -nie p x", &["write x"]),
        ("sed -i '' -e p x", &["write x"]),
    ] {
        assert_eq!(files(text, "sed"), expected, "{text}");
    }
}

#[test]
fn indices_of_lists_are_computed() {
    run_these(&[
        ("test -v 'a[$(rm x)]'", &["rm x"]),
        ("[ -v 'a[`rm x`]' ]", &["rm x"]),
        ("[[ -v 'a[$(rm x)]' ]]", &["rm x"]),
        ("[[ 'a[$(rm x)]' -eq 1 ]]", &["rm x"]),
        ("printf -v 'a[$(rm x)]' y", &["rm x"]),
        ("read 'a[$(rm x)]'", &["rm x"]),
        ("unset 'a[$(rm x)]'", &["rm x"]),
    ]);
    run_alone(&["test -n 'a[$(rm x)]'", "printf '%s' 'a[$(rm x)]'", "echo 'a[$(rm x)]'"]);
}

#[test]
fn options_of_programs_that_show_text_run_pagers() {
    run_these(&[
        ("man -H'rm x' ls", &["rm x"]),
        ("bat --pager='rm x' y", &["rm x"]),
        ("tcpdump -w y -z 'rm x'", &["rm x"]),
        ("fzf --preview 'rm x'", &["rm x"]),
    ]);
    run_alone(&["man -k ls", "bat -l rs x"]);
    assert_eq!(files("tar xPf x.tar", "tar"), ["read x.tar", "write /", "write ."]);
}

#[test]
fn an_archive_on_another_machine_is_reached_by_ssh() {
    run_these(&[("tar cf host:x.tar a", &["ssh host /etc/rmt"]), ("tar xf u@host:x.tar", &["ssh u@host /etc/rmt"])]);
    run_alone(&["tar cf x.tar a", "tar cf ./a:b.tar a", "tar --force-local -cf a:b a"]);
}

#[test]
fn fd_runs_commands_however_the_option_is_spelled() {
    run_these(&[
        ("fd -x cat", &["cat ./**"]),
        ("fd -Hx cat", &["cat ./**"]),
        ("fd -HIX cat", &["cat ./**"]),
        ("fd -xcat", &["cat ./**"]),
        ("fd --exec=cat -n", &["cat -n ./**"]),
        ("fd -e rs -x wc -l {}", &["wc -l ./**"]),
    ]);
    run_alone(&["fd -tx a", "fd -ex", "fd -E x a"]);
    are_incomplete(&["fd x -x echo {} ';' -x rm -rf {}"]);
}
