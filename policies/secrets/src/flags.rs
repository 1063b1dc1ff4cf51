//! Options of programs whose value is a login or a password.

use crate::lists::begins_with;
use crate::named;
use crate::scan::{Scan, Sure};
use crate::url;
use std::ops::Range;

/// Programs that take a password after `-p`, as a separate word.
const APART: &[&str] = &["sshpass", "docker login", "podman login", "helm registry login", "oc login"];
/// Programs that take a password after `-a`.
const ASKED: &[&str] = &["redis-cli"];
/// Programs that take a password after `-p`, in the same word.
const ATTACHED: &[&str] = &["mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "sshpass"];

/// Judges a word after a dash that begins with `p`: `mysql -pPASSWORD`.
pub(crate) fn attached(scan: &mut Scan, word: Range<usize>) {
    let front = scan.text.get(..word.start).unwrap_or_default();
    if front.ends_with(b" -") && is_behind(front, ATTACHED) {
        named::password(scan, word.start + 1);
    }
}

/// Whether an option belongs to one of these programs, whose name comes before it on the same line.
fn is_behind(front: &[u8], programs: &[&str]) -> bool {
    let line = front.iter().rev().take(160).position(|byte| matches!(byte, b'\n' | b'|' | b';' | b'&'));
    let line = front.get(front.len() - line.unwrap_or(front.len().min(160))..).unwrap_or_default();
    programs.iter().any(|program| {
        line.windows(program.len() + 1).any(|part| part.starts_with(program.as_bytes()) && part.ends_with(b" "))
    })
}

/// Judges a word after a dash: `-u user:password`, `--user user:password`, `--proxy-user …`.
pub(crate) fn look(scan: &mut Scan, word: Range<usize>) {
    let text = scan.text;
    let name = text.get(word.clone()).unwrap_or_default();
    let front = text.get(..word.start).unwrap_or_default();
    if matches!(name, b"p" | b"a")
        && front.ends_with(b" -")
        && is_behind(front, if name == b"p" { APART } else { ASKED })
    {
        named::password(scan, word.end);
        return;
    }
    let is_option = match name {
        b"u" | b"U" => front.ends_with(b" -"),
        b"user" => front.ends_with(b" --") || front.ends_with(b"--proxy-"),
        _ => false,
    };
    if !is_option {
        return;
    }
    let rest = text.get(word.end..).unwrap_or_default();
    let gap = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = word.end + gap;
    let rest = text.get(start..).unwrap_or_default();
    let (from, length) = match rest.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let inside = rest.get(1..).unwrap_or_default();
            (start + 1, inside.iter().take(400).position(|byte| byte == quote || *byte == b'\n').unwrap_or(0))
        }
        _ => (start, rest.iter().take(400).take_while(|byte| !byte.is_ascii_whitespace()).count()),
    };
    let Some(login) = text.get(from..from + length) else {
        return;
    };
    // `1000:1000` is a container's user, and so is `user:group`.
    if login.iter().all(|byte| byte.is_ascii_digit() || *byte == b':')
        || login.contains(&b' ')
        || login.starts_with(b"<")
        // In `-u https://…`, a password would be found by the URL itself.
        || begins_with(login, "http://")
        || begins_with(login, "https://")
    {
        return;
    }
    if let Some(place) = url::of_login(login, from) {
        scan.add("password", place, Sure::Place);
    }
}

#[cfg(test)]
mod tests {
    use crate::Finder;

    fn found(text: &str) -> Vec<String> {
        let findings = Finder::default().find(text);
        findings.iter().filter_map(|finding| text.get(finding.start..finding.end)).map(str::to_owned).collect()
    }

    #[test]
    fn passwords_of_options() {
        for text in [
            "sshpass -p k3Lm9xQ2 ssh a@b",
            "mysql -u root -pk3Lm9xQ2 app",
            "docker login -u me -p k3Lm9xQ2 ghcr.io",
            "redis-cli -a k3Lm9xQ2 ping",
            "curl -u me:k3Lm9xQ2 https://h",
            "authorization: Basic bWU6azNMbTl4UTI=",
        ] {
            let secret = if text.contains("Basic") { "bWU6azNMbTl4UTI=" } else { "k3Lm9xQ2" };
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "mkdir -p k3Lm9xQ2",
            "docker run -p 8080:8080 x2y3z4w5",
            "tar -pk3Lm9xQ2",
            "mysql -h db; mkdir -p k3Lm9xQ2",
            "sqlmap -u http://127.0.0.1:8080/item-4x7q",
            "secretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-k3Lm9x",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
