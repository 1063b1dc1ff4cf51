//! Descriptions of what went wrong in a script, on one line for a person.

use rquickjs::{CaughtError, Exception, Value};

/// Describes a caught error: where it was thrown in the script `name`, and what it says.
pub(crate) fn of(error: &CaughtError<'_>, name: &str) -> String {
    match error {
        CaughtError::Exception(exception) => of_exception(exception, name),
        CaughtError::Value(value) => describe(value, name),
        CaughtError::Error(error) => format!("{name}: {error}"),
    }
}

/// Describes any value that was thrown, in the same way.
pub(crate) fn describe(value: &Value<'_>, name: &str) -> String {
    if let Some(exception) = value.as_object().cloned().and_then(Exception::from_object) {
        return of_exception(&exception, name);
    }
    match value.as_string().and_then(|text| text.to_string().ok()) {
        Some(text) => format!("{name}: threw {text:?}"),
        None => format!("{name}: threw {}, which is no Error", spell(value)),
    }
}

fn of_exception(exception: &Exception<'_>, name: &str) -> String {
    let kind = exception.as_object().get::<_, String>("name").unwrap_or_else(|_| "Error".to_owned());
    let message = exception.message().unwrap_or_default();
    let what = if message.is_empty() { kind } else { format!("{kind}: {message}") };
    match exception.stack().and_then(|stack| place(&stack, name)) {
        Some(place) => format!("{place}: {what}"),
        None => format!("{name}: {what}"),
    }
}

/// Names the kind of a value, in words.
pub(crate) fn spell(value: &Value<'_>) -> String {
    match value.type_name() {
        name @ ("object" | "array") => format!("an {name}"),
        "int" | "float" => "a number".to_owned(),
        name @ ("null" | "undefined") => name.to_owned(),
        name => format!("a {name}"),
    }
}

/// Returns the first place of a stack that is in the script, such as `hook.js:12:5`.
fn place(stack: &str, name: &str) -> Option<String> {
    let start = format!("{name}:");
    stack.lines().find_map(|line| {
        let (_, after) = line.rsplit_once(&start)?;
        let numbers: String = after.chars().take_while(|c| c.is_ascii_digit() || *c == ':').collect();
        Some(format!("{start}{}", numbers.trim_end_matches(':')))
    })
}
