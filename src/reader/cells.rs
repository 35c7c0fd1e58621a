//! Classification of the cells of a board.

use super::closer::{closer, is_doubtful};
use super::config::TrustConfig;
use super::digit_contrast::heed_contrast;
use super::digit_size::heed_size;
use super::refusal::Refusal;
use crate::digits::{DigitClassifier, Posterior};
use crate::grid::{Cell, CellMap};
use crate::vision::{BoardPlace, CellCrop, Photo};

/// Number of cells that are read first where a board is doubted: a puzzle with one solution holds as many digits.
const SAMPLE: usize = 17;

/// Reads the cells of a board.
pub(super) struct CellReader(pub(super) Box<dyn DigitClassifier>);

impl CellReader {
    /// Returns the posterior of each cell. An error of one board does not affect others.
    pub(super) fn classify(
        &self,
        crops: &CellMap<CellCrop>,
    ) -> Result<CellMap<Posterior>, Refusal> {
        let posteriors = self.classify_some(crops.as_array())?;
        Ok(heed_ink(
            crops,
            &CellMap::from_fn(|cell| posteriors[cell.index()]),
        ))
    }

    /// The same, but `None` where few of the cells with most ink hold a clear digit: in a wrong orientation or place.
    pub(super) fn classify_promising(
        &self,
        crops: &CellMap<CellCrop>,
        trust: &TrustConfig,
    ) -> Result<Option<CellMap<Posterior>>, Refusal> {
        let inks = crops.map(CellCrop::ink);
        let mut cells: Vec<Cell> = Cell::all().collect();
        cells.sort_by(|a, b| inks[*b].total_cmp(&inks[*a]));
        let (sample, rest) = cells.split_at(SAMPLE);
        let read = |cells: &[Cell]| {
            let crops: Vec<CellCrop> = cells.iter().map(|cell| crops[*cell].clone()).collect();
            self.classify_some(&crops)
        };
        let mut seen = read(sample)?;
        let clear = |it: &&Posterior| it.best().is_some() && it.of(it.best()) >= trust.decided;
        if seen.iter().filter(clear).count() < trust.min_digits_in_sample {
            return Ok(None);
        }
        seen.extend(read(rest)?);
        let mut posteriors = CellMap::from_fn(|_| seen[0]);
        for (cell, posterior) in cells.into_iter().zip(seen) {
            posteriors[cell] = posterior;
        }
        Ok(Some(heed_ink(crops, &posteriors)))
    }

    /// Returns the posteriors of a board after a closer look at small digits of which these posteriors are unsure. It says
    /// which digit a cell holds, not whether it holds one: pencil marks are known by their size.
    pub(super) fn look_closer(
        &self,
        photo: &Photo,
        place: &BoardPlace,
        crops: &CellMap<CellCrop>,
        first: &CellMap<Posterior>,
    ) -> Result<CellMap<Posterior>, Refusal> {
        let doubtful = Cell::all().filter(|cell| is_doubtful(&first[*cell]));
        let looks =
            doubtful.filter_map(|cell| Some((cell, closer(photo, place, cell, &crops[cell])?)));
        let (cells, looks): (Vec<Cell>, Vec<CellCrop>) = looks.unzip();
        let mut posteriors = *first;
        if cells.is_empty() {
            return Ok(posteriors);
        }
        for (cell, look) in cells.into_iter().zip(self.classify_some(&looks)?) {
            posteriors[cell] = first[cell].with_digits_of(&look);
        }
        Ok(posteriors)
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

/// Returns the posteriors after a look at the size and contrast of the ink that they were read from.
fn heed_ink(crops: &CellMap<CellCrop>, posteriors: &CellMap<Posterior>) -> CellMap<Posterior> {
    heed_contrast(crops, &heed_size(crops, posteriors))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::digits::{InferenceError, NetClassifier};
    use crate::grid::Digit;
    use crate::reader::closer::tests::{Drawn, bars};
    use crate::vision::{
        Backend, CROP_SIDE, DetectConfig, LocateConfig, PhotoConfig, locate, turn_board,
    };

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

    #[test]
    fn in_a_wrong_orientation_the_cells_with_most_ink_are_enough() {
        let bytes = std::fs::read("datasets/photos/000-newspaper.jpg").unwrap();
        let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
        let detector = Backend::BuiltIn.detector(&DetectConfig::default()).unwrap();
        let board = locate(&photo, &*detector, &LocateConfig::default()).unwrap();
        let crops = &board[0].crops;
        let reader = CellReader(Box::new(NetClassifier::built_in().unwrap()));
        let trust = TrustConfig::default();
        let seen = reader.classify_promising(crops, &trust).unwrap();
        assert_eq!(seen, Some(reader.classify(crops).unwrap()));
        for turns in [1, 3] {
            let turned = turn_board(crops, turns);
            let seen = reader.classify_promising(&turned, &trust).unwrap();
            assert_eq!(seen, None, "{turns} quarter turns");
        }
    }

    /// Sees the same digit in every crop, however blank.
    struct Always(Posterior);

    impl DigitClassifier for Always {
        fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
            Ok(vec![self.0; crops.len()])
        }
    }

    /// The posterior of these contents, 0 for a blank; the others are impossible.
    pub(crate) fn posterior(contents: &[(usize, f32)]) -> Posterior {
        let mut weights = [0.0; 10];
        contents
            .iter()
            .for_each(|&(content, weight)| weights[content] = weight);
        Posterior::from_weights(weights).unwrap()
    }

    #[test]
    fn a_closer_look_says_which_digit_a_doubtful_small_one_is_and_not_whether_it_is_one() {
        // Bars of half the height of a digit, but for one.
        let Drawn {
            photo,
            place,
            crops,
        } = bars(0.3, [(Cell::at(4, 4).unwrap(), 0.6)]);
        let doubtful = posterior(&[(0, 0.2), (1, 0.5), (7, 0.3)]);
        let sure = posterior(&[(1, 0.96), (7, 0.04)]);
        let first = CellMap::from_fn(|cell| if cell.row() == 0 { sure } else { doubtful });
        let reader = CellReader(Box::new(Always(posterior(&[(0, 0.9), (7, 0.1)]))));
        let closer = reader.look_closer(&photo, &place, &crops, &first).unwrap();
        for (cell, posterior) in closer.iter() {
            if cell.row() == 0 || cell == Cell::at(4, 4).unwrap() {
                assert_eq!(*posterior, first[cell], "{cell}");
            } else {
                assert!((posterior.of(None) - 0.2).abs() < 1e-6, "{cell}");
                assert_eq!(posterior.best(), Digit::new(7), "{cell}");
            }
        }
    }
}
