//! `corpus` on boards of other sizes and shapes, from outside.

mod classes;
mod images;

use crate::common::program;
use std::path::Path;
use std::process::{Command, Output};

use program::fed;

fn corpus(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let command = command.arg("corpus").args(arguments).current_dir(folder);
    fed(command, stdin.as_bytes())
}

/// Runs a command that ends with this code. Returns stdout and stderr.
fn expect(code: i32, folder: &Path, arguments: &[&str], stdin: &str) -> (String, String) {
    let output = corpus(folder, arguments, stdin);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, told) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
    (out, told)
}

/// A puzzle of 6x6; the same with other labels; with rows and columns exchanged, so that boxes stand upright.
const SIX: &str = "6.3..515....5....42...1.....21...4..";
const RELABELED: &str = "5.2..464....4....31...6.....16...3..";

fn transposed() -> String {
    let cells: Vec<char> = SIX.chars().collect();
    (0..36).map(|cell| cells[cell % 6 * 6 + cell / 6]).collect()
}

/// The rows of a table after its header.
fn rows(table: &str) -> Vec<Vec<String>> {
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let rows = table.records().map(|row| {
        let row = row.unwrap();
        row.iter().map(str::to_owned).collect()
    });
    rows.collect()
}
