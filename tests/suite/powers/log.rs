//! Messages of components.

use crate::support::component::Guest;
use crate::support::{ask, hook};
use hookbox::Verdict;
use hookbox::runtime::component::{Grants, Limits};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

/// Returns a guest that logs a message this many times, at the level with this number.
fn logger(level: u32, context: &str, message: &str, times: u32) -> Vec<u8> {
    logger_by("wasi:logging/logging@0.1.0-draft", level, context, message, times)
}

fn logger_by(interface: &str, level: u32, context: &str, message: &str, times: u32) -> Vec<u8> {
    let (context_length, message_length) = (context.len(), message.len());
    let bytes = |text: &str| text.bytes().map(|byte| format!("\\{byte:02x}")).collect::<String>();
    let run = format!(
        "(local $left i32) (local.set $left (i32.const {times}))
         (loop $again
           (call $log (i32.const {level}) (i32.const 1024) (i32.const {context_length})
             (i32.const 2048) (i32.const {message_length}))
           (local.set $left (i32.sub (local.get $left) (i32.const 1)))
           (br_if $again (local.get $left)))
         (call $answer)"
    );
    let data = format!(r#"(data (i32.const 1024) "{}") (data (i32.const 2048) "{}")"#, bytes(context), bytes(message));
    Guest::running(&run)
        .with_memory(r#"(export "memory" (memory 0))"#)
        .with_items(&data)
        .with_imports(
            &format!(
                r#"(import "{interface}" (instance $logging
                     (type $levels (enum "trace" "debug" "info" "warn" "error" "critical"))
                     (export "level" (type $level (eq $levels)))
                     (export "log" (func (param "level" $level) (param "context" string) (param "message" string)))))
                   (core module $memory (memory (export "memory") 4))
                   (core instance $memory (instantiate $memory))
                   (core func $log (canon lower (func $logging "log") (memory (core memory $memory "memory"))))"#
            ),
            r#"(import "env" "memory" (memory 4))
               (import "host" "log" (func $log (param i32 i32 i32 i32 i32)))"#,
            r#"(with "env" (instance $memory)) (with "host" (instance (export "log" (func $log))))"#,
        )
        .build()
}

/// The messages that were logged: the level, the context and the text of each.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<(Level, String, String)>>>);

impl<S: Subscriber> Layer<S> for Heard {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        if fields.stream == "log" || fields.dropped > 0 {
            let text = if fields.dropped > 0 { format!("{} dropped", fields.dropped) } else { fields.text };
            self.0.lock().unwrap().push((*event.metadata().level(), fields.context, text));
        }
    }
}

#[derive(Default)]
struct Fields {
    stream: String,
    context: String,
    text: String,
    dropped: u64,
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "dropped" {
            self.dropped = value;
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "stream" => value.clone_into(&mut self.stream),
            "context" => value.clone_into(&mut self.context),
            "text" => value.clone_into(&mut self.text),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Returns what a guest logs in a call that it allows.
async fn heard(wasm: &[u8]) -> Vec<(Level, String, String)> {
    let heard = Heard::default();
    let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(heard.clone()));
    // A million messages take seconds without optimisation.
    let hook = hook("talks", wasm, Limits::default(), Grants::default(), Duration::from_secs(60));
    let outcome = ask(hook).await;
    drop(guard);
    assert_eq!(outcome.verdict, Verdict::Allow, "{outcome:?}");
    let heard = heard.0.lock().unwrap();
    heard.clone()
}

#[tokio::test]
async fn a_component_logs_without_a_grant() {
    let levels = [Level::TRACE, Level::DEBUG, Level::INFO, Level::WARN, Level::ERROR, Level::ERROR];
    for (number, level) in (0..).zip(levels) {
        let expected = [(level, "quota".to_owned(), "3 calls are left".to_owned())];
        assert_eq!(heard(&logger(number, "quota", "3 calls are left", 1)).await, expected);
    }
}

#[tokio::test]
async fn the_same_by_the_name_that_no_toolchain_stubs() {
    let wasm = logger_by("hookbox:log/logging@0.1.0", 2, "", "hello", 1);
    assert_eq!(heard(&wasm).await, [(Level::INFO, String::new(), "hello".to_owned())]);
}

#[tokio::test]
async fn what_is_logged_cannot_pass_for_something_else() {
    let all = heard(&logger(2, "a\nb", "\u{1b}[2J\u{202e}ok\r\nINFO forged {\"level\":\"error\"}", 1)).await;
    let [(_, context, text)] = all.as_slice() else { panic!("{all:?}") };
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\r']) && !context.is_empty(), "{context:?} {text:?}");
}

#[tokio::test]
async fn a_million_messages_are_counted_and_not_kept() {
    let all = heard(&logger(3, "", "again", 1_000_000)).await;
    assert_eq!(all.len(), 257);
    assert_eq!(all.last().unwrap().2, "999744 dropped");
    let large = "y".repeat(60_000);
    let all = heard(&logger(3, "", &large, 100)).await;
    assert!(all.iter().all(|(.., text)| text.len() <= 4096), "a message has a limit");
    assert_eq!(all.last().unwrap().2, "84 dropped");
}
