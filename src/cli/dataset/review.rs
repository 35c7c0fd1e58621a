//! `dataset review`: doubtful cells out to a person, and back in.

use std::path::Path;

use serde_json::json;
use sudoku_batch::dataset::{ReviewError, apply_review, write_review};

use crate::cli::args::{Common, ReviewArgs};
use crate::cli::error::{CliError, WRITABLE, print_error};
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &ReviewArgs) -> Result<Status, CliError> {
    if let Some(review) = &args.apply {
        return apply(common, &args.run, review, &args.out);
    }
    let count = args.count.get();
    let summary = write_review(&args.run, count, &args.out).map_err(explain)?;
    if common.json {
        print(&format!(
            "{}\n",
            json!({ "review": summary, "out": args.out })
        ));
    } else {
        let out = args.out.display();
        let lost = match summary.lost {
            0 => String::new(),
            lost => format!("{lost} more are left out: their photos are gone, or were exchanged\n"),
        };
        print(&format!(
            "{} contradicted and {} of the least certain of {} cells in {out}: review.png, review.csv\n{lost}\
             fill the column `label`, then: sudoku-batch dataset review {} --apply {out}/review.csv\n",
            summary.contradicted,
            summary.uncertain,
            summary.cells,
            args.run.display(),
        ));
    }
    Ok(Status::Clean)
}

pub(super) fn apply(
    common: &Common,
    run: &Path,
    review: &Path,
    out: &Path,
) -> Result<Status, CliError> {
    let applied = pool(common)?
        .install(|| apply_review(run, review, out))
        .map_err(explain)?;
    for (line, why) in &applied.wrong {
        print_error(format_args!("{}:{line}: {why}", review.display()));
    }
    let (crops, unlabeled, wrong) = (applied.crops, applied.unlabeled, applied.wrong.len());
    if crops == 0 {
        return Err(CliError::with_hint(
            format!("{} has no row with a usable label", review.display()),
            "fill the column `label`: 0 for a blank, 1 to 9 for a digit",
        ));
    }
    if common.json {
        let summary = json!({ "crops": crops, "unlabeled": unlabeled, "wrong": wrong, "out": out });
        print(&format!("{summary}\n"));
    } else {
        print(&format!(
            "{crops} labeled crops in {}, {unlabeled} rows without a label, {wrong} wrong\n",
            out.display(),
        ));
    }
    Ok(match wrong {
        0 => Status::Clean,
        _ => Status::Partial,
    })
}

fn explain(error: ReviewError) -> CliError {
    match error {
        ReviewError::Unreadable { .. } | ReviewError::Run(_) => CliError::with_hint(
            error,
            "RUN is a folder that `recognize` wrote, REVIEW the review.csv of `dataset review RUN`",
        ),
        ReviewError::Output(_) => CliError::with_hint(error, WRITABLE),
    }
}
