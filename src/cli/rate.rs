//! `sudoku-batch rate`.

use std::io::{self, Write};
use std::time::Instant;

use sudoku_batch::corpus::{Corpora, CorpusError};
use sudoku_batch::logic::Rater;
use sudoku_batch::report::{counted, grouped, rate_json};
use sudoku_batch::shards::RATINGS;
use sudoku_batch::stream::{End, Extras, RateTally, rate_all};
use sudoku_batch::variant::OpenCorpora;

use super::args::{Common, RateArgs};
use super::corpora::{
    CLASSIC_FORMATS, append_counts, classic, finished, no_reading_of_plan, nothing_done, paths,
};
use super::error::{CliError, print_error};
use super::interrupt::stop_flag;
use super::shard::{Task, stream_shard};
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &RateArgs) -> Result<Status, CliError> {
    no_reading_of_plan(&args.table, None, &args.shard)?;
    let rater = Rater {
        profile: args.profile.profile,
        assume_unique: args.profile.assume_unique,
        time_limit: args.time_limit,
    };
    let extras = args.extras();
    match Task::of(common, &args.shard, "rate", &args.parts.out)? {
        Task::Done(status) => Ok(status),
        Task::Shard(task) => {
            let settings = serde_json::json!({
                "profile": rater.profile.name,
                "assume_unique": rater.assume_unique,
                "time_limit_s": rater.time_limit.map(|time| time.as_secs_f64()),
                "with": extras,
            });
            stream_shard(
                common,
                *task,
                RATINGS,
                settings,
                summary,
                |corpora, out, report| {
                    let OpenCorpora::Classic(corpora) = corpora else {
                        return Err(CliError::new(
                            "the plan has boards of other sizes or shapes",
                        ));
                    };
                    let mut report = |error: &CorpusError| report(error);
                    rate(common, *corpora, rater, extras, out, &mut report)
                },
            )
        }
        Task::Paths => {
            let paths = paths(&args.corpora, "rate")?;
            let start = Instant::now();
            let mut rows: Box<dyn Write + Send> = if common.json {
                Box::new(io::sink())
            } else {
                Box::new(io::stdout())
            };
            let corpora = classic(&paths, &args.table, "rate")?;
            let (tally, end) = rate(common, corpora, rater, extras, &mut *rows, &mut report)?;
            if end == End::Closed {
                return Ok(Status::Clean);
            }
            if tally.puzzles() == 0 && end == End::Complete {
                return nothing_done(
                    tally.bad_lines,
                    tally.broken_files,
                    &paths,
                    &args.table,
                    CLASSIC_FORMATS,
                );
            }
            let seconds = start.elapsed().as_secs_f64();
            if common.json {
                print(&rate_json(rater.profile.name, &tally, seconds));
            }
            if !common.quiet {
                let _ = writeln!(anstream::stderr(), "{}", summary(&tally, seconds));
            }
            Ok(finished(end, tally.is_clean()))
        }
    }
}

fn rate(
    common: &Common,
    corpora: Corpora,
    rater: Rater<'_>,
    extras: Extras,
    out: &mut (dyn Write + Send),
    report: &mut (dyn FnMut(&CorpusError) + Send),
) -> Result<(RateTally, End), CliError> {
    let rated =
        pool(common)?.install(|| rate_all(corpora, rater, extras, stop_flag(), out, report));
    rated.map_err(CliError::new)
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

/// What a run came to, in a line.
pub(super) fn summary(tally: &RateTally, seconds: f64) -> String {
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
            grouped(tally.unrated) + " without exactly one solution",
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
