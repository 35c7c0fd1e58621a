//! `corpus sample`.

use std::collections::BTreeMap;
use std::io::Write;

use sudoku_batch::collection::{Bin, BinCount, Board, DifficultyBins, SampleConfig, sample};
use sudoku_batch::corpus::Rows;
use sudoku_batch::report::{counted, grouped};

use super::difficulty::difficulty;
use super::input::{Input, no_json, output, watched_of};
use crate::cli::args::{Common, SampleArgs};
use crate::cli::corpora::OpenRows;
use crate::cli::error::CliError;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &SampleArgs) -> Result<Status, CliError> {
    no_json(common, "sample")?;
    let input = Input::new(&args.input, "sample")?;
    match input.any_rows()? {
        OpenRows::Classic(rows) => draw(common, args, &input, *rows),
        OpenRows::Variant(rows) => draw(common, args, &input, rows),
    }
}

fn draw<B: Board>(
    common: &Common,
    args: &SampleArgs,
    input: &Input,
    rows: Rows<B>,
) -> Result<Status, CliError> {
    let bins = match &args.er {
        None => None,
        Some(range) => {
            let by = difficulty(&args.difficulty, &rows)?.ok_or_else(|| {
                let hint = if B::IS_RATED {
                    "name another column with --column, or rate the puzzles with --rate"
                } else {
                    "name another column of numbers with --column: only classic boards have ratings"
                };
                CliError::with_hint("--er needs a column `er`, but there is none", hint)
            })?;
            Some(DifficultyBins {
                by,
                range: *range,
                width: args.width,
            })
        }
    };
    let config = SampleConfig {
        per_bin: args.per_bin.get(),
        difficulty: bins,
        givens: args.givens,
        symmetry: args.symmetry,
        seed: common.seed,
    };
    let mut out = output(common);
    let work = || watched_of::<B, _>(|watch| sample(rows, &config, watch, &mut *out));
    let sampled = pool(common)?.install(work);
    let (read, counts, end) = sampled.map_err(CliError::new)?;
    if !common.quiet {
        let _ = anstream::stderr().write_all(table(&counts, args).as_bytes());
    }
    let taken: u64 = counts.values().map(|count| count.taken).sum();
    let is_short = |count: &BinCount| count.taken < args.per_bin.get() as u64;
    let short = counts.values().filter(|count| is_short(count)).count();
    let mut done = format!("{} taken", grouped(taken));
    if short > 0 {
        done += &format!(", {} short", counted(short as u64, "bin"));
    }
    input.finish(common, read, end, &done, short == 0)
}

/// A line for each bin.
fn table(counts: &BTreeMap<Bin, BinCount>, args: &SampleArgs) -> String {
    let mut text = String::new();
    for (bin, count) in counts {
        if args.er.is_some() {
            let from = bin.difficulty as f64 * args.width;
            text += &format!("er {from:<6.2}");
        }
        if args.givens.is_some() {
            text += &format!("givens {:<4}", bin.givens);
        }
        text += &format!("{:>10} of {}\n", grouped(count.taken), grouped(count.found));
    }
    text
}
