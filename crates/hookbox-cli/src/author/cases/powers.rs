//! What a case says about the hook's powers: the values in its store, and answers in place of the network.

use super::Mismatch;
use super::json::{kind, string};
use hookbox::Json;
use hookbox::internal::{members, suggest, value};
use hookbox::runtime::component::NetAnswer;
use std::collections::BTreeMap;

/// The name of the part of a case that is reported if the values in the hook's store differ.
pub const STORE: &str = "store";

/// Texts by key.
pub type Values = BTreeMap<String, String>;

/// The hook's environment in a case.
#[derive(Clone, Debug, Default)]
pub struct Powers {
    /// The values in the hook's store before the call. Without any, the store is empty.
    pub before: Values,
    /// All values in the store after the call; if absent, any values are accepted.
    pub after: Option<Values>,
    /// The answers to the hook's requests. Without an answer, a request fails.
    pub http: Vec<NetAnswer>,
}

impl Powers {
    /// Returns the difference from the expected values. `stored` has the actual values, if the hook is granted a store.
    #[must_use]
    pub fn mismatch(&self, stored: Option<&BTreeMap<String, Vec<u8>>>) -> Option<Mismatch> {
        let expected = self.after.as_ref()?;
        let given = match stored {
            None => "the hook is granted no store".to_owned(),
            Some(stored) => {
                let texts =
                    stored.iter().map(|(key, value)| (key.clone(), String::from_utf8_lossy(value).into_owned()));
                let texts: Values = texts.collect();
                if texts == *expected {
                    return None;
                }
                spell(&texts)
            }
        };
        Some(Mismatch { what: STORE.to_owned(), expected: spell(expected), given })
    }

    /// Reads `store`: `{ before = { … }, after = { … } }`.
    pub(super) fn read_store(&mut self, store: &Json) -> Result<(), Wrong> {
        const KEYS: [&str; 2] = ["before", "after"];
        let example = || Some("such as { before = { count = \"2\" }, after = { count = \"3\" } }".to_owned());
        let parts = members(store)
            .ok_or_else(|| (format!("`store` must be a table, not {}", kind(store.as_str())), example()))?;
        for (key, values) in parts {
            let values = read_values(&format!("store.{key}"), &value(values));
            match key.as_ref() {
                "before" => self.before = values?,
                "after" => self.after = Some(values?),
                unknown => return Err((format!("unknown key `store.{unknown}`"), Some(suggest(unknown, &KEYS)))),
            }
        }
        Ok(())
    }

    /// Reads `http`: an answer for each request, which is written as `"GET https://api.example.com/v1/x"`.
    pub(super) fn read_http(&mut self, http: &Json) -> Result<(), Wrong> {
        let example =
            || Some(r#"such as { "GET https://api.example.com/v1/x" = { status = 200, body = "yes" } }"#.to_owned());
        let answers =
            members(http).ok_or_else(|| (format!("`http` must be a table, not {}", kind(http.as_str())), example()))?;
        for (request, answer) in answers {
            let (method, url) = request
                .split_once(' ')
                .ok_or_else(|| (format!("`http` has {request:?}, which is not a method and a URL"), example()))?;
            self.http.push(read_answer(method, url, &value(answer))?);
        }
        Ok(())
    }
}

/// A message about what is wrong, and help for it.
type Wrong = (String, Option<String>);

fn read_answer(method: &str, url: &str, answer: &Json) -> Result<NetAnswer, Wrong> {
    const KEYS: [&str; 3] = ["status", "headers", "body"];
    let wrong = |what: &str| (format!("the answer to `{method} {url}` {what}"), None);
    let parts = members(answer).ok_or_else(|| wrong("must be a table"))?;
    let mut made = NetAnswer::new(method, url, Vec::new());
    for (key, part) in parts {
        let part = value(part);
        match key.as_ref() {
            "status" => {
                let status = part.as_str().parse::<u16>().ok().filter(|status| (200..=599).contains(status));
                made = made.with_status(status.ok_or_else(|| wrong("must have a `status` from 200 to 599"))?);
            }
            "headers" => {
                for (name, text) in read_values("headers", &part)? {
                    made = made.with_header(name, text);
                }
            }
            // A table is sent as JSON.
            "body" => made.body = string(&part).unwrap_or_else(|| part.as_str().to_owned()).into_bytes(),
            unknown => {
                return Err((wrong(&format!("has an unknown key `{unknown}`")).0, Some(suggest(unknown, &KEYS))));
            }
        }
    }
    Ok(made)
}

/// Reads texts by key. Numbers count as texts, too, because that is how stores keep counters.
fn read_values(name: &str, table: &Json) -> Result<Values, Wrong> {
    let members =
        members(table).ok_or_else(|| (format!("`{name}` must be a table, not {}", kind(table.as_str())), None))?;
    let texts = members.into_iter().map(|(key, text)| {
        let text = value(text);
        match kind(text.as_str()) {
            "a string" => Ok((key.into_owned(), string(&text).unwrap_or_default())),
            "a number" => Ok((key.into_owned(), text.as_str().to_owned())),
            other => Err((format!("`{name}.{key}` must be a string or a number, not {other}"), None)),
        }
    });
    texts.collect()
}

fn spell(values: &Values) -> String {
    serde_json::to_string(values).unwrap_or_default()
}
