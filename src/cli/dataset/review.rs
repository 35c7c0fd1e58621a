//! `dataset review`: doubtful cells out to a person, and back in.

use std::path::Path;

use serde_json::{Value, json};
use sudoku_batch::dataset::{ReviewError, apply_review, write_review};

use crate::cli::args::{Common, ReviewArgs};
use crate::cli::error::{CliError, WRITABLE, print_error};
use crate::cli::model;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &ReviewArgs) -> Result<Status, CliError> {
    if let Some(review) = &args.apply {
        return apply(common, &args.run, review, &args.out);
    }
    let classifier = model::classifier(args.model.as_deref())?;
    if let Some(model) = model_of(&args.run)
        && model != classifier.card().weights
    {
        return Err(CliError::with_hint(
            format!("{} was read with another model", args.run.display()),
            "name it with --model MODEL",
        ));
    }
    let count = args.count.get();
    let summary = pool(common)?
        .install(|| write_review(&args.run, &classifier, count, &args.out))
        .map_err(explain)?;
    if common.json {
        print(&format!(
            "{}\n",
            json!({ "review": summary, "out": args.out })
        ));
    } else {
        let out = args.out.display();
        print(&format!(
            "{} contradicted and {} of the least certain of {} cells in {out}: review.png, review.csv\n\
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

/// The hash of the weights that a run was read with, if it says so.
fn model_of(run: &Path) -> Option<String> {
    let summary = std::fs::read(run.join("summary.json")).ok()?;
    let summary: Value = serde_json::from_slice(&summary).ok()?;
    Some(summary["config"]["model"].as_str()?.to_owned())
}

fn explain(error: ReviewError) -> CliError {
    match error {
        ReviewError::NoCrops(_) | ReviewError::Mixed(_) => CliError::with_hint(
            error,
            "run `sudoku-batch recognize PHOTOS --save-crops --out RUN` (again), then review RUN",
        ),
        ReviewError::Unreadable { .. } => CliError::with_hint(
            error,
            "RUN is a folder of `recognize --save-crops`, REVIEW the review.csv of `dataset review RUN`",
        ),
        ReviewError::Output(_) => CliError::with_hint(error, WRITABLE),
        ReviewError::Crops(_) | ReviewError::Inference(_) => CliError::new(error),
    }
}
