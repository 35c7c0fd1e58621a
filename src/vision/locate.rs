//! From a photo to its boards.

use serde::Serialize;

use super::cells::crop_on;
use super::crop::{CROP_SIDE, CellCrop};
use super::detect::{DetectError, Detection, GridDetector, Polarity};
use super::lattice::Lattice;
use super::photo::Photo;
use super::refine::{RefineConfig, cell_side, refine_on};
use super::sample::Source;
use crate::grid::CellMap;

/// How boards are taken from a photo.
#[derive(Clone, Debug, Serialize)]
pub struct LocateConfig {
    /// How lattices are fitted.
    pub refine: RefineConfig,
    /// Most boards of one photo.
    pub max_places: usize,
    /// Most further hypotheses kept for one board.
    pub max_alternatives: usize,
    /// Least score of a board beside the best one, as a share of the best one's.
    pub min_relative_score: f32,
    /// Share of the smaller of two boards that may be covered by the larger if they are two.
    pub max_overlap: f32,
}

impl Default for LocateConfig {
    fn default() -> Self {
        LocateConfig {
            refine: RefineConfig::default(),
            max_places: 6,
            max_alternatives: 4,
            min_relative_score: 0.6,
            max_overlap: 0.3,
        }
    }
}

/// One board of a photo, cut into cells: the best hypothesis for its place.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its grid lines, in reading pixels.
    pub lattice: Lattice,
    /// Which way round it is printed.
    pub polarity: Polarity,
    /// Evidence for its grid lines; see [`Detection::score`].
    pub score: f32,
    /// Number of its place in the photo, from 0; places overlap little.
    pub place: usize,
    /// Its cells, ink dark on light, as the board lies in the photo.
    pub crops: CellMap<CellCrop>,
    /// Other hypotheses for the same place, best first, not cut yet: [`board_from`] does it, for
    /// when the reading of this one is poor.
    pub alternatives: Vec<Detection>,
}

/// The boards of a photo, best first: one for each place, with its alternatives uncut.
///
/// # Errors
/// Only where the library behind the detector fails; a photo without a board is an empty list.
pub fn locate(
    photo: &Photo,
    detector: &dyn GridDetector,
    config: &LocateConfig,
) -> Result<Vec<Board>, DetectError> {
    let mut places: Vec<Vec<Detection>> = Vec::new();
    for detection in detector.detect(photo.luma())? {
        let area = detection.quad.area();
        let overlaps = |known: &Detection| {
            detection.quad.overlap(&known.quad) > config.max_overlap * area.min(known.quad.area())
        };
        match places.iter_mut().find(|place| overlaps(&place[0])) {
            Some(place) => place.push(detection),
            None => places.push(vec![detection]),
        }
    }
    let best = places.first().map_or(0.0, |place| place[0].score);
    places.retain(|place| place[0].score >= config.min_relative_score * best);
    places.truncate(config.max_places);
    let boards = places.iter().enumerate().filter_map(|(number, place)| {
        let mut board = board_from(photo, &place[0], config)?;
        board.place = number;
        let others = place[1..].iter().take(config.max_alternatives);
        board.alternatives = others.copied().collect();
        Some(board)
    });
    Ok(boards.collect())
}

/// The board that one detection points at, in place 0 and without alternatives; `None` where its
/// corners are degenerate.
pub fn board_from(photo: &Photo, detection: &Detection, config: &LocateConfig) -> Option<Board> {
    let cell = cell_side(&detection.quad);
    let source = Source::for_cells(photo.luma(), cell, CROP_SIDE as f32);
    let lattice = refine_on(&source, detection, &config.refine)?;
    Some(Board {
        crops: crop_on(&source, &lattice, detection.polarity),
        lattice,
        polarity: detection.polarity,
        score: detection.score,
        place: 0,
        alternatives: Vec::new(),
    })
}
