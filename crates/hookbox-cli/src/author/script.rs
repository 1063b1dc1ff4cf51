//! Turns a script into a self-contained component.

use anyhow::{Context, Result};
use hookbox_componentize::replace_sections;
use wasmparser::Payload;

/// Makes a component that exports `hookbox:hook/hook` and imports nothing. It contains both the script and the
/// interpreter. `name` is the script's name in errors. What the script writes with `console` is discarded.
///
/// # Errors
/// This hookbox was built without the interpreter.
pub fn script_component(name: &str, source: &str) -> Result<Vec<u8>> {
    let runner = hookbox::runtime::component::script_runner()
        .context("this hookbox was built without what runs scripts: build it again after `cargo xtask guests`")?;
    let shell = wat::parse_str(shell(name, source)).context("the component around the script")?;
    let mut stand_in = true;
    replace_sections(&shell, |payload, contents| match payload {
        Payload::ComponentSection { .. } if std::mem::take(&mut stand_in) => Some(runner),
        _ => Some(contents),
    })
}

/// The text of the component around the interpreter, with a placeholder of the same type in the interpreter's place.
fn shell(name: &str, source: &str) -> String {
    let (name_length, source_length) = (name.len(), source.len());
    // The script comes after the area for results; the arguments come after the script.
    let source_at = RESULTS_END + name_length;
    let free = (source_at + source_length).next_multiple_of(16);
    let pages = free.div_ceil(PAGE_BYTES) + 1;
    let (name, source) = (escaped(name), escaped(source));
    format!(
        r#"(component
  (component $runner
    (core module $m
      (memory (export "memory") 1)
      (func (export "run") (param i32 i32 i32 i32 i32 i32) (result i32) unreachable)
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable))
    (core instance $i (instantiate $m))
    (func $run (param "name" string) (param "source" string) (param "input" string)
      (result (tuple (result string (error string)) string))
      (canon lift (core func $i "run") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
    (instance $interface (export "run" (func $run)))
    (export "hookbox:script/runner@0.1.0" (instance $interface)))
  ;; A component of its own beside the interpreter: one may not call what is inside of it.
  (component $hook
    (import "runner" (instance $runner
      (export "run" (func (param "name" string) (param "source" string) (param "input" string)
        (result (tuple (result string (error string)) string))))))
    (core module $memory
      (memory (export "memory") {pages})
      (global $free (mut i32) (i32.const {free}))
      (data (i32.const {RESULTS_END}) "{name}{source}")
      ;; Nothing is ever given back: an instance lives for one call.
      (func (export "realloc") (param $old i32) (param $old_size i32) (param $align i32) (param $size i32) (result i32)
        (local $at i32)
        (local $missing i32)
        (local.set $at (i32.and
          (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
          (i32.sub (i32.const 0) (local.get $align))))
        (global.set $free (i32.add (local.get $at) (local.get $size)))
        (local.set $missing (i32.sub
          (i32.shr_u (i32.add (global.get $free) (i32.const 65535)) (i32.const 16)) (memory.size)))
        (if (i32.gt_s (local.get $missing) (i32.const 0))
          (then (if (i32.eq (memory.grow (local.get $missing)) (i32.const -1)) (then unreachable))))
        (memory.copy (local.get $at) (local.get $old) (local.get $old_size))
        (local.get $at)))
    (core module $call
      (import "runner" "run" (func $run (param i32 i32 i32 i32 i32 i32 i32)))
      ;; What a hook returns is how what the runner returns begins.
      (func (export "run") (param $input i32) (param $length i32) (result i32)
        (call $run (i32.const {RESULTS_END}) (i32.const {name_length}) (i32.const {source_at}) (i32.const {source_length})
          (local.get $input) (local.get $length) (i32.const 16))
        (i32.const 16)))
    (core instance $own (instantiate $memory))
    (core func $lowered (canon lower (func $runner "run")
      (memory (core memory $own "memory")) (realloc (core func $own "realloc"))))
    (core instance $outer (instantiate $call (with "runner" (instance (export "run" (func $lowered))))))
    (func $run (param "input" string) (result (result string (error string)))
      (canon lift (core func $outer "run") (memory (core memory $own "memory")) (realloc (core func $own "realloc"))))
    (instance $exported (export "run" (func $run)))
    (export "hook" (instance $exported)))
  (instance $runner (instantiate $runner))
  (alias export $runner "hookbox:script/runner@0.1.0" (instance $interface))
  (instance $hook (instantiate $hook (with "runner" (instance $interface))))
  (alias export $hook "hook" (instance $exported))
  (export "hookbox:hook/hook@0.1.0" (instance $exported)))"#
    )
}

/// The end of the runner's results, which begin at 16: five words.
const RESULTS_END: usize = 48;

const PAGE_BYTES: usize = 64 << 10;

/// The bytes of a text, escaped for the text format.
fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("\\{byte:02x}")).collect()
}
