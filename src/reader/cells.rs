//! Classification of the cells of a board.

use super::digit_size::heed_size;
use super::refusal::Refusal;
use crate::digits::{DigitClassifier, Posterior};
use crate::grid::CellMap;
use crate::vision::CellCrop;

/// Reads the cells of a board.
pub(super) struct CellReader(pub(super) Box<dyn DigitClassifier>);

impl CellReader {
    /// Returns the posterior of each cell. An error of one board does not affect others.
    pub(super) fn classify(
        &self,
        crops: &CellMap<CellCrop>,
    ) -> Result<CellMap<Posterior>, Refusal> {
        let posteriors = self.classify_some(crops.as_array())?;
        let posteriors = CellMap::from_fn(|cell| posteriors[cell.index()]);
        Ok(heed_size(crops, &posteriors))
    }

    /// Returns the means of these posteriors of a board and those of four more looks at its cells, each a pixel of
    /// the crops aside: what a network errs in depends on where a cell is cut (test-time augmentation).
    pub(super) fn look_aside(
        &self,
        crops: &CellMap<CellCrop>,
        first: &CellMap<Posterior>,
    ) -> Result<CellMap<Posterior>, Refusal> {
        let mut looks = Vec::with_capacity(4);
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            looks.push(self.classify(&crops.map(|crop| crop.shifted(right, down)))?);
        }
        Ok(CellMap::from_fn(|cell| {
            first[cell].mean_with(looks.iter().map(|look| look[cell]))
        }))
    }

    /// Returns the posterior of each of these cells.
    pub(super) fn classify_some(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, Refusal> {
        let posteriors = self.0.classify(crops)?;
        if posteriors.len() != crops.len() {
            return Err(Refusal::Network(format!(
                "the digit network answered for {} of {} cells",
                posteriors.len(),
                crops.len()
            )));
        }
        Ok(posteriors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::InferenceError;
    use crate::vision::CROP_SIDE;

    /// As likely blank as the pixel at the center is bright.
    struct Center;

    impl DigitClassifier for Center {
        fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
            let center = CROP_SIDE / 2 * CROP_SIDE + CROP_SIDE / 2;
            let blank = |crop: &CellCrop| f32::from(crop.pixels[center]) / 255.0;
            Ok(crops
                .iter()
                .map(|crop| Posterior::blank(blank(crop)))
                .collect())
        }
    }

    #[test]
    fn five_looks_count_alike() {
        let mut pixels = Box::new([0; CROP_SIDE * CROP_SIDE]);
        pixels[CROP_SIDE / 2 * CROP_SIDE + CROP_SIDE / 2] = 255;
        let crop = CellCrop {
            pixels,
            board_contrast: 255.0,
        };
        let crops = CellMap::from_fn(|_| crop.clone());
        let reader = CellReader(Box::new(Center));
        let first = reader.classify(&crops).unwrap();
        let mean = reader.look_aside(&crops, &first).unwrap();
        for (cell, posterior) in mean.iter() {
            assert_eq!(first[cell].of(None), 1.0);
            assert!((posterior.of(None) - 0.2).abs() < 1e-6);
        }
    }
}
