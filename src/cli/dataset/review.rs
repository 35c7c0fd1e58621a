//! `dataset review`: what a person should look at, as a page.

use serde_json::json;
use sudoku_batch::dataset::{ReviewError, review};
use sudoku_batch::files::{show, write_bytes};

use sudoku_batch::report::{counted, review_page};

use crate::cli::args::{Common, ReviewArgs};
use crate::cli::error::{CliError, WRITABLE, cannot_write};
use crate::cli::out_folder::take_now;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

/// The page below the output folder.
const PAGE: &str = "review.html";

pub(super) fn run(common: &Common, args: &ReviewArgs) -> Result<Status, CliError> {
    let _lock = take_now(&args.out)?;
    let reviewed = pool(common)?
        .install(|| review(&args.run, args.count.get(), &args.out))
        .map_err(explain)?;
    let page = args.out.join(PAGE);
    write_bytes(&page, review_page(&reviewed, &show(&args.run)).as_bytes())
        .map_err(|error| cannot_write(&page, &error))?;
    let summary = reviewed.summary;
    if common.json {
        let summary = json!({ "review": summary, "page": show(&page), "out": args.out });
        print(&format!("{summary}\n"));
    } else {
        let lost = match summary.lost {
            0 => String::new(),
            lost => {
                let lost = counted(lost as u64, "photo");
                format!("{lost} left out: missing, or replaced since the run\n")
            }
        };
        print(&format!(
            "{}: {} contradicted, {} uncertain, {} without a board\n{lost}\
             correct them in {}, download corrections.csv, then: sudoku-batch dataset apply corrections.csv --run {}\n",
            counted(summary.photos as u64, "photo"),
            summary.contradicted,
            summary.uncertain,
            summary.without_board,
            show(&page),
            show(&args.run),
        ));
    }
    Ok(Status::Clean)
}

fn explain(error: ReviewError) -> CliError {
    match error {
        ReviewError::Unreadable { .. } | ReviewError::Run(_) => {
            CliError::with_hint(error, "RUN is a folder written by `recognize`")
        }
        ReviewError::Output(_) => CliError::with_hint(error, WRITABLE),
    }
}
