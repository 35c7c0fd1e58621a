//! The folder of published data, which is optional.
#![allow(missing_docs, dead_code, unreachable_pub, clippy::print_stdout)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns a folder or file below `SUDOKU_BATCH_DATA`. Without the variable, prints that the test is skipped;
/// panics if `CI` is set, since no test may be skipped there.
pub fn data_folder(sub: &str) -> Option<PathBuf> {
    let is_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    folder_below(std::env::var_os("SUDOKU_BATCH_DATA"), is_ci, sub)
}

/// Like [`data_folder`], for this environment.
pub fn folder_below(data: Option<OsString>, is_ci: bool, sub: &str) -> Option<PathBuf> {
    match data.filter(|data| !data.is_empty()) {
        Some(data) => Some(Path::new(&data).join(sub)),
        None if is_ci => panic!("SUDOKU_BATCH_DATA is not set, and CI is: no test may be skipped"),
        None => {
            println!("skipped: SUDOKU_BATCH_DATA is not set");
            None
        }
    }
}
