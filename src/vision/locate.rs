//! From a photo to its boards.

use std::ops::Range;

use image::math;
use imageproc::rect::Rect;
use serde::Serialize;

use super::cells::crop_cells;
use super::crop::CellCrop;
use super::detect::{DetectError, Detection, GridDetector, Polarity, SMALL_BOARD_STEP};
use super::lattice::Lattice;
use super::layout::missing;

use super::photo::Photo;
use super::quad::{Point, Quad};
use super::refine::{RefineConfig, refine};
use crate::grid::CellMap;

/// Settings of locating boards in a photo.
#[derive(Clone, Debug, Serialize)]
pub struct LocateConfig {
    /// Settings of fitting lattices.
    pub refine: RefineConfig,
    /// Largest number of boards per photo.
    pub max_places: usize,
    /// Largest number of further hypotheses kept per board.
    pub max_alternatives: usize,
    /// Largest number of hypotheses of one place whose lines are traced.
    pub max_refined: usize,
    /// The same while none is good; the last of these is the first that was found by its outline.
    pub max_refined_in_doubt: usize,
    /// Score at which no further hypothesis of a place is traced.
    pub good_score: f32,
    /// Share of the photo that the boards found for sure may cover for the search at a higher
    /// resolution to take place.
    pub max_covered: f32,
    /// Score from which on no other board is looked for within a place.
    pub sure_score: f32,
    /// Score from which on a board in a square is not looked for by its thinnest lines.
    pub clear_score_in_square: f32,
    /// Number of squares without a board, within less certain places, after which that search ends.
    pub max_doubts: usize,
    /// Least score of a board in a square, relative to that of the best board, for it to count as one.
    pub min_relative_score_in_square: f32,
    /// Number of consecutive squares without a board after which the search ends.
    pub max_in_vain: usize,
    /// Lead in score from which on the best hypothesis of a place that is good enough is not
    /// compared with another one.
    pub clear_lead: f32,
    /// Distance in cells from the corners of the best traced board, below which those of another hypothesis are the same.
    pub same_corners: f32,
    /// Bonus in score for a board of twice the area.
    pub size_bonus: f32,
    /// Lead in score that a part of another hypothesis for the same place needs: blocks of a board,
    /// and some of its columns, have clear lines, too.
    pub lead_of_part: f32,
    /// Least score of a board beside the best one, relative to the best one's.
    pub min_relative_score: f32,
    /// Least score of a board that is looked for between others in rows and columns.
    pub least_score_in_page: f32,
    /// Share of the smaller of two boards up to which the larger may cover it.
    pub max_overlap: f32,
}

impl Default for LocateConfig {
    fn default() -> Self {
        LocateConfig {
            refine: RefineConfig::default(),
            max_places: 40,
            max_alternatives: 4,
            max_refined: 3,
            max_refined_in_doubt: 7,
            good_score: 0.78,
            max_covered: 0.4,
            sure_score: 0.7,
            clear_score_in_square: 0.5,
            max_doubts: 2,
            min_relative_score_in_square: 0.25,
            max_in_vain: 8,
            clear_lead: 0.1,
            same_corners: 0.3,
            size_bonus: 0.05,
            lead_of_part: 0.3,
            min_relative_score: 0.6,
            least_score_in_page: 0.2,
            max_overlap: 0.3,
        }
    }
}

/// A board in a photo, cut into cells: the best hypothesis for its place.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its grid lines, in reading pixels.
    pub lattice: Lattice,
    /// Its polarity.
    pub polarity: Polarity,
    /// Evidence for its grid lines; see [`Detection::score`].
    pub score: f32,
    /// Index of its place in the photo, from 0; places overlap little, but for replaced ones.
    pub place: usize,
    /// Whether it was replaced by smaller boards found within it, as the blocks of a board with
    /// faint lines may be: to be read if none of these is believed.
    pub is_replaced: bool,
    /// Its cells, ink dark on light, in the orientation of the photo.
    pub crops: CellMap<CellCrop>,
    /// Other hypotheses for the same place, best first, to be read if the reading of this one is poor.
    pub alternatives: Vec<Alternative>,
}

/// Another hypothesis for the place of a board, not cut into cells yet.
#[derive(Clone, Debug)]
pub struct Alternative {
    detection: Detection,
    /// Its grid lines, if they were traced.
    lattice: Option<Lattice>,
}

impl From<Detection> for Alternative {
    fn from(detection: Detection) -> Alternative {
        Alternative {
            detection,
            lattice: None,
        }
    }
}

impl Alternative {
    /// Returns the board, as [`board_from`] does.
    pub fn board(&self, photo: &Photo, config: &LocateConfig) -> Option<Board> {
        match &self.lattice {
            Some(lattice) => Some(cut(photo, &self.detection, lattice.clone())),
            None => board_from(photo, &self.detection, config),
        }
    }
}

/// Returns the boards of a photo, best first: one for each place, with its alternatives; then those
/// that were replaced by others.
///
/// # Errors
///
/// Only if the library behind the detector fails; a photo without a board is an empty list.
pub fn locate(
    photo: &Photo,
    detector: &dyn GridDetector,
    config: &LocateConfig,
) -> Result<Vec<Board>, DetectError> {
    let luma = photo.luma();
    let mut places = places_of(detector.detect(luma)?, &[], config);
    let sure = places.iter().map(|place| &place[0]);
    let sure = sure.filter(|best| best.score >= config.sure_score);
    let covered: f32 = sure.map(|best| best.quad.area()).sum();
    let mut replaced = Vec::new();
    if covered < config.max_covered * luma.width() as f32 * luma.height() as f32 {
        replaced = search_squares(photo, detector, &mut places, config)?;
    }
    let mut boards = boards_of(photo, places, config);
    add_missing(photo, &mut boards, config);
    let first = boards.len();
    boards.extend(boards_of(photo, replaced, config));
    for (number, board) in boards.iter_mut().enumerate() {
        board.place = number;
        board.is_replaced = number >= first;
    }
    Ok(boards)
}

/// Adds the boards that stand in rows and columns with those found, as those of a puzzle book do.
fn add_missing(photo: &Photo, boards: &mut Vec<Board>, config: &LocateConfig) {
    let size = photo.luma().dimensions();
    let mut tried = Vec::new();
    loop {
        let known: Vec<Quad> = boards.iter().map(|it| it.lattice.corners()).collect();
        let is_free = |it: &Quad| {
            !known
                .iter()
                .chain(&tried)
                .any(|other| overlaps(it, other, config))
        };
        let places = missing(&known).into_iter();
        let places = places.filter(|it| it.is_within(size) && is_free(it));
        let places: Vec<Quad> = places
            .take(config.max_places.saturating_sub(known.len()))
            .collect();
        let count = boards.len();
        for place in places {
            tried.push(place);
            let board = board_from(
                photo,
                &Detection::outlined(place, boards[0].polarity),
                config,
            );
            let is_seen = |it: &Board| {
                it.score >= config.least_score_in_page && is_same(&it.lattice.corners(), &place)
            };
            boards.extend(board.filter(is_seen));
        }
        // Those that were found may say where others are.
        if boards.len() == count {
            return;
        }
    }
}

/// Adds the boards found at a higher resolution in squares of dense ink. Returns the places that
/// they replace.
fn search_squares(
    photo: &Photo,
    detector: &dyn GridDetector,
    places: &mut Vec<Vec<Detection>>,
    config: &LocateConfig,
) -> Result<Vec<Vec<Detection>>, DetectError> {
    // The first ones are those of the whole picture; what replaced one of them is not kept as well.
    let mut original = places.len();
    let mut replaced = Vec::new();
    // How often a place was doubted in vain.
    let mut doubts = vec![0; places.len()];
    let mut in_vain = 0;
    for square in detector.squares(photo.luma()) {
        if in_vain == config.max_in_vain {
            break;
        }
        let middle = middle(square);
        let around = places
            .iter()
            .position(|place| place[0].quad.contains(middle));
        let is_known =
            |i: usize| places[i][0].score >= config.sure_score || doubts[i] == config.max_doubts;
        if around.is_some_and(is_known) {
            continue;
        }
        let cell = square.width() as f32 / 9.0;
        let (size, scale) = photo.copy_size_for(cell);
        let look = |square: Rect, steps: Range<usize>| {
            let part = with_margin(square, size, scale);
            let corner = Point {
                x: part.x as f32,
                y: part.y as f32,
            };
            let part = photo.part_for(cell, part);
            let seen = detector.detect_by(&part, steps)?;
            let in_photo = |it: &Detection| it.moved(corner)?.scaled(1.0 / scale);
            Ok::<Vec<_>, DetectError>(seen.iter().filter_map(in_photo).collect())
        };
        let mut seen = look(square, 0..SQUARE_STEPS)?;
        let is_clear = |best: &Detection| best.score >= config.clear_score_in_square;
        if around.is_none() && !seen.first().is_some_and(is_clear) {
            seen.extend(look(lengthened(square), SMALL_BOARD_STEP)?);
            seen.sort_by(|a, b| b.score.total_cmp(&a.score));
        }
        // What seems to be one large board may be several: then each of them is better seen.
        let best = seen.first();
        let rivals: Vec<usize> = (0..places.len())
            .filter(|&i| {
                let rival = &places[i][0].quad;
                around == Some(i) || best.is_some_and(|it| overlaps(rival, &it.quad, config))
            })
            .collect();
        let is_better = |i: &usize| {
            let rival = &places[*i][0];
            best.is_some_and(|it| it.score >= rival.score && !is_same(&it.quad, &rival.quad))
        };
        if !rivals.iter().all(is_better) {
            rivals.into_iter().for_each(|i| doubts[i] += 1);
            in_vain += 1;
            continue;
        }
        for i in rivals.into_iter().rev() {
            let place = places.remove(i);
            doubts.remove(i);
            if i < original {
                original -= 1;
                replaced.push(place);
            }
        }
        let known: Vec<Quad> = places.iter().map(|place| place[0].quad).collect();
        let found = places_of(seen, &known, config);
        let best = places
            .iter()
            .map(|place| place[0].score)
            .fold(0.0, f32::max);
        let least = config.min_relative_score_in_square * best;
        let is_found = found.first().is_some_and(|it| it[0].score >= least);
        in_vain = if is_found { 0 } else { in_vain + 1 };
        places.extend(found);
        doubts.resize(places.len(), 0);
    }
    Ok(replaced)
}

/// Like [`locate`], but only by these steps of the detector's search of the whole picture, and
/// leaving out what overlaps places that are taken.
///
/// # Errors
///
/// As [`locate`].
pub fn locate_by(
    photo: &Photo,
    detector: &dyn GridDetector,
    steps: Range<usize>,
    taken: &[Quad],
    config: &LocateConfig,
) -> Result<Vec<Board>, DetectError> {
    let detections = detector.detect_by(photo.luma(), steps)?;
    Ok(boards_of(
        photo,
        places_of(detections, taken, config),
        config,
    ))
}

/// Steps of the search of a square: the square is no larger than a board.
const SQUARE_STEPS: usize = 2;

fn middle(square: Rect) -> Point {
    Point {
        x: square.left() as f32 + 0.5 * square.width() as f32,
        y: square.top() as f32 + 0.5 * square.height() as f32,
    }
}

/// Returns a square that is longer at both ends by what its width and height differ: rows or columns
/// at an end may be too faint for it.
fn lengthened(square: Rect) -> Rect {
    let (width, height) = (square.width(), square.height());
    let [across, down] = [height.saturating_sub(width), width.saturating_sub(height)];
    let (left, top) = (square.left() - across as i32, square.top() - down as i32);
    Rect::at(left, top).of_size(width + 2 * across, height + 2 * down)
}

/// Returns a square with a margin in a copy of the picture of this size, which is `scale` times as
/// large.
fn with_margin(square: Rect, (right, bottom): (u32, u32), scale: f32) -> math::Rect {
    let margin = (square.width().max(square.height()) / 5) as f32;
    let part = |from: i32, length: u32, end: u32| {
        let first = ((from as f32 - margin) * scale).max(0.0) as u32;
        let last = ((from as f32 + length as f32 + margin) * scale) as u32;
        (first, last.min(end) - first)
    };
    let (x, width) = part(square.left(), square.width(), right);
    let (y, height) = part(square.top(), square.height(), bottom);
    math::Rect {
        x,
        y,
        width,
        height,
    }
}

/// Returns whether two hypotheses are of one board, though one of them may be a row or two off.
fn is_same(a: &Quad, b: &Quad) -> bool {
    a.overlap(b) > 0.6 * a.area().max(b.area())
}

fn overlaps(a: &Quad, b: &Quad, config: &LocateConfig) -> bool {
    a.overlap(b) > config.max_overlap * a.area().min(b.area())
}

/// Groups detections by place, leaving out places that are taken.
fn places_of(
    detections: Vec<Detection>,
    taken: &[Quad],
    config: &LocateConfig,
) -> Vec<Vec<Detection>> {
    let mut places: Vec<Vec<Detection>> = Vec::new();
    for detection in detections {
        let overlaps = |known: &Quad| overlaps(&detection.quad, known, config);
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
    places
}

/// Returns the best board of each place, best first.
fn boards_of(photo: &Photo, mut places: Vec<Vec<Detection>>, config: &LocateConfig) -> Vec<Board> {
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
    boards
}

/// Returns the hypothesis for a place whose lines fit best; the first one if it is good enough.
fn best_board(photo: &Photo, place: Vec<Detection>, config: &LocateConfig) -> Option<Board> {
    let is_better = |lattice: &Lattice, known: &Lattice| {
        let lead = lattice.strength() - known.strength();
        let (quad, known) = (lattice.corners(), known.corners());
        if quad.is_part_of(&known) {
            lead > config.lead_of_part
        } else if known.is_part_of(&quad) {
            lead > -config.lead_of_part
        } else {
            lead > 0.0
        }
    };
    let mut traced: Vec<Option<Lattice>> = vec![None; place.len()];
    let mut best: Option<(usize, Lattice)> = None;
    // Cells fit a row or a column too far as well; the outline of the board does not.
    let is_outline = |it: &Detection| it.mesh.is_none() && it.polarity == place[0].polarity;
    let outline = place.iter().position(is_outline);
    let in_doubt = config.max_refined_in_doubt;
    let first = config.max_refined.max(in_doubt.saturating_sub(1));
    let first = 0..place.len().min(first);
    let outline = outline.filter(|i| !first.contains(i));
    for i in first.chain(outline).take(in_doubt) {
        let detection = &place[i];
        let enough = |(_, known): &(usize, Lattice)| known.strength() >= config.good_score;
        let clear = place[0].score - detection.score >= config.clear_lead;
        // From nearly the same corners the same lines are found again, unless it is the first time from cells.
        let is_known = |(known, lattice): &(usize, Lattice)| {
            let (known, corners) = (&place[*known], lattice.corners());
            let off = corners.farthest_from(&detection.quad) / corners.cell_side();
            let adds_cells = detection.mesh.is_some() && known.mesh.is_none();
            known.polarity == detection.polarity && off < config.same_corners && !adds_cells
        };
        let is_needless = |best: &(usize, Lattice)| {
            is_known(best) || enough(best) && (i >= config.max_refined || i > 0 && clear)
        };
        if best.as_ref().is_some_and(is_needless) {
            continue;
        }
        let Some(lattice) = refine(photo, detection, &config.refine) else {
            continue;
        };
        traced[i] = Some(lattice.clone());
        if best
            .as_ref()
            .is_none_or(|(_, known)| is_better(&lattice, known))
        {
            best = Some((i, lattice));
        }
    }
    let (chosen, lattice) = best?;
    let further_in = further_in(photo, &place[chosen], &lattice);
    let mut board = cut(photo, &place[chosen], lattice);
    let others = place.into_iter().zip(traced).enumerate();
    let others = others.filter(|(i, _)| *i != chosen);
    let others = others.map(|(_, (detection, lattice))| Alternative { detection, lattice });
    board.alternatives = further_in
        .map(Alternative::from)
        .into_iter()
        .chain(others)
        .take(config.max_alternatives)
        .collect();
    Some(board)
}

/// Returns the lattice a row or column further in, if its outermost line is outside the picture:
/// regular lines fit a cell too far as well, where the border of the board is the edge of the
/// picture.
fn further_in(photo: &Photo, found: &Detection, lattice: &Lattice) -> Option<Detection> {
    let moved = lattice.moved_into(photo.luma().dimensions())?;
    Some(Detection::along(moved, found.polarity, found.score))
}

/// Returns the board of one detection, in place 0 and without alternatives; `None` where its
/// corners are degenerate.
pub fn board_from(photo: &Photo, detection: &Detection, config: &LocateConfig) -> Option<Board> {
    let lattice = refine(photo, detection, &config.refine)?;
    Some(cut(photo, detection, lattice))
}

fn cut(photo: &Photo, detection: &Detection, lattice: Lattice) -> Board {
    Board {
        crops: crop_cells(photo, &lattice, detection.polarity),
        polarity: detection.polarity,
        score: lattice.strength(),
        lattice,
        place: 0,
        is_replaced: false,
        alternatives: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::*;
    use crate::vision::drawn::{DrawnBoard, PAPER, printed};
    use crate::vision::photo_config::PhotoConfig;

    /// Finds all boards but one.
    struct Blind(Vec<DrawnBoard>);

    impl GridDetector for Blind {
        fn detect_by(&self, _: &GrayImage, _: Range<usize>) -> Result<Vec<Detection>, DetectError> {
            let seen = self.0.iter().map(|it| Detection {
                score: 0.9,
                ..Detection::outlined(it.lattice().corners(), Polarity::DarkOnLight)
            });
            Ok(seen.collect())
        }

        fn squares(&self, _: &GrayImage) -> Vec<Rect> {
            Vec::new()
        }
    }

    /// The top left corner of a board on a page of two rows of three.
    fn corner(number: usize) -> [f32; 2] {
        [
            20.0 + 250.0 * (number % 3) as f32,
            20.0 + 260.0 * (number / 3) as f32,
        ]
    }

    /// The boards located on a page of two rows of three, of which one is not found; `is_there` tells whether it is
    /// printed.
    fn located(unseen: usize, is_there: bool) -> Vec<Board> {
        let boards = (0..6).map(corner);
        let boards = boards.map(|[left, top]| DrawnBoard::square(left, top, 22.0));
        let boards: Vec<DrawnBoard> = boards.collect();
        let mut page = GrayImage::from_pixel(760, 500, image::Luma([PAPER as u8]));
        for (number, board) in boards.iter().enumerate() {
            if is_there || number != unseen {
                let drawn = board.draw(page.dimensions(), printed);
                let pixels = page.iter_mut().zip(drawn.iter());
                pixels.for_each(|(pixel, drawn)| *pixel = (*pixel).min(*drawn));
            }
        }
        let mut seen = boards;
        seen.remove(unseen);
        let photo = Photo::from_luma(page, &PhotoConfig::default());
        locate(&photo, &Blind(seen), &LocateConfig::default()).unwrap()
    }

    #[test]
    fn a_board_that_was_not_found_is_looked_for_where_the_page_has_none() {
        for unseen in 0..6 {
            let boards = located(unseen, true);
            assert_eq!(boards.len(), 6, "{unseen}");
            let last = boards[5].lattice.corners();
            let (found, [left, top]) = (last.corners()[0], corner(unseen));
            let off = (found.x - left).hypot(found.y - top);
            assert!(off < 2.0, "{unseen}: {off} pixels");
            assert_eq!(boards[5].place, 5);
            assert_eq!(located(unseen, false).len(), 5, "{unseen}");
        }
    }

    /// Finds a poor board in every part of a picture, and looks in twelve.
    struct Credulous;

    impl GridDetector for Credulous {
        fn detect_by(
            &self,
            part: &GrayImage,
            _: Range<usize>,
        ) -> Result<Vec<Detection>, DetectError> {
            let cell = part.width() as f32 / 20.0;
            let board = DrawnBoard::square(5.0 * cell, 5.0 * cell, cell).lattice();
            let found = Detection::along(board, Polarity::DarkOnLight, 0.1);
            Ok(vec![found])
        }

        fn squares(&self, _: &GrayImage) -> Vec<Rect> {
            let square = |i| Rect::at(40 + 160 * (i % 4), 240 + 160 * (i / 4)).of_size(100, 100);
            (0..12).map(square).collect()
        }
    }

    #[test]
    fn poor_finds_beside_a_sure_board_do_not_prolong_the_search() {
        let page = GrayImage::from_pixel(700, 700, image::Luma([PAPER as u8]));
        let photo = Photo::from_luma(page, &PhotoConfig::default());
        let config = LocateConfig::default();
        let found_beside = |score: f32| {
            let board = DrawnBoard::square(20.0, 20.0, 20.0).lattice();
            let board = Detection::along(board, Polarity::DarkOnLight, score);
            let mut places = vec![vec![board]];
            search_squares(&photo, &Credulous, &mut places, &config).unwrap();
            places.len() - 1
        };
        assert_eq!(found_beside(0.3), 12);
        assert_eq!(found_beside(0.9), config.max_in_vain);
    }
}
