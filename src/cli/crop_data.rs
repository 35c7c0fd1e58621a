//! Labeled crops on their way into training.

use std::path::Path;

use sudoku_batch::dataset::count_leaks;
use sudoku_batch::training::{CropFolder, DatasetError, RowProblem, Split};

use super::args::Common;
use super::error::{CliError, print_warning};

/// Pairs of sources that a message about leaks names.
const NAMED: usize = 3;

/// The crops of a folder; an error says what to do about it.
pub(super) fn read_crops(folder: &Path) -> Result<CropFolder, CliError> {
    CropFolder::read(folder).map_err(|error| {
        let hint = match &error {
            DatasetError::Unreadable { .. } | DatasetError::Empty { .. } => {
                "DATA is a folder that `dataset synth crops`, `dataset harvest` or you have filled with crops"
            }
            DatasetError::Picture { .. } => "put the whole picture there, or remove it",
            DatasetError::Row { problem, .. } => match problem {
                RowProblem::Fields(_) => {
                    "columns are file,x,y,width,height,label and, where known, photo,source,contrast"
                }
                RowProblem::OutsideFolder(_) => "copy the sheet into the folder",
                RowProblem::Sheet { .. } => "put the whole sheet there, or remove its rows",
                RowProblem::Label(_) | RowProblem::Contrast(_) | RowProblem::Rectangle { .. } => {
                    "mend the row, or remove it"
                }
            },
        };
        CliError::with_hint(error, hint)
    })
}

/// The crops without those that are held out and look the same as one trained on; says which.
pub(super) fn without_leaks(common: &Common, mut split: Split) -> Split {
    let held_out = split.validation.len();
    let leaks = split.leave_out_leaks();
    if !leaks.is_empty() && !common.quiet {
        let counts = count_leaks(&leaks);
        let pairs = counts.iter().take(NAMED).map(|count| {
            let (held_out, training) = (&count.held_out, &count.training);
            format!("{} of {held_out} in {training}", count.crops)
        });
        let pairs = pairs.collect::<Vec<_>>().join(", ");
        let more = if counts.len() > NAMED { ", …" } else { "" };
        print_warning(format_args!(
            "{} of {held_out} held-out crops are left out: crops trained on look the same ({pairs}{more})",
            leaks.len(),
        ));
    }
    split
}
