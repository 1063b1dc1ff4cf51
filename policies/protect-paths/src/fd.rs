//! What `fd` searches for, and where.

use crate::finds::{Wanted, is_here};
use crate::regex;
use hookbox_policy::{Options, Word, options};

/// The options with a value.
#[rustfmt::skip] // Many words to a line.
const VALUES: &[&str] = &[
    "-C", "-E", "-S", "-c", "-d", "-e", "-j", "-o", "-t", "--and", "--base-directory", "--batch-size", "--changed-before", "--changed-within", "--color",
    "--exact-depth", "--exclude", "--extension", "--format", "--ignore-file", "--max-depth", "--max-results", "--min-depth", "--owner",
    "--path-separator", "--search-path", "--size", "--threads", "--type",
];

/// The letters of options after which no other option follows in the same word.
const LAST: &str = "xXCESdcejot";

/// The arguments of `fd`, without the commands that it runs.
pub(crate) struct Fd {
    given: Options,
}

impl Fd {
    pub(crate) fn new(words: &[Word]) -> Self {
        let mut own = Vec::new();
        let mut is_of_command = false;
        for word in words {
            if is_of_command {
                is_of_command = word.text() != ";";
                continue;
            }
            let letters = before_command(word.text());
            is_of_command = letters.is_some();
            match letters {
                Some("" | "-") => {}
                Some(letters) => own.push(Word::new(letters)),
                None => own.push(word.clone()),
            }
        }
        Fd { given: options(&own, VALUES) }
    }

    /// Whether it also finds files whose names begin with a dot.
    pub(crate) fn shows_hidden(&self) -> bool {
        self.given.has(&["-H", "-u", "--hidden", "--unrestricted"])
    }

    /// Returns the directories in which it searches, if not in the working directory.
    pub(crate) fn starts(&self) -> impl Iterator<Item = &str> {
        let named = self.given.values(&["-C", "--base-directory", "--search-path"]);
        self.given.operands.iter().skip(1).chain(named).map(Word::text)
    }

    /// Whether it finds only files in the working directory, of which none is hidden.
    pub(crate) fn stays(&self) -> bool {
        !self.shows_hidden() && self.starts().all(is_here)
    }

    /// Returns what it searches for.
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        let given = &self.given;
        let extensions: Vec<&str> =
            given.values(&["-e", "--extension"]).map(|word| word.text().trim_start_matches('.')).collect();
        let mut patterns: Vec<&str> =
            given.operands.first().into_iter().chain(given.values(&["--and"])).map(Word::text).collect();
        if patterns.is_empty() {
            patterns.push("");
        }
        let mut wanted = Vec::new();
        for pattern in patterns {
            for names in self.names(pattern) {
                let is_hidden = names.split('/').any(|name| name.starts_with('.'));
                if is_hidden && !self.shows_hidden() {
                    continue;
                }
                let shown = if pattern.is_empty() { names.clone() } else { pattern.to_owned() };
                if extensions.is_empty() {
                    wanted.push(Wanted { shown, names });
                    continue;
                }
                for extension in &extensions {
                    let end = format!(".{extension}");
                    let names = if names.ends_with('*') {
                        format!("{names}{end}")
                    } else if names.ends_with(&end) {
                        names.clone()
                    } else {
                        continue;
                    };
                    wanted.push(Wanted { shown: format!("{pattern}*{end}"), names });
                }
            }
        }
        wanted
    }

    /// Returns the patterns of names that a pattern stands for. A single dot matches all names.
    fn names(&self, pattern: &str) -> Vec<String> {
        match pattern {
            "" | "." => vec!["*".to_owned()],
            _ if self.given.has(&["-g", "--glob"]) => regex::choices(&with_groups(pattern)),
            _ if self.given.has(&["-F", "--fixed-strings"]) => regex::around(pattern, false, false),
            _ => regex::anywhere(pattern),
        }
    }
}

/// Returns the options before a command in the same word, if the word begins a command: `-H` for `-Hx`.
fn before_command(text: &str) -> Option<&str> {
    let is_long = |name: &str| text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
    if is_long("--exec") || is_long("--exec-batch") {
        return Some("");
    }
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let at = letters.find(|letter| LAST.contains(letter))?;
    letters.get(at..)?.starts_with(['x', 'X']).then(|| text.get(..=at)).flatten()
}

/// Returns a pattern of a shell with groups in place of its braces: `a.(b|c)` for `a.{b,c}`.
fn with_groups(pattern: &str) -> String {
    let mut depth = 0_usize;
    let group = |c: char| match c {
        '{' => {
            depth += 1;
            '('
        }
        '}' => {
            depth = depth.saturating_sub(1);
            ')'
        }
        ',' if depth > 0 => '|',
        c => c,
    };
    pattern.chars().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::Fd;
    use hookbox_policy::Word;

    fn names(line: &str) -> Vec<String> {
        let words: Vec<Word> = line.split_whitespace().map(Word::new).collect();
        Fd::new(&words).wanted().into_iter().map(|wanted| wanted.names).collect()
    }

    #[test]
    fn what_it_searches_for() {
        for (line, wanted) in [
            (r"-H ^\.env$ -x rm", vec![".env"]),
            (r"-Hx rm x ; ^\.env$", vec![".env"]),
            (r"-HI -g .{env,npmrc} -X rm -f", vec![".npmrc", ".env"]),
            (r"^\.env$ -x rm", vec![]),
            ("-e pem -X rm", vec!["*.pem"]),
            ("-e rs . src -x rustfmt", vec!["*.rs"]),
            ("-e json ^secrets -x rm", vec!["secrets*.json"]),
            ("-E .env -F id_rsa$ -x rm", vec!["id_rsa$", "id_rsa$*", "*id_rsa$", "*id_rsa$*"]),
        ] {
            assert_eq!(names(line), wanted, "{line}");
        }
    }
}
