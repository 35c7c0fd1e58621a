#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sudoku_batch_fuzz::targets::explanation(data));
