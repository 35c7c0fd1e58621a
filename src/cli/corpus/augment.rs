//! `corpus augment`.

use sudoku_batch::canon::Moves;
use sudoku_batch::collection::{AugmentConfig, Board, ImageColumns, augment_all};
use sudoku_batch::corpus::Rows;
use sudoku_batch::report::counted;
use sudoku_batch::solve::Stop;

use super::input::{Input, no_json, output, watched_of};
use crate::cli::args::{AugmentArgs, Common, MoveName};
use crate::cli::corpora::OpenRows;
use crate::cli::error::CliError;
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &AugmentArgs) -> Result<Status, CliError> {
    no_json(common, "augment")?;
    let input = Input::new(&args.input, "augment")?;
    match input.any_rows()? {
        OpenRows::Classic(rows) => augment(common, args, &input, *rows),
        OpenRows::Variant(rows) => augment(common, args, &input, rows),
    }
}

fn augment<B: Board>(
    common: &Common,
    args: &AugmentArgs,
    input: &Input,
    rows: Rows<B>,
) -> Result<Status, CliError> {
    let config = AugmentConfig {
        count: args.count.get(),
        moves: moves(&args.moves),
        seed: common.seed,
        columns: if args.plain {
            ImageColumns::ImageOnly
        } else {
            ImageColumns::Table {
                solution: args.solutions,
            }
        },
    };
    let stop = Some(Stop(stop_flag()));
    let mut out = output(common);
    let work = || watched_of::<B, _>(|watch| augment_all(rows, config, stop, watch, &mut *out));
    let (read, written, end) = pool(common)?.install(work).map_err(CliError::new)?;
    let done = format!("{} written", counted(written, "image"));
    input.finish(common, read, end, &done, true)
}

/// The moves of these names; all where none is named.
fn moves(names: &[MoveName]) -> Moves {
    if names.is_empty() {
        return Moves::ALL;
    }
    let has = |name| names.contains(&name);
    Moves {
        digits: has(MoveName::Digits),
        bands: has(MoveName::Bands),
        rows: has(MoveName::Rows),
        stacks: has(MoveName::Stacks),
        columns: has(MoveName::Columns),
        transpose: has(MoveName::Transpose),
    }
}
