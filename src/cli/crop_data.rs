//! What is left out of labeled crops before they are trained on.

use sudoku_batch::dataset::count_leaks;
use sudoku_batch::digits::Split;

use super::args::Common;
use super::error::print_warning;

/// Pairs of sources that a message about leaks names.
const NAMED: usize = 3;

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
