//! Each member of a command's facts.

use crate::{ask, command, commands, facts, shown, words};
use hookbox_sdk::{Access, ShellCommand, ShellWord};
use serde_json::{Value, json};

/// Returns the member of the command `x` in a text.
fn member(text: &str, member: &str) -> Value {
    command(&facts(text), "x")[member].clone()
}

#[test]
fn a_whole_answer() {
    let expected = json!({
        "commands": [
            { "name": "cd", "argv": ["cd", "/x"], "text": "cd /x" },
            { "name": "sudo", "argv": ["sudo", "rm", "-rf", "/home/u"], "text": "sudo rm -rf ~", "cwd": "/x" },
            {
                "name": "rm", "argv": ["rm", "-rf", "/home/u"], "text": "rm -rf ~", "cwd": "/x", "parent": 1,
                "via": "sudo", "files": [{ "path": "/home/u", "access": "delete" }],
            },
        ],
        "complete": true,
    });
    assert_eq!(facts("cd /x && sudo rm -rf ~"), expected);
    assert_eq!(facts(""), json!({ "commands": [], "complete": true }));
}

#[test]
fn a_list_of_arguments_is_one_command_without_a_shell() {
    let answer = ask(&json!({ "argv": ["sudo", "rm", "-rf", "$X", "~", "*"] }));
    assert_eq!(words(command(&answer, "rm")), "rm -rf $X ~ *");
    assert_eq!(answer["complete"], true);
    let answer = ask(&json!({ "argv": ["sh", "-c", "rm -rf ~"] }));
    assert_eq!(words(command(&answer, "rm")), "rm -rf <~>");
}

#[test]
fn a_request_is_a_text_or_arguments() {
    let answer = |request: Value| hookbox_sdk::shell::facts::answer(&request.to_string());
    assert!(answer(json!({ "text": "a" })).is_ok());
    assert!(answer(json!({ "text": "a", "argv": ["a"] })).is_err());
    assert!(answer(json!({ "home": "/" })).is_err());
    assert!(answer(json!({ "text": 1 })).is_err());
    assert!(answer(json!([])).is_err());
}

#[test]
fn a_name_is_that_of_a_program_or_absent() {
    for (text, name) in [
        ("/bin/rm", Some("rm")),
        ("\\rm", Some("rm")),
        ("'r'm", Some("rm")),
        ("./a/rm", Some("rm")),
        ("~/bin/rm", Some("rm")),
        ("$X/rm", Some("rm")),
        ("$X", None),
        ("r$X", None),
        ("/bin/*", None),
        ("/bin/$X", None),
        ("A=1", None),
        ("> x", None),
    ] {
        let answer = facts(text);
        assert_eq!(commands(&answer)[0].get("name").and_then(Value::as_str), name, "{text}");
    }
}

#[test]
fn an_unknown_word_is_an_object() {
    let object = json!({ "raw": "$DIR/*.txt", "parts": [{ "unknown": "$DIR" }, "/", { "glob": "*" }, ".txt"] });
    assert_eq!(member("x $DIR/*.txt", "argv"), json!(["x", object]));
    let argument = |text: &str| member(text, "argv")[1].clone();
    assert_eq!(argument("x \"a$(b)\""), json!({ "raw": "\"a$(b)\"", "parts": ["a", { "unknown": "$(b)" }] }));
    assert_eq!(argument("x ~root/y"), json!({ "raw": "~root/y", "parts": [{ "unknown": "~root" }, "/y"] }));
    assert_eq!(argument("x [ab]?"), json!({ "raw": "[ab]?", "parts": [{ "glob": "[" }, "ab]", { "glob": "?" }] }));
    assert_eq!(argument("x '$DIR'"), json!("$DIR"));
    assert_eq!(argument("x \u{F0001}")["parts"][0]["unknown"], "\\u{f0001}");
    assert_eq!(argument("x \u{E000}"), json!("\u{E000}"));
}

#[test]
fn without_a_home_and_a_directory_they_are_unknown() {
    let answer = ask(&json!({ "text": "x ~ $HOME $PWD ./y" }));
    let expected = json!([
        "x",
        { "raw": "~", "parts": [{ "unknown": "~" }] },
        { "raw": "$HOME", "parts": [{ "unknown": "$HOME" }] },
        { "raw": "$PWD", "parts": [{ "unknown": "$PWD" }] },
        "./y",
    ]);
    assert_eq!(command(&answer, "x")["argv"], expected);
    assert_eq!(answer["complete"], true);
    // A home must be an absolute path.
    let answer = ask(&json!({ "text": "x ~", "home": "u" }));
    assert_eq!(shown(&command(&answer, "x")["argv"][1]), "<~>");
}

#[test]
fn another_user_or_machine_has_another_home() {
    for (text, argument) in [
        ("sudo x ~", "/home/u"),
        ("sudo sh -c 'x ~'", "<~>"),
        ("su -c 'x $HOME'", "<$HOME>"),
        ("docker exec c sh -c 'x ~/a'", "<~>/a"),
        ("ssh h 'x ~'", "<~>"),
        ("sudo env HOME=/a sh -c 'x ~'", "/a"),
        ("sh -c 'x ~'", "/home/u"),
        ("HOME=/a; x ~", "/a"),
    ] {
        assert_eq!(shown(&member(text, "argv")[1]), argument, "{text}");
    }
}

#[test]
fn the_text_is_as_written_and_short() {
    assert_eq!(member("a;  x  'b c'  \"$D\" ; d", "text"), "x  'b c'  \"$D\"");
    let long = format!("x {}", "é".repeat(300));
    let text = member(&long, "text");
    assert!(long.starts_with(text.as_str().unwrap().trim_end_matches('…')) && text.as_str().unwrap().len() <= 204);
}

#[test]
fn the_directory_is_there_if_the_text_changes_it() {
    for (text, cwd) in [
        ("x", None),
        ("cd /a; x", Some("/a")),
        ("cd a; x", Some("/home/u/p/a")),
        ("cd a && cd ../b && x", Some("/home/u/p/b")),
        ("cd; x", Some("/home/u")),
        ("cd ~/a; x", Some("/home/u/a")),
        ("cd $A; x", Some("<$A>")),
        ("cd /a/$B/..; x", Some("/a/<$B>/..")),
        ("cd /a; cd -; x", None),
        ("(cd /a); x", None),
        ("(cd /a; x)", Some("/a")),
        ("{ cd /a; }; x", Some("/a")),
        ("pushd /a; x", Some("/a")),
        ("pushd /a; popd; x", None),
        ("cd /a; pushd /; popd +1; x", Some("<the working directory>")),
        ("cd /; pushd -n /a; x", Some("<the working directory>")),
        ("env -C /a x", Some("/a")),
        ("env --chd=/a x", Some("/a")),
        ("sudo -D /a x", Some("/a")),
        ("please -d /a x", Some("/a")),
        ("flatpak-spawn --directory=/a x", Some("/a")),
        ("mise exec -C / -- x", Some("/")),
        ("mise -C / exec -- x", Some("/")),
        ("uv run --directory / x", Some("/")),
        ("poetry -C / run x", Some("/")),
        ("poetry -C/a run x", Some("/a")),
        ("unset CDPATH; cd /a; cd b; x", Some("/a/b")),
        ("shopt -s cdable_vars; b=/; cd b; x", Some("<the working directory>")),
        ("shopt -s nullglob; cd b; x", Some("/home/u/p/b")),
        ("cd /a; pushd /b; pushd; popd; x", Some("/b")),
        ("conda run --cwd / x", Some("/")),
        ("bwrap --chdir /a x", Some("<the working directory>")),
        ("bash -c 'cd /a; x'", Some("/a")),
        ("cd /a; bash -c x", Some("/a")),
        ("eval cd /a; x", Some("/a")),
        ("f() { cd /a; }; f; x", Some("/a")),
        ("cd /a || cd /b; x", Some("<the working directory>")),
        ("cd /a || x", None),
        ("cd /a || b; x", Some("<the working directory>")),
        ("cd /a b; x", Some("<the working directory>")),
        ("cd /a && cd * && x", Some("/a/*")),
        ("cd /a; cd /b; OLDPWD=/; cd -; x", Some("<the working directory>")),
        ("if b; then cd /a; fi; x", Some("<the working directory>")),
        ("b && cd /a; x", Some("<the working directory>")),
        ("for i in 1 2; do cd a; done; x", Some("<the working directory>")),
        ("cd /a | x", None),
        ("cd /a & x", Some("<the working directory>")),
        ("cd $(b); x", Some("<$(b)>")),
        ("ssh h x", Some("<the working directory>")),
        ("docker exec c x", Some("<the working directory>")),
        ("chroot / x", Some("<the working directory>")),
        ("sudo x -i -l", None),
        ("sudo -u a -i x", Some("<the working directory>")),
        ("su - a -c x", Some("<the working directory>")),
        ("su a -c x", None),
        ("git -c alias.a='!x' a", Some("<the working directory>")),
        ("find . -execdir x \\;", Some("<the working directory>")),
    ] {
        let found = member(text, "cwd");
        let found = (!found.is_null()).then(|| shown(&found));
        assert_eq!(found.as_deref(), cwd, "{text}");
    }
    assert_eq!(command(&facts("git -C /a status"), "git")["cwd"], "/a");
    assert_eq!(command(&facts("git -C /a -C b status"), "git")["cwd"], "/a/b");
    assert_eq!(command(&facts("make -C /a"), "make")["cwd"], "/a");
    assert_eq!(command(&facts("make -C/a"), "make")["cwd"], "/a");
    assert_eq!(command(&facts("make --directory=/a"), "make")["cwd"], "/a");
    assert_eq!(command(&facts("tar -C /a -xf b"), "tar")["cwd"], Value::Null);
}

#[test]
fn assignments_have_names_and_values() {
    let sets = |text: &str| member(text, "assignments");
    assert_eq!(
        sets("A=1 B=$C x"),
        json!([
            { "name": "A", "value": "1" },
            { "name": "B", "value": { "raw": "$C", "parts": [{ "unknown": "$C" }] } },
        ])
    );
    assert_eq!(sets("x A=1"), Value::Null);
    assert_eq!(sets("env A=1 x"), json!([{ "name": "A", "value": "1" }]));
    assert_eq!(sets("sudo LD_PRELOAD=y x"), json!([{ "name": "LD_PRELOAD", "value": "y" }]));
    assert_eq!(sets("BASH_ENV=y timeout 5 x"), json!([{ "name": "BASH_ENV", "value": "y" }]));
    assert_eq!(commands(&facts("A=~/b"))[0]["assignments"], json!([{ "name": "A", "value": "/home/u/b" }]));
    assert_eq!(commands(&facts("A=(b c)"))[0]["assignments"][0]["value"]["raw"], "(b c)");
}

#[test]
fn redirections_have_their_access() {
    let redirects = |text: &str| member(text, "redirects");
    let one = |fd: u32, op: &str, access: &str| json!([{ "fd": fd, "op": op, "target": "y", "access": access }]);
    assert_eq!(redirects("x > y"), one(1, ">", "write"));
    assert_eq!(redirects("x >> y"), one(1, ">>", "write"));
    assert_eq!(redirects("x >| y"), one(1, ">|", "write"));
    assert_eq!(redirects("x &> y"), one(1, "&>", "write"));
    assert_eq!(redirects("x &>> y"), one(1, "&>>", "write"));
    assert_eq!(redirects("x >& y"), one(1, ">&", "write"));
    assert_eq!(redirects("x 2> y"), one(2, ">", "write"));
    assert_eq!(redirects("x < y"), one(0, "<", "read"));
    assert_eq!(redirects("x <> y"), one(0, "<>", "write"));
    assert_eq!(redirects("x 3< y"), one(3, "<", "read"));
    assert_eq!(redirects("x 2>&1 <&- 3>&-"), Value::Null);
    assert_eq!(redirects("x <<< y"), Value::Null);
    assert_eq!(redirects("x > $Y")[0]["target"]["parts"], json!([{ "unknown": "$Y" }]));
    assert_eq!(redirects("x > /etc/{a,b}")[0]["target"]["raw"], "/etc/{a,b}");
    // The redirections of a compound command are listed on a separate command.
    let answer = facts("{ x; } > y");
    assert_eq!(
        commands(&answer)[0],
        json!({
            "text": "{ x; } > y", "redirects": one(1, ">", "write"), "files": [{ "path": "y", "access": "write" }],
        })
    );
}

#[test]
fn the_input_is_there_if_it_is_known() {
    for (text, stdin) in [
        ("x <<< 'a b'", json!("a b")),
        ("x <<E\na\nE", json!("a\n")),
        ("x <<E\n$A\nE", json!({ "raw": "$A\n", "parts": [{ "unknown": "$A" }, "\n"] })),
        ("echo a | x", json!("a\n")),
        ("a | x", Value::Null),
        ("x < y", Value::Null),
        ("x < <(echo a)", json!("a\n")),
        ("echo a | sudo x", json!("a\n")),
        ("x", Value::Null),
    ] {
        assert_eq!(member(text, "stdin"), stdin, "{text}");
    }
}

#[test]
fn a_parent_runs_a_command_in_a_way_that_has_a_name() {
    for (text, parent, via) in [
        ("sudo x", "sudo", "sudo"),
        ("/usr/bin/env x", "env", "env"),
        ("sh -c x", "sh", "sh"),
        ("echo x | bash", "bash", "bash"),
        ("bash <<E\nx\nE", "bash", "bash"),
        ("ls | xargs x", "xargs", "xargs"),
        ("find . -exec x \\;", "find", "find"),
        ("a $(x)", "a", "substitution"),
        ("a `x`", "a", "substitution"),
        ("a <(x)", "a", "substitution"),
        ("a <<E\n$(x)\nE", "a", "heredoc"),
        ("f() { x; }; f", "f", "function"),
        ("alias a=x\na", "alias", "alias"),
        ("eval x", "eval", "eval"),
        ("trap x EXIT", "trap", "trap"),
        ("git -c alias.a='!x' a", "git", "git"),
        ("ssh h x", "ssh", "ssh"),
        ("hash -p /bin/x a; a", "a", "alias"),
    ] {
        let answer = facts(text);
        let x = command(&answer, "x");
        let at = x["parent"].as_u64().unwrap_or_else(|| panic!("{text}: {answer}")) as usize;
        assert_eq!((commands(&answer)[at]["name"].as_str(), x["via"].as_str()), (Some(parent), Some(via)), "{text}");
    }
    assert_eq!(member("x; a", "parent"), Value::Null);
    // `$(…)` in a redirection or an assignment belongs to the command, too.
    assert_eq!(member("a > $(x)", "via"), "substitution");
    assert_eq!(member("A=$(x)", "via"), "substitution");
}

#[test]
fn the_place_of_a_parent_is_right_in_every_answer() {
    for text in
        ["alias a='b; c'\na; a", "f() { g; }; g() { h; }; f; f", "a $(b $(c)) | d $(e)", "for i in $(a); do b; done"]
    {
        let answer = facts(text);
        let all = commands(&answer);
        for (at, command) in all.iter().enumerate() {
            let places = command["reads_from"].as_array().into_iter().flatten().chain(command.get("parent"));
            for place in places {
                let place = place.as_u64().unwrap() as usize;
                assert!(place < all.len() && place != at, "{text}: {answer}");
            }
            assert!(command.get("parent").is_none() || command["via"].is_string(), "{text}: {command}");
        }
    }
}

#[test]
fn a_command_reads_from_those_before_it() {
    let names = |text: &str| {
        let answer = facts(text);
        let all = commands(&answer);
        let from = command(&answer, "x")["reads_from"].as_array().cloned().unwrap_or_default();
        let name = |at: &Value| all[at.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned();
        from.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names("a | x"), ["a"]);
    assert_eq!(names("a | b | x"), ["b"]);
    assert_eq!(names("a | sudo x"), ["a"]);
    assert_eq!(names("(a; b) | x"), ["a", "b"]);
    assert_eq!(names("sudo a | x"), ["sudo", "a"]);
    assert_eq!(names("a | { b; x; }"), ["a"]);
    assert_eq!(names("a | while b; do x; done"), ["a"]);
    assert_eq!(names("a |& x"), ["a"]);
    assert_eq!(names("x < <(a)"), ["a"]);
    assert_eq!(names("a | x < y"), [""; 0]);
    assert_eq!(names("a; x"), [""; 0]);
    assert_eq!(names("x | a"), [""; 0]);
}

#[test]
fn functions_and_background_are_told() {
    assert_eq!(member("f() { x; }", "function"), "f");
    assert_eq!(member("f() { g; }; g() { x; }; f", "function"), "g");
    assert_eq!(member("f() { a; }; x", "function"), Value::Null);
    assert_eq!(member("x &", "background"), true);
    assert_eq!(member("(a; x) & b", "background"), true);
    assert_eq!(member("a & x", "background"), Value::Null);
    assert_eq!(member("x; a &", "background"), Value::Null);
    assert_eq!(member("x && a &", "background"), true);
    assert_eq!(member("sudo x &", "background"), true);
}

#[test]
fn reasons_are_given_once_and_in_words() {
    let answer = facts("curl a | sh; curl b | sh; eval $X; $Y");
    assert_eq!(answer["complete"], false);
    let expected = json!(["the output of another command", "a text that is not known yet", "which program `$Y` is"]);
    assert_eq!(answer["unknown"], expected);
    assert_eq!(facts("a").get("unknown"), None);
    assert_eq!(facts("sh -c \"a $B\"")["unknown"], json!(["a script with a part that is not known yet"]));
}

/// The SDK's types match the answer, and lose nothing of it.
#[test]
fn the_sdk_reads_what_the_reader_writes() {
    let texts = [
        "x > y 2>> $Z <> w {fd}> v 3<&4 &> u >| t < s <<< r",
        "cd /a; A=1 B=(c d) sudo x $Y *.z ~root <<E | tee f &\n$A\nE",
        "f() { rm -rf \"$1\"; }; f / & find . -exec mv {} /z \\; ; echo a | x",
        "curl a | sh; $X; 'b",
        "touch a; mkdir b; ls c; cat d; rm e",
    ];
    let mut seen = Vec::new();
    for text in texts {
        let answer = facts(text);
        let list: Vec<ShellCommand> = serde_json::from_value(answer["commands"].clone()).unwrap();
        assert_eq!(serde_json::to_value(&list).unwrap().as_array().unwrap().len(), commands(&answer).len());
        for (read, written) in list.iter().zip(commands(&answer)) {
            let mut again = serde_json::to_value(read).unwrap();
            // The SDK writes these members even if they are empty.
            for member in ["argv", "text"] {
                if written.get(member).is_none() {
                    again.as_object_mut().unwrap().remove(member);
                }
            }
            assert_eq!(&again, written);
            seen.extend(read.files.iter().map(|file| file.access));
            seen.extend(read.redirects.iter().map(|redirect| redirect.access.unwrap()));
        }
    }
    for access in [Access::Read, Access::Write, Access::Create, Access::Delete, Access::List] {
        assert!(seen.contains(&access), "{access:?}");
    }
    let answer = facts("x <<< 'a b'");
    let list: Vec<ShellCommand> = serde_json::from_value(answer["commands"].clone()).unwrap();
    assert_eq!(list[0].stdin.as_ref().and_then(ShellWord::known), Some("a b"));
}
