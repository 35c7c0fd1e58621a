//! `sudoku-batch solve`.

use std::io::{self, Write};
use std::time::Instant;

use sudoku_batch::corpus::{Corpora, CorpusError};
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::roster::{fastest_complete, find};
use sudoku_batch::stream::{Ask, End, Problem, StreamConfig, Tally, answer_all};

use super::args::{Common, SolveArgs};
use super::corpora::{append_counts, finished, nothing_done, paths};
use super::error::{CliError, print_error};
use super::interrupt::stop_flag;
use super::status::Status;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &SolveArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "solve has no --json: its solutions are on stdout, its summary is on stderr",
            "leave it out",
        ));
    }
    let paths = paths(&args.corpora, "solve")?;
    let solver = match &args.solver {
        Some(name) => find(name).map_err(CliError::new)?,
        None => fastest_complete(),
    };
    let ask = Ask {
        goal: args.count.unwrap_or(args.goal),
        limits: args.limits.limits(args.time_limit),
    };
    let pool = pool(common)?;
    let stop = stop_flag();
    let start = Instant::now();
    let outcome = pool.install(|| {
        answer_all(
            Corpora::new(paths.clone()),
            solver,
            ask,
            StreamConfig::new(solver, ask.goal),
            stop,
            &mut io::stdout(),
            &mut report,
        )
    });
    let (tally, end) = outcome.map_err(CliError::new)?;
    if end == End::Closed {
        return Ok(Status::Clean);
    }
    if tally.puzzles() == 0 && end == End::Complete {
        return nothing_done(tally.bad_lines, tally.broken_files, &paths);
    }
    if !common.quiet {
        let seconds = start.elapsed().as_secs_f64();
        let _ = writeln!(anstream::stderr(), "{}", summary(&tally, seconds));
    }
    Ok(finished(end, tally.is_clean()))
}

/// One line on stderr; who closed it does not want it.
fn report(problem: &Problem) {
    match problem {
        Problem::Corpus(error @ CorpusError::Unreadable { .. }) => print_error(error),
        problem => {
            let _ = writeln!(anstream::stderr(), "{problem}");
        }
    }
}

fn summary(tally: &Tally, seconds: f64) -> String {
    let rate = tally.puzzles() as f64 / seconds.max(1e-6);
    let mut text = format!(
        "solved {} in {seconds:.2} s ({}/s)",
        counted(tally.solved, "puzzle"),
        grouped(rate.round() as u64)
    );
    let rest = [
        (tally.multiple, grouped(tally.multiple) + " multiple"),
        (tally.unsolvable, grouped(tally.unsolvable) + " unsolvable"),
        (tally.stuck, grouped(tally.stuck) + " stuck"),
        (tally.timeout, grouped(tally.timeout) + " timed out"),
        (
            tally.disagreements,
            counted(tally.disagreements, "wrong solution") + " given",
        ),
        (tally.bad_lines, counted(tally.bad_lines, "bad line")),
        (
            tally.broken_files,
            counted(tally.broken_files, "broken file"),
        ),
    ];
    append_counts(&mut text, rest);
    text
}
