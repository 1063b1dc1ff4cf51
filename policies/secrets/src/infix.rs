//! Tokens that are recognized by something in their middle or at their end.

use crate::measure::{is_placeholder, is_random};
use crate::scan::{Scan, Sure};
use crate::set::{ALNUM, DIGIT, DOTTED, HEX, HEX_ANY, Set, URL64};
use crate::shape::{Fit, MANY, Part, Part::Run, Part::Text, fit, min, n};

const SECRET: Set = URL64.and(Set::of("~."));

/// Returns how many characters of a set come directly before a position, counting at most `most`.
fn in_front(text: &[u8], at: usize, set: Set, most: usize) -> usize {
    let front = text.get(..at).unwrap_or_default();
    front.iter().rev().take(most).take_while(|byte| set.has(**byte)).count()
}

/// Returns the end of a shape that begins at this position.
fn ends(text: &[u8], at: usize, parts: &[Part]) -> Option<usize> {
    match fit(parts, text, at) {
        Fit::Yes(end) => Some(end),
        _ => None,
    }
}

fn add(scan: &mut Scan, kind: &'static str, start: usize, end: usize) {
    if scan.text.get(start..end).is_some_and(|token| !is_placeholder(token)) {
        scan.add(kind, start..end, Sure::Shape);
    }
}

/// Finds tokens with a dot: tokens of Discord and SendGrid, and web tokens and Terraform tokens that are joined to
/// other text.
pub(crate) fn dot(scan: &mut Scan, at: usize) {
    let text = scan.text;
    if let Some(b'.') = text.get(at + 7) {
        // The first part is a number in base64, so it begins with one of these letters.
        let end = ends(text, at, &[Text("."), n(URL64, 6), Text("."), Run(URL64, 27, MANY)]);
        let length = in_front(text, at, URL64, 28);
        if let Some(end) = end
            && length >= 23
        {
            let first =
                (23..=26.min(length)).rev().find(|length| matches!(text.get(at - length), Some(b'M' | b'N' | b'O')));
            if let Some(length) = first {
                add(scan, "discord-token", at - length, end);
            }
        }
    }
    if text.get(..at).is_some_and(|front| front.ends_with(b"SG"))
        && let Some(end) = ends(text, at, &[Text("."), n(URL64, 22), Text("."), min(URL64, 43)])
    {
        add(scan, "sendgrid-key", at - 2, end);
    }
    if text.get(at..at + 8) == Some(b".atlasv1") {
        let length = in_front(text, at, ALNUM, 14);
        if let Some(end) = ends(text, at, &[Text(".atlasv1."), min(DOTTED, 50)]).filter(|_| length == 14) {
            add(scan, "terraform-token", at - 14, end);
        }
    }
    // This is a web token that is joined to the text before it.
    if text.get(at + 1..at + 4) == Some(b"eyJ") {
        let length = in_front(text, at, URL64, 2048);
        let head = text.get(at - length..at).unwrap_or_default();
        let start = head.windows(3).position(|part| part == b"eyJ");
        if let Some(start) = start.filter(|start| *start > 0 && length - start >= 15)
            && let Some(end) = ends(text, at, &[Text("."), min(URL64, 10), Text("."), min(URL64, 8)])
        {
            add(scan, "json-web-token", at - length + start, end);
        }
    }
}

/// Finds client secrets of Azure: `xxx8Q~…`.
pub(crate) fn tilde(scan: &mut Scan, at: usize) {
    let text = scan.text;
    let is_mark = matches!(text.get(..at), Some([.., digit, b'Q']) if digit.is_ascii_digit());
    if !is_mark || in_front(text, at - 2, SECRET, 3) < 3 {
        return;
    }
    if let Some(end) = ends(text, at, &[Text("~"), Run(SECRET, 31, 34)]) {
        add(scan, "azure-client-secret", at - 5, end);
    }
}

/// Finds tokens of Facebook: `123456789012345|…`.
pub(crate) fn bar(scan: &mut Scan, at: usize) {
    let text = scan.text;
    let length = in_front(text, at, DIGIT, 17);
    if (15..=16).contains(&length)
        && let Some(end) = ends(text, at, &[Text("|"), Run(URL64, 27, 40)])
    {
        add(scan, "facebook-token", at - length, end);
    }
}

/// Finds license keys of MaxMind: `…_mmk`.
pub(crate) fn underscore(scan: &mut Scan, at: usize) {
    let text = scan.text;
    if text.get(at + 1..at + 4) != Some(b"mmk") || text.get(at + 4).is_some_and(|byte| ALNUM.has(*byte)) {
        return;
    }
    let length = in_front(text, at, URL64, 37);
    if length == 36 && text.get(at - 30) == Some(&b'_') {
        add(scan, "maxmind-key", at - 36, at + 4);
    }
}

/// Finds keys of Mailchimp: `…-us12`.
pub(crate) fn dash(scan: &mut Scan, at: usize) {
    let text = scan.text;
    if text.get(at + 1..at + 3) != Some(b"us") {
        return;
    }
    let length = in_front(text, at, ALNUM, 33);
    if length == 32
        && in_front(text, at, HEX_ANY, 32) == 32
        && let Some(end) = ends(text, at, &[Text("-us"), Run(DIGIT, 1, 2)])
        && text.get(end).is_none_or(|byte| !ALNUM.has(*byte))
    {
        add(scan, "mailchimp-key", at - 32, end);
    }
}

/// Finds tokens of Telegram, also after `bot` in a URL: `123456789:AA…`.
pub(crate) fn colon(scan: &mut Scan, at: usize) {
    let text = scan.text;
    if text.get(at + 1..at + 3) != Some(b"AA") {
        return;
    }
    let digits = in_front(text, at, DIGIT, 11);
    let start = at - digits;
    let word = in_front(text, start, ALNUM, 4);
    let is_alone = word == 0 || (word == 3 && text.get(start - 3..start) == Some(b"bot"));
    if (8..=10).contains(&digits)
        && is_alone
        && let Some(end) = ends(text, at, &[Text(":AA"), n(URL64, 33)])
    {
        add(scan, "telegram-token", start, end);
    }
}

/// Finds long runs that contain a characteristic text.
pub(crate) fn word(scan: &mut Scan, word: std::ops::Range<usize>) {
    let Some(token) = scan.text.get(word.clone()) else {
        return;
    };
    let has = |mark: &[u8], at: usize| token.get(at..at + mark.len()) == Some(mark);
    let kind = match token.len() {
        84 if has(b"AZDO", 76) => "azure-devops-token",
        52 if has(b"AzSe", 42) || has(b"AzFu", 42) => "azure-key",
        34 if has(b"11", 0)
            && token.iter().all(|byte| HEX.has(*byte))
            && is_near(scan.text, word.start, b"jenkins") =>
        {
            "jenkins-token"
        }
        _ => return,
    };
    if is_random(token, 300) {
        scan.add(kind, word, Sure::Shape);
    }
}

fn is_near(text: &[u8], start: usize, word: &[u8]) -> bool {
    let front = text.get(start.saturating_sub(60)..start).unwrap_or_default();
    front.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}
