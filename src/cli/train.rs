//! `sudoku-batch train`: folders of labeled crops to a model, its card and its metrics.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use image::ImageFormat;
use indicatif::ProgressBar;
use rayon::ThreadPool;
use sudoku_batch::digits::{Artifact, TrainingConfig};
use sudoku_batch::environment::Environment;
use sudoku_batch::files::{read_json, write_bytes};
use sudoku_batch::opening::{LARGEST_TEXT, read_file};
use sudoku_batch::render::{CropConfig, CropRenderer};
use sudoku_batch::report::{
    classes_csv, grouped, metrics_csv, reliability_csv, sources_csv, train_page, worst_csv,
    worst_picture,
};
use sudoku_batch::training::{
    CheckpointError, EpochMetrics, SavedRun, Split, TrainingError, TrainingEvent, TrainingRun,
    TrainingSummary, check_settings, fine_tune, train,
};

use super::args::{Common, RecognizeArgs, TrainArgs};
use super::crop_data::{absolute_source, read_data, without_leaks};
use super::dataset::fonts;
use super::error::{CliError, print_error, print_warning};
use super::interrupt::stop_flag;
use super::model;
use super::out_folder::take_folder;
use super::progress::bar;
use super::recognize;
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

/// The folders that a run was started with, for `--resume`.
const DATA_FILE: &str = "data.json";
/// Crops of the repository, a part of DATA where none is named.
const CROPS: &str = "datasets/crops";

pub(crate) fn run(common: &Common, args: &TrainArgs) -> Result<Status, CliError> {
    let pool = pool(common)?;
    let init = args.init.as_deref();
    let init = init.map(|init| model::artifact("--init", Some(init)));
    let init = init.transpose()?;
    let (folder, config, init) = settings(common, args, init)?;
    // With a path before it, `built-in` is a folder and not the model of that name.
    let model = Path::new(".").join(&folder);
    let scoring = args
        .evaluate
        .as_ref()
        .map(|photos| RecognizeArgs::scoring(photos, &model, &folder.join("evaluation")));
    if let Some(scoring) = &scoring {
        recognize::expect_truth(scoring)?;
    }
    // All that can be checked before the data are read, which takes a while.
    let device = args.device.into();
    check_settings(init.as_ref(), &config, device).map_err(|error| explain(error, &folder))?;
    let sources = sources(args, &config);
    let data = data(common, &pool, args, &config, &sources)?;
    let _lock = take_folder(common, &folder, args.wait)?;
    if args.resume.is_none() {
        make_room(&folder)?;
        let sources: Vec<String> = sources.iter().map(|it| absolute_source(it)).collect();
        let list = serde_json::to_vec(&sources).map_err(CliError::new)?;
        save(&folder, DATA_FILE, &list)?;
    }
    if !common.quiet {
        let training = data.training.len() + config.rendered;
        let validation = data.validation.len();
        anstream::eprintln!(
            "{} crops per epoch to train on, {} held out: {:.1} %",
            grouped(training as u64),
            grouped(validation as u64),
            100.0 * validation as f64 / (training + validation).max(1) as f64,
        );
    }
    let progress = bar(common, 0, "crops");
    let stop = stop_flag();
    let mut on_event = |event: TrainingEvent<'_>| show(common, &progress, &event);
    let work = || match &init {
        Some(model) => fine_tune(model, &config, &data, device, &folder, stop, &mut on_event),
        None => train(&config, &data, device, &folder, stop, &mut on_event),
    };
    let run = pool.install(work);
    let run = run.map_err(|error| explain(error, &folder))?;
    progress.finish_and_clear();
    let machine = Environment::of_this_machine(pool.current_num_threads());
    let mut summary = TrainingSummary::new(&run, machine);
    write(&folder, &data, &run, &summary)?;
    if !common.json {
        print_run(&folder, &run);
    }
    let read = match &scoring {
        Some(scoring) if !run.interrupted => Some(recognize::perform(common, scoring)?),
        _ => None,
    };
    if let Some(read) = &read {
        summary.evaluation = Some(serde_json::to_value(&read.summary).map_err(CliError::new)?);
        write_summary(&folder, &run, &summary)?;
    }
    if common.json {
        let line = serde_json::to_string(&summary).map_err(CliError::new)?;
        print(&format!("{line}\n"));
    }
    let mut status = Status::Clean;
    if let Some(read) = &read {
        if !common.json {
            print(&format!("\n{}", read.text));
        }
        for problem in &read.summary.problems {
            print_error(problem);
            status = Status::Partial;
        }
        if read.summary.interrupted {
            return Ok(Status::Interrupted);
        }
    }
    if run.interrupted {
        let resume = format!("resume with `--resume {}`", folder.display());
        print_warning(format!(
            "stopped after epoch {}: {resume}",
            run.history.len()
        ));
        return Ok(Status::Interrupted);
    }
    Ok(status)
}

/// The folders of crops: those that are named, those of the run that is gone on with, or those of the repository.
fn sources(args: &TrainArgs, config: &TrainingConfig) -> Vec<String> {
    let mut sources = args.data.clone();
    if let (Some(run), true) = (&args.resume, sources.is_empty()) {
        // A run of an older version has no such list.
        sources = read_json(&run.join(DATA_FILE)).unwrap_or_default();
    }
    if sources.is_empty() && (config.rendered == 0 || Path::new(CROPS).is_dir()) {
        sources.push(CROPS.to_owned());
    }
    sources
}

/// The crops of these folders, and those that are rendered.
fn data(
    common: &Common,
    pool: &ThreadPool,
    args: &TrainArgs,
    config: &TrainingConfig,
    sources: &[String],
) -> Result<Split, CliError> {
    let folders = read_data(common, pool, sources)?;
    let split = without_leaks(common, pool, Split::new(folders, config));
    let blanks = split.lacking_blanks();
    if config.rendered == 0 && blanks == 0 {
        return Ok(split);
    }
    let renderer = CropRenderer::new(CropConfig::default(), fonts(common, &args.fonts)?);
    if config.rendered > 0 {
        return Ok(pool.install(|| split.with_rendered(renderer, config)));
    }
    if !common.quiet {
        let blanks = grouped(blanks as u64);
        print_warning(format_args!(
            "no crop shows a blank: {blanks} rendered ones are added"
        ));
    }
    Ok(pool.install(|| split.with_blanks(blanks, renderer, config)))
}

/// The run's folder, settings and model to start from: saved ones, or the file's, then the flags.
fn settings(
    common: &Common,
    args: &TrainArgs,
    init: Option<Artifact>,
) -> Result<(PathBuf, TrainingConfig, Option<Artifact>), CliError> {
    if let Some(run) = &args.resume {
        let Some(saved) = saved_run(run)? else {
            let message = format!("{} has no checkpoint to resume from", run.display());
            return Err(CliError::with_hint(
                message,
                "start the run without `--resume`",
            ));
        };
        let mut config = saved.config;
        config.epochs = args.epochs.unwrap_or(config.epochs);
        config.patience = args.patience.unwrap_or(config.patience);
        return Ok((run.clone(), config, saved.init));
    }
    let mut config = match &args.config {
        Some(path) => read_config(path)?,
        None if args.data.is_empty() => TrainingConfig::of_rendered_crops(),
        None => TrainingConfig::default(),
    };
    if let (Some(model), None) = (&init, &args.config) {
        config.net.clone_from(&model.card.config.net);
    }
    config.rendered = args.rendered.unwrap_or(config.rendered);
    if common.seed != 0 {
        config.seed = common.seed;
    }
    config.epochs = args.epochs.unwrap_or(config.epochs);
    config.patience = args.patience.unwrap_or(config.patience);
    config.batch_size = args.batch_size.unwrap_or(config.batch_size);
    config.learning_rate = args.learning_rate.unwrap_or(config.learning_rate);
    config.keep = args.keep.unwrap_or(config.keep);
    config.validation = args.validation.unwrap_or(config.validation);
    config.augment = args.augment.map_or(config.augment, Into::into);
    config.exclude_sources.extend(args.exclude_sources.clone());
    config
        .validation_sources
        .extend(args.validation_sources.clone());
    Ok((args.out.clone(), config, init))
}

fn saved_run(folder: &Path) -> Result<Option<SavedRun>, CliError> {
    SavedRun::open(folder).map_err(|error| explain(error.into(), folder))
}

/// A finished run gives way to a new one; an unfinished one is not thrown away in silence.
fn make_room(out: &Path) -> Result<(), CliError> {
    match saved_run(out)? {
        None => Ok(()),
        Some(saved) if saved.finished => SavedRun::discard(out).map_err(CliError::new),
        Some(_) => Err(CliError::with_hint(
            format!("{} has an unfinished run", out.display()),
            format!(
                "resume it with `--resume {}`, or choose another folder with `--out`",
                out.display()
            ),
        )),
    }
}

pub(super) fn read_config(path: &Path) -> Result<TrainingConfig, CliError> {
    let at = |problem: String| {
        CliError::with_hint(
            format!("{}: {problem}", path.display()),
            "--config takes settings as JSON, such as training/digits/config.json",
        )
    };
    let bytes = read_file(path, LARGEST_TEXT).map_err(|error| at(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| at(error.to_string()))
}

fn show(common: &Common, progress: &ProgressBar, event: &TrainingEvent<'_>) {
    match event {
        TrainingEvent::Batch {
            epoch,
            done,
            total,
            loss,
            accuracy,
        } => {
            progress.set_length(*total as u64);
            progress.set_position(*done as u64);
            let right = 100.0 * accuracy;
            progress.set_message(format!("epoch {epoch}  loss {loss:.3}  {right:.2} % right"));
        }
        TrainingEvent::Epoch(metrics) => {
            if !common.quiet {
                progress.suspend(|| anstream::eprintln!("{}", epoch_line(metrics)));
            }
            progress.reset();
        }
        TrainingEvent::Damaged(error) => {
            progress.suspend(|| print_warning(format!("{error}; the one before it is used")));
        }
    }
}

fn epoch_line(metrics: &EpochMetrics) -> String {
    format!(
        "epoch {:3}  training loss {:.4}, {:.2} % right  held-out loss {:.4}, {:.2} % right  {:.1} s",
        metrics.epoch,
        metrics.training_loss,
        100.0 * metrics.training_accuracy,
        metrics.validation_loss,
        100.0 * metrics.validation_accuracy,
        metrics.training_seconds + metrics.validation_seconds,
    )
}

fn explain(error: TrainingError, folder: &Path) -> CliError {
    match error {
        TrainingError::Diverged { epoch, .. } if epoch > 1 => {
            let last = epoch - 1;
            let run = folder.display();
            CliError::with_hint(
                error,
                format!(
                    "the checkpoint of epoch {last} is kept: `--resume {run} --epochs {last}` makes a model of it"
                ),
            )
        }
        TrainingError::MissingClasses { .. } => CliError::with_hint(
            error,
            "add DATA that has every label; `sudoku-batch dataset stats` counts them",
        ),
        TrainingError::NoValidation => CliError::with_hint(
            error,
            "crops of one puzzle stay together: add crops of another one, such as datasets/crops",
        ),
        TrainingError::OtherNet { .. } => CliError::with_hint(
            error,
            "set `net` in the settings to that of the model, or omit `--config`",
        ),
        TrainingError::Checkpoint(CheckpointError::OtherData) => CliError::with_hint(
            error,
            "give the DATA folders of the run again, in the same order",
        ),
        TrainingError::Checkpoint(CheckpointError::Unwritable { .. }) => {
            let run = folder.display();
            let kept = matches!(SavedRun::open(folder), Ok(Some(_)));
            let hint = match kept {
                true => format!("free some space, then resume with `--resume {run}`"),
                false => "free some space, then start again".to_owned(),
            };
            CliError::with_hint(error, hint)
        }
        TrainingError::Checkpoint(
            CheckpointError::Damaged { .. } | CheckpointError::File { .. },
        ) => {
            let checkpoints = folder.join("checkpoints");
            let hint = format!("remove {} and start again", checkpoints.display());
            CliError::with_hint(error, hint)
        }
        other => CliError::new(other),
    }
}

/// `held-out.csv`: the photos and puzzles that no crop was trained on, so that others can be told
/// apart.
fn held_out_csv(split: &Split) -> Result<Vec<u8>, csv::Error> {
    let photos = split.validation.iter();
    let photos = photos.map(|crop| [&*crop.source, &*crop.photo, &*crop.puzzle]);
    let is_known = |[_, photo, puzzle]: &[&str; 3]| !(photo.is_empty() && puzzle.is_empty());
    let photos: BTreeSet<_> = photos.filter(is_known).collect();
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(["source", "photo", "puzzle"])?;
    for photo in photos {
        rows.write_record(photo)?;
    }
    rows.into_inner().map_err(|error| error.into_error().into())
}

/// What is left of a run: its tables and, last, its model.
fn write(
    folder: &Path,
    split: &Split,
    run: &TrainingRun,
    summary: &TrainingSummary,
) -> Result<(), CliError> {
    let held_out = held_out_csv(split).map_err(CliError::new)?;
    save(folder, "held-out.csv", &held_out)?;
    let tables = [
        ("metrics.csv", metrics_csv(&run.history)),
        ("confusion.csv", run.confusion.to_csv()),
        ("classes.csv", classes_csv(&run.confusion)),
        ("sources.csv", sources_csv(&run.artifact.card.validation)),
        ("reliability.csv", reliability_csv(&run.reliability)),
        ("worst.csv", worst_csv(&summary.worst)),
    ];
    for (name, text) in tables {
        save(folder, name, text.as_bytes())?;
    }
    write_summary(folder, run, summary)?;
    let written = run.artifact.write(folder);
    written.map_err(|error| unwritable(folder, "the model", error))
}

/// The summary, the page that it is rendered as, and the picture in it.
fn write_summary(
    folder: &Path,
    run: &TrainingRun,
    summary: &TrainingSummary,
) -> Result<(), CliError> {
    let mut png = io::Cursor::new(Vec::new());
    worst_picture(&run.worst)
        .write_to(&mut png, ImageFormat::Png)
        .map_err(CliError::new)?;
    let json = serde_json::to_string_pretty(summary).map_err(CliError::new)? + "\n";
    save(folder, "summary.json", json.as_bytes())?;
    save(folder, "worst.png", png.get_ref())?;
    let page = train_page(summary, png.get_ref());
    save(folder, "report.html", page.as_bytes())
}

fn save(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), CliError> {
    write_bytes(&folder.join(name), bytes).map_err(|error| unwritable(folder, name, error))
}

/// The run is over, and its checkpoints are on disk.
fn unwritable(folder: &Path, what: &str, error: io::Error) -> CliError {
    let run = folder.display();
    CliError::with_hint(
        format!("cannot write {what} into {run}: {error}"),
        format!("free some space, then resume with `--resume {run}`: no epoch is lost"),
    )
}

fn print_run(folder: &Path, run: &TrainingRun) {
    let mut text = String::new();
    let mut line = |words: std::fmt::Arguments<'_>| {
        text.push_str(&words.to_string());
        text.push('\n');
    };
    let card = &run.artifact.card;
    let held_out = &card.validation;
    if run.stopped_early {
        line(format_args!(
            "stopped early: the held-out loss no longer fell"
        ));
    }
    line(format_args!(
        "epoch {} of {}: {:.2} % of {} held-out crops right, {:.2} % of the digits",
        card.epoch,
        run.history.len(),
        100.0 * held_out.accuracy,
        held_out.crops,
        100.0 * held_out.digit_accuracy,
    ));
    if let Some(start) = &run.start {
        line(format_args!(
            "the model it started from: {:.2} % of them, {:.2} % of the digits",
            100.0 * start.accuracy,
            100.0 * start.digit_accuracy,
        ));
    }
    if let Some(kinds) = &held_out.kinds {
        line(format_args!(
            "kinds: {:.2} % of {} right; candidates: {:.2} % right, {:.2} % of {} cells with marks exactly",
            100.0 * kinds.accuracy,
            kinds.crops,
            100.0 * kinds.candidates,
            100.0 * kinds.marks_exact,
            kinds.marked,
        ));
    }
    for (source, (accuracy, crops)) in &held_out.sources {
        let start = run.start.as_ref().and_then(|it| it.sources.get(source));
        let start = start.map_or_else(String::new, |(it, _)| format!(", from {:.2} %", 100.0 * it));
        line(format_args!(
            "  {source:24} {:6.2} % of {crops}{start}",
            100.0 * accuracy
        ));
    }
    line(format_args!(
        "temperature {:.3}, calibration error {:.4} -> {:.4}, {} parameters, {} bytes",
        card.temperature,
        held_out.calibration_error,
        held_out.calibration_error_calibrated,
        card.parameters,
        run.artifact.weights.len(),
    ));
    line(format_args!("model in {}", folder.display()));
    print(&text);
}
