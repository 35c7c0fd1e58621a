//! `corpus split`.

use std::fmt::Write;

use sudoku_batch::collection::{Board, Groups, Shares, SplitMade, SplitProof};
use sudoku_batch::corpus::Rows;
use sudoku_batch::report::grouped;
use sudoku_batch::solve::Stop;
use sudoku_batch::stream::End;

use super::input::{Input, command_line, watched_of};
use crate::cli::args::{Common, SplitArgs};
use crate::cli::corpora::OpenRows;
use crate::cli::error::{CliError, WRITABLE};
use crate::cli::interrupt::stop_flag;
use crate::cli::out_folder::take_now;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &SplitArgs) -> Result<Status, CliError> {
    let sum: f64 = shares(args).iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        return Err(CliError::with_hint(
            format!(
                "the shares of the sets add up to {}%, not to 100%",
                percent(sum)
            ),
            "give --train, --validation and --test; use 0 for a set that you do not want",
        ));
    }
    let input = Input::repeatable(&args.input, "split")?;
    match input.any_rows()? {
        OpenRows::Classic(rows) => divide(common, args, &input, *rows, || input.rows()),
        OpenRows::Variant(rows) => {
            let again = || input.variant_rows(&input.paths);
            divide(common, args, &input, rows, again)
        }
    }
}

/// Splits these rows; `again` opens the same files once more.
fn divide<B: Board>(
    common: &Common,
    args: &SplitArgs,
    input: &Input,
    rows: Rows<B>,
    again: impl Fn() -> Result<Rows<B>, CliError>,
) -> Result<Status, CliError> {
    let stop = Some(Stop(stop_flag()));
    let group = || watched_of::<B, _>(|watch| Groups::of(rows, args.group, stop, watch));
    let (groups, end) = pool(common)?.install(group).map_err(CliError::new)?;
    let read = groups.read;
    if end != End::Complete || read.puzzles == 0 {
        return input.finish(common, read, end, "nothing written", true);
    }
    let _lock = take_now(&args.out)?;
    let shares = shares(args);
    let split = groups.deal(shares, common.seed);
    let made = SplitMade {
        by: args.group,
        shares,
        seed: common.seed,
        reading: input.layout.reading_if_given()?,
        command: command_line(),
    };
    let proof = SplitProof::write(&args.out, &split, again()?, &input.paths, made);
    let proof = proof.map_err(|error| CliError::with_hint(error, WRITABLE))?;
    if common.json {
        print(&(serde_json::to_string_pretty(&proof).unwrap_or_default() + "\n"));
    } else {
        print(&table(&proof));
    }
    let done = format!(
        "split into {} in {}",
        grouped(proof.groups) + " groups",
        args.out.display()
    );
    input.finish(common, read, end, &done, true)
}

/// The shares of the sets, as [`Part::ALL`](sudoku_batch::collection::Part::ALL) has them.
fn shares(args: &SplitArgs) -> Shares {
    [args.train, args.validation, args.test]
}

/// The parts with their sizes.
fn table(proof: &SplitProof) -> String {
    let all: u64 = proof.parts.iter().map(|part| part.rows).sum();
    let mut text = format!(
        "{:<16} {:>12} {:>12} {:>8} {:>8}\n",
        "file", "puzzles", "groups", "share", "asked"
    );
    for part in &proof.parts {
        let _ = writeln!(
            text,
            "{:<16} {:>12} {:>12} {:>7}% {:>7}%",
            part.file,
            grouped(part.rows),
            grouped(part.groups),
            percent(part.rows as f64 / all as f64),
            percent(part.share),
        );
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.2}", share * 100.0)
}
