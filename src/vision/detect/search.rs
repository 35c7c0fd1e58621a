//! The search that all back-ends share: the order of thresholds, when to stop, and how hypotheses
//! are scored and ordered.

use std::borrow::Cow;
use std::ops::Range;

use image::GrayImage;

use super::cells::{Boards, Patch, boards_of, merged};
use super::detector::{DetectConfig, DetectError, Detection, Polarity, SEARCH_STEPS};
use super::evidence::{Pyramid, board_square};
use super::threshold::Threshold;
use crate::vision::homography::Homography;
use crate::vision::lattice::Lattice;
use crate::vision::quad::Quad;
use crate::vision::sample::Source;
use crate::vision::shrink::{resize_luma, shrink_luma};

/// Steps of the search: those that find most boards come first. The last one is
/// [`SMALL_BOARD_STEP`].
const STEPS: [(Polarity, Threshold); SEARCH_STEPS + 1] = [
    (Polarity::DarkOnLight, Threshold::Plain),
    (Polarity::DarkOnLight, Threshold::Wide),
    (Polarity::LightOnDark, Threshold::Plain),
    (Polarity::DarkOnLight, Threshold::Fine),
    (Polarity::DarkOnLight, Threshold::Faint),
    (Polarity::LightOnDark, Threshold::Wide),
    (Polarity::LightOnDark, Threshold::Fine),
    (Polarity::DarkOnLight, Threshold::Grown),
    (Polarity::DarkOnLight, Threshold::Closed),
    (Polarity::LightOnDark, Threshold::Grown),
    (Polarity::LightOnDark, Threshold::Faint),
    (Polarity::DarkOnLight, Threshold::Edges),
    (Polarity::DarkOnLight, Threshold::Thin),
];

/// Number of steps after which a small board is enough too.
const PATIENT_STEPS: usize = 5;

/// What a back-end finds in one binary picture.
#[derive(Debug, Default)]
pub(super) struct Finds {
    /// Outlines of large connected ink and of large holes in it.
    pub(super) quads: Vec<Quad>,
    /// Patches of paper that may be cells.
    pub(super) patches: Vec<Patch>,
}

/// Longest side, in pixels, below which pictures are enlarged before the search: thin lines must be
/// wider than a pixel.
const TINY: u32 = 420;

/// Returns the copy of a picture that is searched; `None` for pictures too small to hold a board.
pub(super) fn working_copy<'a>(
    luma: &'a GrayImage,
    config: &DetectConfig,
) -> Option<Cow<'a, GrayImage>> {
    let (width, height) = luma.dimensions();
    let longest = width.max(height);
    if width.min(height) < config.min_pixels {
        None
    } else if longest <= TINY {
        resize_luma(luma, 2 * longest).map(Cow::Owned)
    } else {
        Some(shrink_luma(luma, config.working_side).map_or(Cow::Borrowed(luma), Cow::Owned))
    }
}

/// Searches the working copy of `luma` by these steps until a board is found that is good enough.
pub(super) fn search(
    luma: &GrayImage,
    working: &GrayImage,
    config: &DetectConfig,
    steps: Range<usize>,
    mut finds: impl FnMut(Polarity, Threshold) -> Result<Finds, DetectError>,
) -> Result<Vec<Detection>, DetectError> {
    let scale = luma.width() as f32 / working.width() as f32;
    let mut hypotheses = Hypotheses::new(working, config);
    let mut seen: [Vec<Patch>; 2] = Default::default();
    for step in steps.clone() {
        let (polarity, threshold) = STEPS[step];
        let found = finds(polarity, threshold)?;
        let boards = boards_of(&found.patches);
        if threshold == Threshold::Edges {
            // Whether digits are darker or lighter, the edges do not say.
            hypotheses.add_flat(&boards);
            break;
        }
        hypotheses.add_boards(boards, polarity);
        hypotheses.add_quads(found.quads, polarity, 0.0);
        // At first something larger may still be found.
        if steps.len() == 1 || hypotheses.settled(step < PATIENT_STEPS) {
            return Ok(hypotheses.into_detections(scale));
        }
        seen[usize::from(polarity == Polarity::LightOnDark)].extend(found.patches);
    }
    // Some cells are whole by one threshold, some by another.
    let polarities = [Polarity::DarkOnLight, Polarity::LightOnDark];
    for (polarity, patches) in polarities.into_iter().zip(seen) {
        hypotheses.add_boards(boards_of(&merged(patches)), polarity);
    }
    Ok(hypotheses.into_detections(scale))
}

/// A hypothesis, in pixels of the working copy.
struct Hypothesis {
    lattice: Lattice,
    polarity: Polarity,
    score: f32,
    /// Number of its cells that were seen, if it was found by cells.
    cells: Option<usize>,
    is_exact: bool,
    rank: f32,
}

/// Collects the hypotheses of one picture.
struct Hypotheses<'a> {
    config: &'a DetectConfig,
    pyramid: Pyramid<'a>,
    found: Vec<Hypothesis>,
    min_area: f32,
    picture_area: f32,
}

/// Distance below which corners are the same, as a share of the longest side.
const SAME: f32 = 0.015;

impl<'a> Hypotheses<'a> {
    fn new(working: &'a GrayImage, config: &'a DetectConfig) -> Hypotheses<'a> {
        let (width, height) = (working.width() as f32, working.height() as f32);
        Hypotheses {
            config,
            pyramid: Pyramid::new(Source::whole(working)),
            found: Vec::new(),
            min_area: 0.7 * config.min_side.powi(2) * width.min(height).powi(2),
            picture_area: width * height,
        }
    }

    /// Scores flat boards with these outlines, no lower than `least`, and keeps the new ones.
    fn add_quads(&mut self, quads: Vec<Quad>, polarity: Polarity, least: f32) {
        for quad in quads {
            let quad = quad.from_top_left();
            let map = Homography::between(&board_square(), &quad);
            if let Some(flat) = map.and_then(|map| Lattice::under(&map)) {
                self.add(flat, polarity, None, false, least);
            }
        }
    }

    /// Scores boards found by cells or blocks, and keeps the new ones.
    fn add_boards(&mut self, boards: Boards, polarity: Polarity) {
        for mesh in boards.meshes {
            self.add(mesh.lattice, polarity, Some(mesh.cells), false, 0.0);
        }
        // Nine blocks in their places are evidence, even if no line between cells is.
        self.add_quads(boards.of_blocks, polarity, self.config.min_score);
    }

    /// Scores boards found by cells of one tone each, and keeps the new ones: so many of them in their places are evidence,
    /// even if there are no lines between them.
    fn add_flat(&mut self, boards: &Boards) {
        let boards = boards
            .meshes
            .iter()
            .filter(|mesh| mesh.cells >= self.config.good_cells);
        for mesh in boards {
            for polarity in [Polarity::DarkOnLight, Polarity::LightOnDark] {
                self.add(
                    mesh.lattice.clone(),
                    polarity,
                    Some(mesh.cells),
                    true,
                    self.config.score_of_flat_cells,
                );
            }
        }
    }

    fn add(
        &mut self,
        lattice: Lattice,
        polarity: Polarity,
        cells: Option<usize>,
        is_exact: bool,
        least: f32,
    ) {
        let quad = lattice.corners();
        let (shortest, longest) = quad.sides();
        let is_slim = shortest < 0.25 * longest;
        if quad.area() < self.min_area
            || is_slim
            || self.has(&quad, polarity, is_exact)
            || cells.is_none() && self.is_block(&quad)
        {
            return;
        }
        let score = self.pyramid.evidence(&lattice, polarity).max(least);
        let share = quad.area() / self.picture_area;
        self.found.push(Hypothesis {
            lattice,
            polarity,
            score,
            cells,
            is_exact,
            rank: score
                + self.config.size_bonus * share.log2()
                + self.config.cells_bonus * cells.unwrap_or(0) as f32 / 81.0,
        });
    }

    /// Returns whether a hypothesis with these corners is known, or a more exact one.
    fn has(&self, quad: &Quad, polarity: Polarity, is_exact: bool) -> bool {
        let same = SAME * quad.sides().1;
        self.found.iter().any(|known| {
            known.polarity == polarity
                && known.is_exact >= is_exact
                && known.lattice.corners().farthest_from(quad) < same
        })
    }

    /// Returns whether an outline is that of blocks, or of some columns, of a board whose cells were nearly all seen.
    fn is_block(&self, quad: &Quad) -> bool {
        self.found.iter().any(|known| {
            let whole = known.lattice.corners();
            known.cells.is_some_and(|it| it >= self.config.good_cells)
                && known.score >= self.config.good_score_of_cells
                && quad.is_part_of(&whole)
        })
    }

    /// Returns whether a board was found that ends the search: a good score by its lines or by its
    /// cells, and large if `large`.
    fn settled(&self, large: bool) -> bool {
        let config = self.config;
        self.found.iter().any(|found| {
            let enough = match found.cells {
                Some(cells) if cells >= config.good_cells => config.good_score_of_cells,
                _ => config.good_score,
            };
            let area = found.lattice.corners().area();
            found.score >= enough && (!large || area >= config.good_area * self.picture_area)
        })
    }

    /// Returns all hypotheses, best first, in pixels of a picture `scale` times as large.
    fn into_detections(mut self, scale: f32) -> Vec<Detection> {
        self.found
            .retain(|found| found.score >= self.config.min_score);
        self.found.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        self.found.truncate(self.config.max_detections);
        let detection = |found: Hypothesis| {
            let lattice = found.lattice.scaled(scale)?;
            Some(Detection {
                quad: lattice.corners(),
                polarity: found.polarity,
                score: found.score,
                mesh: found.cells.map(|_| Box::new(lattice)),
                is_exact: found.is_exact,
            })
        };
        self.found.into_iter().filter_map(detection).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::Mesh;
    use super::*;
    use crate::vision::drawn::DrawnBoard;

    #[test]
    fn a_poor_hypothesis_does_not_hide_an_exact_one_with_the_same_corners() {
        let picture = GrayImage::new(300, 300);
        let config = DetectConfig::default();
        let mut hypotheses = Hypotheses::new(&picture, &config);
        let lattice = DrawnBoard::square(30.0, 30.0, 25.0).lattice();
        let board = || Boards {
            meshes: vec![Mesh {
                lattice: lattice.clone(),
                cells: 81,
            }],
            of_blocks: Vec::new(),
        };
        hypotheses.add_boards(board(), Polarity::DarkOnLight);
        hypotheses.add_flat(&board());
        hypotheses.add_flat(&board());
        let found = hypotheses.into_detections(1.0);
        let exact = |polarity| {
            let exact = found
                .iter()
                .filter(|it| it.is_exact && it.polarity == polarity);
            exact.count()
        };
        let polarities = [Polarity::DarkOnLight, Polarity::LightOnDark];
        assert_eq!(polarities.map(exact), [1, 1]);
    }
}
