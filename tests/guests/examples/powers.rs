//! Does what the tool's input says, step by step, and reports the result of each step.
//!
//! A step is a list of the name of an operation and its arguments. The tool's input, or else the hook's settings, are
//! `{"do": [["set", "key", "value"], ["get", "key"]]}`.

use serde_json::{Value, json};

mod powers {
    wit_bindgen::generate!({
        path: ["../../wit/deps/wasi-logging", "../../wit/deps/wasi-keyvalue"],
        inline: "
            package test:powers;
            world powers {
                import wasi:logging/logging@0.1.0-draft;
                import wasi:keyvalue/store@0.2.0-draft2;
                import wasi:keyvalue/atomics@0.2.0-draft2;
                import wasi:keyvalue/batch@0.2.0-draft2;
            }",
        generate_all,
    });
}

use powers::wasi::keyvalue::{atomics, batch, store};
use powers::wasi::logging::logging::{Level, log};

hookbox_test_guests::try_out!(|input: String| {
    let input: Value = serde_json::from_str(&input).unwrap_or_default();
    let steps = if input["settings"]["do"].is_array() { &input["settings"]["do"] } else { &input["tool_input"]["do"] };
    let mut hands = Hands::default();
    let done: Vec<Value> = steps.as_array().into_iter().flatten().map(|step| hands.do_it(step)).collect();
    Value::from(done).to_string()
});

/// The handles that the steps leave for each other.
#[derive(Default)]
struct Hands {
    bucket: Option<store::Bucket>,
    cas: Option<atomics::Cas>,
}

impl Hands {
    fn do_it(&mut self, step: &Value) -> Value {
        let text = |at: usize| match &step[at] {
            Value::String(text) => text.clone(),
            // A number stands for this many letters, so that a large text need not be in the input.
            Value::Number(count) => "x".repeat(count.as_u64().unwrap_or_default() as usize),
            _ => String::new(),
        };
        let number = |at: usize| step[at].as_i64().unwrap_or_default();
        let words = || step[1].as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned));
        let operation = text(0);
        match operation.as_str() {
            "log" => return self.log(&text(1), &text(2), &text(3), number(4).max(1)),
            "open" => {
                return match store::open(&text(1)) {
                    Ok(bucket) => {
                        self.bucket = Some(bucket);
                        json!("open")
                    }
                    Err(error) => failed(&error),
                };
            }
            _ => {}
        }
        if self.bucket.is_none() {
            match store::open("default") {
                Ok(bucket) => self.bucket = Some(bucket),
                Err(error) => return failed(&error),
            }
        }
        let Some(bucket) = &self.bucket else { return json!("no bucket") };
        let shown = |value: Option<Vec<u8>>| value.map_or(Value::Null, |value| String::from_utf8_lossy(&value).into());
        let result = match operation.as_str() {
            "get" => bucket.get(&text(1)).map(shown),
            "set" => bucket.set(&text(1), text(2).as_bytes()).map(|()| json!("set")),
            "delete" => bucket.delete(&text(1)).map(|()| json!("deleted")),
            "exists" => bucket.exists(&text(1)).map(Value::from),
            "list" => list(bucket),
            "increment" => atomics::increment(bucket, &text(1), number(2)).map(Value::from),
            "note" => atomics::Cas::new_with_read(bucket, &text(1)).map(|(cas, value)| {
                self.cas = Some(cas);
                shown(value)
            }),
            "swap" => match self.cas.take() {
                None => Ok(json!("nothing noted")),
                Some(cas) => match atomics::swap(cas, text(1).as_bytes()) {
                    Ok(()) => Ok(json!("swapped")),
                    Err(atomics::CasError::StoreError(error)) => Err(error),
                    Err(atomics::CasError::CasFailed((cas, value))) => {
                        self.cas = Some(cas);
                        Ok(json!({ "changed": shown(value) }))
                    }
                },
            },
            "get-many" => batch::get_many(bucket, &words().collect::<Vec<_>>())
                .map(|pairs| pairs.into_iter().map(|pair| shown(pair.map(|(_, value)| value))).collect()),
            "set-many" => {
                let pairs: Vec<_> = words().map(|word| (word.clone(), word.into_bytes())).collect();
                batch::set_many(bucket, &pairs).map(|()| json!("set"))
            }
            "delete-many" => batch::delete_many(bucket, &words().collect::<Vec<_>>()).map(|()| json!("deleted")),
            other => Ok(json!(format!("no operation {other}"))),
        };
        result.unwrap_or_else(|error| failed(&error))
    }

    fn log(&self, level: &str, context: &str, message: &str, times: i64) -> Value {
        let level = match level {
            "trace" => Level::Trace,
            "debug" => Level::Debug,
            "info" => Level::Info,
            "warn" => Level::Warn,
            "error" => Level::Error,
            _ => Level::Critical,
        };
        for _ in 0..times {
            log(level, context, message);
        }
        json!("logged")
    }
}

fn list(bucket: &store::Bucket) -> Result<Value, store::Error> {
    let (mut keys, mut cursor) = (Vec::new(), None);
    loop {
        let page = bucket.list_keys(cursor.as_deref())?;
        keys.extend(page.keys);
        cursor = page.cursor;
        if cursor.is_none() {
            keys.sort();
            return Ok(keys.into());
        }
    }
}

fn failed(error: &store::Error) -> Value {
    json!({ "error": match error {
        store::Error::NoSuchStore => "no such store",
        store::Error::AccessDenied => "access denied",
        store::Error::Other(text) => text,
    } })
}
