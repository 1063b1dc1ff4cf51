//! The meaning of a scalar, by the core schema of YAML 1.2.

/// A single value, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// The text without quotes, with escapes replaced and lines folded.
    pub(crate) text: String,
    /// Whether the scalar is neither quoted nor a block scalar. Only the text of a plain scalar can be more than a
    /// string.
    pub(crate) plain: bool,
    /// The tag as written, such as `!!str` or `!mine`, if there is one.
    pub(crate) tag: Option<Box<str>>,
}

/// The meaning of a scalar's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Int(i64),
    /// A number, including whole numbers that are too large for an `Int`.
    Float(f64),
    Str,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Int(_) => "a whole number",
            Kind::Float(_) => "a number",
            Kind::Str => "a string",
        }
    }
}

impl Scalar {
    /// Returns the meaning of the scalar. A tag takes precedence over the scalar's style. With a tag that YAML does not
    /// define, the scalar is a string: only the reader can know what that tag means.
    pub(crate) fn kind(&self) -> Kind {
        match self.tag.as_deref() {
            None if self.plain => plain(&self.text),
            Some("!!null" | "!!bool" | "!!int") => plain(&self.text),
            Some("!!float") => match plain(&self.text) {
                Kind::Int(number) => Kind::Float(number as f64),
                other => other,
            },
            None | Some(_) => Kind::Str,
        }
    }

    /// Whether the text fits its tag: `!!int x` is not a number.
    pub(super) fn fits_tag(&self) -> bool {
        match self.tag.as_deref() {
            Some("!!null") => self.kind() == Kind::Null,
            Some("!!bool") => matches!(self.kind(), Kind::Bool(_)),
            Some("!!int") => matches!(self.kind(), Kind::Int(_)),
            Some("!!float") => matches!(self.kind(), Kind::Float(_)),
            Some("!!map" | "!!seq") => false,
            None | Some(_) => true,
        }
    }

    /// Whether the scalar is the key `<<`, which merges in the pairs of another mapping. In quotes, it is an ordinary
    /// key.
    pub(super) fn is_merge(&self) -> bool {
        self.plain && self.text == "<<" && matches!(self.tag.as_deref(), None | Some("!!merge"))
    }
}

fn plain(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Kind::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Kind::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Kind::Float(f64::NEG_INFINITY),
        _ => number(text).unwrap_or(Kind::Str),
    }
}

fn number(text: &str) -> Option<Kind> {
    if let Some(digits) = text.strip_prefix("0x") {
        return in_base(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return in_base(digits, 8);
    }
    // Rust also reads `inf`, `nan` and `infinity`, which are strings in YAML.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) {
        return None;
    }
    text.parse().map(Kind::Int).or_else(|_| text.parse().map(Kind::Float)).ok()
}

fn in_base(digits: &str, base: u32) -> Option<Kind> {
    // Rust also reads a sign here.
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    let as_float = || {
        let values = digits.chars().filter_map(|digit| digit.to_digit(base));
        values.fold(0.0, |sum, digit| sum * f64::from(base) + f64::from(digit))
    };
    Some(i64::from_str_radix(digits, base).map_or_else(|_| Kind::Float(as_float()), Kind::Int))
}
