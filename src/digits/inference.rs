//! The network as a [`DigitClassifier`].

use std::path::Path;

use super::artifact::{Artifact, ArtifactError, ModelCard};
use super::classifier::{DigitClassifier, InferenceError};
use super::kind::KindPosterior;
use super::logits::{Logits, softmax};
use super::network::Network;
use super::posterior::Posterior;
use crate::vision::{CROP_SIDE, CellCrop};

/// A cell is clearly blank when its contrast is below the first share of its board's contrast and
/// no pixel inside is farther from the background than the second. The faintest of 12,879 digits on
/// photographed boards filled by hand, pencil in shadow, is at 0.085 and 0.12, which leaves a
/// margin of half as much again; a stronger rule saves time and loses such digits.
const BLANK_CONTRAST: f32 = 0.05;
const BLANK_EXTREME: f32 = 0.08;
/// Pixels along the edge of a crop that are ignored because of grid lines.
const BLANK_EDGE: usize = 4;
/// Probability that a clearly blank cell is blank: by the rule of three, since none of about 2,000
/// such cells on photographs held a digit.
const BLANK_PROBABILITY: f32 = 0.9985;

/// Least probability of a class before normalization: no misreading is impossible, and the
/// logarithm stays finite.
const FLOOR: f32 = 1e-9;

/// A classifier with a trained network. Starts no threads; several threads may call it at once.
#[derive(Debug)]
pub struct NetClassifier {
    net: Network,
    card: ModelCard,
}

impl NetClassifier {
    /// Returns the classifier with the built-in model.
    ///
    /// # Errors
    ///
    /// [`ArtifactError`] if the model does not fit: a mistake of the build.
    pub fn built_in() -> Result<NetClassifier, ArtifactError> {
        NetClassifier::new(Artifact::built_in()?)
    }

    /// Returns the classifier with the model in this folder (`weights`, `card.json`).
    ///
    /// # Errors
    ///
    /// [`ArtifactError`] if it is missing or does not fit.
    pub fn load(folder: &Path) -> Result<NetClassifier, ArtifactError> {
        NetClassifier::new(Artifact::read(folder)?)
    }

    /// Returns the classifier with this model.
    ///
    /// # Errors
    ///
    /// As [`NetClassifier::load`].
    pub fn new(artifact: Artifact) -> Result<NetClassifier, ArtifactError> {
        Ok(NetClassifier {
            net: Network::new(&artifact)?,
            card: artifact.card,
        })
    }

    /// Returns the card of the model.
    pub fn card(&self) -> &ModelCard {
        &self.card
    }
}

impl DigitClassifier for NetClassifier {
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
        let blank = match self.classifies_kinds() {
            true => Posterior::blank(BLANK_PROBABILITY).with_kind(KindPosterior::BLANK),
            false => Posterior::blank(BLANK_PROBABILITY),
        };
        let mut posteriors = vec![blank; crops.len()];
        let (places, unclear): (Vec<usize>, Vec<&CellCrop>) = crops
            .iter()
            .enumerate()
            .filter(|(_, crop)| !is_clearly_blank(crop))
            .unzip();
        let answers = self.net.answers(&unclear)?;
        for (&crop, logits) in places.iter().zip(&answers.logits) {
            posteriors[crop] = posterior(logits, self.card.temperature)
                .ok_or(InferenceError::NotFinite { crop })?;
        }
        for (&crop, logits) in places.iter().zip(&answers.kinds) {
            let kind = KindPosterior::of_logits(logits);
            let kind = kind.ok_or(InferenceError::NotFinite { crop })?;
            posteriors[crop] = posteriors[crop].with_kind(kind);
        }
        Ok(posteriors)
    }

    /// Returns false for older models.
    fn classifies_kinds(&self) -> bool {
        self.card.config.net.kind_units > 0
    }
}

/// Converts the logits of a crop to probabilities; `None` where they are not finite.
fn posterior(logits: &Logits, temperature: f32) -> Option<Posterior> {
    // Unlike `max`, `clamp` keeps what is not a number, which is then refused.
    let weights = softmax(logits, temperature).map(|p| p.clamp(FLOOR, 1.0));
    Posterior::from_weights(weights)
}

/// Returns whether a cell is so clearly blank that the network is not needed: blanks are half of
/// the cells. Of those on photographs a sixth are as clear as paper, of those on newspapers of a phone 3 %.
fn is_clearly_blank(crop: &CellCrop) -> bool {
    let tone = crop.tone();
    if tone.contrast >= BLANK_CONTRAST * crop.board_contrast {
        return false;
    }
    let least = BLANK_EXTREME * crop.board_contrast;
    let rows = crop.pixels.chunks_exact(CROP_SIDE);
    rows.skip(BLANK_EDGE)
        .take(CROP_SIDE - 2 * BLANK_EDGE)
        .flat_map(|row| &row[BLANK_EDGE..CROP_SIDE - BLANK_EDGE])
        .all(|&pixel| (f32::from(pixel) - tone.ground).abs() < least)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A blank with a bar as thin as a pencil stroke, this much darker than the paper.
    fn stroke(darker: u8) -> CellCrop {
        let mut pixels = Box::new([200; CROP_SIDE * CROP_SIDE]);
        for row in 8..24 {
            pixels[row * CROP_SIDE + 16] -= darker;
        }
        CellCrop {
            pixels,
            board_contrast: 100.0,
        }
    }

    #[test]
    fn only_plain_paper_is_clearly_blank_and_faint_strokes_go_to_the_network() {
        assert!(is_clearly_blank(&stroke(0)));
        assert!(is_clearly_blank(&stroke(3)));
        for darker in 8..200 {
            assert!(!is_clearly_blank(&stroke(darker)), "{darker}");
        }
    }

    #[test]
    fn nan_gives_no_posterior() {
        let mut logits = [0.0; 10];
        assert!(posterior(&logits, 1.0).is_some());
        logits[3] = -1e30;
        let sure = posterior(&logits, 0.5).unwrap();
        assert!(sure.as_array().iter().all(|p| *p > 0.0));
        for (odd, temperature) in [
            (f32::NAN, 1.0),
            (f32::INFINITY, 1.0),
            (0.0, f32::NAN),
            (0.0, 0.0),
        ] {
            logits[3] = odd;
            assert_eq!(posterior(&logits, temperature), None, "{odd}");
        }
    }

    #[test]
    fn a_board_without_ink_has_no_clear_blanks() {
        let mut crop = stroke(1);
        crop.board_contrast = 0.0;
        assert!(!is_clearly_blank(&crop));
    }
}
