//! Small components as text, each with one behaviour.

/// A component whose core module has the given body for `run`. The body leaves the address of the result area on the
/// stack; `(call $answer)` returns the address for the text at 64.
pub struct Guest {
    run: String,
    answer: String,
    items: String,
    imports: String,
    core_imports: String,
    instantiate: String,
    memory: &'static str,
}

impl Default for Guest {
    fn default() -> Self {
        Guest {
            run: "(call $answer)".to_owned(),
            answer: "{}".to_owned(),
            items: String::new(),
            imports: String::new(),
            core_imports: String::new(),
            instantiate: String::new(),
            memory: r#"(memory (export "memory") 4)"#,
        }
    }
}

impl Guest {
    /// Creates a guest that answers with this text.
    pub fn answering(answer: &str) -> Self {
        Guest { answer: answer.to_owned(), ..Guest::default() }
    }

    /// Creates a guest that runs these instructions, which end in `(call $answer)` if they finish.
    pub fn running(run: &str) -> Self {
        Guest { run: run.to_owned(), ..Guest::default() }
    }

    /// Replaces the guest's instructions.
    pub fn with_run(mut self, run: &str) -> Self {
        run.clone_into(&mut self.run);
        self
    }

    /// Adds items to the core module.
    pub fn with_items(mut self, items: &str) -> Self {
        self.items.push_str(items);
        self
    }

    pub fn with_memory(mut self, memory: &'static str) -> Self {
        self.memory = memory;
        self
    }

    /// Adds imports to the component, the core module's imports of them, and how they are passed on.
    pub fn with_imports(mut self, imports: &str, core_imports: &str, instantiate: &str) -> Self {
        self.imports.push_str(imports);
        self.core_imports.push_str(core_imports);
        self.instantiate.push_str(instantiate);
        self
    }

    pub fn wat(&self) -> String {
        let Guest { run, answer, items, imports, core_imports, instantiate, memory } = self;
        let length = answer.len();
        let answer: String = answer.bytes().map(|byte| format!("\\{byte:02x}")).collect();
        format!(
            r#"(component
  {imports}
  (core module $m
    {core_imports}
    {memory}
    (global $free (mut i32) (i32.const 131072))
    (data (i32.const 64) "{answer}")
    (func (export "cabi_realloc") (param $old i32) (param $old_size i32) (param $align i32) (param $size i32)
      (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $free) (i32.const 15)) (i32.const -16)))
      (global.set $free (i32.add (local.get $at) (local.get $size)))
      (local.get $at))
    (func $answer (result i32)
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (i32.const 64))
      (i32.store (i32.const 8) (i32.const {length}))
      (i32.const 0))
    (func (export "run") (param $input i32) (param $length i32) (result i32)
      {run})
    {items})
  (core instance $i (instantiate $m {instantiate}))
  (func $run (param "input" string) (result (result string (error string)))
    (canon lift (core func $i "run") (memory (core memory $i "memory")) (realloc (core func $i "cabi_realloc"))))
  (instance $hook (export "run" (func $run)))
  (export "hookbox:hook/hook@0.1.0" (instance $hook)))"#
        )
    }

    #[track_caller]
    pub fn build(&self) -> Vec<u8> {
        wat::parse_str(self.wat()).unwrap()
    }
}

/// Builds a component that allows.
pub fn allowing() -> Vec<u8> {
    Guest::answering("{}").build()
}

/// Builds a guest that waits for an hour in the host, where neither fuel nor epochs can stop it.
pub fn sleeper() -> Vec<u8> {
    Guest::running("(call $block (call $subscribe (i64.const 3600000000000))) (call $answer)")
        .with_imports(
            r#"(import "wasi:io/poll@0.2.0" (instance $poll
                 (export "pollable" (type $pollable (sub resource)))
                 (export "[method]pollable.block" (func (param "self" (borrow $pollable))))))
               (alias export $poll "pollable" (type $p))
               (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
                 (alias outer 1 $p (type $p2))
                 (export "pollable" (type $p3 (eq $p2)))
                 (export "subscribe-duration" (func (param "when" u64) (result (own $p3))))))
               (core func $block (canon lower (func $poll "[method]pollable.block")))
               (core func $subscribe (canon lower (func $clock "subscribe-duration")))"#,
            r#"(import "host" "block" (func $block (param i32)))
               (import "host" "subscribe" (func $subscribe (param i64) (result i32)))"#,
            r#"(with "host" (instance
                 (export "block" (func $block)) (export "subscribe" (func $subscribe))))"#,
        )
        .build()
}

/// Builds a guest that calls `exit` with success or failure.
pub fn exiter(failure: u32) -> Vec<u8> {
    Guest::running(&format!("(call $exit (i32.const {failure})) (call $answer)"))
        .with_imports(
            r#"(import "wasi:cli/exit@0.2.0" (instance $exit
                 (export "exit" (func (param "status" (result))))))
               (core func $exit (canon lower (func $exit "exit")))"#,
            r#"(import "host" "exit" (func $exit (param i32)))"#,
            r#"(with "host" (instance (export "exit" (func $exit))))"#,
        )
        .build()
}
