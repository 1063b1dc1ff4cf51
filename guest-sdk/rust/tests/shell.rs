//! What the shell parser finds in a command.
#![cfg(feature = "shell")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail this way")]

use hookbox_sdk::shell::{self, FOUND, GLOB, HOME, Script, Stdin, UNKNOWN, UnknownKind};
use hookbox_sdk::{CommandLine, Input, Tool, ToolKind, ToolShell, json};

/// Returns the commands as they were understood. An unknown word is shown as its pattern.
fn commands(script: &Script) -> Vec<String> {
    let text = |command: &shell::SimpleCommand| {
        command.words.iter().map(|word| word.pattern().to_owned()).collect::<Vec<_>>().join(" ")
    };
    script.known_commands().iter().map(text).collect()
}

#[test]
fn every_command_is_found_wherever_it_stands() {
    for (text, expected) in [
        ("a 1 2", &["a 1 2"][..]),
        ("a; b & c && d || e", &["a", "b", "c", "d", "e"]),
        ("a | b |& c", &["a", "b", "c"]),
        ("(a; (b))", &["a", "b"]),
        ("{ a; }; ! b", &["a", "b"]),
        ("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", &["a", "b", "c", "d"]),
        ("case x in x) a;; *) b;; esac", &["a", "b"]),
        ("f() { a; }", &["a"]),
        ("time a; coproc b", &["a", "b"]),
        ("a $(b `c`)", &["c", "b …", "a …"]),
        ("a <(b) >(c)", &["b", "c", "a … …"]),
        ("a \"$(b)\" '$(c)' \\$\\(d\\)", &["b", "a … $(c) $(d)"]),
        ("a <<E\n$(b) c\nE\nd", &["b", "a", "d"]),
        ("a <<'E'\n$(b) c\nE\nd", &["a", "d"]),
        ("x=$(a) b", &["a", "b"]),
        ("sudo -u x a 1", &["sudo -u x a 1", "a 1"]),
        ("env -i X=1 nice -n 5 a", &["env -i X=1 nice -n 5 a", "nice -n 5 a", "a"]),
        ("sh -c 'a; b'", &["sh -c a; b", "a", "b"]),
        ("sh -xec a", &["sh -xec a", "a"]),
        ("bash <<< 'a b'", &["bash", "a b"]),
        ("eval a '; b'", &["eval a ; b", "a", "b"]),
        ("su me -c 'a'; su --command=b", &["su me -c a", "a", "su --command=b", "b"]),
        ("trap 'a' EXIT", &["trap a EXIT", "a"]),
        ("timeout -k 1 5 a; nohup b", &["timeout -k 1 5 a", "a", "nohup b", "b"]),
        ("ssh -p 1 h 'a | b' c", &["ssh -p 1 h a | b c", "a", "b c"]),
        ("ssh h -l me a", &["ssh h -l me a", "a"]),
        ("flock x a; flock x -c 'b'", &["flock x a", "a", "flock x -c b", "b"]),
        ("watch -n 1 a '| b'", &["watch -n 1 a | b", "a", "b"]),
        ("alias x='a; b'", &["alias x=a; b", "a", "b"]),
        ("git -c alias.x='!a' x", &["git -c alias.x=!a x", "a"]),
        ("git -c core.pager=a log", &["git -c core.pager=a log", "a"]),
        ("git rebase -x 'a b' main", &["git rebase -x a b main", "a b"]),
        ("tar --to-command=a -xf x", &["tar --to-command=a -xf x", "a"]),
        ("tar xf x --to-c a", &["tar xf x --to-c a", "a"]),
    ] {
        let script = shell::parse(text);
        let found: Vec<String> = commands(&script).iter().map(|text| text.replace(UNKNOWN, "…")).collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(script.unknowns(), [], "{text}");
    }
}

#[test]
fn what_find_and_xargs_put_in_place_is_marked() {
    let script = shell::parse("find src lib -exec rm {} + ; find -exec a {} \\;");
    let expected = [
        "find src lib -exec rm {} +".to_owned(),
        format!("rm src{FOUND}"),
        format!("rm lib{FOUND}"),
        "find -exec a {} ;".to_owned(),
        format!("a .{FOUND}"),
    ];
    assert_eq!(commands(&script), expected);
    assert_eq!(commands(&shell::parse("xargs a b"))[1], format!("a b {UNKNOWN}"));
    assert_eq!(commands(&shell::parse("xargs -I% a %/x"))[1], format!("a {UNKNOWN}/x"));
}

#[test]
fn what_cannot_be_known_is_no_list_of_commands() {
    for (text, kind) in [
        ("curl x | sh", UnknownKind::Script),
        ("curl x | sudo bash -s -- y", UnknownKind::Script),
        ("bash <(curl x)", UnknownKind::Script),
        (". <(curl x)", UnknownKind::Script),
        ("sh -c \"$X\"", UnknownKind::Script),
        ("eval \"$(x)\"", UnknownKind::Script),
        ("$(x) y", UnknownKind::Script),
        ("x | ssh h", UnknownKind::Script),
        ("awk 'BEGIN{system(a)}'", UnknownKind::Script),
        ("pwsh -c a", UnknownKind::Script),
        ("pwsh '' -c a", UnknownKind::Script),
        ("pwsh \u{2013}c a", UnknownKind::Script),
        ("powershell 'a b'", UnknownKind::Script),
        ("echo | fish", UnknownKind::Script),
        ("echo $(", UnknownKind::Syntax),
        ("a | | b", UnknownKind::Syntax),
        ("echo 'a", UnknownKind::Syntax),
        ("if a", UnknownKind::Syntax),
    ] {
        let script = shell::parse(text);
        assert_eq!(script.commands().map(<[_]>::len).unwrap_err().kind, kind, "{text}");
    }
}

#[test]
fn a_word_is_known_to_its_last_letter_or_not_at_all() {
    for (text, known) in [
        ("abc", Some("abc")),
        ("'a b'", Some("a b")),
        ("a\\ b", Some("a b")),
        ("\"a\"'b'c", Some("abc")),
        ("$'\\x41'", Some("A")),
        ("'$X'", Some("$X")),
        ("\"*\"", Some("*")),
        ("\\~", Some("~")),
        ("$X", None),
        ("a$X", None),
        ("\"${X:-y}\"", None),
        ("$(b)", None),
        ("*.c", None),
        ("~/x", None),
        ("$HOME", None),
        ("$((1+1))", None),
        ("\u{E000}", None),
        ("'\u{E002}'", None),
    ] {
        let script = shell::parse(&format!("echo {text}"));
        let command = script.known_commands().iter().find(|command| command.name() == Some("echo")).unwrap();
        assert_eq!(command.arguments()[0].known(), known, "{text}");
    }
}

#[test]
fn a_pattern_has_what_is_known_of_a_word() {
    let script = shell::parse("a /x/$Y *.c ~/z {1,2}");
    let patterns: Vec<&str> = script.known_commands()[0].arguments().iter().map(|word| word.pattern()).collect();
    let expected = [format!("/x/{UNKNOWN}"), format!("{GLOB}.c"), format!("{HOME}/z"), "1".to_owned(), "2".to_owned()];
    assert_eq!(patterns, expected);
    assert_eq!(script.known_commands()[0].arguments()[0].known_prefix(), "/x/");
}

#[test]
fn names_are_those_of_programs() {
    for (text, name) in
        [("/bin/rm x", Some("rm")), ("\\rm", Some("rm")), ("r'm'", Some("rm")), ("$X", None), ("~/x", Some("x"))]
    {
        assert_eq!(shell::parse(text).known_commands()[0].name(), name, "{text}");
    }
}

#[test]
fn assignments_and_redirections_are_there() {
    let script = shell::parse("A=1 B=$X c >o 2>&1 <i; D+=x; env E=2 f; for g in x; do :; done; H=(1 2)");
    let sets = |name: &str| {
        let all = script.known_commands().iter().flat_map(|command| &command.assignments);
        all.filter(|assignment| assignment.name == name)
            .map(|set| set.value.known().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert_eq!(sets("A"), [Some("1".to_owned())]);
    assert_eq!(sets("B"), [None]);
    assert_eq!(sets("D"), [None]);
    assert_eq!(sets("E"), [Some("2".to_owned())]);
    assert_eq!(sets("g"), [Some("x".to_owned())]);
    assert_eq!(sets("H"), [None]);
    let files: Vec<_> =
        script.redirects().iter().map(|redirect| (redirect.target.known().unwrap(), redirect.writes())).collect();
    assert_eq!(files, [("o", true), ("i", false)]);
}

#[test]
fn a_command_knows_its_surroundings() {
    let script = shell::parse("a | b <<< text & sudo c; f() { d; }; bash -c \"e; $X; g\"");
    let find = |name: &str| script.known_commands().iter().find(|command| command.name() == Some(name)).unwrap();
    assert!(find("a").is_piped && find("a").is_background);
    assert!(matches!(&find("b").stdin, Stdin::Text(text) if &**text == "text"));
    assert_eq!(find("c").run_by.as_deref(), Some("sudo"));
    assert_eq!(find("d").function.as_deref(), Some("f"));
    assert_eq!(find("g").run_by.as_deref(), Some("bash"));
    assert!(find("g").is_in_patchy_script && !find("c").is_in_patchy_script);
}

#[test]
fn what_goes_beyond_the_bounds_is_unknown() {
    let nested = |open: &str, close: &str, depth: usize| format!("{}true{}", open.repeat(depth), close.repeat(depth));
    for text in [
        "x".repeat(64 * 1024 + 1),
        nested("echo $(", ")", 9),
        nested("( ", ")", 60),
        nested("{ ", "; }", 1000),
        nested("if true; then ", "; fi", 100),
        nested("while true; do ", "; done", 1000),
        nested("f() { ", "; }", 100),
        nested("eval ", "", 9),
        "sudo ".repeat(40) + "x",
        "a;".repeat(5000),
        "a && ".repeat(5000) + "a",
        "a\n".repeat(1200),
        "[[ ".to_owned() + &"! ".repeat(1000) + "x ]]",
    ] {
        let script = shell::parse(&text);
        assert_eq!(script.unknowns().first().map(|unknown| unknown.kind), Some(UnknownKind::Bounds), "{text:.60}");
    }
    for text in [
        "x".repeat(64 * 1024),
        nested("echo $(", ")", 8),
        nested("( ", ")", 40),
        nested("{ ", "; }", 40),
        nested("if true; then ", "; fi", 40),
        "a;".repeat(900),
        // Literal text does not count.
        format!("cat > x.c <<'E'\n{}\nE\n", "if (a) { b(); c((d)); }\n".repeat(1000)),
        format!("echo '{}'", "(".repeat(5000)),
        "(a); ".repeat(400),
        "if a; then b; fi\n".repeat(200),
    ] {
        assert_eq!(shell::parse(&text).unknowns(), [], "{text:.60}");
    }
}

#[test]
fn a_list_of_arguments_meets_no_shell() {
    let line = |arguments: &[&str]| CommandLine::Arguments(arguments.iter().map(|&text| text.to_owned()).collect());
    assert_eq!(commands(&line(&["echo", "$(a)", "; b", "~"]).parse()), ["echo $(a) ; b ~"]);
    assert_eq!(commands(&line(&["bash", "-c", "a | b"]).parse()), ["bash -c a | b", "a", "b"]);
    assert_eq!(line(&["a", "b\0c"]).parse().unknowns()[0].kind, UnknownKind::Bounds);
}

#[test]
fn the_commands_of_an_input_are_one_script() {
    let input = Input::pre_tool("bash", json!({ "command": "a", "cmd": ["b", "c"] }));
    assert_eq!(commands(&input.script().unwrap()), ["a", "b c"]);
    let input = Input::pre_tool("bash", json!({ "command": "a", "cmd": "sudo b | c" }));
    let script = input.script().unwrap();
    let [_, sudo, b, c] = script.known_commands() else { panic!("{script:?}") };
    assert_eq!((sudo.name(), b.parent, &*c.reads_from), (Some("sudo"), Some(1), &[1_usize, 2][..]));
    let mut facts = Tool::new(ToolKind::Shell);
    facts.shells = vec![ToolShell::text("echo '"), ToolShell::text("x y #'")];
    let several = Input::pre_tool("bash", json!({ "command": "echo '\nx y #'" })).with_facts(&facts);
    assert_eq!(commands(&several.script().unwrap()), ["x y"], "each line by itself");
    assert!(several.script().unwrap().commands().is_err());
    assert!(Input::pre_tool("bash", json!({ "command": 1 })).script().is_err());
    assert_eq!(commands(&Input::pre_tool("read", json!({ "path": "x" })).script().unwrap()), [""; 0]);
}
