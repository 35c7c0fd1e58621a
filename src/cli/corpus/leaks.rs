//! `corpus leaks`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use sudoku_batch::collection::{
    Board, LeakTable, LeakTest, ReadTally, SameBy, SplitBy, SplitProof,
};
use sudoku_batch::corpus::Rows;
use sudoku_batch::files::{WholeFile, write_bytes};
use sudoku_batch::report::{counted, leaks_page, leaks_table};
use sudoku_batch::solve::Stop;
use sudoku_batch::stream::{End, StreamError};
use sudoku_batch::variant::{OpenCorpora, Reading};

use super::input::watched_of;
use crate::cli::args::{Common, LeaksArgs};
use crate::cli::corpora::{FORMATS, nothing_done, rows_of, variant_rows};
use crate::cli::error::{CliError, cannot_write};
use crate::cli::interrupt::stop_flag;
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
    /// How puzzles are read, if flags say so.
    reading: Option<Reading>,
}

pub(super) fn run(common: &Common, args: &LeaksArgs) -> Result<Status, CliError> {
    let reading = args.layout.reading_if_given()?;
    let tasks = match (&args.split, &args.train, &args.test) {
        (Some(folder), ..) => promised(folder, reading)?,
        (None, Some(train), Some(test)) => {
            vec![Task {
                train: train.clone(),
                test: test.clone(),
                kinds: up_to(args.by.into()),
                radius: args.radius,
                reading,
            }]
        }
        _ => return Err(CliError::new("give two files, or --split")),
    };
    let mut tables = Vec::new();
    let mut status = Status::Clean;
    for task in &tasks {
        let open = |path: &PathBuf| {
            let reading = task.reading.clone();
            OpenCorpora::open(vec![path.clone()], reading, args.table.column())
        };
        let result = match (open(&task.test), open(&task.train)) {
            (OpenCorpora::Classic(test), OpenCorpora::Classic(train)) => {
                let rows = (rows_of(test.into_files())?, rows_of(train.into_files())?);
                find(common, args, task, rows)?
            }
            (test, train) => {
                let rows = (variant_rows(test)?, variant_rows(train)?);
                find(common, args, task, rows)?
            }
        };
        let (found, table) = match result {
            Found::Table(status, table) => (status, table),
            Found::Nothing(status) => return Ok(status),
        };
        status = status.max(found);
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

/// What comes of two files.
enum Found {
    /// Whether something was found, and what.
    Table(Status, LeakTable),
    /// They were not compared.
    Nothing(Status),
}

/// Compares the rows of the test set with those of the training set, and shows what is found.
fn find<B: Board>(
    common: &Common,
    args: &LeaksArgs,
    task: &Task,
    (test, train): (Rows<B>, Rows<B>),
) -> Result<Found, CliError> {
    let started = Instant::now();
    let (test, end) = compare(common, task, test, train)?;
    if end != End::Complete {
        return Ok(Found::Nothing(Status::Interrupted));
    }
    let table = test.table();
    for (read, path) in [(table.train, &task.train), (table.test, &task.test)] {
        if read.puzzles == 0 {
            let done = nothing_done(
                read.bad_lines,
                read.broken_files,
                std::slice::from_ref(path),
                &args.table,
                FORMATS,
            );
            return done.map(Found::Nothing);
        }
    }
    if args.split.is_none() && !test.has_common_shape() {
        return Err(CliError::with_hint(
            format!(
                "no board of {} has the size and the diagonals or windows of one of {}: nothing can leak",
                task.test.display(),
                task.train.display()
            ),
            "compare files of the same kind of board",
        ));
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
    let is_clean = table.is_clean() && table.train.is_clean() && table.test.is_clean();
    let status = if is_clean {
        Status::Clean
    } else {
        Status::Partial
    };
    Ok(Found::Table(status, table))
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

/// Every two files of a split, with what was promised of them; they are read as flags say, or as they were for the
/// split.
fn promised(folder: &Path, reading: Option<Reading>) -> Result<Vec<Task>, CliError> {
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
    let reading = reading.or(proof.reading);
    let mut tasks = Vec::new();
    for (number, train) in proof.parts.iter().enumerate() {
        for test in &proof.parts[number + 1..] {
            tasks.push(Task {
                train: folder.join(&train.file),
                test: folder.join(&test.file),
                kinds: kinds.clone(),
                radius,
                reading: reading.clone(),
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

fn compare<B: Board>(
    common: &Common,
    task: &Task,
    test: Rows<B>,
    train: Rows<B>,
) -> Result<(LeakTest<B>, End), CliError> {
    let stop = Some(Stop(stop_flag()));
    let compared = pool(common)?.install(|| {
        watched_of::<B, _>(|watch| {
            let (mut test, end) = LeakTest::read(test, &task.kinds, task.radius, stop, watch)?;
            let end = match end {
                End::Complete => test.compare(train, watch)?,
                end => end,
            };
            Ok((test, end))
        })
    });
    compared.map_err(|error: StreamError| CliError::new(error))
}

/// One row for each puzzle that was found, with a column for each kind.
fn write_pairs<B: Board>(path: &Path, test: &LeakTest<B>) -> Result<(), CliError> {
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
            let head = [leak.puzzle, leak.place.to_string()].into_iter();
            table.write_record(head.chain(found))?;
        }
        let file = table.into_inner().map_err(|error| error.into_error())?;
        file.finish()
    };
    write().map_err(|error| cannot_write(path, &error))
}
