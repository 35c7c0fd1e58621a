//! `sudoku-batch generate`: puzzles on stdout, the throughput on stderr.

use std::io::{self, Write};
use std::time::Instant;

use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::Kind;
use sudoku_batch::stream::{End, VariantMade, generate_all, generate_variants};
use sudoku_batch::variant::{Alphabet, Format, Reading, Regions, VariantKind};

use super::args::{Common, GenerateArgs, PuzzleKind};
use super::error::CliError;
use super::interrupt::stop_flag;
use super::progress::bar;
use super::status::Status;
use super::threads::pool;

/// What boards of other sizes and shapes are asked for, if they are.
fn variant_kind(args: &GenerateArgs) -> Result<Option<VariantKind>, CliError> {
    let Some(mut layout) = args.layout else {
        return Ok(None);
    };
    if args.kind == Some(PuzzleKind::Hard) {
        return Err(CliError::with_hint(
            "hard puzzles are made for the classic board only",
            "--kind minimal makes puzzles that need every given",
        ));
    }
    if let Some(boxes) = args.boxes {
        let side = layout.regions.side();
        if boxes.side() != side || matches!(layout.regions, Regions::Jigsaw { .. }) {
            return Err(CliError::with_hint(
                format!("boxes of {boxes} do not make this board"),
                format!(
                    "leave out --boxes, or give a box of {side} cells on a board that has boxes"
                ),
            ));
        }
        layout.regions = Regions::Boxes(boxes);
    }
    Ok(Some(VariantKind {
        layout,
        minimal: args.kind == Some(PuzzleKind::Minimal),
    }))
}

/// The line of a puzzle.
fn fields(made: VariantMade) -> io::Result<String> {
    let (puzzle, _) = made.map_err(io::Error::other)?;
    let alphabet = Alphabet::usual(puzzle.layout().side());
    let line = Format::Fields.write(&puzzle, alphabet, None, &Reading::default());
    line.map_err(io::Error::other)
}

pub(crate) fn run(common: &Common, args: &GenerateArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "`generate` has no summary to print as JSON",
            "leave out --json; stdout holds the puzzles, one a line",
        ));
    }
    let pool = pool(common)?;
    let bar = bar(common, args.count, "puzzles");
    let started = Instant::now();
    let mut done = 0;
    let mut write = |lines: Vec<String>| {
        let mut out = io::stdout().lock();
        out.write_all((lines.join("\n") + "\n").as_bytes())?;
        out.flush()?;
        done += lines.len() as u64;
        bar.set_position(done);
        Ok(())
    };
    let (seed, count, stop) = (common.seed, args.count, stop_flag());
    let end = match variant_kind(args)? {
        None => {
            let kind = match args.kind {
                Some(PuzzleKind::Easy) => Kind::Easy,
                Some(PuzzleKind::Minimal) | None => Kind::Minimal,
                Some(PuzzleKind::Hard) => Kind::Hard,
            };
            let mut write = |puzzles: Vec<Puzzle>| {
                write(puzzles.iter().map(|puzzle| puzzle.to_line()).collect())
            };
            pool.install(|| generate_all(kind, seed, count, stop, &mut write))
        }
        Some(kind) => {
            let mut write = |made: Vec<VariantMade>| {
                let lines = made.into_iter().map(fields);
                write(lines.collect::<io::Result<Vec<String>>>()?)
            };
            pool.install(|| generate_variants(kind, seed, count, stop, &mut write))
        }
    };
    let end = end.map_err(CliError::new)?;
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
