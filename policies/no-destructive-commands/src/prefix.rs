//! Determines whether a command begins with certain words, with any options between them.

use hookbox_policy::{Command, Word};

/// An argument that is not an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand<'a> {
    pub(crate) text: &'a str,
    /// Whether the operand follows an option and may therefore be its value.
    pub(crate) may_be_value: bool,
}

/// Returns the arguments of a command that are not options.
pub(crate) fn operands<'a>(command: &'a Command<'_>) -> Vec<Operand<'a>> {
    let mut operands = Vec::new();
    let mut may_be_value = false;
    for word in command.args() {
        let text = word.text();
        if text.starts_with('-') && text.len() > 1 {
            may_be_value = !text.contains('=') && text != "--";
        } else {
            operands.push(Operand { text, may_be_value });
            may_be_value = false;
        }
    }
    operands
}

/// Whether the operands begin with these words, in this order. `|` separates alternatives for a word.
pub(crate) fn begins(operands: &[Operand<'_>], words: &[&str]) -> bool {
    let mut rest = operands.iter();
    words.iter().all(|wanted| {
        rest.by_ref()
            .find(|operand| is_one_of(operand.text, wanted) || !operand.may_be_value)
            .is_some_and(|operand| is_one_of(operand.text, wanted))
    })
}

/// Whether a text is one of the alternatives, which `|` separates.
pub(crate) fn is_one_of(text: &str, wanted: &str) -> bool {
    // This compares bytes, because it runs for each row of a table, and splitting at a `char` takes three times as
    // long.
    wanted.as_bytes().split(|byte| *byte == b'|').any(|wanted| wanted == text.as_bytes())
}

/// Returns a number with a bit for each of the texts that `|` separates. If two numbers share no bit, no text is in
/// both.
pub(crate) const fn summary(texts: &str) -> u64 {
    let (mut bits, mut hash, mut rest) = (0, 0_u8, texts.as_bytes());
    while let [byte, others @ ..] = rest {
        if *byte == b'|' {
            bits |= 1 << (hash % 64);
            hash = 0;
        } else {
            hash = hash.wrapping_mul(5).wrapping_add(*byte);
        }
        rest = others;
    }
    bits | 1 << (hash % 64)
}

/// Whether one of these patterns in the settings names the command: `git stash drop`, `make reset-db`, `terraform
/// destroy -target`.
pub(crate) fn is_named(command: &Command<'_>, patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| {
        let (options, words): (Vec<&str>, Vec<&str>) =
            pattern.split_whitespace().partition(|word| word.starts_with('-'));
        let Some((program, words)) = words.split_first() else { return false };
        command.name == *program
            && begins(&operands(command), words)
            && options.iter().all(|option| command.args().iter().any(|word| is_option(word, option)))
    })
}

fn is_option(word: &Word, option: &str) -> bool {
    let text = word.text();
    text == option || text.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use hookbox_sdk::{ShellCommand, ShellWord};

    /// Returns a command whose words are all known.
    pub(crate) fn command(text: &str) -> ShellCommand {
        let argv: Vec<ShellWord> = text.split(' ').map(|word| ShellWord::Known(word.to_owned())).collect();
        let mut command = ShellCommand::default();
        command.name = argv.first().and_then(ShellWord::known).map(str::to_owned);
        command.argv = argv;
        command
    }

    fn is(text: &str, pattern: &str) -> bool {
        is_named(&Command::new(&command(text)), &[pattern.to_owned()])
    }

    #[test]
    fn options_may_stand_between() {
        assert!(is("kubectl -n prod delete ns x", "kubectl delete ns"));
        assert!(is("terraform -chdir=x destroy", "terraform destroy"));
        assert!(is("mysqladmin --force drop x", "mysqladmin drop"));
        assert!(!is("kubectl get ns delete", "kubectl delete"));
        assert!(!is("restic find prune", "restic prune"));
    }

    #[test]
    fn options_of_a_pattern_must_be_given() {
        assert!(is("terraform destroy -target=x", "terraform destroy -target"));
        assert!(!is("terraform destroy", "terraform destroy -target"));
        assert!(!is("make", ""));
    }
}
