#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookbox_laws::input::holds(bytes));
