//! Shortens a line that would be too long.

use super::line::Line;
use serde_json::Value;
use serde_json::value::RawValue;

/// The maximum lengths of texts, in bytes, in the order in which they are tried.
const LIMITS: [usize; 4] = [8 << 10, 2 << 10, 512, 64];

/// The number of hooks and codes that are kept if nothing else helps.
const MAX_PARTS: usize = 64;

/// The maximum number of pointers that say what was cut.
const MAX_POINTERS: usize = 32;

/// Returns the text of a line. Shortens the texts in the line until it has at most `most` bytes, and notes where.
///
/// # Errors
/// Returns an error if the line has no JSON form.
pub(super) fn fit(line: &mut Line, most: usize) -> serde_json::Result<String> {
    for limit in LIMITS {
        let text = serde_json::to_string(line)?;
        if text.len() <= most {
            return Ok(text);
        }
        Cutter { limit, cut: Vec::new() }.cut(line);
    }
    let text = serde_json::to_string(line)?;
    if text.len() <= most {
        return Ok(text);
    }
    // The line has so many small parts that it helps only to leave some of them out.
    line.input = None;
    line.final_input = None;
    line.hooks.truncate(MAX_PARTS);
    line.codes.truncate(MAX_PARTS);
    line.masked.retain(|pointer| !pointer.starts_with("/input") && !pointer.starts_with("/final"));
    line.masked.truncate(MAX_POINTERS);
    if let Some(tool) = &mut line.tool {
        tool.paths.clear();
        tool.urls.clear();
    }
    if let Some(told) = &mut line.told {
        told.degraded.clear();
    }
    let left_out = ["/input", "/final", "/hooks", "/codes", "/tool/paths", "/tool/urls", "/told/degraded"];
    line.cut = left_out.map(str::to_owned).to_vec();
    loop {
        let text = serde_json::to_string(line)?;
        if text.len() <= most || line.hooks.is_empty() {
            return Ok(text);
        }
        line.hooks.truncate(line.hooks.len() / 2);
    }
}

struct Cutter {
    limit: usize,
    cut: Vec<String>,
}

impl Cutter {
    fn cut(&mut self, line: &mut Line) {
        self.json(&mut line.input, "/input");
        self.json(&mut line.final_input, "/final");
        self.text(&mut line.event, "/event");
        let texts = [
            (&mut line.reason, "/reason"),
            (&mut line.agent, "/agent"),
            (&mut line.session, "/session"),
            (&mut line.cwd, "/cwd"),
            (&mut line.mode, "/mode"),
            (&mut line.tool_use_id, "/tool_use_id"),
            (&mut line.by, "/by"),
            (&mut line.unknown_event, "/unknown_event"),
        ];
        for (text, pointer) in texts {
            self.optional(text, pointer);
        }
        if let Some(tool) = &mut line.tool {
            self.optional(&mut tool.name, "/tool/name");
            self.optional(&mut tool.server, "/tool/server");
            self.optional(&mut tool.command, "/tool/command");
            self.texts(&mut tool.paths, "/tool/paths");
            self.texts(&mut tool.urls, "/tool/urls");
        }
        if let Some(told) = &mut line.told {
            self.text(&mut told.stdout, "/told/stdout");
            self.text(&mut told.stderr, "/told/stderr");
            self.texts(&mut told.degraded, "/told/degraded");
        }
        for (index, hook) in line.hooks.iter_mut().enumerate() {
            self.text(&mut hook.name, &format!("/hooks/{index}/name"));
            self.optional(&mut hook.reason, &format!("/hooks/{index}/reason"));
        }
        for pointer in self.cut.drain(..) {
            if line.cut.len() < MAX_POINTERS && !line.cut.contains(&pointer) {
                line.cut.push(pointer);
            }
        }
    }

    fn optional(&mut self, text: &mut Option<String>, pointer: &str) {
        if let Some(text) = text {
            self.text(text, pointer);
        }
    }

    fn text(&mut self, text: &mut String, pointer: &str) {
        if text.len() > self.limit {
            let end = text.floor_char_boundary(self.limit);
            let more = text.len() - end;
            text.truncate(end);
            text.push_str(&format!("… ({more} bytes more)"));
            self.cut.push(pointer.to_owned());
        }
    }

    fn texts(&mut self, texts: &mut Vec<String>, pointer: &str) {
        if texts.len() > self.limit {
            texts.truncate(self.limit);
            self.cut.push(pointer.to_owned());
        }
        for (index, text) in texts.iter_mut().enumerate() {
            self.text(text, &format!("{pointer}/{index}"));
        }
    }

    fn json(&mut self, json: &mut Option<Box<RawValue>>, pointer: &str) {
        let Some(raw) = json else { return };
        if raw.get().len() <= self.limit {
            return;
        }
        let Ok(mut value) = serde_json::from_str(raw.get()) else { return };
        self.value(&mut value, pointer);
        *json = serde_json::value::to_raw_value(&value).ok();
    }

    fn value(&mut self, value: &mut Value, pointer: &str) {
        match value {
            Value::String(text) => self.text(text, pointer),
            Value::Array(values) => {
                if values.len() > self.limit {
                    values.truncate(self.limit);
                    self.cut.push(pointer.to_owned());
                }
                for (index, value) in values.iter_mut().enumerate() {
                    self.value(value, &format!("{pointer}/{index}"));
                }
            }
            Value::Object(members) => {
                let many = members.keys().nth(self.limit).cloned();
                let long = members.keys().find(|key| key.len() > self.limit).cloned();
                if many.is_some() || long.is_some() {
                    *value = Value::String(format!("… (an object with {} members)", members.len()));
                    self.cut.push(pointer.to_owned());
                    return;
                }
                for (key, value) in members {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    self.value(value, &format!("{pointer}/{key}"));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
