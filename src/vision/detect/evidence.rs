//! How much a quad looks like a board: ink along its twenty grid lines, paper between them.

use super::bits::BitPlane;
use crate::vision::homography::Homography;
use crate::vision::quad::{Point, Quad};

/// Samples along one cell of a line.
const ALONG: usize = 12;
/// Steps to either side of a line's place at which it is looked for.
const REACH: i32 = 4;
/// One step, in cells.
const STEP: f32 = 1.0 / 24.0;

/// Evidence that `quad` is the outline of a board: half the mean over the twenty lines and half the
/// mean of the weakest five, less part of what is found in the middles of the cells. `ink` must be
/// grown by a pixel, so that thin lines are not missed between the samples.
pub(super) fn line_evidence(ink: &BitPlane, quad: &Quad) -> f32 {
    let Some(map) = Homography::between(&board_square(), quad) else {
        return 0.0;
    };
    let m = map.matrix().map(|value| value as f32);
    let mut lines = [0f32; 20];
    let mut middles = 0.0;
    for (across, along) in [(0, 1), (1, 0)] {
        // The map with the axis across the lines first.
        let m = [
            m[across],
            m[along],
            m[2],
            m[3 + across],
            m[3 + along],
            m[5],
            m[6 + across],
            m[6 + along],
            m[8],
        ];
        for line in 0..10 {
            lines[across * 10 + line] = strip(ink, &m, line as f32, REACH);
        }
        for middle in 0..9 {
            middles += strip(ink, &m, middle as f32 + 0.5, REACH - 1);
        }
    }
    lines.sort_by(f32::total_cmp);
    let mean = lines.iter().sum::<f32>() / 20.0;
    let weakest = lines[..5].iter().sum::<f32>() / 5.0;
    0.5 * mean + 0.5 * weakest - 0.45 * middles / 18.0
}

/// The board in cells: ten lines at 0 to 9 in both directions.
pub(crate) fn board_square() -> Quad {
    let corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
    Quad::new(corners.map(|(x, y)| Point { x, y })).expect("invariant: a square is convex")
}

/// Mean over nine segments of the share of ink along each, at the best of the offsets within reach.
fn strip(ink: &BitPlane, m: &[f32; 9], place: f32, reach: i32) -> f32 {
    let mut best = [0u32; 9];
    for offset in -reach..=reach {
        let across = place + offset as f32 * STEP;
        let (x0, y0, w0) = (
            m[0] * across + m[2],
            m[3] * across + m[5],
            m[6] * across + m[8],
        );
        for (segment, best) in best.iter_mut().enumerate() {
            let mut hits = 0;
            for i in 0..ALONG {
                let along = segment as f32 + (i as f32 + 0.5) / ALONG as f32;
                let w = 1.0 / (w0 + m[7] * along);
                let (x, y) = ((x0 + m[1] * along) * w, (y0 + m[4] * along) * w);
                hits += u32::from(ink.get(x.floor() as i32, y.floor() as i32));
            }
            *best = hits.max(*best);
        }
    }
    let share = |hits: u32| (hits as f32 / ALONG as f32).min(0.9) / 0.9;
    best.into_iter().map(share).sum::<f32>() / 9.0
}
