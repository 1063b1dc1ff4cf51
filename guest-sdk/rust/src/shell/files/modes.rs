//! Programs whose arguments have special forms: modes, tests, `-in file`.

use super::{Access, Files};
use crate::shell::inner::options::Spec;
use crate::shell::word::Word;

/// Adds the files of `chmod` and `chattr`, whose mode may begin with a dash. `flags` are the letters of their options.
pub(super) fn changed(arguments: &[Word], flags: &str, files: &mut Files) {
    let mut has_mode = false;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        if text == "--" {
            break;
        }
        if let Some(reference) = word.after("--reference=") {
            files.add(&reference, Access::Read);
            has_mode = true;
        } else if text == "--reference" {
            files.add_all(words.next(), Access::Read);
            has_mode = true;
        } else if text.starts_with("--") {
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            has_mode |= !letters.chars().all(|letter| flags.contains(letter));
        } else if has_mode {
            files.add(word, Access::Write);
        } else {
            has_mode = true;
        }
    }
    files.add_all(words.as_slice().iter().skip(usize::from(!has_mode)), Access::Write);
}

pub(super) fn shred(arguments: &[Word], files: &mut Files) {
    let spec =
        Spec { shorts: "ns", longs: &["iterations", "size", "random-source"], flags: &["remove", "zero", "force"] };
    let (options, operands) = spec.all(arguments);
    let deletes = options.iter().any(|(name, _)| matches!(name.as_str(), "-u" | "--remove"));
    for (name, value) in &options {
        if name == "--random-source" {
            files.add_all(value.as_ref(), Access::Read);
        }
    }
    files.add_all(&operands, if deletes { Access::Delete } else { Access::Write });
}

/// Adds the files after `-e`, `-f` and the like.
pub(super) fn test(arguments: &[Word], files: &mut Files) {
    for (at, word) in arguments.iter().enumerate() {
        let text = word.text();
        let letter = text.strip_prefix('-').filter(|letter| letter.len() == 1);
        if letter.is_some_and(|letter| "abcdefghkprsuwxGLNOS".contains(letter)) {
            // Between two values, `-a` means something else.
            let is_between = matches!(letter, Some("a" | "o")) && at > 0;
            if !is_between {
                files.add_all(arguments.get(at + 1), Access::List);
            }
        } else if matches!(text, "-nt" | "-ot" | "-ef") {
            let before = at.checked_sub(1).and_then(|at| arguments.get(at));
            files.add_all(before.into_iter().chain(arguments.get(at + 1)), Access::List);
        }
    }
}

/// Adds the files of `openssl`, whose options have one dash and a name.
pub(super) fn openssl(arguments: &[Word], files: &mut Files) {
    for pair in arguments.windows(2) {
        if let [option, file] = pair {
            match option.text() {
                "-in" | "-inkey" | "-key" | "-cert" | "-CAfile" | "-CA" | "-CAkey" | "-config" | "-rand" | "-kfile" => {
                    files.add(file, Access::Read);
                }
                "-out" | "-keyout" | "-writerand" => files.add(file, Access::Write),
                _ => {}
            }
        }
    }
}
