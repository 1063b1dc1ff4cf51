//! Changes of the shell's state that do not follow the order of the text, or that no command makes.

use super::{are_incomplete, command, facts, run_these};

#[test]
fn a_variable_that_cannot_be_set_keeps_its_value() {
    run_these(&[
        ("readonly d=/\nd=a\nrm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=/; readonly d; export d=a; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("readonly d=/; f() { local d=a; rm -rf $d; }; f", &["rm -rf /"]),
        ("f() { local -r d=$1; rm -rf $d; }; f a; f b", &["rm -rf a", "rm -rf b"]),
        ("readonly d=a; rm -rf $d", &["rm -rf a"]),
        ("d=a; printf -v d[0] /; rm -rf $d", &["rm -rf <$d>"]),
        ("d=/; cd a && d=b; rm -rf $d", &["rm -rf /", "rm -rf b"]),
        ("d=/; echo >/x/y && d=b; rm -rf $d", &["rm -rf /", "rm -rf b"]),
    ]);
}

#[test]
fn what_a_trap_sets_is_not_known() {
    run_these(&[
        ("trap 'd=/' DEBUG; d=a; rm -rf $d", &["rm -rf <$d>"]),
        ("d=a; trap 'd=/' USR1; kill -USR1 $$; rm -rf $d", &["rm -rf <$d>"]),
        ("f() { d=/; }; d=a; trap f EXIT ERR; b; rm -rf $d", &["rm -rf <$d>"]),
        ("d=a; trap 'd=/; exit' INT; rm -rf $d", &["rm -rf a"]),
        ("f() { local d=/; }; trap f INT; d=a; rm -rf $d", &["rm -rf a"]),
        ("trap 'd=/' EXIT; d=a; rm -rf $d", &["rm -rf a"]),
    ]);
    are_incomplete(&["trap 'cd /' DEBUG; cd a; rm -rf b"]);
}

#[test]
fn a_name_that_is_not_known_may_be_any() {
    run_these(&[
        ("d=a; export $(b); rm -rf $d", &["rm -rf <$d>"]),
        ("d=a; read -r \"$(b)\" <<< /; rm -rf $d", &["rm -rf <$d>"]),
        ("d=a; printf -v \"$(b)\" /; rm -rf $d", &["rm -rf <$d>"]),
        ("d=a; declare \"x_$(b)=/\"; rm -rf $d", &["rm -rf a"]),
        ("d=a; declare -f \"$(b)\"; rm -rf $d", &["rm -rf a"]),
        ("export $(b); d=a; rm -rf $d", &["rm -rf a"]),
    ]);
}

#[test]
fn what_may_not_have_run_ends_nothing() {
    run_these(&[
        ("d=a; if y; then d=/; { exit; } >/x/y; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then { exit; } >&2; d=/; fi; rm -rf $d", &["rm -rf a"]),
    ]);
    are_incomplete(&["enable -n echo; echo rm", "enable -n exit; exit", "disable exit; exit"]);
}

/// A branch after a failed `cd` runs in the old directory. So does what follows, if only that branch goes on.
#[test]
fn a_cd_that_fails_leads_nowhere() {
    for text in [
        "if cd a; then y; else x; fi",
        "if ! cd a; then x; fi",
        "! cd a && x",
        "if cd a; then y; cd ..; fi; x",
        "if cd a; then exit; fi; x",
    ] {
        let answer = crate::facts(text);
        let all = crate::commands(&answer);
        let last = all.iter().rfind(|command| command["name"] == "x").unwrap();
        assert_eq!(last["cwd"], serde_json::Value::Null, "{text}");
    }
    let answer = crate::facts("if ! cd a; then exit 1; fi; x");
    assert_eq!(crate::commands(&answer).last().unwrap()["cwd"], "/home/u/p/a");
}

/// A word of a compound command does not fix the value of a variable for later commands.
#[test]
fn a_variable_keeps_all_of_its_values() {
    for text in [
        "for d in a /; do if [[ -d $d ]]; then rm -rf $d; fi; done",
        "for d in a /; do [[ $d ]] && rm -rf $d; done",
        "for d in a /; do case $d in x) ;; esac; rm -rf $d; done",
        "for d in a /; do case $d in *) rm -rf $d;; esac; done",
        "for d in a /; do for e in $d; do rm -rf $e; done; done",
        "for d in a /; do for e in $d; do :; done; rm -rf $d; done",
        "for d in a /; do select e in $d; do break; done; rm -rf $d; done",
        "for d in a /; do { y; } >$d/x; rm -rf $d; done",
        "for d in a /; do while read -r e; do rm -rf $e; done <<< $d; done",
        "for d in a /; do (y) <$d; rm -rf $d; done",
    ] {
        run_these(&[(text, &["rm -rf a", "rm -rf /"])]);
    }
}

#[test]
fn a_loop_over_directories_is_in_one_at_a_time() {
    for text in ["for d in a b; do (cd $d && x); done", "for d in a b; do cd \"$d\" || continue; x; cd ..; done"] {
        let answer = crate::facts(text);
        let all = crate::commands(&answer).iter().filter(|command| command["name"] == "x");
        let dirs: Vec<_> = all.map(|command| command["cwd"].as_str().unwrap_or_default()).collect();
        assert_eq!(dirs, ["/home/u/p/a", "/home/u/p/b"], "{text}");
    }
}

#[test]
fn lists_are_followed() {
    run_these(&[
        ("a[0]=rm; a[1]=-rf; a[2]=/; ${a[*]}", &["rm -rf /"]),
        ("a=(x rm); a[0]=rm; a[1]=-rf; \"${a[@]}\" /", &["rm -rf /"]),
        ("a+=(rm); a+=(-rf /); \"${a[@]}\"", &["rm -rf /"]),
        ("a=(x rm -rf /); \"${a[@]:1}\"", &["rm -rf /"]),
        ("a=(x rm -rf / y); \"${a[@]:1:3}\"", &["rm -rf /"]),
        ("f() { \"${@:2}\"; }; f x rm -rf /", &["rm -rf /"]),
        ("declare -a a='(rm -rf /)'; \"${a[@]}\"", &["rm -rf /"]),
        ("read -ra a <<< 'rm  -rf /'; \"${a[@]}\"", &["rm -rf /"]),
        ("IFS=, read -ra a <<< 'rm,-rf,/'; \"${a[@]}\"", &["rm -rf /"]),
        ("IFS=, read -r a b c <<< rm,-rf,/; $a $b $c", &["rm -rf /"]),
        ("IFS=': ' read -r a b <<< 'rm : -rf:/:'; $a \"$b\"", &["rm -rf:/:"]),
        // The numbers of these are octal, or only names.
        ("a=(1 2 3 4 5 6 7 8 / x y); rm -rf \"${a[@]:010}\"", &["rm -rf <${a[@]:010}>"]),
        ("declare -A a; a[0]=/; a[1]=b; rm -rf \"${a[@]:1}\"", &["rm -rf <${a[@]:1}>"]),
    ]);
}

#[test]
fn aliases_and_operations_are_followed() {
    run_these(&[
        ("alias a='rm ' b='-rf /'\na b", &["rm -rf /"]),
        ("alias a='rm ' b='-rf /'\na c b", &["rm c b"]),
        ("alias a='sudo '\na rm b", &["rm b"]),
        ("x='rm -rf /'; ${x@P}", &["rm -rf /"]),
        ("x='rm -rf /'; ${x@E}", &["rm -rf /"]),
        ("x=RM; ${x@L} a", &["rm a"]),
        ("x='rm -rf /'; ${=x}", &["rm -rf /"]),
        ("x='-rf /'; rm \"${=x}\"", &["rm -rf /"]),
        ("cat =(rm -rf /)", &["rm -rf /"]),
    ]);
    are_incomplete(&["alias -g X='-rf /'\nrm X", "BASH_ALIASES[x]='rm -rf /'\nx", "BASH_CMDS[x]=/bin/rm; x a"]);
    assert_eq!(command(&facts("=rm -rf a"), "rm")["argv"][2], "a");
}
