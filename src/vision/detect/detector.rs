//! What a grid detector promises.

use std::ops::Range;

use image::GrayImage;
use imageproc::rect::Rect;
use serde::{Deserialize, Serialize};

use crate::vision::lattice::Lattice;
use crate::vision::quad::{Point, Quad};

/// Which way round a board is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// Dark ink on light paper.
    DarkOnLight,
    /// Light lines and digits on a dark ground: a screen in dark mode.
    LightOnDark,
}

/// One place where a board may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// The outer corners of the board, in pixels of the picture that was searched.
    pub quad: Quad,
    /// Which way round its lines are drawn.
    pub polarity: Polarity,
    /// Evidence for the twenty grid lines, from about 0 (none) to 1 (every line drawn throughout,
    /// nothing in the middles of the cells).
    pub score: f32,
    /// Its grid lines, where the cells themselves were seen: a page need not be flat.
    pub mesh: Option<Box<Lattice>>,
}

impl Detection {
    /// The same place where the searched picture is a part of a larger one, by where the part begins.
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
}

/// How boards are looked for.
#[derive(Clone, Debug, Serialize)]
pub struct DetectConfig {
    /// Longest side of the copy that is searched, in pixels.
    pub working_side: u32,
    /// Smallest board, as a share of the photo's sides.
    pub min_side: f32,
    /// Evidence at which no further thresholds are tried.
    pub good_score: f32,
    /// Share of the photo that a board of that evidence must cover for it.
    pub good_area: f32,
    /// Cells seen of a board from which on less evidence is enough.
    pub good_cells: usize,
    /// Evidence that is enough for such a board.
    pub good_score_of_cells: f32,
    /// Evidence below which a hypothesis is dropped.
    pub min_score: f32,
    /// What a board of twice the area is preferred by, in evidence.
    pub size_bonus: f32,
    /// What a board with all its cells seen is preferred by, in evidence.
    pub cells_bonus: f32,
    /// Shortest side of a picture that is searched at all, in pixels.
    pub min_pixels: u32,
    /// Most outlines of ink, and most of holes, that are looked at for each threshold.
    pub max_outlines: usize,
    /// Least and greatest side, as shares of the photo's shorter one, of squares of dense ink that are
    /// looked at again from closer by.
    pub square_sides: [f32; 2],
    /// Most such squares.
    pub max_squares: usize,
    /// Most hypotheses returned.
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
            min_score: 0.1,
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
    /// The sides that the paper of one cell, or of one block, may have in a picture of this shortest
    /// side, in pixels.
    pub(super) fn cell_sides(&self, shortest: f32) -> Range<f32> {
        // The smallest board may be askew, and lines take a part of each cell.
        0.7 * self.min_side * shortest / 9.0..shortest / 2.5
    }
}

/// Why a search failed; a photo without a board is no failure.
#[derive(Debug, thiserror::Error)]
pub enum DetectError {
    /// The library behind the back-end reported an error.
    #[error("grid detection failed in {backend}: {message}")]
    Backend {
        /// Which library.
        backend: &'static str,
        /// What it said.
        message: String,
    },
}

/// A back-end that this build or this machine does not have.
#[derive(Debug, thiserror::Error)]
#[error("the {backend} back-end is not available: {remedy}")]
pub struct Unavailable {
    /// Its name.
    pub backend: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

/// Steps that a search takes at most: pictures in black and white, each by another threshold.
pub const SEARCH_STEPS: usize = 11;

/// Finds where boards may be. Pure: the same picture gives the same answer.
pub trait GridDetector: Send + Sync {
    /// Hypotheses, best first; several for one board and for several boards. None is an answer too.
    ///
    /// # Errors
    /// Only where the library behind it fails.
    fn detect(&self, luma: &GrayImage) -> Result<Vec<Detection>, DetectError> {
        self.detect_by(luma, 0..SEARCH_STEPS)
    }

    /// As [`GridDetector::detect`], but by these steps of the search only, for callers that spread a
    /// search over the frames of a video: each step looks at the picture by another threshold, those
    /// that find most boards first.
    ///
    /// # Errors
    /// As [`GridDetector::detect`].
    fn detect_by(
        &self,
        luma: &GrayImage,
        steps: Range<usize>,
    ) -> Result<Vec<Detection>, DetectError>;

    /// Squares of dense ink, the largest first: a closer look at them may show boards that are too small
    /// for the search of the whole picture.
    fn squares(&self, luma: &GrayImage) -> Vec<Rect>;
}
