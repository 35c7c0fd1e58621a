//! `bench.csv`, `throughput.csv` and `puzzles.csv`.

use std::io::{self, Write};

use crate::bench::{Interval, Row, Sample, ThroughputRow};
use crate::files::spreadsheet_text;
use crate::solve::Effort;

/// Columns of `bench.csv`.
const COLUMNS: [&str; 29] = [
    "corpus",
    "solver",
    "goal",
    "threads",
    "puzzles",
    "covered",
    "unique",
    "multiple",
    "unsolvable",
    "stuck",
    "timeout",
    "wrong",
    "no_guess_pct",
    "guesses_mean",
    "nodes_mean",
    "min_us",
    "median_us",
    "p90_us",
    "p99_us",
    "max_us",
    "total_s",
    "puzzles_per_s",
    "assumed",
    "puzzles_per_s_low",
    "puzzles_per_s_high",
    "vs_fastest",
    "vs_fastest_low",
    "vs_fastest_high",
    "rounds",
];

/// Columns of `throughput.csv`.
const THROUGHPUT_COLUMNS: [&str; 12] = [
    "corpus",
    "solver",
    "goal",
    "threads",
    "puzzles",
    "seconds",
    "puzzles_per_s",
    "times_one_thread",
    "puzzles_per_s_low",
    "puzzles_per_s_high",
    "times_one_thread_low",
    "times_one_thread_high",
];

/// Columns of `puzzles.csv`.
const PUZZLE_COLUMNS: [&str; 8] = [
    "corpus", "line", "puzzle", "solver", "verdict", "guesses", "nodes", "us",
];

/// Writes `bench.csv`: one row per corpus and solver. Invalid rows have no times.
///
/// # Errors
///
/// Any error of the writer.
pub fn bench_csv(writer: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(writer);
    table.write_record(COLUMNS)?;
    for row in rows {
        let counts = row.struck.is_none();
        let us = |value: Option<f64>| number(value.filter(|_| counts), 3);
        let [low, high] = ends(row.rate_interval.filter(|_| counts), 1);
        let ratio = row.vs_fastest.filter(|_| counts);
        let [ratio_low, ratio_high] = ends(ratio.and_then(|ratio| ratio.interval), 4);
        table.write_record([
            &*spreadsheet_text(&row.corpus),
            &*spreadsheet_text(&row.solver),
            &row.goal,
            &row.threads
                .map_or_else(String::new, |count| count.to_string()),
            &row.puzzles.to_string(),
            &row.covered.to_string(),
            &row.unique.to_string(),
            &row.multiple.to_string(),
            &row.unsolvable.to_string(),
            &row.stuck.to_string(),
            &row.timeout.to_string(),
            &row.wrong.to_string(),
            &number(row.no_guess_pct, 3),
            &number(row.guesses_mean, 4),
            &number(row.nodes_mean, 4),
            &us(row.min_us),
            &us(row.median_us),
            &us(row.p90_us),
            &us(row.p99_us),
            &us(row.max_us),
            &number(counts.then_some(row.total_s), 6),
            &number(counts.then_some(row.puzzles_per_s), 1),
            &row.assumed.to_string(),
            &low,
            &high,
            &number(ratio.map(|ratio| ratio.value), 4),
            &ratio_low,
            &ratio_high,
            &row.rounds.count().to_string(),
        ])?;
    }
    table.flush()
}

/// Writes `throughput.csv`: one row per corpus and solver. Invalid rows have no times.
///
/// # Errors
///
/// Any error of the writer.
pub fn throughput_csv(writer: &mut dyn Write, rows: &[ThroughputRow]) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(writer);
    table.write_record(THROUGHPUT_COLUMNS)?;
    for row in rows {
        let counts = row.struck.is_none();
        let [low, high] = ends(row.rate_interval.filter(|_| counts), 1);
        let ratio = row.vs_one_thread.filter(|_| counts);
        let [ratio_low, ratio_high] = ends(ratio.and_then(|ratio| ratio.interval), 3);
        table.write_record([
            &*spreadsheet_text(&row.corpus),
            &*spreadsheet_text(&row.solver),
            &row.goal,
            &row.threads.to_string(),
            &row.puzzles.to_string(),
            &number(counts.then_some(row.seconds), 6),
            &number(counts.then_some(row.puzzles_per_s), 1),
            &number(ratio.map(|ratio| ratio.value), 3),
            &low,
            &high,
            &ratio_low,
            &ratio_high,
        ])?;
    }
    table.flush()
}

/// Writer of `puzzles.csv`, row by row.
pub struct PuzzleTable<W: Write>(csv::Writer<W>);

impl<W: Write> PuzzleTable<W> {
    /// Writes the header, and returns the table.
    ///
    /// # Errors
    ///
    /// Any error of the writer.
    pub fn new(writer: W) -> io::Result<PuzzleTable<W>> {
        let mut table = csv::Writer::from_writer(writer);
        table.write_record(PUZZLE_COLUMNS)?;
        Ok(PuzzleTable(table))
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Any error of the writer.
    pub fn write(
        &mut self,
        corpus: &str,
        line: u64,
        puzzle: &str,
        solver: &str,
        sample: &Sample,
    ) -> io::Result<()> {
        let cost = |value: &dyn Fn(Effort, u64) -> String| {
            let cost = sample
                .cost
                .map(|(effort, nanoseconds)| value(effort, nanoseconds));
            cost.unwrap_or_default()
        };
        self.0.write_record([
            &*spreadsheet_text(corpus),
            &line.to_string(),
            puzzle,
            &*spreadsheet_text(solver),
            sample.kind.name(),
            &cost(&|effort, _| effort.guesses.to_string()),
            &cost(&|effort, _| effort.nodes.to_string()),
            &cost(&|_, nanoseconds| number(Some(nanoseconds as f64 / 1e3), 3)),
        ])?;
        Ok(())
    }

    /// Flushes, and returns the writer.
    ///
    /// # Errors
    ///
    /// Any error of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.0
            .into_inner()
            .map_err(|error| io::Error::other(error.to_string()))
    }
}

/// Returns the ends of an interval as text; empty where there is none.
fn ends(interval: Option<Interval>, decimals: usize) -> [String; 2] {
    let ends = [interval.map(|it| it.low), interval.map(|it| it.high)];
    ends.map(|end| number(end, decimals))
}

/// Returns a number with this many decimals; empty where there is none.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(String::new, |value| format!("{value:.decimals$}"))
}
