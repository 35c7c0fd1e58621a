//! `corpus check`.

use std::io;

use serde::Serialize;
use sudoku_batch::collection::{Quality, ReadTally, Solutions, check_all};
use sudoku_batch::corpus::Row;
use sudoku_batch::report::grouped;

use super::input::{Input, output, watched};
use crate::cli::args::{CheckArgs, Common};
use crate::cli::error::CliError;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

/// Counts of the puzzles by what was found.
#[derive(Default, Serialize)]
struct Counts {
    #[serde(flatten)]
    read: ReadTally,
    one_solution: u64,
    many_solutions: u64,
    no_solution: u64,
    clash: u64,
    minimal: u64,
}

impl Counts {
    fn add(&mut self, quality: &Quality) {
        match quality.solutions {
            Solutions::One => self.one_solution += 1,
            Solutions::Many => self.many_solutions += 1,
            Solutions::None => self.no_solution += 1,
            Solutions::Clash(_) => {
                self.no_solution += 1;
                self.clash += 1;
            }
        }
        self.minimal += u64::from(quality.is_minimal());
    }
}

pub(super) fn run(common: &Common, args: &CheckArgs) -> Result<Status, CliError> {
    let input = Input::new(&args.input, "check")?;
    let rows = input.rows()?;
    let mut table = csv::Writer::from_writer(output(common));
    let headed = table.write_record([
        "place",
        "puzzle",
        "givens",
        "solutions",
        "minimal",
        "redundant",
        "clash",
    ]);
    headed.map_err(CliError::new)?;
    let mut counts = Counts::default();
    let mut bad = 0_u64;
    let checked = pool(common)?.install(|| {
        watched(|watch| {
            check_all(rows, watch, |row, quality| {
                counts.add(&quality);
                let is_bad =
                    quality.solutions != Solutions::One || (args.minimal && !quality.is_minimal());
                bad += u64::from(is_bad);
                if is_bad || !args.bad_only {
                    let written = table.write_record(cells(&row, &quality));
                    written.map_err(io::Error::from)?;
                }
                Ok(())
            })
        })
    });
    let (read, end) = checked.map_err(CliError::new)?;
    match table.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(CliError::new(error));
        }
        _ => {}
    }
    counts.read = read;
    if common.json {
        print(&(serde_json::to_string_pretty(&counts).unwrap_or_default() + "\n"));
    }
    let rest = [
        (counts.many_solutions, "with many solutions"),
        (counts.no_solution, "with none"),
        (counts.one_solution - counts.minimal, "not minimal"),
    ];
    let mut done = format!("{} with one solution", grouped(counts.one_solution));
    for (count, words) in rest {
        if count > 0 {
            done += &format!(", {} {words}", grouped(count));
        }
    }
    input.finish(common, read, end, &done, bad == 0)
}

/// The cells of a row.
fn cells(row: &Row, quality: &Quality) -> [String; 7] {
    let (solutions, clash) = match quality.solutions {
        Solutions::One => ("one", None),
        Solutions::Many => ("many", None),
        Solutions::None => ("none", None),
        Solutions::Clash(clash) => ("none", Some(clash)),
    };
    let redundant: Vec<String> = quality
        .redundant
        .into_iter()
        .map(|cell| cell.to_string())
        .collect();
    [
        row.place.to_string(),
        row.puzzle.to_line(),
        row.puzzle.given_count().to_string(),
        solutions.to_owned(),
        u8::from(quality.is_minimal()).to_string(),
        redundant.join(" "),
        clash.map(|clash| clash.to_string()).unwrap_or_default(),
    ]
}
