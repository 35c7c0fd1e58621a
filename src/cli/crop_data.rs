//! What is checked of labeled crops before they are trained on.

use sudoku_batch::dataset::count_leaks;
use sudoku_batch::digits::Split;

use super::args::Common;
use super::error::{CliError, print_warning};

/// Pairs of sources that a message about leaks names.
const NAMED: usize = 3;

/// Crops fit to train on: held-out crops that leak are left out, and every class has crops.
pub(super) fn checked(common: &Common, mut split: Split) -> Result<Split, CliError> {
    let missing = split.missing_classes();
    if !missing.is_empty() && !split.training.is_empty() {
        let names = missing.iter().map(|class| match class {
            None => "0 (blank)".to_owned(),
            Some(digit) => digit.to_string(),
        });
        let names = names.collect::<Vec<_>>().join(", ");
        return Err(CliError::with_hint(
            format!("no crop to train on has the label {names}: the model would never read it"),
            "add DATA that has every label; `sudoku-batch dataset stats` counts them",
        ));
    }
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
    Ok(split)
}
