//! `corpus check`.

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use serde::Serialize;
use sudoku_batch::collection::{Board, Quality, ReadTally, Solutions, check_all, each_of};
use sudoku_batch::corpus::{Place, Row};
use sudoku_batch::files::write_bytes;
use sudoku_batch::report::{check_page, grouped};
use sudoku_batch::solve::{Limits, Stop};
use sudoku_batch::stream::End;
use sudoku_batch::variant::{VariantEntry, VariantFile, VariantQuality, VariantVerdict};

use super::input::{Input, output, watched, watched_of};
use crate::cli::args::{CheckArgs, Common};
use crate::cli::corpora::OpenRows;
use crate::cli::error::{CliError, cannot_write};
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

/// Bad puzzles that a page shows.
const EXAMPLES: usize = 100;

const COLUMNS: [&str; 7] = [
    "place",
    "puzzle",
    "givens",
    "solutions",
    "minimal",
    "redundant",
    "clash",
];

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
    /// Each count with what it counts.
    fn facts(&self) -> [(u64, &'static str); 7] {
        [
            (self.read.puzzles, "puzzles"),
            (self.one_solution, "with one solution"),
            (self.minimal, "minimal"),
            (self.many_solutions, "with many solutions"),
            (self.no_solution, "without a solution"),
            (self.clash, "with equal givens in a house"),
            (self.read.bad_lines, "bad lines"),
        ]
    }
}

/// What was found of a puzzle.
struct Found {
    place: Place,
    puzzle: String,
    givens: usize,
    solutions: &'static str,
    redundant: Vec<String>,
    clash: Option<String>,
}

impl Found {
    fn classic(row: &Row, quality: &Quality) -> Found {
        let (solutions, clash) = match quality.solutions {
            Solutions::One => ("one", None),
            Solutions::Many => ("many", None),
            Solutions::None => ("none", None),
            Solutions::Clash(clash) => ("none", Some(clash.to_string())),
        };
        let redundant = quality.redundant.into_iter();
        Found {
            place: row.place.clone(),
            puzzle: row.puzzle.to_line(),
            givens: row.puzzle.given_count(),
            solutions,
            redundant: redundant.map(|cell| cell.to_string()).collect(),
            clash,
        }
    }

    fn other(row: &Row<VariantEntry>) -> Found {
        let VariantEntry {
            puzzle, alphabet, ..
        } = &row.puzzle;
        let limits = Limits {
            stop: Some(Stop(stop_flag())),
            ..Limits::NONE
        };
        let quality = VariantQuality::within(puzzle, limits);
        Found {
            place: row.place.clone(),
            puzzle: VariantFile::line(&row.puzzle),
            givens: puzzle.given_count(),
            solutions: match quality.verdict {
                VariantVerdict::Unique(_) => "one",
                VariantVerdict::Unsolvable => "none",
                _ => "many",
            },
            redundant: quality.redundant,
            clash: quality
                .clash
                .map(|clash| clash.describe(puzzle.layout(), *alphabet)),
        }
    }

    fn is_minimal(&self) -> bool {
        self.solutions == "one" && self.redundant.is_empty()
    }

    fn cells(&self) -> [String; 7] {
        [
            self.place.to_string(),
            self.puzzle.clone(),
            self.givens.to_string(),
            self.solutions.to_owned(),
            u8::from(self.is_minimal()).to_string(),
            self.redundant.join(" "),
            self.clash.clone().unwrap_or_default(),
        ]
    }
}

/// Takes what was found: counts it, and writes its row.
struct Report<'a> {
    args: &'a CheckArgs,
    table: csv::Writer<Box<dyn Write + Send>>,
    counts: Counts,
    bad: u64,
    /// The first bad puzzles, for the page.
    examples: Vec<[String; 7]>,
}

impl Report<'_> {
    fn add(&mut self, found: &Found) -> io::Result<()> {
        let counts = &mut self.counts;
        match found.solutions {
            "one" => counts.one_solution += 1,
            "many" => counts.many_solutions += 1,
            _ => counts.no_solution += 1,
        }
        counts.clash += u64::from(found.clash.is_some());
        counts.minimal += u64::from(found.is_minimal());
        let is_bad = found.solutions != "one" || (self.args.minimal && !found.is_minimal());
        self.bad += u64::from(is_bad);
        if is_bad && self.args.page.is_some() && self.examples.len() < EXAMPLES {
            self.examples.push(found.cells());
        }
        if is_bad || !self.args.bad_only {
            self.table.write_record(found.cells())?;
        }
        Ok(())
    }
}

pub(super) fn run(common: &Common, args: &CheckArgs) -> Result<Status, CliError> {
    let input = Input::new(&args.input, "check")?;
    let rows = input.any_rows()?;
    let mut report = Report {
        args,
        table: csv::Writer::from_writer(output(common)),
        counts: Counts::default(),
        bad: 0,
        examples: Vec::new(),
    };
    let headed = report.table.write_record(COLUMNS);
    headed.map_err(CliError::new)?;
    let pool = pool(common)?;
    let checked = match rows {
        OpenRows::Classic(rows) => pool.install(|| {
            watched(|watch| {
                check_all(*rows, watch, |row, quality| {
                    report.add(&Found::classic(&row, &quality))
                })
            })
        }),
        OpenRows::Variant(rows) => pool.install(|| {
            watched_of::<VariantFile, _>(|watch| {
                let work = |rows: &[Row<VariantEntry>]| {
                    let found = rows.iter().map(Found::other).collect();
                    (!stop_flag().load(Ordering::Relaxed)).then_some(found)
                };
                let batch = VariantFile::batch(true);
                each_of(rows, batch, watch, work, |_, found: Found| {
                    report.add(&found)
                })
            })
        }),
    };
    let (read, end) = checked.map_err(CliError::new)?;
    let Report {
        mut table,
        mut counts,
        bad,
        examples,
        ..
    } = report;
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
    if let Some(path) = &args.page
        && end == End::Complete
        && counts.read.puzzles > 0
    {
        let page = check_page(&input.paths, &counts.facts(), COLUMNS, &examples);
        write_bytes(path, page.as_bytes()).map_err(|error| cannot_write(path, &error))?;
    }
    let rest = [
        (counts.many_solutions, "with several solutions"),
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
