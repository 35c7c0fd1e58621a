//! `sudoku-batch rate`.

use std::io::{self, Write};
use std::time::Instant;

use sudoku_batch::corpus::{Corpora, CorpusError};
use sudoku_batch::logic::Rater;
use sudoku_batch::report::{counted, grouped, rate_json};
use sudoku_batch::stream::{End, RateTally, rate_all};

use super::args::{Common, RateArgs};
use super::corpora::{append_counts, finished, nothing_done, paths};
use super::error::{CliError, print_error};
use super::interrupt::stop_flag;
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &RateArgs) -> Result<Status, CliError> {
    let paths = paths(&args.corpora, "rate")?;
    let profile = args.profile.profile;
    let start = Instant::now();
    let mut rows: Box<dyn Write + Send> = if common.json {
        Box::new(io::sink())
    } else {
        Box::new(io::stdout())
    };
    let outcome = pool(common)?.install(|| {
        rate_all(
            Corpora::new(paths.clone()),
            Rater {
                profile,
                assume_unique: args.profile.assume_unique,
                time_limit: args.time_limit,
            },
            stop_flag(),
            &mut *rows,
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
    let seconds = start.elapsed().as_secs_f64();
    if common.json {
        print(&rate_json(profile.name, &tally, seconds));
    }
    if !common.quiet {
        let _ = writeln!(anstream::stderr(), "{}", summary(&tally, seconds));
    }
    Ok(finished(end, tally.is_clean()))
}

/// One line on stderr; who closed it does not want it.
fn report(error: &CorpusError) {
    match error {
        CorpusError::Unreadable { .. } => print_error(error),
        error => {
            let _ = writeln!(anstream::stderr(), "{error}");
        }
    }
}

fn summary(tally: &RateTally, seconds: f64) -> String {
    let rate = tally.puzzles() as f64 / seconds.max(1e-6);
    let mut text = format!(
        "rated {} in {seconds:.2} s ({}/s)",
        counted(tally.puzzles(), "puzzle"),
        grouped(rate.round() as u64)
    );
    let rest = [
        (tally.guessed, grouped(tally.guessed) + " with guesses"),
        (
            tally.unrated,
            grouped(tally.unrated) + " without a single solution",
        ),
        (tally.late, grouped(tally.late) + " over the time limit"),
        (tally.bad_lines, counted(tally.bad_lines, "bad line")),
        (
            tally.broken_files,
            counted(tally.broken_files, "broken file"),
        ),
    ];
    append_counts(&mut text, rest);
    text
}
