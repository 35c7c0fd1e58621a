//! The interface of grid detectors.

use std::ops::Range;

use image::GrayImage;
use imageproc::rect::Rect;
use serde::{Deserialize, Serialize};

use crate::vision::lattice::Lattice;
use crate::vision::quad::{Point, Quad};

/// Polarity of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// Dark ink on light paper.
    DarkOnLight,
    /// Light lines and digits on a dark background: a screen in dark mode.
    LightOnDark,
}

/// A hypothesis of a detector: a place where a board may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// The outer corners of the board, in pixels of the picture that was searched.
    pub quad: Quad,
    /// Polarity of its lines.
    pub polarity: Polarity,
    /// Evidence for the twenty grid lines, from about 0 (none) to 1 (every line visible throughout,
    /// nothing in the middles of the cells).
    pub score: f32,
    /// Its grid lines, if it was found by its cells: a page need not be flat.
    pub mesh: Option<Box<Lattice>>,
    /// Whether these lines are exact: the cells are each of one tone, as in a screenshot.
    pub is_exact: bool,
}

impl Detection {
    /// Returns the hypothesis that a board's lines are these, or near them.
    pub fn along(lattice: Lattice, polarity: Polarity, score: f32) -> Detection {
        Detection {
            quad: lattice.corners(),
            polarity,
            score,
            mesh: Some(Box::new(lattice)),
            is_exact: false,
        }
    }

    /// Returns the hypothesis that a board has this outline, of which no lines are known.
    pub fn outlined(quad: Quad, polarity: Polarity) -> Detection {
        Detection {
            quad,
            polarity,
            score: 0.0,
            mesh: None,
            is_exact: false,
        }
    }

    /// Returns the detection in a larger picture, of which the searched one is a part that begins
    /// at `by`.
    pub(in crate::vision) fn moved(&self, by: Point) -> Option<Detection> {
        let moved = |p: Point| Point {
            x: p.x + by.x,
            y: p.y + by.y,
        };
        Some(Detection {
            quad: Quad::new(self.quad.corners().map(moved))?,
            mesh: self.mesh.as_ref().map(|mesh| Box::new(mesh.moved(by))),
            ..*self
        })
    }

    /// Returns the detection in a picture that is `factor` times as large.
    pub(in crate::vision) fn scaled(&self, factor: f32) -> Option<Detection> {
        let mesh = match &self.mesh {
            Some(mesh) => Some(Box::new(mesh.scaled(factor)?)),
            None => None,
        };
        Some(Detection {
            quad: self.quad.scaled(factor)?,
            mesh,
            ..*self
        })
    }
}

/// Settings of a grid detector.
#[derive(Clone, Debug, Serialize)]
pub struct DetectConfig {
    /// Longest side of the copy that is searched, in pixels.
    pub working_side: u32,
    /// Side of the smallest board, as a share of the photo's sides.
    pub min_side: f32,
    /// Score at which no further thresholds are tried.
    pub good_score: f32,
    /// Share of the photo that a board of that score must cover for it.
    pub good_area: f32,
    /// Number of cells of a board from which on a lower score is enough.
    pub good_cells: usize,
    /// Score that is enough for such a board.
    pub good_score_of_cells: f32,
    /// Least score of such a board whose cells are each of one tone.
    pub score_of_flat_cells: f32,
    /// Score below which a hypothesis is dropped.
    pub min_score: f32,
    /// Bonus in score for a board of twice the area.
    pub size_bonus: f32,
    /// Bonus in score for a board with all its cells seen.
    pub cells_bonus: f32,
    /// Shortest side of a picture that is searched at all, in pixels.
    pub min_pixels: u32,
    /// Largest number of outlines of ink, and of holes, per threshold.
    pub max_outlines: usize,
    /// Smallest and largest side, as shares of the photo's shorter side, of squares of dense ink
    /// that are searched again at a higher resolution.
    pub square_sides: [f32; 2],
    /// Largest number of such squares.
    pub max_squares: usize,
    /// Largest number of hypotheses returned.
    pub max_detections: usize,
}

impl Default for DetectConfig {
    fn default() -> Self {
        DetectConfig {
            working_side: 800,
            min_side: 0.12,
            good_score: 0.5,
            good_area: 0.12,
            good_cells: 60,
            good_score_of_cells: 0.35,
            score_of_flat_cells: 0.3,
            min_score: 0.05,
            size_bonus: 0.05,
            cells_bonus: 0.1,
            min_pixels: 48,
            max_outlines: 6,
            square_sides: [0.06, 0.5],
            max_squares: 60,
            max_detections: 12,
        }
    }
}

impl DetectConfig {
    /// Returns the range of sides of the paper of a cell, or of a block, in a picture of this
    /// shortest side, in pixels.
    pub(super) fn cell_sides(&self, shortest: f32) -> Range<f32> {
        // The smallest board may be askew, and lines take a part of each cell.
        0.7 * self.min_side * shortest / 9.0..shortest / 2.5
    }
}

/// Error of a search; a photo without a board is not an error.
#[derive(Debug, thiserror::Error)]
pub enum DetectError {
    /// The library of the back-end failed.
    #[error("grid detection failed in {backend}: {message}")]
    Backend {
        /// The library.
        backend: &'static str,
        /// Its message.
        message: String,
    },
}

/// Error of a back-end that this build or this machine does not have.
#[derive(Debug, thiserror::Error)]
#[error("the {backend} back-end is not available: {remedy}")]
pub struct Unavailable {
    /// Its name.
    pub backend: &'static str,
    /// How to get it.
    pub remedy: &'static str,
}

/// Largest number of steps of a search, each of which uses another threshold.
pub const SEARCH_STEPS: usize = 12;

/// A further step, for squares of dense ink: in small boards full of digits, lines are fainter than
/// the digits beside them.
pub(crate) const SMALL_BOARD_STEP: Range<usize> = SEARCH_STEPS..SEARCH_STEPS + 1;

/// A grid detector. Deterministic: the same picture gives the same hypotheses.
pub trait GridDetector: Send + Sync {
    /// Returns hypotheses, best first; several for one board and for several boards, or none.
    ///
    /// # Errors
    ///
    /// Only if the library behind it fails.
    fn detect(&self, luma: &GrayImage) -> Result<Vec<Detection>, DetectError> {
        self.detect_by(luma, 0..SEARCH_STEPS)
    }

    /// Like [`GridDetector::detect`], but only by these steps of the search, for callers that
    /// spread a search over the frames of a video: each step uses another threshold, those that
    /// find most boards first.
    ///
    /// # Errors
    ///
    /// As [`GridDetector::detect`].
    fn detect_by(
        &self,
        luma: &GrayImage,
        steps: Range<usize>,
    ) -> Result<Vec<Detection>, DetectError>;

    /// Returns squares of dense ink, the largest first: at a higher resolution they may show boards
    /// that are too small for the search of the whole picture.
    fn squares(&self, luma: &GrayImage) -> Vec<Rect>;
}
