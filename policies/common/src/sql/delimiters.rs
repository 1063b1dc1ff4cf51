//! Commands of clients that choose what ends a statement: `DELIMITER //` of MySQL, `SET TERM ^ ;` of Firebird.

/// The commands. What they choose comes after a space.
const COMMANDS: &[&str] = &["delimiter", "\\d", "set term", "--#set terminator"];

/// Returns a text with `;` for what ends its statements, or `None` if no command in it chooses that. It is not longer
/// than the text.
pub(super) fn undelimited(text: &str) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let (mut delimiter, mut has_command) = (";", false);
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        loop {
            if let Some(chosen) = chosen(rest, delimiter) {
                (delimiter, has_command) = (chosen, true);
                made.push_str(";\n");
                break;
            }
            // A search takes time for each character of the delimiter, even in a shorter text.
            let found = if delimiter.len() > rest.len() { None } else { rest.split_once(delimiter) };
            let Some((statement, after)) = found else {
                made.push_str(rest);
                break;
            };
            made.push_str(statement);
            made.push(';');
            rest = after;
        }
    }
    has_command.then_some(made)
}

/// Returns what a command at the beginning of this text chooses. A `delimiter` ends a command that is a statement.
fn chosen<'a>(text: &'a str, delimiter: &str) -> Option<&'a str> {
    let text = text.trim_start();
    let after = |command: &&str| {
        let (head, rest) = text.split_at_checked(command.len())?;
        (head.eq_ignore_ascii_case(command) && rest.starts_with(char::is_whitespace)).then_some(rest)
    };
    let word = COMMANDS.iter().find_map(after)?.split_whitespace().next()?;
    let bare = word.trim_matches(['"', '\'']);
    let word = if bare.is_empty() { word } else { bare };
    let chosen = word.trim_end_matches(delimiter);
    Some(if chosen.is_empty() { word } else { chosen })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_where_a_command_says() {
        let is = |text: &str, made: &str| assert_eq!(undelimited(text).as_deref(), Some(made), "{text}");
        is("DELIMITER //\nA; B //\nDELIMITER ;\nC;", ";\nA; B ;\n;\nC;");
        is("delimiter $$\nA$$ delimiter ;\nB", ";\nA;;\nB");
        is("SET TERM ^ ;\nA; B^ C^\nSET TERM ; ^\nD;", ";\nA; B; C;\n;\nD;");
        is("DELIMITER ;;\nA; B;;", ";\nA; B;");
        assert_eq!(undelimited("SELECT delimiter; SELECT 1"), None);
        assert_eq!(undelimited("delimiter"), None);
    }
}
