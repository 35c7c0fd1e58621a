//! Normalization of crops, used by both training and inference, so that a network never sees a cell
//! that was prepared differently.

use crate::vision::{CROP_SIDE, CellCrop};

/// Identity of this normalization, saved in every model card: models trained with another one are
/// refused.
pub(crate) const NORMALIZATION: &str = "ground-minus-pixel/board-floor-0.4/clip-1.6";

/// Pixels of one crop.
pub(crate) const CROP_PIXELS: usize = CROP_SIDE * CROP_SIDE;

/// Share of the board's contrast below which a cell is not stretched further, so that the noise of
/// a blank stays small beside the digits of its board.
const BOARD_FLOOR: f32 = 0.4;
/// Gray values added to every contrast, so that an even cell does not cause a division by zero.
const CONTRAST_OFFSET: f32 = 4.0;
/// Largest value of a normalized pixel; ink of typical strength is 1.
const CLIP: f32 = 1.6;

/// Returns the normalized pixels of these crops, one crop after the other: `CROP_SIDE²` values
/// each, between -1.6 and 1.6, the background at 0, ink positive.
pub fn normalize<'a>(crops: impl IntoIterator<Item = &'a CellCrop>) -> Vec<f32> {
    let crops = crops.into_iter();
    let mut values = Vec::with_capacity(crops.size_hint().0 * CROP_PIXELS);
    for crop in crops {
        let tone = crop.tone();
        let contrast = tone.contrast.max(BOARD_FLOOR * crop.board_contrast);
        let scale = 1.0 / (contrast + CONTRAST_OFFSET);
        values.extend(
            crop.pixels
                .iter()
                .map(|&pixel| ((tone.ground - f32::from(pixel)) * scale).clamp(-CLIP, CLIP)),
        );
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crop(pixels: impl Fn(usize, usize) -> u8, board_contrast: f32) -> CellCrop {
        let pixels = std::array::from_fn(|i| pixels(i % CROP_SIDE, i / CROP_SIDE));
        CellCrop {
            pixels: Box::new(pixels),
            board_contrast,
        }
    }

    fn bar(x: usize, _: usize) -> bool {
        (14..18).contains(&x)
    }

    #[test]
    fn light_and_exposure_do_not_change_a_normalized_digit_much() {
        let bright = crop(|x, y| if bar(x, y) { 40 } else { 240 }, 200.0);
        let dim = crop(|x, y| if bar(x, y) { 20 } else { 120 }, 100.0);
        let values = normalize(&[bright, dim]);
        let (bright, dim) = values.split_at(CROP_PIXELS);
        for (a, b) in bright.iter().zip(dim) {
            assert!((a - b).abs() < 0.05, "{a} against {b}");
        }
        assert!(bright[16] > 0.9 && bright[0] == 0.0);
    }

    #[test]
    fn noise_of_a_blank_stays_small_on_a_board_with_ink() {
        let noisy = |x: usize, y: usize| 200 + ((x * 7 + y * 13) % 5) as u8;
        let values = normalize(&[crop(noisy, 120.0)]);
        assert!(values.iter().all(|value| value.abs() < 0.1));
    }

    #[test]
    fn every_value_is_finite_and_clipped() {
        for board_contrast in [0.0, 1.0, 255.0] {
            let wild = crop(|x, y| (x * 31 + y * 57) as u8, board_contrast);
            let even = crop(|_, _| 0, board_contrast);
            let values = normalize(&[wild, even]);
            assert!(values.iter().all(|v| v.is_finite() && v.abs() <= CLIP));
        }
    }
}
