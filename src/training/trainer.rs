//! The steps of the training loop. A run depends on its data and its settings alone: every epoch
//! draws its randomness from (seed, epoch), a batch is cut into a fixed number of shards, and their
//! gradients are added in order, so threads and interruptions change nothing.
//!
//! AdamW after Loshchilov and Hutter (2019), warm-up and a half cosine for the learning rate, label
//! smoothing after Szegedy et al. (2016).

use std::sync::atomic::{AtomicBool, Ordering};

use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsAccumulator, GradientsParams, ModuleOptimizer};
use burn::tensor::{Bytes, Device, Tensor, TensorData};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::augment::augment;
use super::checkpoint::{Checkpoint, CheckpointError};
use super::event::{TrainingError, TrainingEvent};
use super::loss::{Known, Losses, Pass, Targets, values};
use super::split::Split;
use crate::digits::{
    ArtifactError, DigitNet, LabeledCrop, Network, TrainingConfig, load_weights, mix, normalize,
    save_weights,
};
use crate::vision::{CROP_SIDE, CellCrop};

/// Weight of a batch's statistics in the running ones.
const MOMENTUM: f32 = 0.1;

/// Network and optimizer between two steps.
pub(super) struct Trainer<'a> {
    config: &'a TrainingConfig,
    device: Device,
    pub(super) net: DigitNet,
    optimizer: ModuleOptimizer,
    /// The network for inference, where only the second head is trained.
    fixed: Option<Network>,
}

/// Mean and variance of each channel.
struct Statistics {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

/// Result of a shard.
struct ShardResult {
    gradients: GradientsParams,
    /// One for each convolution.
    statistics: Vec<Statistics>,
    pass: Pass,
}

impl<'a> Trainer<'a> {
    pub(super) fn new(config: &'a TrainingConfig, device: Device) -> Trainer<'a> {
        let device = device.autodiff();
        Trainer {
            config,
            net: DigitNet::new(&config.net, config.seed, &device),
            optimizer: AdamWConfig::new()
                .with_weight_decay(config.weight_decay)
                .init(),
            device,
            fixed: None,
        }
    }

    pub(super) fn load(&mut self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        // The network first: the optimizer's state is keyed by its parameters.
        self.net = load_weights(self.net.clone(), &checkpoint.weights)
            .map_err(CheckpointError::Content)?;
        self.optimizer = std::mem::replace(&mut self.optimizer, AdamWConfig::new().init())
            .from_bytes(Bytes::from_bytes_vec(checkpoint.optimizer.clone()))
            .map_err(|error| CheckpointError::Content(error.to_string()))?;
        Ok(())
    }

    /// Starts from the weights of a model of the same size, with a fresh optimizer. Where the model
    /// has no second head, that of this network is kept.
    pub(super) fn start_from(&mut self, weights: &[u8]) -> Result<(), TrainingError> {
        self.net = load_weights(self.net.clone(), weights).map_err(ArtifactError::Weights)?;
        Ok(())
    }

    /// Returns the weights as trained so far.
    pub(super) fn weights(&self) -> Result<Vec<u8>, TrainingError> {
        save_weights(&self.net).map_err(TrainingError::Weights)
    }

    /// Returns the mean of the weights as trained so far and of those that training started from, of which the settings
    /// say the share. A second head that these lack is kept as trained.
    pub(super) fn mean_weights(&self, start: &[u8]) -> Result<Vec<u8>, TrainingError> {
        let trained = self.net.valid();
        let start = load_weights(trained.clone(), start).map_err(TrainingError::Weights)?;
        save_weights(&trained.mean(&start, self.config.keep)).map_err(TrainingError::Weights)
    }

    pub(super) fn optimizer_bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        let bytes = self.optimizer.into_bytes();
        let bytes = bytes.map_err(|error| CheckpointError::Content(error.to_string()))?;
        Ok(bytes.to_vec())
    }

    /// Runs one pass over the data and returns its sums; `None` where it was stopped.
    ///
    /// # Errors
    ///
    /// [`TrainingError::Diverged`] once the loss or, at the end, a weight is not finite.
    pub(super) fn epoch(
        &mut self,
        epoch: usize,
        data: &Split,
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(TrainingEvent<'_>),
    ) -> Result<Option<Pass>, TrainingError> {
        if self.config.frozen && self.fixed.is_none() {
            let weights = self.weights()?;
            self.fixed = Some(Network::of_weights(&self.config.net, &weights)?);
        }
        let (crops, weights) = data.of_epoch(epoch);
        let order = self.order(epoch, &weights);
        let batches = order.len().div_ceil(self.config.batch_size);
        let mut total = Pass::default();
        for batch in 0..batches {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let range = part(order.len(), batch, batches);
            let progress = (epoch - 1) as f64 + batch as f64 / batches as f64;
            let pass = self.step(&crops, &order[range.clone()], epoch, range.start, progress);
            if !pass.loss.is_finite() {
                return Err(TrainingError::Diverged {
                    epoch,
                    batch: batch + 1,
                });
            }
            total.add(&pass);
            on_event(TrainingEvent::Batch {
                epoch,
                done: range.end,
                total: order.len(),
                loss: total.loss(),
                accuracy: total.accuracy(),
            });
        }
        // The last step of an epoch shows in no loss of it.
        if !self.net.is_finite() {
            return Err(TrainingError::Diverged {
                epoch,
                batch: batches,
            });
        }
        Ok(Some(total))
    }

    /// Returns the indices of the crops of an epoch, shuffled.
    fn order(&self, epoch: usize, weights: &[f32]) -> Vec<usize> {
        let mut rng = ChaCha8Rng::seed_from_u64(mix(self.config.seed, epoch as u64));
        let mut order = Vec::with_capacity(weights.len());
        for (index, weight) in weights.iter().enumerate() {
            let whole = weight.floor();
            let times = whole as usize + usize::from(rng.random::<f32>() < weight - whole);
            order.extend(std::iter::repeat_n(index, times));
        }
        if order.is_empty() {
            order.push(0);
        }
        // Fisher and Yates.
        for last in (1..order.len()).rev() {
            order.swap(last, rng.random_range(0..=last));
        }
        order
    }

    /// Runs one step of the optimizer on these crops. `start` is the position of the batch in its
    /// epoch.
    fn step(
        &mut self,
        crops: &[LabeledCrop],
        batch: &[usize],
        epoch: usize,
        start: usize,
        progress: f64,
    ) -> Pass {
        let shards = self.config.shards.min(batch.len());
        let known = Known::of(batch.iter().map(|&index| &crops[index]), self.config);
        let results: Vec<ShardResult> = (0..shards)
            .into_par_iter()
            .map(|shard| {
                let range = part(batch.len(), shard, shards);
                let seed = mix(
                    mix(self.config.seed, epoch as u64),
                    (start + range.start) as u64,
                );
                self.shard(crops, &batch[range], seed, &known)
            })
            .collect();
        let mut sum = GradientsAccumulator::new();
        let mut pass = Pass::default();
        let mut statistics = Vec::with_capacity(shards);
        for result in results {
            sum.accumulate(&self.net, result.gradients);
            pass.add(&result.pass);
            statistics.push(result.statistics);
        }
        let rate = self.learning_rate(progress);
        self.net = self.optimizer.step(rate, self.net.clone(), sum.grads());
        self.update_statistics(&statistics);
        pass
    }

    /// Computes the gradients of a part of a batch. `known` counts the known answers of the whole
    /// batch, so that the gradients of its shards add up to those of the batch.
    fn shard(
        &self,
        crops: &[LabeledCrop],
        part: &[usize],
        seed: u64,
        known: &Known,
    ) -> ShardResult {
        let n = part.len();
        let distorted: Vec<CellCrop> = part
            .iter()
            .enumerate()
            .map(|(i, &index)| {
                augment(&crops[index].crop, self.config.augment, mix(seed, i as u64))
            })
            .collect();
        let mut rng = ChaCha8Rng::seed_from_u64(mix(seed, u64::MAX));
        let keep = 1.0 - self.config.dropout;
        let mut mask = |units: usize| {
            let values = (0..n * units).map(|_| match rng.random::<f32>() < keep {
                true => 1.0 / keep,
                false => 0.0,
            });
            let data = TensorData::new(values.collect::<Vec<f32>>(), [n, units]);
            Tensor::<2>::from_data(data, &self.device)
        };
        let hidden_mask = mask(self.config.net.hidden);
        let kind_units = self.config.net.kind_units;
        let kind_mask = (kind_units > 0).then(|| mask(kind_units));
        let part = part.iter().map(|&index| &crops[index]);
        let targets = Targets::new(part, self.config, &self.device);
        // A fork has leaves of its own, so that shards share no graph and no lock. What does not learn is none: leaves
        // that no gradient reaches stay in the graph, which is looked through at every step.
        if let (Some(fixed), Some(head)) = (&self.fixed, &self.net.kind) {
            let head = head.clone().fork(&self.device);
            let places = fixed.places(&distorted);
            let channels = self.config.net.channels_seen_by_kinds();
            let shape = [places.len() / channels, channels];
            let places = Tensor::from_data(TensorData::new(places, shape), &self.device);
            let answers = head.forward_train(places, kind_mask);
            let Losses { total, pass } = targets.losses(&answers, known, self.config);
            return ShardResult {
                pass,
                gradients: GradientsParams::from_grads(total.backward(), &head),
                statistics: Vec::new(),
            };
        }
        let net = self.net.clone().fork(&self.device);
        let pixels = TensorData::new(normalize(&distorted), [n, 1, CROP_SIDE, CROP_SIDE]);
        let pixels = Tensor::<4>::from_data(pixels, &self.device);
        let answers = net.forward_train(pixels, hidden_mask, kind_mask);
        let Losses { total, pass } = targets.losses(&answers, known, self.config);
        ShardResult {
            pass,
            gradients: GradientsParams::from_grads(total.backward(), &net),
            statistics: answers
                .statistics
                .into_iter()
                .map(|(mean, variance)| Statistics {
                    mean: values(mean.without_autodiff()),
                    variance: values(variance.without_autodiff()),
                })
                .collect(),
        }
    }

    fn learning_rate(&self, epoch: f64) -> f64 {
        let TrainingConfig {
            learning_rate,
            warmup,
            epochs,
            ..
        } = *self.config;
        let warm = if warmup > 0.0 {
            (epoch / warmup).clamp(0.01, 1.0)
        } else {
            1.0
        };
        let share = ((epoch - warmup) / (epochs as f64 - warmup).max(1e-9)).clamp(0.0, 1.0);
        learning_rate * warm * (0.5 + 0.5 * (std::f64::consts::PI * share).cos())
    }

    /// Moves the running statistics toward the mean of the shards' statistics.
    fn update_statistics(&mut self, shards: &[Vec<Statistics>]) {
        if self.config.frozen {
            return;
        }
        for (i, block) in self.net.blocks.iter_mut().enumerate() {
            let of = |pick: fn(&Statistics) -> &Vec<f32>| -> Vec<&Vec<f32>> {
                shards.iter().map(|shard| pick(&shard[i])).collect()
            };
            let (means, variances) = (of(|s| &s.mean), of(|s| &s.variance));
            block.mean = block.mean.clone().map(|old| blend(old, &means));
            block.variance = block.variance.clone().map(|old| blend(old, &variances));
        }
    }
}

/// Returns running values moved toward the mean of new ones.
fn blend(running: Tensor<1>, new: &[&Vec<f32>]) -> Tensor<1> {
    let device = running.device();
    let mut blended = values(running.without_autodiff());
    for (channel, value) in blended.iter_mut().enumerate() {
        let sum: f32 = new.iter().map(|new| new[channel]).sum();
        *value += MOMENTUM * (sum / new.len() as f32 - *value);
    }
    let length = blended.len();
    Tensor::from_data(TensorData::new(blended, [length]), &device)
}

/// Returns the `i`-th of `parts` nearly equal parts of `0..length`.
fn part(length: usize, i: usize, parts: usize) -> std::ops::Range<usize> {
    i * length / parts..(i + 1) * length / parts
}
