//! The texts and numbers that Go's YAML library reads from scalars of another type.
//!
//! Where a text is expected, the library first reads the value, and then writes it: `1.50` becomes `1.5`, and `0x10`
//! becomes `16`. Its numbers are not those of YAML's core schema: `010` is octal, `1_000` is a number, and `1e3` is a
//! text.

use crate::dialect::yaml::{Kind, Scalar};

/// Returns the text of a scalar. The text of `null` is empty.
pub(crate) fn text(scalar: &Scalar) -> String {
    if !scalar.plain || scalar.tag.is_some() {
        return scalar.text.clone();
    }
    match scalar.kind() {
        Kind::Null => String::new(),
        Kind::Bool(flag) => flag.to_string(),
        Kind::Int(_) | Kind::Float(_) | Kind::Str => number(&scalar.text).unwrap_or_else(|| scalar.text.clone()),
    }
}

/// Returns the number of a scalar where a whole number is expected: without its decimals, and even if it is a text (in
/// quotes, or `1e3`), unless it is negative then. `None` if the library refuses the scalar.
pub(crate) fn whole_number(scalar: &Scalar) -> Option<i64> {
    if scalar.plain
        && scalar.tag.is_none()
        && let Some(number) = number(&scalar.text)
    {
        return number.parse().ok().or_else(|| without_decimals(number.parse().ok()?));
    }
    match (&scalar.tag, scalar.kind()) {
        (_, Kind::Null | Kind::Bool(_)) => None,
        (Some(_), Kind::Int(number)) => Some(number),
        (Some(_), Kind::Float(number)) => without_decimals(number),
        _ => without_decimals(scalar.text.parse::<f64>().ok().filter(|number| *number >= 0.0)?),
    }
}

fn without_decimals(number: f64) -> Option<i64> {
    // Infinity and NaN are not whole numbers.
    format!("{:.0}", number.trunc()).parse().ok()
}

/// Returns a number as Go writes it. `None` if the text is not a number for the library.
fn number(text: &str) -> Option<String> {
    match text {
        ".inf" | ".Inf" | ".INF" => return Some("+Inf".to_owned()),
        "-.inf" | "-.Inf" | "-.INF" => return Some("-Inf".to_owned()),
        ".nan" | ".NaN" | ".NAN" => return Some("NaN".to_owned()),
        _ => {}
    }
    if text.starts_with('_') {
        return None;
    }
    let is_negative = text.starts_with('-');
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let digits = unsigned.strip_prefix('-').unwrap_or(unsigned).replace('_', "");
    if let Some(digits) = digits.strip_prefix("0x") {
        return whole(digits, 16, is_negative);
    }
    if let Some(digits) = digits.strip_prefix("0o") {
        return whole(digits, 8, is_negative);
    }
    if let Some(digits) = digits.strip_prefix("0b") {
        return whole(digits, 2, is_negative);
    }
    match digits.matches('.').count() {
        0 if digits.len() > 1 && digits.starts_with('0') => whole(&digits, 8, is_negative),
        0 => whole(&digits, 10, is_negative),
        // Rust also reads a sign here, and both read the names of numbers that are not finite.
        1 if digits.starts_with(|c: char| c == '.' || c.is_ascii_digit()) => {
            let number: f64 = digits.parse().ok()?;
            number.is_finite().then(|| float(if is_negative { -number } else { number }))
        }
        _ => None,
    }
}

/// Returns a whole number in base 10. `None` if it has other digits, or does not fit the library's type for it.
fn whole(digits: &str, base: u32, is_negative: bool) -> Option<String> {
    // Rust also reads a sign here.
    if !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    let number = u64::from_str_radix(digits, base).ok()?;
    if !is_negative {
        return Some(number.to_string());
    }
    let number = i128::from(number);
    i64::try_from(-number).ok().map(|number| number.to_string())
}

/// Returns a number as Go prints it: the fewest digits that identify it, with an exponent below 1e-4 and from 1e21 on.
fn float(number: f64) -> String {
    let size = number.abs();
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if size != 0.0 && !(1e-4..1e21).contains(&size) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |exponent| ("-", exponent));
            format!("{digits}e{sign}{exponent:0>2}")
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{text, whole_number};
    use crate::dialect::yaml::Scalar;

    #[test]
    fn numbers_and_booleans_become_the_text_that_go_writes() {
        for (written, read) in [
            ("5", "5"),
            ("+5", "5"),
            ("-5", "-5"),
            ("-0", "0"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "18446744073709551616"),
            ("-9223372036854775809", "-9223372036854775809"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("017", "15"),
            ("08", "08"),
            ("0b101", "5"),
            ("1_000", "1000"),
            ("1.50", "1.5"),
            ("5.", "5"),
            (".5", "0.5"),
            ("-1.0", "-1"),
            ("1.5e3", "1500"),
            ("1.0e21", "1e+21"),
            ("0.00001", "1e-05"),
            ("1.0e999", "1.0e999"),
            ("1e3", "1e3"),
            ("1.2.3", "1.2.3"),
            ("127.0.0.1", "127.0.0.1"),
            ("1.x", "1.x"),
            (".", "."),
            ("-", "-"),
            ("-inf.", "-inf."),
            ("2024-01-02", "2024-01-02"),
            (".inf", "+Inf"),
            ("-.inf", "-Inf"),
            (".nan", "NaN"),
            ("true", "true"),
            ("True", "true"),
            ("FALSE", "false"),
            ("yes", "yes"),
            ("~", ""),
            ("null", ""),
            ("text", "text"),
        ] {
            let plain = |plain| Scalar { text: written.to_owned(), plain, tag: None };
            assert_eq!(text(&plain(true)), read, "{written}");
            assert_eq!(text(&plain(false)), written, "in quotes");
            assert_eq!(text(&Scalar { tag: Some("!!str".into()), ..plain(true) }), written, "with a tag");
        }
    }

    #[test]
    fn a_number_may_be_in_quotes_or_have_decimals() {
        for (written, plain, quoted) in [
            ("30", Some(30), Some(30)),
            ("-1", Some(-1), None),
            ("1.9", Some(1), Some(1)),
            ("-1.9", Some(-1), None),
            ("1e3", Some(1000), Some(1000)),
            ("-1e3", None, None),
            ("1e30", None, None),
            ("1.0e30", None, None),
            ("18446744073709551615", None, None),
            ("010", Some(8), Some(10)),
            ("08", Some(8), Some(8)),
            ("0x10", Some(16), None),
            ("0b101", Some(5), None),
            (".inf", None, None),
            ("inf", None, None),
            ("30s", None, None),
            ("true", None, None),
            ("", None, None),
        ] {
            let read = |plain| whole_number(&Scalar { text: written.to_owned(), plain, tag: None });
            assert_eq!((read(true), read(false)), (plain, quoted), "{written}");
        }
    }
}
