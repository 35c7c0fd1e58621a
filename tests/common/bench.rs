//! `sudoku-batch bench` from outside: a folder, a run in it, and what it wrote.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

use std::fs;
use std::process::{Command, Output};

use super::program::{PUZZLE, fed};

pub const HEADER: &str = "corpus,solver,goal,threads,puzzles,covered,unique,multiple,unsolvable,stuck,\
timeout,wrong,no_guess_pct,guesses_mean,nodes_mean,min_us,median_us,p90_us,p99_us,max_us,total_s,\
puzzles_per_s,assumed,puzzles_per_s_low,puzzles_per_s_high,vs_fastest,vs_fastest_low,vs_fastest_high,rounds";

/// A folder with the corpora and the output of a test.
pub struct Bench(pub tempfile::TempDir);

impl Bench {
    pub fn new() -> Bench {
        Bench(tempfile::tempdir().unwrap())
    }

    /// Writes a corpus and returns its path.
    pub fn corpus(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs `bench` with `mrv` alone, unless the arguments say otherwise.
    pub fn run(&self, arguments: &[&str], stdin: &[u8]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command
            .arg("bench")
            .arg("--out")
            .arg(self.0.path().join("out"));
        if !arguments.contains(&"--solvers") {
            command.args(["--solvers", "mrv"]);
        }
        fed(command.args(arguments), stdin)
    }

    pub fn file(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join("out").join(name)).unwrap()
    }

    /// The rows of `bench.csv` as fields by column.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(fs::File::open(self.out("bench.csv")).unwrap());
        assert_eq!(
            reader
                .headers()
                .unwrap()
                .iter()
                .collect::<Vec<_>>()
                .join(","),
            HEADER
        );
        let rows = reader.records();
        rows.map(|row| row.unwrap().iter().map(str::to_owned).collect())
            .collect()
    }

    /// One field of the row of a solver.
    pub fn field(&self, solver: &str, column: &str) -> String {
        let column = HEADER.split(',').position(|name| name == column).unwrap();
        let row = self.rows().into_iter().find(|row| row[1] == solver);
        row.unwrap()[column].clone()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.file("summary.json")).unwrap()
    }

    pub fn out(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join("out").join(name)
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The lines on stderr without warnings, which depend on the machine.
pub fn messages(output: &Output) -> Vec<String> {
    let lines = text(&output.stderr);
    let lines = lines.lines().filter(|line| !line.starts_with("warning: "));
    lines.map(str::to_owned).collect()
}

pub fn lines(count: usize) -> String {
    format!("{PUZZLE}\n").repeat(count)
}
