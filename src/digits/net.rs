//! The digit network: three to six convolutions, a hidden layer, ten classes. A second head classifies kinds and candidates
//! ([`super::kind`]): it looks at the last two convolutions, first at each of their places alone, then at all of them.
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

use super::kind::KIND_OUTPUTS;
use super::logits::CLASSES;
use super::net_config::{EPSILON, KERNEL, KIND_CHANNELS, NetConfig, PLACES, STRIDED};
use super::random::normal;

/// A convolution without bias, batch normalization, ReLU.
#[derive(Module, Debug)]
pub(crate) struct ConvBlock {
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

fn finite<const D: usize>(tensor: Tensor<D>) -> bool {
    let data = tensor.without_autodiff().into_data();
    let values = data.as_slice::<f32>();
    values.is_ok_and(|values| values.iter().all(|value| value.is_finite()))
}

/// Moves a parameter toward that of another network by this share of the way.
fn mix_in<const D: usize>(own: &mut Param<Tensor<D>>, other: &Param<Tensor<D>>, share: f32) {
    let mixed = own.val() + (other.val() - own.val()) * share;
    *own = own.clone().map(|_| mixed);
}

/// The digit network.
#[derive(Module, Debug)]
pub(crate) struct DigitNet {
    pub(crate) blocks: Vec<ConvBlock>,
    pub(crate) hidden: Dense,
    pub(crate) output: Dense,
    /// `None` in a network that does not classify kinds.
    pub(crate) kind: Option<KindHead>,
}

/// The second head: from the output of convolutions to a logit per kind and one per candidate.
#[derive(Module, Debug)]
pub(crate) struct KindHead {
    /// Layer applied at each position.
    pub(crate) places: Dense,
    pub(crate) hidden: Dense,
    pub(crate) output: Dense,
}

impl KindHead {
    fn layers(&self) -> [&Dense; 3] {
        [&self.places, &self.hidden, &self.output]
    }

    fn layers_mut(&mut self) -> [&mut Dense; 3] {
        [&mut self.places, &mut self.hidden, &mut self.output]
    }
}

/// Outputs for a batch in training.
pub(crate) struct TrainedAnswers {
    /// `[n, 10]`; `None` where only the second head is trained.
    pub(crate) logits: Option<Tensor<2>>,
    /// `[n, 13]`; `None` where there is no second head.
    pub(crate) kinds: Option<Tensor<2>>,
    pub(crate) statistics: BatchStatistics,
}

/// Mean and variance of one batch after each convolution, `[channels]` each.
pub(crate) type BatchStatistics = Vec<(Tensor<1>, Tensor<1>)>;

impl DigitNet {
    /// Returns whether all weights are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let blocks = self.blocks.iter().all(|block| {
            let vectors = [&block.gamma, &block.beta, &block.mean, &block.variance];
            finite(block.weight.val()) && vectors.into_iter().all(|vector| finite(vector.val()))
        });
        let kind = self.kind.iter().flat_map(KindHead::layers);
        blocks
            && [&self.hidden, &self.output]
                .into_iter()
                .chain(kind)
                .all(|layer| finite(layer.weight.val()) && finite(layer.bias.val()))
    }

    /// Returns the weighted mean of two networks of the same size, of which the other's weight is `share`.
    pub(crate) fn mean(mut self, other: &DigitNet, share: f32) -> DigitNet {
        for (block, other) in self.blocks.iter_mut().zip(&other.blocks) {
            mix_in(&mut block.weight, &other.weight, share);
            mix_in(&mut block.gamma, &other.gamma, share);
            mix_in(&mut block.beta, &other.beta, share);
            mix_in(&mut block.mean, &other.mean, share);
            mix_in(&mut block.variance, &other.variance, share);
        }
        let own = [&mut self.hidden, &mut self.output].into_iter();
        let own = own.chain(self.kind.iter_mut().flat_map(KindHead::layers_mut));
        let others = [&other.hidden, &other.output].into_iter();
        let others = others.chain(other.kind.iter().flat_map(KindHead::layers));
        for (layer, other) in own.zip(others) {
            mix_in(&mut layer.weight, &other.weight, share);
            mix_in(&mut layer.bias, &other.bias, share);
        }
        self
    }

    /// Returns a network with random weights (He et al. 2015) from this seed alone. The size must
    /// have no [`NetConfig::problem`].
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
                ConvBlock {
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
            hidden: init.dense(features, config.hidden),
            output: init.dense(config.hidden, CLASSES),
            // Last, so that the other weights are those of a network without it.
            kind: (config.kind_units > 0).then(|| KindHead {
                places: init.dense(config.channels_seen_by_kinds(), KIND_CHANNELS),
                hidden: init.dense(PLACES * KIND_CHANNELS, config.kind_units),
                output: init.dense(config.kind_units, KIND_OUTPUTS),
            }),
        }
    }

    /// Returns the logits `[n, 10]` of crops `[n, 1, 32, 32]` and those of the second head, with
    /// the running statistics: the reference for the network that inference runs.
    #[cfg(test)]
    pub(crate) fn forward(&self, crops: Tensor<4>) -> (Tensor<2>, Option<Tensor<2>>) {
        let mut seen = vec![crops];
        for (layer, block) in self.blocks.iter().enumerate() {
            let y = convolve(seen[layer].clone(), block.weight.val(), None, stride(layer));
            seen.push(activation::relu(batch_norm(
                y,
                block.gamma.val(),
                block.beta.val(),
                block.mean.val(),
                block.variance.val(),
                EPSILON,
            )));
        }
        let places = self.places(&seen[1..]);
        let kinds = self.kind.as_ref().map(|head| head.forward(places, None));
        let features = seen.swap_remove(self.blocks.len()).flatten(1, 3);
        let x = activation::relu(self.hidden.forward(features));
        (self.output.forward(x), kinds)
    }

    /// Returns the input of the second head for the pictures after each convolution: `[n * places,
    /// channels]`.
    fn places(&self, seen: &[Tensor<4>]) -> Tensor<2> {
        let widths = seen.iter().map(|picture| picture.dims()[1]).collect();
        let config = NetConfig {
            widths,
            ..NetConfig::default()
        };
        let pictures = Tensor::cat(seen[config.seen_by_kinds()].to_vec(), 1);
        let [n, channels, ..] = pictures.dims();
        let last = pictures.permute([0, 2, 3, 1]);
        last.reshape([n * PLACES, channels])
    }

    /// Returns the outputs with the statistics of this batch, and those statistics. `mask` `[n,
    /// hidden]` multiplies the hidden layer, `kind_mask` `[n, kind_units]` that of the second head:
    /// dropout.
    pub(crate) fn forward_train(
        &self,
        crops: Tensor<4>,
        mask: Tensor<2>,
        kind_mask: Option<Tensor<2>>,
    ) -> TrainedAnswers {
        let mut statistics = Vec::with_capacity(self.blocks.len());
        let mut seen = vec![crops];
        for (layer, block) in self.blocks.iter().enumerate() {
            let y = convolve(seen[layer].clone(), block.weight.val(), None, stride(layer));
            let normed = batch_norm_train(y, block.gamma.val(), block.beta.val(), EPSILON);
            statistics.push((normed.mean, normed.variance));
            seen.push(activation::relu(normed.output));
        }
        let kinds = self.kind.as_ref();
        let kinds = kinds.map(|head| head.forward(self.places(&seen[1..]), kind_mask));
        let features = seen.swap_remove(self.blocks.len()).flatten(1, 3);
        let x = activation::relu(self.hidden.forward(features));
        TrainedAnswers {
            logits: Some(self.output.forward(x * mask)),
            kinds,
            statistics,
        }
    }
}

impl KindHead {
    /// Returns the outputs of this head alone for its input, `[n * places, channels]`. `mask` as in
    /// [`DigitNet::forward_train`].
    pub(crate) fn forward_train(
        &self,
        places: Tensor<2>,
        mask: Option<Tensor<2>>,
    ) -> TrainedAnswers {
        TrainedAnswers {
            logits: None,
            kinds: Some(self.forward(places, mask)),
            statistics: Vec::new(),
        }
    }

    /// Returns the logits `[n, 13]` of the input `[n * places, channels]`; `mask` multiplies the
    /// hidden layer.
    fn forward(&self, places: Tensor<2>, mask: Option<Tensor<2>>) -> Tensor<2> {
        let x = activation::relu(self.places.forward(places));
        let [rows, channels] = x.dims();
        let x = x.reshape([rows / PLACES, PLACES * channels]);
        let x = activation::relu(self.hidden.forward(x));
        self.output.forward(match mask {
            Some(mask) => x * mask,
            None => x,
        })
    }
}

impl Dense {
    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        linear(x, self.weight.val(), Some(self.bias.val()))
    }
}

/// Returns the stride of a layer; layers are counted from 0.
const fn stride(layer: usize) -> usize {
    if layer < STRIDED { 2 } else { 1 }
}

/// Returns a 3 x 3 convolution that keeps the size of the picture except for its stride.
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

/// Draws the initial weights; numbers the parameters so that equal runs write equal files.
struct Init<'a> {
    rng: ChaCha8Rng,
    device: &'a Device,
    next_id: u64,
}

impl Init<'_> {
    /// Draws normal values of variance 2 / fan-in.
    fn normal<const D: usize>(&mut self, shape: [usize; D], fan_in: usize) -> Param<Tensor<D>> {
        let deviation = (2.0 / fan_in as f32).sqrt();
        let count: usize = shape.iter().product();
        let values = (0..count)
            .map(|_| deviation * normal(&mut self.rng))
            .collect();
        self.param(values, shape)
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        Dense {
            weight: self.normal([inputs, outputs], inputs),
            bias: self.constant(outputs, 0.0),
        }
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
