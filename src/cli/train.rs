//! `sudoku-batch train`: folders of labeled crops to a model, its card and its metrics.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use sudoku_batch::digits::{
    CheckpointError, CropFolder, DatasetError, EpochMetrics, SavedRun, Split, TrainingConfig,
    TrainingError, TrainingEvent, TrainingRun, train,
};
use sudoku_batch::files::write_bytes;

use super::args::{Common, TrainArgs};
use super::crop_data::checked;
use super::error::{CliError, print_warning};
use super::interrupt::stop_flag;
use super::progress::bar;
use super::status::Status;

pub(crate) fn run(common: &Common, args: &TrainArgs) -> Result<Status, CliError> {
    let (folder, config) = settings(common, args)?;
    let data = checked(common, load(args, &config)?)?;
    if args.resume.is_none() {
        make_room(&folder)?;
    }
    if !common.quiet {
        let (training, validation) = (data.training.len(), data.validation.len());
        anstream::eprintln!("{training} crops to train on, {validation} held out");
    }
    let progress = bar(common, 0, "crops");
    let stop = stop_flag();
    let mut on_event = |event: TrainingEvent<'_>| show(common, &progress, &event);
    let device = args.device.into();
    let work = || train(&config, &data, device, &folder, stop, &mut on_event);
    let run = pool(common)?.install(work).map_err(explain)?;
    progress.finish_and_clear();
    write_held_out(&folder, &data)
        .and_then(|()| write(&folder, &run))
        .map_err(|error| CliError::new(format!("cannot write {}: {error}", folder.display())))?;
    summarize(common, &folder, &run);
    if run.interrupted {
        let resume = format!("go on with `--resume {}`", folder.display());
        print_warning(format!(
            "stopped after epoch {}: {resume}",
            run.history.len()
        ));
        return Ok(Status::Interrupted);
    }
    Ok(Status::Clean)
}

/// The run's folder and settings: saved ones, or the file's, then the flags.
fn settings(common: &Common, args: &TrainArgs) -> Result<(PathBuf, TrainingConfig), CliError> {
    if let Some(run) = &args.resume {
        let Some(saved) = SavedRun::open(run).map_err(CliError::new)? else {
            let message = format!("{} holds no checkpoint to go on with", run.display());
            return Err(CliError::with_hint(message, "start it without `--resume`"));
        };
        let mut config = saved.config;
        config.epochs = args.epochs.unwrap_or(config.epochs);
        return Ok((run.clone(), config));
    }
    let mut config = match &args.config {
        Some(path) => read_config(path)?,
        None => TrainingConfig::default(),
    };
    if common.seed != 0 {
        config.seed = common.seed;
    }
    config.epochs = args.epochs.unwrap_or(config.epochs);
    config.batch_size = args.batch_size.unwrap_or(config.batch_size);
    config.learning_rate = args.learning_rate.unwrap_or(config.learning_rate);
    config.validation = args.validation.unwrap_or(config.validation);
    config.augment = args.augment.map_or(config.augment, Into::into);
    config.exclude_sources.extend(args.exclude_sources.clone());
    config
        .validation_sources
        .extend(args.validation_sources.clone());
    Ok((args.out.clone(), config))
}

/// A finished run gives way to a new one; an unfinished one is not thrown away in silence.
fn make_room(out: &Path) -> Result<(), CliError> {
    match SavedRun::open(out).map_err(CliError::new)? {
        None => Ok(()),
        Some(saved) if saved.finished => SavedRun::discard(out).map_err(CliError::new),
        Some(_) => Err(CliError::with_hint(
            format!("{} holds an unfinished run", out.display()),
            format!(
                "go on with it by `--resume {}`, or choose another folder by `--out`",
                out.display()
            ),
        )),
    }
}

pub(super) fn read_config(path: &Path) -> Result<TrainingConfig, CliError> {
    let at = |problem: String| CliError::new(format!("{}: {problem}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| at(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| at(error.to_string()))
}

/// `DIR:WEIGHT` as a folder and its weight; a folder of that very name wins.
pub(super) fn parse_source(text: &str) -> (PathBuf, f32) {
    if !Path::new(text).exists()
        && let Some((folder, weight)) = text.rsplit_once(':')
        && let Ok(weight) = weight.parse::<f32>()
        && weight.is_finite()
        && weight >= 0.0
    {
        return (PathBuf::from(folder), weight);
    }
    (PathBuf::from(text), 1.0)
}

fn load(args: &TrainArgs, config: &TrainingConfig) -> Result<Split, CliError> {
    let mut split = Split::default();
    for text in &args.data {
        let (path, weight) = parse_source(text);
        let folder = CropFolder::read(&path).map_err(|error| match error {
            DatasetError::Unreadable { .. } | DatasetError::Empty { .. } => CliError::with_hint(
                error,
                "make crops with `sudoku-batch dataset synth` or `dataset harvest`",
            ),
            _ => CliError::new(error),
        })?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        split.add(&name.to_string_lossy(), folder, weight, config);
    }
    Ok(split)
}

fn pool(common: &Common) -> Result<rayon::ThreadPool, CliError> {
    let threads = common.threads.map_or(0, |threads| threads.get());
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| CliError::new(format!("cannot start threads: {error}")))
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
    }
}

fn epoch_line(metrics: &EpochMetrics) -> String {
    format!(
        "epoch {:3}  training loss {:.4}, {:.2} % right  held out loss {:.4}, {:.2} % right  {:.1} s",
        metrics.epoch,
        metrics.training_loss,
        100.0 * metrics.training_accuracy,
        metrics.validation_loss,
        100.0 * metrics.validation_accuracy,
        metrics.training_seconds + metrics.validation_seconds,
    )
}

fn explain(error: TrainingError) -> CliError {
    match error {
        TrainingError::Checkpoint(CheckpointError::OtherData) => CliError::with_hint(
            error,
            "name the DATA folders of the run again, in the same order",
        ),
        other => CliError::new(other),
    }
}

/// `held-out.csv`: the photos that no crop was trained on, so that others can be told apart.
fn write_held_out(folder: &Path, split: &Split) -> io::Result<()> {
    let photos = split
        .validation
        .iter()
        .map(|crop| (&crop.source, &crop.photo));
    let photos: BTreeSet<_> = photos.filter(|(_, photo)| !photo.is_empty()).collect();
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(["source", "photo"])?;
    for (source, photo) in photos {
        rows.write_record([source, photo])?;
    }
    let bytes = rows
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))?;
    write_bytes(&folder.join("held-out.csv"), &bytes)
}

fn write(folder: &Path, run: &TrainingRun) -> io::Result<()> {
    let mut metrics = "epoch,split,loss,accuracy,seconds\n".to_owned();
    for epoch in &run.history {
        let rows = [
            (
                "training",
                epoch.training_loss,
                epoch.training_accuracy,
                epoch.training_seconds,
            ),
            (
                "validation",
                epoch.validation_loss,
                epoch.validation_accuracy,
                epoch.validation_seconds,
            ),
        ];
        for (split, loss, accuracy, seconds) in rows {
            // Writing into a string cannot fail.
            let _ = writeln!(
                metrics,
                "{},{split},{loss},{accuracy},{seconds:.3}",
                epoch.epoch
            );
        }
    }
    write_bytes(&folder.join("metrics.csv"), metrics.as_bytes())?;
    write_bytes(
        &folder.join("confusion.csv"),
        run.confusion.to_csv().as_bytes(),
    )?;
    run.artifact.write(folder)
}

fn summarize(common: &Common, folder: &Path, run: &TrainingRun) {
    let card = &run.artifact.card;
    if common.json {
        if let Ok(text) = serde_json::to_string(card) {
            anstream::println!("{text}");
        }
        return;
    }
    let held_out = &card.validation;
    anstream::println!(
        "epoch {} of {}: {:.2} % of {} held-out crops right, {:.2} % of the digits",
        card.epoch,
        run.history.len(),
        100.0 * held_out.accuracy,
        held_out.crops,
        100.0 * held_out.digit_accuracy,
    );
    for (source, (accuracy, crops)) in &held_out.sources {
        anstream::println!("  {source:24} {:6.2} % of {crops}", 100.0 * accuracy);
    }
    anstream::println!(
        "temperature {:.3}, calibration error {:.4} -> {:.4}, {} parameters, {} bytes",
        card.temperature,
        held_out.calibration_error,
        held_out.calibration_error_calibrated,
        card.parameters,
        run.artifact.weights.len(),
    );
    anstream::println!("model in {}", folder.display());
}
