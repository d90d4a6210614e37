#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| atl_fuzz::units(data));
