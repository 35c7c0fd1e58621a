//! The digit network: three to six convolutions, a hidden layer, ten classes.
//!
//! Strides instead of pooling: on Burn's plain CPU back-end pooling costs more than a convolution.
//! Batch normalization after Ioffe and Szegedy (2015) with statistics that the training loop owns,
//! because several threads each run a part of a batch; dropout masks come from outside for the same
//! reason. So a run depends on its seed alone, not on Burn's global generator or on threads.

use burn::module::{Module, Param, ParamId};
#[cfg(test)]
use burn::tensor::module::batch_norm;
use burn::tensor::module::{batch_norm_train, conv2d, linear};
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Device, Tensor, TensorData, activation};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::logits::CLASSES;
use super::net_config::{EPSILON, KERNEL, NetConfig, stride};
use super::random::normal;

/// A convolution without bias, batch normalization, ReLU.
#[derive(Module, Debug)]
pub(crate) struct Block {
    /// `[out, in, 3, 3]`.
    pub(crate) weight: Param<Tensor<4>>,
    /// `[out]`: scale after normalization.
    pub(crate) gamma: Param<Tensor<1>>,
    /// `[out]`: offset after normalization.
    pub(crate) beta: Param<Tensor<1>>,
    /// `[out]`: running mean, not trained.
    pub(crate) mean: Param<Tensor<1>>,
    /// `[out]`: running variance, not trained.
    pub(crate) variance: Param<Tensor<1>>,
}

/// `output = input * weight + bias`.
#[derive(Module, Debug)]
pub(crate) struct Dense {
    /// `[in, out]`.
    pub(crate) weight: Param<Tensor<2>>,
    /// `[out]`.
    pub(crate) bias: Param<Tensor<1>>,
}

/// The digit network.
#[derive(Module, Debug)]
pub(crate) struct DigitNet {
    pub(crate) blocks: Vec<Block>,
    pub(crate) hidden: Dense,
    pub(crate) output: Dense,
}

/// Mean and variance of one batch after each convolution, `[channels]` each.
pub(crate) type BatchStatistics = Vec<(Tensor<1>, Tensor<1>)>;

impl DigitNet {
    /// A network with random weights (He et al. 2015) from this seed alone. The size must have no
    /// [`NetConfig::problem`].
    pub(crate) fn new(config: &NetConfig, seed: u64, device: &Device) -> DigitNet {
        let mut init = Init {
            rng: ChaCha8Rng::seed_from_u64(seed),
            device,
            next_id: 1,
        };
        let mut channels = 1;
        let blocks = config
            .widths
            .iter()
            .map(|&width| {
                let fan_in = channels * KERNEL * KERNEL;
                let weight = init.normal([width, channels, KERNEL, KERNEL], fan_in);
                channels = width;
                Block {
                    weight,
                    gamma: init.constant(width, 1.0),
                    beta: init.constant(width, 0.0),
                    mean: init.constant(width, 0.0).set_require_grad(false),
                    variance: init.constant(width, 1.0).set_require_grad(false),
                }
            })
            .collect();
        let features = config.features();
        DigitNet {
            blocks,
            hidden: Dense {
                weight: init.normal([features, config.hidden], features),
                bias: init.constant(config.hidden, 0.0),
            },
            output: Dense {
                weight: init.normal([config.hidden, CLASSES], config.hidden),
                bias: init.constant(CLASSES, 0.0),
            },
        }
    }

    /// Logits `[n, 10]` of crops `[n, 1, 32, 32]`, with the running statistics: the definition
    /// that folding is held against.
    #[cfg(test)]
    pub(crate) fn forward(&self, crops: Tensor<4>) -> Tensor<2> {
        let mut x = crops;
        for (layer, block) in self.blocks.iter().enumerate() {
            let y = convolve(x, block.weight.val(), None, stride(layer));
            x = activation::relu(batch_norm(
                y,
                block.gamma.val(),
                block.beta.val(),
                block.mean.val(),
                block.variance.val(),
                EPSILON,
            ));
        }
        let x = activation::relu(self.hidden.forward(x.flatten(1, 3)));
        self.output.forward(x)
    }

    /// Logits `[n, 10]` with the statistics of this batch, and those statistics. `mask`
    /// `[n, hidden]` multiplies the hidden layer: dropout.
    pub(crate) fn forward_train(
        &self,
        crops: Tensor<4>,
        mask: Tensor<2>,
    ) -> (Tensor<2>, BatchStatistics) {
        let mut statistics = Vec::with_capacity(self.blocks.len());
        let mut x = crops;
        for (layer, block) in self.blocks.iter().enumerate() {
            let y = convolve(x, block.weight.val(), None, stride(layer));
            let normed = batch_norm_train(y, block.gamma.val(), block.beta.val(), EPSILON);
            statistics.push((normed.mean, normed.variance));
            x = activation::relu(normed.output);
        }
        let x = activation::relu(self.hidden.forward(x.flatten(1, 3)));
        (self.output.forward(x * mask), statistics)
    }
}

impl Dense {
    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        linear(x, self.weight.val(), Some(self.bias.val()))
    }
}

/// A 3 x 3 convolution that keeps the size of the picture but for its stride.
pub(crate) fn convolve(
    x: Tensor<4>,
    weight: Tensor<4>,
    bias: Option<Tensor<1>>,
    stride: usize,
) -> Tensor<4> {
    conv2d(
        x,
        weight,
        bias,
        ConvOptions::new([stride; 2], [KERNEL / 2; 2], [1; 2], 1),
    )
}

/// Draws the first weights; numbers the parameters so that equal runs write equal files.
struct Init<'a> {
    rng: ChaCha8Rng,
    device: &'a Device,
    next_id: u64,
}

impl Init<'_> {
    /// Normal values of variance 2 / fan-in.
    fn normal<const D: usize>(&mut self, shape: [usize; D], fan_in: usize) -> Param<Tensor<D>> {
        let deviation = (2.0 / fan_in as f32).sqrt();
        let count: usize = shape.iter().product();
        let values = (0..count)
            .map(|_| deviation * normal(&mut self.rng))
            .collect();
        self.param(values, shape)
    }

    fn constant(&mut self, length: usize, value: f32) -> Param<Tensor<1>> {
        self.param(vec![value; length], [length])
    }

    fn param<const D: usize>(&mut self, values: Vec<f32>, shape: [usize; D]) -> Param<Tensor<D>> {
        let tensor = Tensor::from_data(TensorData::new(values, shape), self.device);
        let id = ParamId::from(self.next_id);
        self.next_id += 1;
        Param::initialized(id, tensor).set_require_grad(true)
    }
}
