//! `sudoku-batch solve`.

use std::io::{self, Write};
use std::time::Instant;

use sudoku_batch::corpus::{Corpora, CorpusError};
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::roster::{SolverSpec, fastest_complete, find};
use sudoku_batch::shards::SOLUTIONS;
use sudoku_batch::solve::{Limits, Stop};
use sudoku_batch::stream::{
    AnswerStyle, Ask, End, Problem, StreamConfig, Tally, answer_all, answer_variants,
};
use sudoku_batch::variant::{OpenCorpora, VariantLines, VariantSolverSpec, find_variant};

use super::args::{Common, SolveArgs};
use super::corpora::{
    FORMATS, append_counts, finished, no_reading_of_plan, nothing_done, open, paths,
};
use super::error::{CliError, print_error};
use super::interrupt::stop_flag;
use super::shard::{Task, stream_shard};
use super::status::Status;
use super::threads::pool;

pub(crate) fn run(common: &Common, args: &SolveArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "solve does not support --json: solutions go to stdout, the summary to stderr",
            "omit it",
        ));
    }
    no_reading_of_plan(&args.table, Some(&args.layout), &args.shard)?;
    let ask = Ask {
        goal: args.count.unwrap_or(args.goal),
        limits: args.limits.limits(args.time_limit),
    };
    match Task::of(common, &args.shard, "solve", &args.parts.out)? {
        Task::Done(status) => Ok(status),
        Task::Shard(task) => {
            if args.pretty {
                return Err(CliError::with_hint(
                    "shards have one line per answer",
                    "omit --pretty",
                ));
            }
            let solver = if task.has_other_boards() {
                variant_solver(args)?.map_or("fastest of each layout", |solver| solver.name)
            } else {
                solver(args)?.name
            };
            let settings = serde_json::json!({ "solver": solver, "ask": format!("{ask:?}") });
            stream_shard(
                common,
                *task,
                SOLUTIONS,
                settings,
                summary,
                |corpora, out, report| {
                    let report = &mut |problem: &Problem| report(problem);
                    answer_any(common, args, corpora, ask, out, report)
                },
            )
        }
        Task::Paths => {
            let paths = paths(&args.corpora, "solve")?;
            let start = Instant::now();
            let out = &mut io::stdout();
            let corpora = open(paths.clone(), &args.layout, &args.table)?;
            let (tally, end) = answer_any(common, args, corpora, ask, out, &mut report)?;
            if end == End::Closed {
                return Ok(Status::Clean);
            }
            if tally.puzzles() == 0 && end == End::Complete {
                return nothing_done(
                    tally.bad_lines,
                    tally.broken_files,
                    &paths,
                    &args.table,
                    FORMATS,
                );
            }
            if !common.quiet {
                let seconds = start.elapsed().as_secs_f64();
                let _ = writeln!(anstream::stderr(), "{}", summary(&tally, seconds));
            }
            Ok(finished(end, tally.is_clean()))
        }
    }
}

/// The solver of classic puzzles that is asked for, or the fastest one.
fn solver(args: &SolveArgs) -> Result<&'static SolverSpec, CliError> {
    match &args.solver {
        Some(name) => find(name).map_err(CliError::new),
        None => Ok(fastest_complete()),
    }
}

/// The solver of boards of any layout that is asked for.
fn variant_solver(args: &SolveArgs) -> Result<Option<&'static VariantSolverSpec>, CliError> {
    let solver = args.solver.as_deref().map(find_variant).transpose();
    solver.map_err(|error| {
        CliError::with_hint(
            error,
            "use one of these for boards of any size, and for --pretty",
        )
    })
}

/// Answers puzzles of any kind; classic ones alone by the solvers for these, unless boards are drawn.
fn answer_any(
    common: &Common,
    args: &SolveArgs,
    corpora: OpenCorpora,
    ask: Ask,
    out: &mut (dyn Write + Send),
    report: &mut (dyn FnMut(&Problem) + Send),
) -> Result<(Tally, End), CliError> {
    match corpora {
        OpenCorpora::Classic(corpora) if !args.pretty => {
            answer(common, *corpora, solver(args)?, ask, out, report)
        }
        other => answer_lines(common, args, other.into_lines(), ask, out, report),
    }
}

/// Answers puzzles of any layout.
fn answer_lines(
    common: &Common,
    args: &SolveArgs,
    lines: VariantLines,
    ask: Ask,
    out: &mut (dyn Write + Send),
    report: &mut (dyn FnMut(&Problem) + Send),
) -> Result<(Tally, End), CliError> {
    let solver = variant_solver(args)?;
    let style = if args.pretty {
        AnswerStyle::Drawn
    } else {
        AnswerStyle::Lines
    };
    let pool = pool(common)?;
    let stop = stop_flag();
    // A single board of 25x25 may take minutes.
    let ask = Ask {
        limits: Limits {
            stop: Some(Stop(stop)),
            ..ask.limits
        },
        ..ask
    };
    let answered = pool.install(|| answer_variants(lines, solver, ask, style, stop, out, report));
    answered.map_err(CliError::new)
}

fn answer(
    common: &Common,
    corpora: Corpora,
    solver: &SolverSpec,
    ask: Ask,
    out: &mut (dyn Write + Send),
    report: &mut (dyn FnMut(&Problem) + Send),
) -> Result<(Tally, End), CliError> {
    let config = StreamConfig::new(solver, ask.goal);
    let stop = stop_flag();
    let answered =
        pool(common)?.install(|| answer_all(corpora, solver, ask, config, stop, out, report));
    answered.map_err(CliError::new)
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

/// What a run came to, in a line.
pub(super) fn summary(tally: &Tally, seconds: f64) -> String {
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
