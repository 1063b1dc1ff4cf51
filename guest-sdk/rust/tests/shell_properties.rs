//! Properties that hold for any text.
#![cfg(feature = "shell")]

use hookbox_sdk::CommandLine;
use hookbox_sdk::shell::{self, Edit};
use proptest::prelude::*;

/// Generates text composed of pieces that mean something to a shell.
fn shell_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "rm",
        "sudo",
        "env",
        "X=1",
        "sh -c",
        "bash",
        "eval",
        "find . -exec",
        "{}",
        "\\;",
        "xargs",
        "ssh h",
        "git -c",
        "alias x=",
        "<<E",
        "<<-'E'",
        "E",
        "\n",
        ";",
        ";;",
        "&&",
        "||",
        "|",
        "&",
        "(",
        ")",
        "{",
        "}",
        "$(",
        "`",
        "\"",
        "'",
        "$'",
        "${x:-",
        "${#",
        "$((",
        "((",
        "))",
        "[[",
        "]]",
        "!",
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "for i in",
        "while",
        "do",
        "done",
        "case x in",
        "x)",
        "esac",
        "f()",
        "function",
        "select",
        "coproc",
        "time",
        ">",
        ">&",
        "<(",
        ">(",
        "<<<",
        "#",
        "\\",
        "*",
        "~",
        "{a,b}",
        "{1..9}",
        ",",
        "é",
        "🚀",
        "\u{E000}",
        "\u{E007}",
        "\0",
        "=",
        "\t",
        "\r",
    ]);
    let space = prop::sample::select(vec!["", " ", " ", " "]);
    prop::collection::vec((piece, space), 0..40)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, space)| [piece, space]).collect())
}

/// Generates a few pieces, repeated very often, which makes deep and long texts.
fn repeated() -> impl Strategy<Value = String> {
    (shell_like(), shell_like(), shell_like(), 0_usize..400).prop_map(|(open, middle, close, count)| {
        let mut text = open.repeat(count) + &middle + &close.repeat(count);
        while text.len() > 64 * 1024 {
            text.pop();
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_to_its_end(text in prop_oneof![any::<String>(), shell_like()]) {
        let script = shell::parse(&text);
        for command in script.known_commands() {
            for word in &command.words {
                // A word's reported position is its actual position.
                if let Some(at) = word.span() {
                    prop_assert_eq!(text.get(at), Some(word.raw()));
                }
            }
        }
    }

    /// A quoted word stays literal, whatever it contains.
    #[test]
    fn quotes_keep_a_word_as_it_is(word in "[^\0\u{E000}-\u{E00F}\u{F0000}-\u{10FFFF}']{0,20}") {
        let script = shell::parse(&format!("echo '{word}'"));
        let argument = script.known_commands().first().and_then(|command| command.arguments().first());
        prop_assert_eq!(argument.and_then(|word| word.known()), Some(word.as_str()));
    }

    /// A command given as arguments is the same command as its text.
    #[test]
    fn arguments_and_their_text_are_one_command(arguments in prop::collection::vec("[^\0\u{E000}-\u{E00F}\u{F0000}-\u{10FFFF}]{0,8}", 1..5)) {
        let line = CommandLine::Arguments(arguments);
        let words = |line: &CommandLine| {
            let script = line.parse();
            script.known_commands().first().map(|c| c.words.iter().map(|w| w.known().map(str::to_owned)).collect::<Vec<_>>())
        };
        // A list may begin with what a shell would read as an assignment or a reserved word.
        let text = CommandLine::Text(format!("echo {}", line.as_text()));
        let CommandLine::Arguments(mut arguments) = line else { unreachable!() };
        arguments.insert(0, "echo".to_owned());
        prop_assert_eq!(words(&CommandLine::Arguments(arguments)), words(&text));
    }

    /// An edit changes only the word that it names.
    #[test]
    fn an_edit_replaces_one_word(before in "[a-z ]{0,9}", after in "[a-zé ]{0,9}") {
        let text = format!("echo {before}; x  'ß' y; echo {after}");
        let line = CommandLine::Text(text);
        let script = line.parse();
        let word = script.known_commands().iter().find(|command| command.name() == Some("x")).and_then(|x| x.arguments().first());
        let at = word.and_then(|word| word.span()).ok_or_else(|| TestCaseError::fail("no span"))?;
        let edited = line.edited(vec![Edit { at, with: vec!["z".to_owned(), "w".to_owned()] }]);
        prop_assert_eq!(edited, Some(CommandLine::Text(format!("echo {before}; x  z w y; echo {after}"))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// This runs on a stack that holds the deepest nesting of such a text. In a component, a text crafted to fool the
    /// count would trap, and the engine would deny.
    #[test]
    fn deep_and_long_texts_end(text in repeated()) {
        let count = move || shell::parse(&text).known_commands().len();
        let parser = std::thread::Builder::new().stack_size(1 << 30).spawn(count);
        let count = parser.map(std::thread::JoinHandle::join);
        prop_assert!(matches!(count, Ok(Ok(0..=1000))), "{count:?}");
    }
}

/// This runs on a stack of a size that any thread has.
#[test]
fn what_nests_is_counted() {
    for piece in [
        "(",
        "( ",
        "{ ",
        "{ a; ",
        "$(",
        "\"$(",
        "$((",
        "(( ",
        "`",
        "\"`",
        "${x:-",
        "\"${x:-",
        "<( ",
        ">( ",
        "[[ ( ",
        "[[ ! ",
        "! ",
        "if ",
        "if a; then ",
        "while ",
        "until a; do ",
        "for i in a; do ",
        "select i in a; do ",
        "case x in x) ",
        "f() ",
        "f() { ",
        "function f ",
        "function f { ",
        "time ! ",
        "coproc ( ",
        "a || ( ",
        "a | { ",
        "$' ' ( ",
        "{a,b} { ",
        "echo ]] ( ",
        "$(echo } ",
        "{ fi; ",
        "( echo \"'\"; ",
        "if [[ done ]]; then ",
        "x=( ",
        "!",
        "-",
        "~",
        "a = ",
        "2**",
    ] {
        let before =
            if "!-~".contains(piece) || piece.ends_with("= ") || piece.ends_with('*') { "echo $((" } else { "" };
        for count in [20, 200, 20_000] {
            let text: String = (before.to_owned() + &piece.repeat(count)).chars().take(60_000).collect();
            let script = shell::parse(&text);
            assert!(script.known_commands().len() <= 1000, "{piece}");
            // Any number of empty backquote pairs runs nothing.
            assert!(count < 20_000 || piece == "`" || !script.unknowns().is_empty(), "{piece}");
        }
    }
}
