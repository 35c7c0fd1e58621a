//! The ink of a cell: how tall it is, and where.

use crate::vision::{CROP_EDGE, CROP_SIDE, CellCrop};

/// Share of a cell's contrast from which on a pixel is ink: a thin stroke stays in one piece.
const INK: f32 = 0.35;

/// The tallest piece of ink in a cell, in pixels of the crop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink {
    pub(super) height: f64,
    /// Its middle, across and down.
    pub(super) middle: [f64; 2],
    /// Contrast of the cell.
    pub(super) contrast: f64,
}

impl Ink {
    /// Returns the tallest connected ink of a cell that does not reach its edge; `None` where there is none, or less
    /// contrast than this.
    pub(super) fn of(crop: &CellCrop, least_contrast: f64) -> Option<Ink> {
        let tone = crop.tone();
        if f64::from(tone.contrast) < least_contrast {
            return None;
        }
        let mut is_ink = crop
            .pixels
            .map(|pixel| (f32::from(pixel) - tone.ground).abs() > (INK * tone.contrast).max(1.0));
        let inside = CROP_EDGE - 2..CROP_SIDE - CROP_EDGE + 2;
        let mut tallest: Option<Ink> = None;
        let mut stack = Vec::new();
        for start in 0..is_ink.len() {
            if !std::mem::take(&mut is_ink[start]) {
                continue;
            }
            let (mut low, mut high) = ([CROP_SIDE; 2], [0; 2]);
            stack.push(start);
            while let Some(pixel) = stack.pop() {
                let (x, y) = (pixel % CROP_SIDE, pixel / CROP_SIDE);
                low = [low[0].min(x), low[1].min(y)];
                high = [high[0].max(x), high[1].max(y)];
                for beside in around(x, y) {
                    if std::mem::take(&mut is_ink[beside]) {
                        stack.push(beside);
                    }
                }
            }
            let is_inside = low.iter().chain(&high).all(|at| inside.contains(at));
            let height = (high[1] + 1 - low[1]) as f64;
            if is_inside && tallest.is_none_or(|known| known.height < height) {
                tallest = Some(Ink {
                    height,
                    middle: [0, 1].map(|i| (low[i] + high[i]) as f64 / 2.0),
                    contrast: f64::from(tone.contrast),
                });
            }
        }
        tallest
    }
}

/// Returns the pixels of a crop around one.
fn around(x: usize, y: usize) -> impl Iterator<Item = usize> {
    let span = |at: usize| at.saturating_sub(1)..=(at + 1).min(CROP_SIDE - 1);
    span(y).flat_map(move |y| span(x).map(move |x| y * CROP_SIDE + x))
}
