//! Size of the digit network.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::vision::CROP_SIDE;

/// Pixels along each side of a convolution's kernel.
pub(crate) const KERNEL: usize = 3;
/// Number of convolutions of stride 2, after which a crop of 32 pixels has shrunk to 16, 8, 4.
/// Those that follow keep the size.
pub(crate) const STRIDED: usize = 3;
/// Pixels of the pictures after the strided convolutions.
pub(crate) const PLACES: usize = (CROP_SIDE >> STRIDED) * (CROP_SIDE >> STRIDED);
/// Units of the second head at each of these pixels.
pub(crate) const KIND_CHANNELS: usize = 48;
/// Largest number of convolutions.
const DEEPEST: usize = 6;
/// Largest number of channels of a convolution, or units of the hidden layer.
const WIDEST: usize = 4096;
/// Added to a variance before taking its root.
pub(crate) const EPSILON: f64 = 1e-5;

/// Size of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetConfig {
    /// Channels after each convolution: three of stride 2, then up to three more.
    pub widths: Vec<usize>,
    /// Units of the hidden layer.
    pub hidden: usize,
    /// Units of the hidden layer of the second head, which classifies the kind of a cell and the
    /// candidates marked in it; 0 for a network without one, such as older models.
    #[serde(default)]
    pub kind_units: usize,
}

impl Default for NetConfig {
    fn default() -> NetConfig {
        NetConfig {
            widths: vec![16, 32, 64, 64],
            hidden: 64,
            kind_units: 64,
        }
    }
}

impl fmt::Display for NetConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetConfig {
            widths,
            hidden,
            kind_units,
        } = self;
        write!(
            f,
            "widths {widths:?}, hidden {hidden}, kind_units {kind_units}"
        )
    }
}

impl NetConfig {
    /// Returns why there is no network of this size, if there is none.
    pub(crate) fn problem(&self) -> Option<String> {
        let depth = self.widths.len();
        let mut widths = self.widths.iter().chain([&self.hidden]);
        if !(STRIDED..=DEEPEST).contains(&depth) {
            Some(format!(
                "widths of the network must be {STRIDED} to {DEEPEST} numbers, not {depth}"
            ))
        } else if widths.any(|width| !(1..=WIDEST).contains(width)) {
            Some(format!(
                "widths of the network must be between 1 and {WIDEST}"
            ))
        } else if self.kind_units > WIDEST {
            Some(format!(
                "kind_units of the network must be at most {WIDEST}"
            ))
        } else {
            None
        }
    }

    /// Returns the number of weights without biases and other small terms.
    pub(crate) fn products(&self) -> u64 {
        let layer = |inputs: usize, outputs: usize| inputs as u64 * outputs as u64;
        let mut channels = 1;
        let mut sum = 0;
        for &width in &self.widths {
            sum += layer(KERNEL * KERNEL * channels, width);
            channels = width;
        }
        let seen = match self.kind_units {
            0 => 0,
            _ => layer(self.channels_seen_by_kinds(), KIND_CHANNELS),
        };
        let kind = layer(PLACES * KIND_CHANNELS, self.kind_units);
        sum + layer(self.features(), self.hidden) + seen + kind
    }

    /// Returns the size without the second head.
    pub(crate) fn without_kinds(&self) -> NetConfig {
        NetConfig {
            kind_units: 0,
            ..self.clone()
        }
    }

    /// Returns the indices of the convolutions that the second head looks at: the last two of those
    /// whose pictures have the size of the last one.
    pub(crate) fn seen_by_kinds(&self) -> std::ops::Range<usize> {
        let depth = self.widths.len();
        (STRIDED - 1).max(depth.saturating_sub(2))..depth
    }

    /// Returns the number of values that the second head sees at each of [`PLACES`].
    pub(crate) fn channels_seen_by_kinds(&self) -> usize {
        self.widths[self.seen_by_kinds()].iter().sum()
    }

    /// Returns the number of inputs of the hidden layer: the channels of the last picture times its
    /// pixels.
    pub(crate) fn features(&self) -> usize {
        let side = CROP_SIDE >> STRIDED;
        self.widths.last().map_or(0, |width| width * side * side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_of_older_models_have_no_second_head() {
        let old: NetConfig =
            serde_json::from_str(r#"{"widths": [20, 40, 80, 80], "hidden": 64}"#).unwrap();
        assert_eq!(old.kind_units, 0);
        assert_eq!(old.seen_by_kinds(), 2..4);
        assert_eq!(old.channels_seen_by_kinds(), 160);
        let three = NetConfig {
            widths: vec![8, 8, 12],
            ..old
        };
        assert_eq!(three.channels_seen_by_kinds(), 12);
    }
}
