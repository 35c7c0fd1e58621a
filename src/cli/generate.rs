//! `sudoku-batch generate`: puzzles on stdout, the throughput on stderr.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use sudoku_batch::grid::Puzzle;
use sudoku_batch::solve::{GenerateConfig, Generator, Kind};

use super::args::{Common, GenerateArgs, PuzzleKind};
use super::error::CliError;
use super::interrupt::stop_flag;
use super::progress::bar;
use super::status::Status;
use super::threads::pool;

/// Chunks grow until one takes this long: threads wait for the slowest puzzle of a chunk seldom,
/// and an interrupt is answered soon.
const CHUNK_TIME: Duration = Duration::from_millis(200);
/// Puzzles of a chunk at most, so that memory stays flat.
const LARGEST_CHUNK: u64 = 1 << 15;

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
    let stop = stop_flag();
    let bar = bar(common, args.count, "puzzles");
    let mut out = io::stdout().lock();
    let started = Instant::now();
    let mut done = 0;
    let mut chunk = pool.current_num_threads() as u64;
    while done < args.count && !stop.load(Ordering::SeqCst) {
        let began = Instant::now();
        let end = args.count.min(done + chunk);
        let puzzles: Vec<Puzzle> = pool.install(|| {
            (done..end)
                .into_par_iter()
                .map_init(
                    || Generator::new(GenerateConfig::default()),
                    |generator, n| generator.puzzle(kind, common.seed, n),
                )
                .collect()
        });
        let lines: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        match out.write_all(lines.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Status::Clean),
            Err(error) => return Err(CliError::new(format!("cannot write to stdout: {error}"))),
        }
        bar.inc(end - done);
        done = end;
        if began.elapsed() < CHUNK_TIME {
            chunk = LARGEST_CHUNK.min(chunk * 2);
        }
    }
    bar.finish_and_clear();
    if !common.quiet {
        let seconds = started.elapsed().as_secs_f64();
        anstream::eprintln!(
            "{done} puzzles in {seconds:.2} s, {:.0} a second",
            done as f64 / seconds
        );
    }
    if done < args.count {
        return Ok(Status::Interrupted);
    }
    Ok(Status::Clean)
}
