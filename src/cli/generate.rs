//! `sudoku-batch generate`: puzzles on stdout, the throughput on stderr.

use std::io::{self, Write};
use std::time::Instant;

use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::Kind;
use sudoku_batch::stream::{End, generate_all};

use super::args::{Common, GenerateArgs, PuzzleKind};
use super::error::CliError;
use super::interrupt::stop_flag;
use super::progress::bar;
use super::status::Status;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &GenerateArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "`generate` has no summary to print as JSON",
            "leave out --json; stdout holds the puzzles, one a line",
        ));
    }
    let pool = pool(common)?;
    let kind = match args.kind {
        PuzzleKind::Easy => Kind::Easy,
        PuzzleKind::Minimal => Kind::Minimal,
        PuzzleKind::Hard => Kind::Hard,
    };
    let bar = bar(common, args.count, "puzzles");
    let started = Instant::now();
    let mut done = 0;
    let mut write = |puzzles: Vec<Puzzle>| {
        let lines: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        let mut out = io::stdout().lock();
        out.write_all(lines.as_bytes())?;
        out.flush()?;
        done += puzzles.len() as u64;
        bar.set_position(done);
        Ok(())
    };
    let end = pool
        .install(|| generate_all(kind, common.seed, args.count, stop_flag(), &mut write))
        .map_err(|error| CliError::new(error.to_string()))?;
    bar.finish_and_clear();
    if end == End::Closed {
        return Ok(Status::Clean);
    }
    if !common.quiet {
        let seconds = started.elapsed().as_secs_f64();
        anstream::eprintln!(
            "{done} puzzles in {seconds:.2} s, {:.0} a second",
            done as f64 / seconds
        );
    }
    match end {
        End::Interrupted => Ok(Status::Interrupted),
        End::Complete | End::Closed => Ok(Status::Clean),
    }
}
