//! Runs of the program from outside, and the puzzle that these tests use.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// From Wikipedia's article on Sudoku.
pub const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Runs a command to its end with this standard input.
pub fn fed(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read stdin.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}
