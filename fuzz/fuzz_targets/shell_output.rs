#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookbox_laws::shell_output::holds(bytes));
