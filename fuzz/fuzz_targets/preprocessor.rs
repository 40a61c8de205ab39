//! See `isospin_conformance::fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| isospin_conformance::fuzz::preprocessor(bytes));
