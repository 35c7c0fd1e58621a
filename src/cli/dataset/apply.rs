//! `dataset apply`: boards that a person corrected, back in.

use serde_json::json;
use sudoku_batch::dataset::{ReviewError, apply_corrections};
use sudoku_batch::opening::open_file;
use sudoku_batch::report::counted;

use crate::cli::args::{ApplyArgs, Common};
use crate::cli::error::{CliError, print_error};
use crate::cli::out_folder::take_now;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

const FILE: &str =
    "FILE is a corrections.csv downloaded from report.html of a run, or from review.html";

pub(super) fn run(common: &Common, args: &ApplyArgs) -> Result<Status, CliError> {
    if let Err(error) = open_file(&args.file) {
        return Err(CliError::with_hint(
            format!("cannot read {}: {error}", args.file.display()),
            FILE,
        ));
    }
    let _lock = take_now(&args.out)?;
    let applied = pool(common)?
        .install(|| apply_corrections(&args.run, &args.file, &args.out))
        .map_err(|error| match error {
            ReviewError::Unreadable { .. } => CliError::with_hint(error, FILE),
            error => CliError::with_hint(error, "--run takes a folder written by `recognize`"),
        })?;
    for (line, why) in &applied.wrong {
        print_error(format_args!("{}:{line}: {why}", args.file.display()));
    }
    let wrong = applied.wrong.len();
    if applied.photos == 0 {
        return Err(CliError::with_hint(
            format!("{} has no valid row", args.file.display()),
            "correct boards in report.html of the run, and download corrections.csv there",
        ));
    }
    let (photos, boards, crops) = (applied.photos, applied.boards, applied.crops);
    if common.json {
        let summary = json!({
            "photos": photos, "boards": boards, "without_board": applied.without_board,
            "crops": crops, "wrong": wrong, "out": args.out,
        });
        print(&format!("{summary}\n"));
    } else {
        let out = args.out.display();
        let none = match applied.without_board {
            0 => String::new(),
            none => format!("{} without a board, ", counted(none as u64, "photo")),
        };
        print(&format!(
            "{none}{} of {} in {out}: truth.csv, and manifest.csv with {}; {} wrong\n",
            counted(boards as u64, "board"),
            counted(photos as u64, "photo"),
            counted(crops as u64, "labeled crop"),
            counted(wrong as u64, "row"),
        ));
    }
    Ok(match wrong {
        0 => Status::Clean,
        _ => Status::Partial,
    })
}
