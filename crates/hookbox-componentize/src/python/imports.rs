//! The parser of import statements in a Python module.

/// Returns the names of the modules that the text of a module imports. A name that may be a module in a package (`from
/// package import name`) is included, too. An import relative to the importing module's own package has a leading dot
/// for each level.
pub(super) fn imports(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for statement in statements(source) {
        let mut words = statement.split_whitespace();
        match words.next() {
            Some("import") => {
                let rest = words.collect::<Vec<_>>().join(" ");
                found.extend(names(&rest).map(|name| name.replace(' ', "")));
            }
            Some(first) if first.starts_with("from") => {
                let rest = statement.trim_start().get("from".len()..).unwrap_or_default();
                // `from.a import b` has no space before the dot, and `from ..import b` has none after the dots.
                let Some((module, rest)) = split_at_import(rest).filter(|_| follows_keyword(rest)) else { continue };
                let module: String = module.split_whitespace().collect();
                let separator = if module.ends_with('.') { "" } else { "." };
                found.extend(names(rest).map(|name| format!("{module}{separator}{name}")));
                found.push(module);
            }
            _ => {}
        }
    }
    found
}

/// Splits `a import b` at the keyword. Its letters may also be a part of a module's name.
fn split_at_import(rest: &str) -> Option<(&str, &str)> {
    rest.match_indices("import").find_map(|(at, word)| {
        let (module, names) = (rest.get(..at)?, rest.get(at + word.len()..)?);
        let is_word = module.ends_with([' ', '\t', '\n', '.']) && names.starts_with([' ', '\t', '\n', '(', '*']);
        is_word.then_some((module, names))
    })
}

/// Returns whether a text may stand directly after `from`.
fn follows_keyword(rest: &str) -> bool {
    rest.starts_with([' ', '\t', '.'])
}

/// Returns the names in a list, without their aliases.
fn names(list: &str) -> impl Iterator<Item = &str> {
    let list = list.trim().trim_start_matches('(').trim_end_matches(')');
    list.split(',').map(|item| item.trim().split_once([' ', '\t', '\n']).map_or(item.trim(), |(name, _)| name))
}

/// Splits a module into simple statements, without comments and strings. A statement is also split at its colons.
fn statements(source: &str) -> Vec<String> {
    let mut statements = vec![String::new()];
    let mut depth = 0_usize;
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let is_end = match c {
            '#' => {
                rest = after.find('\n').and_then(|end| after.get(end..)).unwrap_or_default();
                continue;
            }
            '"' | '\'' => {
                rest = behind_text(rest, c);
                continue;
            }
            '\\' if after.starts_with(['\n', '\r']) => {
                // It separates words, as in `from a\` with `import b` on the next line.
                if let Some(statement) = statements.last_mut() {
                    statement.push(' ');
                }
                rest = after.trim_start_matches('\r').strip_prefix('\n').unwrap_or(after);
                continue;
            }
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                false
            }
            '\n' | ';' | ':' => depth == 0,
            _ => false,
        };
        if is_end {
            statements.push(String::new());
        } else if let Some(statement) = statements.last_mut() {
            statement.push(c);
        }
        rest = after;
    }
    statements
}

/// Returns what follows the string that begins with this quote. A string that is not closed ends with its line.
fn behind_text(from: &str, quote: char) -> &str {
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let (end, is_triple) = match from.starts_with(&triple) {
        true => (triple.as_str(), true),
        false => (triple.get(..1).unwrap_or_default(), false),
    };
    let mut rest = from.get(end.len()..).unwrap_or_default();
    while let Some(c) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix(end) {
            return behind;
        }
        if c == '\n' && !is_triple {
            return rest;
        }
        let skipped = c.len_utf8();
        rest = rest.get(skipped..).unwrap_or_default();
        if c == '\\' {
            rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn imports_are_found_in_every_form() {
        for (source, found) in [
            ("import hookbox", &["hookbox"] as &[&str]),
            ("import hookbox.store as s, json", &["hookbox.store", "json"]),
            ("from hookbox import log, store as s", &["hookbox.log", "hookbox.store", "hookbox"]),
            (
                "from hookbox import (\n    log,  # messages\n    store,\n)\n",
                &["hookbox.log", "hookbox.store", "hookbox.", "hookbox"],
            ),
            ("from hookbox.store import open", &["hookbox.store.open", "hookbox.store"]),
            ("from hookbox \\\n  import http", &["hookbox.http", "hookbox"]),
            ("try: import a\nexcept ImportError: import b; import c", &["a", "b", "c"]),
            ("def f():\n\timport a\n", &["a"]),
            ("from . import rules", &[".rules", "."]),
            ("from important import x", &["important.x", "important"]),
            ("from .important import x", &[".important.x", ".important"]),
            ("from a\\\nimport b", &["a.b", "a"]),
            ("from .rules import all", &[".rules.all", ".rules"]),
            ("from ..a import*", &["..a.*", "..a"]),
        ] {
            let mut imported = imports(source);
            imported.retain(|name| !name.is_empty());
            assert_eq!(imported, found, "{source}");
        }
    }

    #[test]
    fn texts_comments_and_other_words_import_nothing() {
        for source in [
            "# import hookbox.store",
            "\"\"\"\nfrom hookbox import store\n\"\"\"",
            "x = '''\nimport hookbox.store\n'''",
            "x = 'a\\\n'; y = \"it's\"",
            "important = from_store(1)",
            "fromage = 'import hookbox.store'",
            "raise Denied(f\"import {x}\") from error",
            "yield from store",
        ] {
            assert_eq!(imports(source), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn a_text_that_is_not_closed_hides_only_its_line() {
        assert_eq!(imports("x = 'oops\nimport hookbox.store\n"), ["hookbox.store"]);
    }
}
