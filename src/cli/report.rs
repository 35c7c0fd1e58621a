//! `sudoku-batch report`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use sudoku_batch::bench::{BenchSideBySide, BenchSummary};
use sudoku_batch::environment::Environment;
use sudoku_batch::files::{show, write_bytes};
use sudoku_batch::recognize::{NamedRun, PhotoResult, RecognizeSideBySide};
use sudoku_batch::report::{
    ComparedRun, RunComparison, bench_page, comparison_page, comparison_terminal, train_page,
};
use sudoku_batch::training::{TrainingSideBySide, TrainingSummary};

use super::args::{Common, ReportArgs};
use super::error::{CliError, cannot_write};
use super::out_folder::take_now;
use super::page_writer::PageWriter;
use super::run_names::{run_names, way};
use super::saved::{Opened, Saved, each_photo, open};
use super::status::Status;
use super::stdout::print;

const PAGE: &str = "report.html";

pub(crate) fn run(common: &Common, args: &ReportArgs) -> Result<Status, CliError> {
    match &args.runs[..] {
        [only] => again(common, args, only),
        runs => side_by_side(common, args, runs),
    }
}

/// Renders the page of one run, where it was.
fn again(common: &Common, args: &ReportArgs, run: &Path) -> Result<Status, CliError> {
    if args.out.is_some() {
        return Err(CliError::with_hint(
            "the page of a single run goes into its own folder, where its pictures are",
            "omit --out; it is for the page of several runs",
        ));
    }
    let opened = open(run)?;
    let _lock = take_now(&opened.folder)?;
    let path = opened.folder.join(PAGE);
    let page = match &opened.saved {
        Saved::Bench(summary) => Some(bench_page(summary)),
        Saved::Train(summary, worst) => Some(train_page(summary, worst)),
        Saved::Recognize(run) => {
            let mut pages = PageWriter::new(&opened.folder);
            each_photo(common, run, |photo| pages.add(&photo))?;
            pages.finish(&run.summary)?;
            None
        }
    };
    if let Some(page) = page {
        write_bytes(&path, page.as_bytes()).map_err(|error| {
            let message = format!("cannot write {}: {error}", show(&path));
            CliError::with_hint(message, "the folder of the run must be writable")
        })?;
    }
    let folder = absolute(&opened.folder);
    let name = run_names(std::slice::from_ref(&folder)).remove(0);
    let comparison = RunComparison {
        runs: vec![compared(&opened, &name, &folder)],
        ..RunComparison::default()
    };
    announce(common, &path, &comparison)?;
    Ok(Status::Clean)
}

/// Renders one page that holds all runs against the first that can be read.
fn side_by_side(common: &Common, args: &ReportArgs, runs: &[PathBuf]) -> Result<Status, CliError> {
    let (mut opened, mut photos, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for run in runs {
        match open(run).and_then(|run| Ok((photos_of(common, &run)?, run))) {
            Ok((of_run, run)) => {
                photos.push(of_run);
                opened.push(run);
            }
            Err(error) => {
                error.print();
                problems.push(error.message().to_owned());
            }
        }
    }
    if opened.is_empty() {
        return Ok(Status::Failed);
    }
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| PathBuf::from("reports/report"));
    let path = out.join(PAGE);
    let folders: Vec<PathBuf> = opened.iter().map(|run| absolute(&run.folder)).collect();
    let names = run_names(&folders);
    let _lock = take_now(&out)?;
    let from = absolute(&out);
    if folders.contains(&from) {
        return Err(CliError::with_hint(
            format!(
                "{} is a run, whose own page would be overwritten",
                show(&out)
            ),
            "give another folder with --out",
        ));
    }
    let named = || names.iter().map(String::as_str).zip(&opened);
    let mut bench: Vec<(&str, &BenchSummary)> = Vec::new();
    let mut recognize: Vec<NamedRun<'_>> = Vec::new();
    let mut train: Vec<(&str, &TrainingSummary)> = Vec::new();
    for ((name, run), photos) in named().zip(&photos) {
        match &run.saved {
            Saved::Bench(summary) => bench.push((name, summary)),
            Saved::Recognize(run) => recognize.push(NamedRun {
                name,
                summary: &run.summary,
                photos,
            }),
            Saved::Train(summary, _) => train.push((name, summary)),
        }
    }
    let comparison = RunComparison {
        runs: named()
            .map(|(name, run)| compared(run, name, &from))
            .collect(),
        problems,
        bench: (!bench.is_empty()).then(|| BenchSideBySide::new(&bench)),
        recognize: (!recognize.is_empty()).then(|| RecognizeSideBySide::new(&recognize)),
        train: (!train.is_empty()).then(|| TrainingSideBySide::new(&train)),
    };
    write_bytes(&path, comparison_page(&comparison).as_bytes())
        .map_err(|error| cannot_write(&path, &error))?;
    announce(common, &path, &comparison)?;
    Ok(match comparison.problems.is_empty() {
        true => Status::Clean,
        false => Status::Partial,
    })
}

/// The photos of a run; none if it has none.
fn photos_of(common: &Common, run: &Opened) -> Result<Vec<PhotoResult>, CliError> {
    let mut photos = Vec::new();
    if let Saved::Recognize(run) = &run.saved {
        each_photo(common, run, |photo| photos.push(photo))?;
    }
    Ok(photos)
}

/// A folder without links, `.` and `..`, if the system can tell.
fn absolute(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// What is said of a run; its page is linked to from this folder.
fn compared(run: &Opened, name: &str, from: &Path) -> ComparedRun {
    let (command, version, environment): (&str, &str, &Environment) = match &run.saved {
        Saved::Bench(run) => (&run.command, &run.version, &run.environment.environment),
        Saved::Recognize(run) => {
            let run = &run.summary;
            (&run.command, &run.version, &run.environment)
        }
        Saved::Train(run, _) => (&run.command, &run.version, &run.environment),
    };
    let page = run.folder.join(PAGE);
    ComparedRun {
        name: name.to_owned(),
        folder: show(&run.folder),
        page: page
            .is_file()
            .then(|| way(from, &absolute(&page)))
            .flatten(),
        command: command.to_owned(),
        version: version.to_owned(),
        commit: environment.commit.to_string(),
        cpu: environment.cpu.clone(),
        cores: environment.cores,
        threads: environment.threads,
    }
}

/// The object of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    command: &'static str,
    version: &'static str,
    /// The page that was written.
    page: String,
    #[serde(flatten)]
    comparison: &'a RunComparison,
}

fn announce(common: &Common, path: &Path, comparison: &RunComparison) -> Result<(), CliError> {
    if common.json {
        let summary = Summary {
            command: "report",
            version: env!("CARGO_PKG_VERSION"),
            page: show(path),
            comparison,
        };
        let json = serde_json::to_string(&summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&format!(
            "{}{}\n",
            comparison_terminal(comparison),
            show(path)
        ));
    }
    Ok(())
}
