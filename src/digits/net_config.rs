//! Size of the digit network, and what of its shape is the same at every size.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::vision::CROP_SIDE;

/// Pixels along each side of a convolution's kernel.
pub(crate) const KERNEL: usize = 3;
/// Convolutions of stride 2, after which a crop of 32 pixels has shrunk to 16, 8, 4. Those that
/// follow keep the size.
const STRIDED: usize = 3;
/// Most convolutions that a network may have.
const DEEPEST: usize = 6;
/// Most channels of a convolution, or units of the hidden layer.
const WIDEST: usize = 4096;
/// Added to a variance before its root is taken.
pub(crate) const EPSILON: f64 = 1e-5;

/// Size of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetConfig {
    /// Channels after each convolution: three of stride 2, then up to three more.
    pub widths: Vec<usize>,
    /// Units of the hidden layer.
    pub hidden: usize,
}

impl Default for NetConfig {
    fn default() -> NetConfig {
        NetConfig {
            widths: vec![16, 32, 64, 64],
            hidden: 64,
        }
    }
}

impl fmt::Display for NetConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "widths {:?}, hidden {}", self.widths, self.hidden)
    }
}

impl NetConfig {
    /// Why there is no network of this size, if there is none.
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
        } else {
            None
        }
    }

    /// Values that enter the hidden layer: the channels of the last picture times its pixels.
    pub(crate) fn features(&self) -> usize {
        let side = CROP_SIDE >> STRIDED;
        self.widths.last().map_or(0, |width| width * side * side)
    }
}

/// Pixels from one place of a layer's kernel to the next; layers are counted from 0.
pub(crate) fn stride(layer: usize) -> usize {
    if layer < STRIDED { 2 } else { 1 }
}
