#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| role_catalog_fuzz::package(input));
