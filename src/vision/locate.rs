//! From a photo to its boards.

use std::ops::Range;

use serde::Serialize;

use super::cells::crop_cells;
use super::crop::CellCrop;
use super::detect::{DetectError, Detection, GridDetector, Polarity, SEARCH_STEPS};
use super::lattice::Lattice;
use super::photo::Photo;
use super::quad::Quad;
use super::refine::{RefineConfig, refine};
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
    /// Most hypotheses of one place that are traced.
    pub max_refined: usize,
    /// Score at which no further hypothesis of a place is traced.
    pub good_score: f32,
    /// Lead in score from which on the best hypothesis of a place that is good enough is not
    /// compared with another one.
    pub clear_lead: f32,
    /// What a board of twice the area is preferred by, in score.
    pub size_bonus: f32,
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
            max_refined: 3,
            good_score: 0.78,
            clear_lead: 0.1,
            size_bonus: 0.05,
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
    locate_by(photo, detector, 0..SEARCH_STEPS, &[], config)
}

/// As [`locate`], by these steps of the detector's search only, and leaving out what overlaps places
/// that are taken.
///
/// # Errors
/// As [`locate`].
pub fn locate_by(
    photo: &Photo,
    detector: &dyn GridDetector,
    steps: Range<usize>,
    taken: &[Quad],
    config: &LocateConfig,
) -> Result<Vec<Board>, DetectError> {
    let mut places: Vec<Vec<Detection>> = Vec::new();
    for detection in detector.detect_by(photo.luma(), steps)? {
        let quad = &detection.quad;
        let overlaps =
            |known: &Quad| quad.overlap(known) > config.max_overlap * quad.area().min(known.area());
        if taken.iter().any(overlaps) {
            continue;
        }
        match places.iter_mut().find(|place| overlaps(&place[0].quad)) {
            Some(place) => place.push(detection),
            None => places.push(vec![detection]),
        }
    }
    let best = places.first().map_or(0.0, |place| place[0].score);
    places.retain(|place| place[0].score >= config.min_relative_score * best);
    places.truncate(config.max_places);
    let mut boards: Vec<Board> = places
        .into_iter()
        .filter_map(|place| best_board(photo, place, config))
        .collect();
    let area = photo.luma().width() as f32 * photo.luma().height() as f32;
    let rank = |board: &Board| {
        board.score + config.size_bonus * (board.lattice.corners().area() / area).log2()
    };
    boards.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    for (number, board) in boards.iter_mut().enumerate() {
        board.place = number;
    }
    Ok(boards)
}

/// The hypothesis for one place whose lines fit best; the first one if they fit well.
fn best_board(photo: &Photo, place: Vec<Detection>, config: &LocateConfig) -> Option<Board> {
    let mut best: Option<(usize, Lattice)> = None;
    for (i, detection) in place.iter().enumerate().take(config.max_refined) {
        let enough = |(_, known): &(usize, Lattice)| known.strength() >= config.good_score;
        let clear = place[0].score - detection.score >= config.clear_lead;
        if i > 0 && clear && best.as_ref().is_some_and(enough) {
            continue;
        }
        let Some(lattice) = refine(photo.luma(), detection, &config.refine) else {
            continue;
        };
        if best
            .as_ref()
            .is_none_or(|(_, known)| lattice.strength() > known.strength())
        {
            best = Some((i, lattice));
        }
    }
    let (chosen, lattice) = best?;
    let further_in = further_in(photo, &place[chosen], &lattice);
    let mut board = cut(photo, &place[chosen], lattice);
    let others = place.into_iter().enumerate().filter(|(i, _)| *i != chosen);
    let others = others.map(|(_, detection)| detection);
    board.alternatives = further_in
        .into_iter()
        .chain(others)
        .take(config.max_alternatives)
        .collect();
    Some(board)
}

/// The same lines a row or column further in, where the outermost one lies outside the picture: even lines fit a
/// cell too far as well, where the border of the board is the edge of the picture.
fn further_in(photo: &Photo, found: &Detection, lattice: &Lattice) -> Option<Detection> {
    let moved = lattice.moved_into(photo.luma().dimensions())?;
    Some(Detection {
        quad: moved.corners(),
        mesh: Some(Box::new(moved)),
        ..found.clone()
    })
}

/// The board that one detection points at, in place 0 and without alternatives; `None` where its
/// corners are degenerate.
pub fn board_from(photo: &Photo, detection: &Detection, config: &LocateConfig) -> Option<Board> {
    let lattice = refine(photo.luma(), detection, &config.refine)?;
    Some(cut(photo, detection, lattice))
}

fn cut(photo: &Photo, detection: &Detection, lattice: Lattice) -> Board {
    Board {
        crops: crop_cells(photo.luma(), &lattice, detection.polarity),
        polarity: detection.polarity,
        score: lattice.strength(),
        lattice,
        place: 0,
        alternatives: Vec::new(),
    }
}
