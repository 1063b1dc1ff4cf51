//! Writes a JSON object member by member, so that text which must stay as it came is copied and never re-spelled.

/// An object under construction.
#[derive(Debug)]
pub struct ObjectWriter(String);

impl ObjectWriter {
    /// An object that will take about this many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        let mut out = String::with_capacity(bytes);
        out.push('{');
        ObjectWriter(out)
    }

    /// Adds a member whose value is the given JSON text.
    pub fn raw(&mut self, key: &str, json: &str) -> &mut Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        push_string(&mut self.0, key);
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// Adds a member whose value is a string.
    pub fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.raw(key, "");
        push_string(&mut self.0, value);
        self
    }

    /// Adds a member that is `true` or `false`.
    pub fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        self.raw(key, if value { "true" } else { "false" })
    }

    /// Adds a string member if there is one that is not empty.
    pub fn text_unless_empty(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        self.optional_text(key, value.filter(|text| !text.is_empty()))
    }

    /// Adds a string member if there is one.
    pub fn optional_text(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// The text of the object.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// Adds a string as JSON.
pub(super) fn push_string(out: &mut String, value: &str) {
    out.push('"');
    // Everything that has to be escaped is ASCII, so the pieces between are whole characters.
    let mut rest = value;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Some(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
