//! Calibration of a classifier: the reliability table and the expected calibration error over 15
//! bins, after Guo et al., "On Calibration of Modern Neural Networks", 2017.

use serde::{Deserialize, Serialize};

/// Bins of equal width over the confidence.
const BINS: usize = 15;

/// Crops whose confidence falls into one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReliabilityBin {
    /// Crops in the bin.
    pub crops: usize,
    /// Number of these that were read correctly.
    pub right: usize,
    /// Sum over all crops of the bin.
    confidence_sum: f32,
}

impl ReliabilityBin {
    /// Returns the mean confidence; `None` for an empty bin.
    pub fn confidence(&self) -> Option<f32> {
        (self.crops > 0).then(|| self.confidence_sum / self.crops as f32)
    }

    /// Returns the share read correctly; `None` for an empty bin.
    pub fn accuracy(&self) -> Option<f32> {
        (self.crops > 0).then(|| self.right as f32 / self.crops as f32)
    }
}

/// The reliability table at one temperature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// Divisor of the logits.
    pub temperature: f32,
    bins: [ReliabilityBin; BINS],
}

impl Reliability {
    /// Returns an empty table.
    pub(crate) fn new(temperature: f32) -> Reliability {
        Reliability {
            temperature,
            bins: [ReliabilityBin::default(); BINS],
        }
    }

    /// Counts one crop, read with this confidence, 0 to 1.
    pub(crate) fn add(&mut self, confidence: f32, right: bool) {
        let bin = ((confidence * BINS as f32) as usize).min(BINS - 1);
        let bin = &mut self.bins[bin];
        bin.crops += 1;
        bin.right += usize::from(right);
        bin.confidence_sum += confidence;
    }

    /// Returns the bins from low to high, each with its range of confidence.
    pub fn bins(&self) -> impl Iterator<Item = (std::ops::Range<f32>, &ReliabilityBin)> {
        let edge = |bin: usize| bin as f32 / BINS as f32;
        let bins = self.bins.iter().enumerate();
        bins.map(move |(i, bin)| (edge(i)..edge(i + 1), bin))
    }

    /// Returns the expected calibration error: the distance between confidence and accuracy,
    /// weighted by the crops of each bin; 0 without crops.
    pub fn error(&self) -> f32 {
        let crops: usize = self.bins.iter().map(|bin| bin.crops).sum();
        let distances = self.bins.iter();
        let distance: f32 = distances
            .map(|bin| (bin.right as f32 - bin.confidence_sum).abs())
            .sum();
        distance / crops.max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calibration_error_weights_bins_by_their_crops() {
        let mut table = Reliability::new(1.0);
        assert_eq!(table.error(), 0.0);
        // Three at 0.9, two of them right; one at 1, right.
        for right in [true, true, false] {
            table.add(0.9, right);
        }
        table.add(1.0, true);
        assert!((table.error() - (2.7 - 2.0) / 4.0).abs() < 1e-6);
        let crops: Vec<usize> = table.bins().map(|(_, bin)| bin.crops).collect();
        assert_eq!(crops[13..], [3, 1]);
        assert!(table.bins().all(|(range, bin)| {
            bin.confidence()
                .is_none_or(|mean| range.contains(&mean) || mean == 1.0)
        }));
        assert_eq!(table.bins().next().unwrap().1.accuracy(), None);
    }
}
