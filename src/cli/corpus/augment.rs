//! `corpus augment`.

use sudoku_batch::canon::Moves;
use sudoku_batch::collection::{AugmentConfig, ImageColumns, augment_all};
use sudoku_batch::report::counted;

use super::input::{Input, no_json, output, watched};
use crate::cli::args::{AugmentArgs, Common, MoveName};
use crate::cli::error::CliError;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &AugmentArgs) -> Result<Status, CliError> {
    no_json(common, "augment")?;
    let input = Input::new(&args.input, "augment")?;
    let rows = input.rows()?;
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
    let mut out = output(common);
    let augmented =
        pool(common)?.install(|| watched(|watch| augment_all(rows, config, watch, &mut *out)));
    let (read, written, end) = augmented.map_err(CliError::new)?;
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
