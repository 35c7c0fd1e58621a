//! `dataset apply`: what a person mended or labeled, back in.

use serde_json::json;
use sudoku_batch::dataset::apply_corrections;
use sudoku_batch::report::counted;
use sudoku_batch::vision::{Backend, DetectConfig};

use super::review;
use crate::cli::args::{ApplyArgs, Common};
use crate::cli::error::{CliError, print_error};
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

const FILE: &str =
    "FILE is the corrections.csv that report.html of a run gives, or a filled review.csv";

pub(super) fn run(common: &Common, args: &ApplyArgs) -> Result<Status, CliError> {
    if let Err(error) = std::fs::File::open(&args.file) {
        return Err(CliError::with_hint(
            format!("cannot read {}: {error}", args.file.display()),
            FILE,
        ));
    }
    if has_column(args, "givens") {
        corrections(common, args)
    } else if has_column(args, "crop") {
        review::apply(common, &args.run, &args.file, &args.out)
    } else {
        Err(CliError::with_hint(
            format!(
                "cannot read {}: there is no column `crop`, as in a review, and no `givens`, as in corrections",
                args.file.display()
            ),
            FILE,
        ))
    }
}

/// Whether the header names this column: `givens` is one of corrections, `crop` of a review.
fn has_column(args: &ApplyArgs, name: &str) -> bool {
    let header = csv::Reader::from_path(&args.file).and_then(|mut file| file.headers().cloned());
    header.is_ok_and(|header| header.iter().any(|column| column.trim() == name))
}

fn corrections(common: &Common, args: &ApplyArgs) -> Result<Status, CliError> {
    let detector = Backend::BuiltIn
        .detector(&DetectConfig::default())
        .map_err(CliError::new)?;
    let applied = pool(common)?
        .install(|| apply_corrections(&args.run, &args.file, &*detector, &args.out))
        .map_err(|error| {
            CliError::with_hint(error, "--run names the folder that `recognize` has written")
        })?;
    for (line, why) in &applied.wrong {
        print_error(format_args!("{}:{line}: {why}", args.file.display()));
    }
    let wrong = applied.wrong.len();
    if applied.boards == 0 {
        return Err(CliError::with_hint(
            format!("{} has no row that is right", args.file.display()),
            "mend boards in report.html of the run, and download corrections.csv there",
        ));
    }
    let (photos, boards, crops) = (applied.photos, applied.boards, applied.crops);
    if common.json {
        let summary = json!({
            "photos": photos, "boards": boards, "crops": crops, "wrong": wrong, "out": args.out,
        });
        print(&format!("{summary}\n"));
    } else {
        let out = args.out.display();
        print(&format!(
            "{} of {} in {out}: truth.csv, and manifest.csv with {}; {} wrong\n",
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
