//! `corpus leaks`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use sudoku_batch::collection::{LeakTable, LeakTest, ReadTally, SameBy, SplitBy, SplitProof};
use sudoku_batch::files::{WholeFile, write_bytes};
use sudoku_batch::report::{counted, leaks_page, leaks_table};
use sudoku_batch::stream::End;

use super::input::{open, watched};
use crate::cli::args::{Common, LeaksArgs, TableArgs};
use crate::cli::corpora::{CLASSIC_FORMATS, nothing_done};
use crate::cli::error::{CliError, cannot_write};
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

/// Puzzles that a page shows.
const EXAMPLES: usize = 30;

/// A training file and a test file, and what is looked for.
struct Task {
    train: PathBuf,
    test: PathBuf,
    kinds: Vec<SameBy>,
    radius: usize,
}

pub(super) fn run(common: &Common, args: &LeaksArgs) -> Result<Status, CliError> {
    let tasks = match (&args.split, &args.train, &args.test) {
        (Some(folder), ..) => promised(folder)?,
        (None, Some(train), Some(test)) => {
            vec![Task {
                train: train.clone(),
                test: test.clone(),
                kinds: up_to(args.by.into()),
                radius: args.radius,
            }]
        }
        _ => return Err(CliError::new("give two files, or --split")),
    };
    let mut tables = Vec::new();
    let mut status = Status::Clean;
    for task in &tasks {
        let started = Instant::now();
        let (test, end) = compare(common, task, &args.table)?;
        if end != End::Complete {
            return Ok(Status::Interrupted);
        }
        let table = test.table();
        for (read, path) in [(table.train, &task.train), (table.test, &task.test)] {
            if read.puzzles == 0 {
                return nothing_done(
                    read.bad_lines,
                    read.broken_files,
                    std::slice::from_ref(path),
                    &args.table,
                    CLASSIC_FORMATS,
                );
            }
        }
        if !(table.is_clean() && table.train.is_clean() && table.test.is_clean()) {
            status = Status::Partial;
        }
        if let Some(path) = &args.pairs {
            write_pairs(path, &test)?;
        }
        if let Some(path) = &args.page {
            let examples: Vec<_> = test.leaks().take(EXAMPLES).collect();
            let names = [task.train.as_path(), task.test.as_path()];
            let page = leaks_page(names, &table, &test.kinds(), &examples);
            write_bytes(path, page.as_bytes()).map_err(|error| cannot_write(path, &error))?;
        }
        if !common.json {
            print(&leaks_table([&task.train, &task.test], &table));
        }
        if !common.quiet {
            say(&table, started);
        }
        tables.push(serde_json::json!({
            "train": task.train, "test": task.test, "result": table,
        }));
    }
    if common.json {
        let text = serde_json::to_string_pretty(&tables).unwrap_or_default();
        print(&(text + "\n"));
    }
    Ok(status)
}

/// This kind of sameness, after all that are stricter.
fn up_to(by: SameBy) -> Vec<SameBy> {
    let mut kinds = vec![
        SameBy::Exact,
        SameBy::Relabeling,
        SameBy::Puzzle,
        SameBy::Solution,
    ];
    kinds.retain(|kind| *kind <= by);
    kinds
}

/// The time that a comparison took, on stderr.
fn say(table: &LeakTable, started: Instant) {
    let bad = |read: &ReadTally| read.bad_lines;
    let bad = bad(&table.train) + bad(&table.test);
    let bad = match bad {
        0 => String::new(),
        bad => format!(", {}", counted(bad, "bad line")),
    };
    anstream::eprintln!(
        "compared {} with {}{bad} in {:.2} s",
        counted(table.test.puzzles, "puzzle"),
        counted(table.train.puzzles, "puzzle"),
        started.elapsed().as_secs_f64()
    );
}

/// Every two files of a split, with what was promised of them.
fn promised(folder: &Path) -> Result<Vec<Task>, CliError> {
    let proof = SplitProof::read(folder).map_err(|error| {
        CliError::with_hint(error, "--split takes a folder written by `corpus split`")
    })?;
    let by: SplitBy = proof.group.parse().map_err(CliError::new)?;
    let (by, radius) = match by {
        SplitBy::Exact => (SameBy::Exact, 0),
        SplitBy::Puzzle => (SameBy::Puzzle, 0),
        SplitBy::Solution => (SameBy::Solution, 0),
        SplitBy::Radius(radius) => (SameBy::Puzzle, radius),
    };
    let kinds = up_to(by);
    let mut tasks = Vec::new();
    for (number, train) in proof.parts.iter().enumerate() {
        for test in &proof.parts[number + 1..] {
            tasks.push(Task {
                train: folder.join(&train.file),
                test: folder.join(&test.file),
                kinds: kinds.clone(),
                radius,
            });
        }
    }
    if tasks.is_empty() {
        return Err(CliError::with_hint(
            format!("{} has only one set: nothing can leak", folder.display()),
            "split with at least two shares above 0",
        ));
    }
    Ok(tasks)
}

fn compare(common: &Common, task: &Task, table: &TableArgs) -> Result<(LeakTest, End), CliError> {
    let test = open(std::slice::from_ref(&task.test), table, "corpus leaks")?;
    let train = open(std::slice::from_ref(&task.train), table, "corpus leaks")?;
    let compared = pool(common)?.install(|| {
        watched(|watch| {
            let (mut test, end) = LeakTest::read(test, &task.kinds, task.radius, watch)?;
            let end = match end {
                End::Complete => test.compare(train, watch)?,
                end => end,
            };
            Ok((test, end))
        })
    });
    compared.map_err(|error: sudoku_batch::stream::StreamError| CliError::new(error))
}

/// One row for each puzzle that was found, with a column for each kind.
fn write_pairs(path: &Path, test: &LeakTest) -> Result<(), CliError> {
    let write = || -> std::io::Result<()> {
        let file = WholeFile::create(path)?;
        let mut table = csv::Writer::from_writer(file);
        let kinds = test.kinds().into_iter().map(|kind| kind.to_string());
        let head = ["puzzle", "place"].map(str::to_owned).into_iter();
        table.write_record(head.chain(kinds))?;
        for leak in test.leaks() {
            let found = leak.found.iter().map(|place| match place {
                Some(place) => place.to_string(),
                None => String::new(),
            });
            let head = [leak.puzzle.to_line(), leak.place.to_string()].into_iter();
            table.write_record(head.chain(found))?;
        }
        let file = table.into_inner().map_err(|error| error.into_error())?;
        file.finish()
    };
    write().map_err(|error| cannot_write(path, &error))
}
