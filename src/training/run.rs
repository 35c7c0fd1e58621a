//! A training run from labeled crops to a model.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use burn::module::Module;
use rayon::prelude::*;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::event::{TrainingError, TrainingEvent};
use super::history::{EpochMetrics, best_epoch, is_finished};
use super::split::Split;
use super::trainer::Trainer;
use crate::digits::{
    Answers, Artifact, Compute, ConfusionMatrix, Evaluation, HardCrop, InferenceError, LabeledCrop,
    ModelCard, NORMALIZATION, Network, Readings, Reliability, TrainingConfig, class_names,
};
use crate::vision::{CROP_SIDE, CellCrop};

/// Number of crops that a thread evaluates at once.
const EVALUATION_CHUNK: usize = 256;
/// Number of worst crops that a run shows.
const WORST: usize = 50;

/// A finished or interrupted run.
#[derive(Debug)]
pub struct TrainingRun {
    /// The model of the best epoch, by held-out loss.
    pub artifact: Artifact,
    /// Metrics of all epochs.
    pub history: Vec<EpochMetrics>,
    /// Results of the model that it started from, on the same held-out crops.
    pub start: Option<Evaluation>,
    /// Confusion matrix of the held-out crops.
    pub confusion: ConfusionMatrix,
    /// Reliability tables of these, before and after the temperature.
    pub reliability: [Reliability; 2],
    /// The held-out crops of greatest loss, worst first.
    pub worst: Vec<HardCrop>,
    /// Whether it was stopped early by the caller; it can be resumed.
    pub interrupted: bool,
    /// Whether it ended before its last epoch because its patience was exhausted.
    pub stopped_early: bool,
}

/// Trains a network, or resumes the run in `folder` if it holds a checkpoint.
///
/// A checkpoint is written into `folder` after every epoch. `stop` is checked before every batch:
/// the work since the last checkpoint is then dropped.
///
/// # Errors
///
/// [`TrainingError`]; checkpoints written before it are kept.
pub fn train(
    config: &TrainingConfig,
    data: &Split,
    device: Compute,
    folder: &Path,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<TrainingRun, TrainingError> {
    run(None, config, data, device, folder, stop, on_event)
}

/// Trains like [`train`], but starts the first epoch from the weights of a model, and keeps the share
/// [`TrainingConfig::keep`] of them. The network of the settings must be the model's, except that the model may lack
/// the second head.
///
/// # Errors
///
/// As [`train`], and if the model does not fit this program or the settings.
pub fn fine_tune(
    model: &Artifact,
    config: &TrainingConfig,
    data: &Split,
    device: Compute,
    folder: &Path,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<TrainingRun, TrainingError> {
    run(Some(model), config, data, device, folder, stop, on_event)
}

/// Checks what does not depend on the data: invalid settings, a missing device, a model to start
/// from that does not fit. [`train`] and [`fine_tune`] check it too.
///
/// # Errors
///
/// [`TrainingError`] that names it.
pub fn check_settings(
    model: Option<&Artifact>,
    config: &TrainingConfig,
    device: Compute,
) -> Result<(), TrainingError> {
    if let Some(problem) = config.problem() {
        return Err(TrainingError::Config(problem));
    }
    device.open()?;
    let Some(model) = model else {
        return match config.frozen {
            true => Err(TrainingError::Config(
                "frozen needs a model that training starts from".to_owned(),
            )),
            false => Ok(()),
        };
    };
    model.check()?;
    let found = &model.card.config.net;
    let is_without_kinds = found.kind_units == 0 && *found == config.net.without_kinds();
    if *found != config.net && !is_without_kinds {
        return Err(TrainingError::OtherNet {
            expected: config.net.clone(),
            found: found.clone(),
        });
    }
    Ok(())
}

fn run(
    model: Option<&Artifact>,
    config: &TrainingConfig,
    data: &Split,
    device: Compute,
    folder: &Path,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<TrainingRun, TrainingError> {
    let mut damaged = |error: &CheckpointError| on_event(TrainingEvent::Damaged(error));
    let checkpoint = Checkpoint::latest(folder, &mut damaged)?;
    let model = model.or(checkpoint.as_ref().and_then(|it| it.init.as_ref()));
    check_settings(model, config, device)?;
    if data.training.is_empty() && data.rendered.is_none() {
        return Err(TrainingError::NoTraining);
    }
    let classes = data.missing_classes();
    if !classes.is_empty() {
        return Err(TrainingError::MissingClasses { classes });
    }
    if data.validation.is_empty() {
        return Err(TrainingError::NoValidation);
    }
    let device = device.open()?;
    let mut trainer = Trainer::new(config, device.clone());
    let mut history = Vec::new();
    let mut best = Vec::new();
    if let Some(checkpoint) = &checkpoint {
        checkpoint.expect_same(config, &data.cards, model)?;
        trainer.load(checkpoint)?;
        history.clone_from(&checkpoint.history);
        best.clone_from(&checkpoint.best);
    } else if let Some(model) = model {
        trainer.start_from(&model.weights)?;
    }
    let start = match model {
        Some(model) => {
            let readings = read(&Network::new(model)?, &data.validation)?;
            Some(readings.evaluate(model.card.temperature))
        }
        None => None,
    };
    let mut interrupted = false;
    while !is_finished(&history, config) {
        let epoch = history.len() + 1;
        let started = Instant::now();
        let Some(pass) = trainer.epoch(epoch, data, stop, on_event)? else {
            interrupted = true;
            break;
        };
        let trained = Instant::now();
        let weights = trainer.weights()?;
        let result = match model {
            Some(model) => trainer.mean_weights(&model.weights)?,
            None => weights.clone(),
        };
        let network = Network::of_weights(&config.net, &result)?;
        let readings = read(&network, &data.validation);
        let readings = readings.map_err(|error| match error {
            InferenceError::NotFinite { .. } => TrainingError::Diverged {
                epoch,
                batch: pass.crops().div_ceil(config.batch_size),
            },
            other => other.into(),
        })?;
        let metrics = EpochMetrics {
            epoch,
            training_loss: pass.loss(),
            training_accuracy: pass.accuracy(),
            training_seconds: (trained - started).as_secs_f64(),
            validation_loss: readings.loss(1.0) + config.kind_weight * readings.kind_loss(),
            validation_accuracy: readings.accuracy(),
            validation_seconds: trained.elapsed().as_secs_f64(),
        };
        history.push(metrics.clone());
        if best_epoch(&history) == epoch {
            best = result;
        }
        let checkpoint = Checkpoint {
            history: history.clone(),
            config: config.clone(),
            data: data.cards.clone(),
            init: model.cloned(),
            weights,
            best: best.clone(),
            optimizer: trainer.optimizer_bytes()?,
        };
        checkpoint.write(folder)?;
        on_event(TrainingEvent::Epoch(&metrics));
    }
    if history.is_empty() {
        return Err(TrainingError::Stopped);
    }
    let network = Network::of_weights(&config.net, &best)?;
    let readings = read(&network, &data.validation)?;
    // Of what belongs to the contents as much is kept as of their weights: all where they were not trained.
    let keep = if config.frozen { 1.0 } else { config.keep };
    let kept = |trained: f32, of_model: fn(&ModelCard) -> f32| {
        let with = |model: &Artifact| keep * of_model(&model.card) + (1.0 - keep) * trained;
        model.map_or(trained, with)
    };
    let temperature = kept(readings.temperature(), |card| card.temperature);
    let trained_blanks = kept(data.trained_blanks(config), |card| card.trained_blanks);
    let card = ModelCard {
        classes: class_names(),
        crop_side: CROP_SIDE,
        normalization: NORMALIZATION.to_owned(),
        temperature,
        trained_blanks,
        weights: blake3::hash(&best).to_string(),
        parameters: trainer.net.num_params(),
        epoch: best_epoch(&history),
        data: data.cards.clone(),
        init: model.map(|model| model.card.weights.clone()),
        validation: readings.evaluate(temperature),
        config: config.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Ok(TrainingRun {
        artifact: Artifact {
            card,
            weights: best,
        },
        stopped_early: !interrupted && history.len() < config.epochs,
        history,
        start,
        confusion: readings.confusion(),
        reliability: [1.0, temperature].map(|temperature| readings.reliability(temperature)),
        worst: readings.worst(temperature, WORST),
        interrupted,
    })
}

/// Returns the outputs of the network for all crops, in order, on all threads of the current pool.
fn read<'a>(net: &Network, crops: &'a [LabeledCrop]) -> Result<Readings<'a>, InferenceError> {
    let chunks: Vec<Answers> = crops
        .par_chunks(EVALUATION_CHUNK)
        .map(|chunk| {
            let crops: Vec<&CellCrop> = chunk.iter().map(|labeled| &labeled.crop).collect();
            net.answers(&crops)
        })
        .collect::<Result<_, _>>()?;
    let mut answers = Answers::default();
    for chunk in chunks {
        answers.logits.extend(chunk.logits);
        answers.kinds.extend(chunk.kinds);
    }
    Ok(Readings { crops, answers })
}
