//! `sudoku-batch recognize`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::ProgressBar;
use sudoku_batch::decode::{DecodeConfig, DecodeMode};
use sudoku_batch::digits::NetClassifier;
use sudoku_batch::environment::Environment;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::recognize::{
    Accuracy, Batch, Journal, Judgement, Listing, OutputError, Outputs, PHOTOS, PhotoFile,
    PhotoResult, RecognizeConfig, StageHistograms, StatusCounts, Summary, Throughput, Tools, list,
    read_list, recognize, show, write_manifest, write_photos,
};
use sudoku_batch::report::{self, Run};
use sudoku_batch::roster::{SolverSpec, fastest_complete, find};
use sudoku_batch::truth::TruthSource;

use super::args::{Common, DecodeName, RecognizeArgs};
use super::error::{CliError, print_error};
use super::interrupt::stop_flag;
use super::model;
use super::progress::bar;

use super::status::Status;
use super::stdout::print;

pub(crate) fn run(common: &Common, args: &RecognizeArgs) -> Result<Status, CliError> {
    let outcome = perform(common, args)?;
    if common.json {
        let json = serde_json::to_string(&outcome.summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&outcome.text);
    }
    for problem in &outcome.summary.problems {
        print_error(problem);
    }
    Ok(outcome.status)
}

/// A run whose files are written and of which nothing is printed yet.
pub(super) struct Outcome {
    pub(super) summary: Summary,
    /// The summary for people.
    pub(super) text: String,
    status: Status,
}

/// Whether there are photos with truth beside them, before hours are spent on a model to read them.
pub(super) fn expect_truth(args: &RecognizeArgs) -> Result<(), CliError> {
    let photos = listing(args)?.photos;
    let known = |photo: &PhotoFile| !matches!(TruthSource::Beside.boards(&photo.path), Ok(None));
    if photos.iter().any(known) {
        return Ok(());
    }
    Err(CliError::with_hint(
        format!(
            "no photo in {} has its truth beside it",
            show(&args.paths[0])
        ),
        "put the givens of `photo.jpg` into `photo.txt`, 81 characters",
    ))
}

/// Reads the photos and writes the files of the run.
pub(super) fn perform(common: &Common, args: &RecognizeArgs) -> Result<Outcome, CliError> {
    let listing = listing(args)?;
    let truth = TruthSource::open(args.truth.as_deref())
        .map_err(|error| CliError::with_hint(error, "see --truth in `recognize --help`"))?;
    let solver = match &args.solver {
        Some(name) => find(name).map_err(CliError::new)?,
        None => fastest_complete(),
    };
    if !solver.complete {
        return Err(CliError::with_hint(
            format!(
                "the solver {} never guesses, so it may get stuck",
                solver.name
            ),
            "choose one that answers every puzzle, or leave --solver out",
        ));
    }
    let classifier = model::classifier(args.model.as_deref())?;
    let config = config(args, solver, &classifier);
    let detector = config
        .backend
        .detector(&config.detect)
        .map_err(CliError::new)?;
    let settings = config.fingerprint(&build_id());
    let outputs =
        Outputs::create(&args.out, args.overlay, args.save_crops, settings).map_err(unwritable)?;
    let pool = super::threads::pool(common)?;
    let tools = Tools {
        detector: &*detector,
        classifier: &classifier,
        solver: &|| (solver.build)(),
    };

    let count = listing.photos.len();
    let bar = bar(common, count as u64, "photos");
    let stop = stop_flag();
    let last = if args.fresh {
        Journal::default()
    } else {
        outputs.last_run()
    };
    let start = Instant::now();
    let batch = pool.install(|| {
        let on_result = |result: &PhotoResult| told(result, &bar, common);
        recognize(
            listing.photos,
            tools,
            &config,
            &outputs,
            last,
            stop,
            on_result,
        )
    });
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let batch = batch.map_err(unwritable)?;

    let mut problems: Vec<String> = listing.problems.iter().map(ToString::to_string).collect();
    let scored = Scored::new(&batch.results, &truth, solver, &mut problems);
    let summary = summary(
        &config,
        &batch,
        &scored,
        problems,
        seconds,
        pool.current_num_threads(),
    );
    let run = Run {
        summary: &summary,
        photos: &batch.results,
        judgements: &scored.judgements,
    };
    write(&outputs, &run, &batch, &scored, args).map_err(unwritable)?;

    let status = if batch.interrupted {
        Status::Interrupted
    } else if summary.problems.is_empty() && run.failures().is_empty() {
        Status::Clean
    } else {
        Status::Partial
    };
    Ok(Outcome {
        text: report::terminal(&run, &files(args)),
        summary,
        status,
    })
}

/// The photos; an error where there is none at all.
fn listing(args: &RecognizeArgs) -> Result<Listing, CliError> {
    let mut paths = args.paths.clone();
    if let Some(from) = &args.files_from {
        paths.extend(files_from(from, args.nul).map_err(|error| {
            CliError::new(format!("cannot read the list {}: {error}", show(from)))
        })?);
    }
    let listing = list(&paths, Some(&args.out));
    if let Some(first) = paths.first()
        && paths.iter().all(|path| path.symlink_metadata().is_err())
    {
        return Err(CliError::with_hint(
            format!("no such file or folder: {}", show(first)),
            "give photos, or folders with photos in them",
        ));
    }
    if !listing.photos.is_empty() {
        return Ok(listing);
    }
    for problem in &listing.problems {
        print_error(problem);
    }
    let place = match &paths[..] {
        [] => "an empty list".to_owned(),
        [only] => show(only),
        [first, rest @ ..] => format!("{} and {} more", show(first), rest.len()),
    };
    Err(CliError::with_hint(
        format!("no photos in {place}"),
        "JPEG, PNG, WebP, GIF, TIFF, BMP and PNM files are photos; hidden files are left out",
    ))
}

fn files_from(from: &Path, nul: bool) -> io::Result<Vec<PathBuf>> {
    if from == Path::new("-") {
        read_list(io::stdin().lock(), nul)
    } else {
        read_list(File::open(from)?, nul)
    }
}

fn config(
    args: &RecognizeArgs,
    solver: &SolverSpec,
    classifier: &NetClassifier,
) -> RecognizeConfig {
    RecognizeConfig {
        backend: args.backend.into(),
        model: classifier.card().weights.clone(),
        decode: DecodeConfig {
            mode: match args.decode {
                DecodeName::Rules => DecodeMode::Rules,
                DecodeName::Argmax => DecodeMode::Argmax,
            },
            ..DecodeConfig::of_model(classifier.card())
        },
        solver: solver.name.to_owned(),
        time_limit_ms: args.time_limit,
        ..RecognizeConfig::default()
    }
}

/// Tells this build of the program from every other.
fn build_id() -> String {
    let hash = || {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(File::open(std::env::current_exe()?)?)?;
        io::Result::Ok(hasher.finalize().to_hex().to_string())
    };
    hash().unwrap_or_else(|_| env!("CARGO_PKG_VERSION").to_owned())
}

fn unwritable(error: OutputError) -> CliError {
    let hint = match error.source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "a file is in the way: give another folder with --out"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: make room, or give another folder with --out"
        }
        _ => "give a folder that can be written to with --out",
    };
    CliError::with_hint(error, hint)
}

fn told(result: &PhotoResult, bar: &ProgressBar, common: &Common) {
    bar.inc(1);
    if common.verbose {
        for record in &result.entry.records {
            let error = record.error.as_deref().unwrap_or_default();
            let line = format!("{}: {} {error}", record.photo, record.status);
            bar.suspend(|| anstream::eprintln!("{}", line.trim_end()));
        }
    }
}

/// The photos with their truth, and how they did.
struct Scored {
    truths: Vec<Vec<Puzzle>>,
    judgements: Vec<Option<Judgement>>,
    accuracy: Option<Accuracy>,
}

impl Scored {
    fn new(
        photos: &[PhotoResult],
        truth: &TruthSource,
        solver: &SolverSpec,
        problems: &mut Vec<String>,
    ) -> Scored {
        let mut solver = (solver.build)();
        let mut accuracy = Accuracy::default();
        let mut scored = Scored {
            truths: Vec::new(),
            judgements: Vec::new(),
            accuracy: None,
        };
        for photo in photos {
            let boards = truth.boards(&photo.file.path).unwrap_or_else(|error| {
                problems.push(error.to_string());
                None
            });
            let judgement = boards
                .as_ref()
                .map(|boards| accuracy.add(&photo.entry.records, boards, &mut *solver));
            if judgement.is_some() {
                scored.accuracy = Some(accuracy);
            }
            scored.truths.push(boards.unwrap_or_default());
            scored.judgements.push(judgement);
        }
        scored
    }
}

fn summary(
    config: &RecognizeConfig,
    batch: &Batch,
    scored: &Scored,
    problems: Vec<String>,
    seconds: f64,
    threads: usize,
) -> Summary {
    let mut status = StatusCounts::default();
    let mut histograms = StageHistograms::default();
    let mut puzzles = 0;
    for photo in &batch.results {
        histograms.add(&photo.entry.records);
        for record in &photo.entry.records {
            status.add(record.status);
            puzzles += usize::from(record.puzzle > 0);
        }
    }
    let resumed = batch.results.iter().filter(|photo| photo.resumed).count();
    Summary {
        command: "recognize".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        config: serde_json::to_value(config).expect("the configuration is plain data"),
        environment: Environment::of_this_machine(threads),
        photos: batch.results.len(),
        puzzles,
        status,
        accuracy: scored.accuracy,
        throughput: Throughput::new(batch.results.len() - resumed, seconds),
        stages_ms: histograms.stages(),
        resumed,
        interrupted: batch.interrupted,
        problems,
    }
}

fn write(
    outputs: &Outputs,
    run: &Run<'_>,
    batch: &Batch,
    scored: &Scored,
    args: &RecognizeArgs,
) -> Result<(), OutputError> {
    outputs.write_file("results.csv", |writer| {
        let records = batch.results.iter().flat_map(|photo| &photo.entry.records);
        report::results_csv(writer, records)
    })?;
    outputs.write_file(PHOTOS, |writer| {
        write_photos(writer, run.photos, run.judgements)
    })?;
    outputs.write_file("summary.json", |writer| {
        serde_json::to_writer_pretty(&mut *writer, run.summary)?;
        writer.write_all(b"\n")
    })?;
    outputs.write_file("report.html", |writer| {
        writer.write_all(report::page(run).as_bytes())
    })?;
    if args.save_crops {
        outputs.write_file("crops/manifest.csv", |writer| {
            let truths = scored.truths.iter().map(Vec::as_slice);
            write_manifest(writer, batch.results.iter().zip(truths))
        })?;
    }
    outputs.save_journal(&batch.journal)
}

fn files(args: &RecognizeArgs) -> String {
    let mut files = format!(
        "{}: results.csv, summary.json, report.html",
        show(&args.out)
    );
    if args.overlay {
        files.push_str(", overlays/");
    }
    if args.save_crops {
        files.push_str(", crops/");
    }
    files
}
