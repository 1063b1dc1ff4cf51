//! Dependencies that a command sets in a manifest: `npm pkg set overrides.x=…`, `jq '.dependencies.x = "…"'`.

use crate::install::Judge;
use crate::manifests::{Manifest, manifest, suspect};
use crate::order::Order;
use crate::spec::without_version;
use hookbox_policy::{Command, Word, options};

/// Programs that edit a file by an expression, which assigns values to paths.
const EDITORS: &[&str] = &["dasel", "gojq", "jaq", "jq", "tomlq", "yq"];
/// Lists of dependencies whose names do not end in `dependencies`.
const LISTS: &[&str] = &["catalog", "catalogs", "overrides", "resolutions"];
/// What the addresses of dependencies begin with.
const STARTS: &[&str] = &["bitbucket:", "gist:", "git+", "git://", "git@", "github:", "gitlab:", "ssh://"];

/// Returns the packages that a setting adds to a manifest: `npm pkg set dependencies.x=1`, `go mod edit -require=x@v1`.
pub(crate) fn packages(order: &Order<'_>) -> Vec<String> {
    if order.program == "go" {
        let required = order.read.values(&["-require", "--require"]).map(|word| word.text().to_owned());
        return required.collect();
    }
    let keys = order.operands.iter().filter_map(|word| word.text().split_once('='));
    let is_kind = |kind: &str| kind.to_ascii_lowercase().ends_with("dependencies");
    keys.filter_map(|(key, _)| key.split_once(['.', '[']))
        .filter(|(kind, _)| is_kind(kind))
        .map(|(_, name)| name.trim_end_matches(']').trim_matches(['"', '\'']).to_owned())
        .collect()
}

/// The most bytes of expressions that are read. Each assignment is read together with the text before and after it, so
/// the time grows with the square of the length.
const MAX_BYTES: usize = 8 << 10;

/// Returns what is suspect about a value that a list of dependencies gets. The key is a path, such as `overrides.x` and
/// `.pnpm.overrides["x"]`. The other arguments are those of [`suspect`].
pub(crate) fn of_member(
    key: &str,
    value: &str,
    is_listed: impl Fn(&str) -> bool,
    is_inside: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let parts = parts(key);
    let mut before = "";
    let at = parts.iter().position(|part| is_list(part, std::mem::replace(&mut before, part.as_str())))?;
    let value = value.trim().trim_matches('"');
    let list = parts.get(at)?;
    let name = parts.get(at + 1..).and_then(<[String]>::last);
    let text = match name {
        _ if value.starts_with('{') => format!("\"dependencies\":{value}"),
        None => return None,
        // This is `dependencies.x.path` in TOML. In `overrides.x.path`, it is the name of a package.
        Some(name) if name == "path" && parts.len() > at + 2 && !LISTS.contains(&list.as_str()) => return None,
        // In `foo>bar`, `**/bar` and `bar@^1`, the package is `bar`.
        Some(name) if value.starts_with("npm:") => {
            let name = name.rsplit('>').next().unwrap_or(name).trim_start_matches("**/");
            format!("\"{}\":\"{value}\"", without_version(name))
        }
        Some(_) => format!("\"dependencies\":{{\"x\":\"{value}\"}}"),
    };
    suspect(Manifest::Npm, &text, is_listed, is_inside).map(|(_, what)| what)
}

/// Whether a part of a path is a list of dependencies. `before` is the part before it. Settings of other programs, such
/// as `eslintConfig`, also have `overrides`.
fn is_list(part: &str, before: &str) -> bool {
    let is_own = matches!(before, "" | "pnpm" | "workspaces");
    part.to_ascii_lowercase().ends_with("dependencies") || is_own && LISTS.contains(&part)
}

/// Returns the parts of a path such as `.overrides["a.b"].c`.
fn parts(key: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut is_quoted, mut in_brackets) = (false, false);
    for letter in key.chars() {
        match letter {
            '"' | '\'' => is_quoted = !is_quoted,
            '[' if !is_quoted => {
                in_brackets = true;
                parts.push(String::new());
            }
            ']' if !is_quoted => in_brackets = false,
            '.' if !is_quoted && !in_brackets => parts.push(String::new()),
            letter => {
                if let Some(part) = parts.last_mut() {
                    part.push(letter);
                }
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the paths that an expression assigns to, and what they get: the text of a string, `$name`, or an object.
fn assignments(expression: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in expression.match_indices('=') {
        let (before, after) = (expression.get(..at).unwrap_or_default(), expression.get(at + 1..).unwrap_or_default());
        // These only compare.
        if after.starts_with('=') || before.ends_with(['=', '!', '<', '>']) {
            continue;
        }
        // This is also `|=`, `+=`, `*=` and `//=`.
        let before = before.trim_end_matches(['|', '+', '*', '/']).trim_end();
        let key = before.rsplit(['|', ';', '(', ',']).next().unwrap_or(before).trim();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|first| matches!(first, '"' | '\''));
        let value = match quote {
            Some(quote) => after.get(1..).and_then(|rest| rest.split(quote).next()),
            None if after.starts_with('$') => after.split(|c: char| c.is_whitespace() || "|,;)".contains(c)).next(),
            None => after.find('{').and_then(|start| after.get(start..)),
        };
        found.extend(value.map(|value| (key, value)));
    }
    found
}

/// Returns the strings in an expression that are addresses of dependencies.
fn addresses(expression: &str) -> impl Iterator<Item = &str> {
    let strings = expression.split('"').skip(1).step_by(2);
    strings.filter(|text| text.contains('/') && STARTS.iter().any(|start| text.starts_with(*start)))
}

/// Returns what `sed` puts in place of what it finds. If this has no key, each string in it is also the value of one.
pub(crate) fn replacement(text: &str) -> Option<String> {
    let mark = text.strip_prefix('s')?.chars().next().filter(char::is_ascii_punctuation)?;
    // An escaped mark is a part of the text.
    let whole = text.replace(&format!("\\{mark}"), "\0");
    let mut new = whole.split(mark).nth(2)?.replace('\0', &mark.to_string());
    if !new.contains("\":") {
        let strings: Vec<String> =
            new.split('"').skip(1).step_by(2).map(|string| format!("\n\"x\": \"{string}\"")).collect();
        new.push_str(&strings.concat());
    }
    Some(new)
}

impl Judge<'_> {
    /// Judges `jq '.dependencies.x = "github:x/y"' package.json` and the same with other editors.
    pub(crate) fn edited(&mut self, index: usize, commands: &[Command<'_>]) {
        let Some(command) = commands.get(index).filter(|command| EDITORS.contains(&command.name)) else {
            return;
        };
        let sources = command.facts.reads_from.iter().filter_map(|source| commands.get(*source));
        let readers = commands.iter().filter(|reader| reader.facts.reads_from.contains(&index));
        let mut words: Vec<Word> = Vec::new();
        for near in sources.chain(readers).chain([command]) {
            let targets = near.facts.redirects.iter().filter_map(|redirect| redirect.target.as_ref());
            words.extend(near.args().iter().cloned().chain(targets.map(Word::from)));
        }
        let Some(file) = words.iter().find(|word| manifest(word.text()).is_some()) else {
            return;
        };
        if command.args().iter().map(|word| word.text().len()).sum::<usize>() > MAX_BYTES {
            self.found.unknown(format!("what {} sets in {} is too long to read", command.quote(), file.raw()));
        } else if let Some((value, what)) = self.assigned(command) {
            let set = format!("{} gets `{value}` by {}", file.raw(), command.quote());
            self.found.ask(format!("{set}, {what}; add the place to `sources` if it is yours"));
        }
    }

    /// Returns a value that an editor assigns, and what is suspect about it.
    fn assigned(&self, command: &Command<'_>) -> Option<(String, &'static str)> {
        let words: Vec<&str> = command.args().iter().map(Word::text).collect();
        let judged = |key: &str, value: &str| {
            let what = of_member(key, value, |place| self.is_listed(place), |_| false)?;
            Some((value.to_owned(), what))
        };
        if command.name == "dasel" {
            let read = options(
                command.args(),
                &["-f", "--file", "-o", "--out", "-r", "-w", "-p", "-t", "--type", "-v", "--value"],
            );
            // Since version 3, an expression assigns the value, as in `jq`.
            if let Some(value) = read.value(&["-v", "--value"]) {
                let mut keys = read.operands.iter().chain(read.values(&["-s", "--selector"]));
                return keys.find_map(|key| judged(key.text(), value.text()));
            }
        }
        let variable = |name: &str| {
            let mut set = words.windows(3).filter_map(|words| match words {
                ["--arg" | "--argjson", key, value] => Some((*key, *value)),
                _ => None,
            });
            set.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        words.iter().find_map(|expression| {
            let assigned = assignments(expression);
            let known = assigned.iter().find_map(|&(key, value)| {
                let given = value.strip_prefix('$').and_then(variable);
                judged(key, given.unwrap_or(value))
            });
            // Other functions also set values: `setpath`, `with_entries`.
            let sets = !assigned.is_empty() || expression.contains("setpath");
            let lower = expression.to_ascii_lowercase();
            let has_list = || lower.contains("dependencies") || LISTS.iter().any(|list| lower.contains(*list));
            let address = || {
                let mut addresses = addresses(expression).filter(|_| sets && has_list());
                addresses.find_map(|address| judged("dependencies.x", address))
            };
            known.or_else(address)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(key: &str, value: &str) -> bool {
        of_member(key, value, |place| place == "github.com/acme/ok", |_| false).is_some()
    }

    #[test]
    fn members() {
        for (key, value) in [
            ("overrides.x", "npm:y@1"),
            ("overrides[\"socket.io\"]", "npm:io@1"),
            (".pnpm.overrides[\"x\"]", "github:x/y"),
            ("resolutions.**/x", "x/y"),
            (".dependencies.x", "x/y#semver:^2"),
            (".dependencies.x.git", "https://github.com/x/y"),
            ("overrides", "{\"x\":\"npm:y@1\"}"),
            ("overrides.x.path", "npm:y@1"),
        ] {
            assert!(finds(key, value), "{key} {value}");
        }
        for (key, value) in [
            ("overrides.x", "1.2.3"),
            ("overrides.x", "npm:x@1"),
            ("overrides.foo.x", "npm:x@1"),
            ("resolutions.**/@x/y", "npm:@x/y@1"),
            ("overrides[\"@x/y@^1.2\"]", "npm:@x/y@1"),
            ("dependencies.x", "github:acme/ok"),
            (".dependencies.x.path", "crates/x"),
            ("repository", "x/y"),
            ("scripts.x", "npm:y"),
            ("eslintConfig.overrides[0].files", "src/x"),
        ] {
            assert!(!finds(key, value), "{key} {value}");
        }
    }

    #[test]
    fn what_is_assigned() {
        let text = ".a.b = \"c\" | .d[\"e\"] |= \"f\" | .g += {\"h\": 1} | .i = $j";
        let expected = [(".a.b", "c"), (".d[\"e\"]", "f"), (".g", "{\"h\": 1} | .i = $j"), (".i", "$j")];
        assert_eq!(assignments(text), expected);
        assert!(assignments("select(.a == \"b\" and .c != \"d\")").is_empty());
        assert_eq!(replacement("s#\"x\": .*#\"x\": \"y/z\"#").as_deref(), Some("\"x\": \"y/z\""));
        assert_eq!(replacement("s/\\(x\\)/\\1\"a\\/b\"/").as_deref(), Some("\\1\"a/b\"\n\"x\": \"a/b\""));
        assert_eq!(replacement("some-word"), None);
    }
}
