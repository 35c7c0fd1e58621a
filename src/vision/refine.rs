//! Refines four approximate corners to the lattice of a board's grid lines.

use serde::Serialize;

use super::detect::{Detection, Polarity, board_square};
use super::flat::{Flat, Grain, Ridges};
use super::homography::Homography;
use super::lattice::Lattice;
use super::photo::Photo;
use super::quad::Point;
use super::sample::Source;
use super::smooth_field::{SmoothField, borders};
use super::trace::{Trace, TraceLimits};

/// Canvas pixels per cell.
const CELL: usize = 24;

pub(super) const GRAIN: Grain = Grain {
    cell: CELL,
    rim: CELL / 2,
    beside: &[2, 4, 7],
};

/// Largest distance of lines from the lattice when their strength is measured, in canvas pixels.
pub(super) const STRENGTH_REACH: i32 = CELL as i32 / 8;

/// The same when a flat lattice is compared with a bent one: a page may be bent by less than a line's usual reach.
const NEAR: i32 = 1;

/// Settings of tracing grid lines.
#[derive(Clone, Debug, Serialize)]
pub struct RefineConfig {
    /// Search radius of a line around its last position, in cells, one value per pass; for boards
    /// found by their corners.
    pub reaches: Vec<f32>,
    /// The same for boards found by their cells.
    pub mesh_reaches: Vec<f32>,
    /// Movement of the crossings, in cells, below which no further pass is made.
    pub at_rest: f32,
    /// Whether to stop after a pass, the first one included, that hardly moved the lattice, and to
    /// use the strength from that pass: for boards that are followed.
    pub is_brief: bool,
    /// Search radius for bulges of the page, in cells.
    pub bulge: f32,
    /// Weight of the four neighbours of a crossing, relative to that of a crossing that is clearly
    /// visible.
    pub stiffness: f32,
    /// Distance of a crossing from a flat board, in cells, from which on the flat one is compared.
    pub bent: f32,
    /// Bonus in strength for the flat one.
    pub straight_bonus: f32,
}

impl Default for RefineConfig {
    fn default() -> Self {
        RefineConfig {
            reaches: vec![0.34, 0.25, 0.2, 0.17, 0.17],
            mesh_reaches: vec![0.3, 0.25, 0.2, 0.17, 0.17, 0.17],
            at_rest: 0.04,
            is_brief: false,
            bulge: 0.75,
            stiffness: 0.2,
            bent: 0.15,
            straight_bonus: 0.02,
        }
    }
}

/// Returns the lattice of a detected board, with the strength of its lines; `None` where the
/// detection is degenerate.
///
/// The lines are traced around the corners' homography, bulges first; the homography is fitted
/// again to the crossings, robustly; from then on each pass traces around the last lattice, so that
/// a page may curve farther than one pass can reach.
pub fn refine(photo: &Photo, detection: &Detection, config: &RefineConfig) -> Option<Lattice> {
    let source = &photo.source_for(detection.quad.cell_side());
    if let Some(mesh) = detection.mesh.as_ref().filter(|_| detection.is_exact) {
        let flat = flattened(mesh)?;
        let strength = strength_of(source, &flat, detection.polarity);
        return Some(flat.with_strength(strength.max(detection.score)));
    }
    let mut lattice = match &detection.mesh {
        Some(mesh) => (**mesh).clone(),
        None => {
            let map = Homography::between(&board_square(), &detection.quad)?;
            let flat = Lattice::under(&map)?;
            follow_bulge(source, &flat, detection.polarity, config).unwrap_or(flat)
        }
    };
    let reaches = match detection.mesh {
        Some(_) => &config.mesh_reaches,
        None => &config.reaches,
    };
    let cell = detection.quad.cell_side();
    let mut strength = None;
    for (pass, &reach) in reaches.iter().enumerate() {
        let flat = Flat::of(source, &lattice, detection.polarity, GRAIN);
        let reach = (reach * CELL as f32).round() as i32;
        let limits = TraceLimits {
            reach,
            end_reach: reach,
            bend: 4,
            bend_cost: 0.08,
            offset_cost: 0.015,
        };
        let lines = |ridges: &Ridges| -> [Trace; 10] {
            std::array::from_fn(|line| ridges.follow(&[line], &limits))
        };
        let seen = Crossings::of(&lines(&flat.horizontal), &lines(&flat.vertical));
        let last = lattice.clone();
        lattice = seen.refit(&lattice, config)?;
        let is_at_rest = lattice.farthest_from(&last) < config.at_rest * cell;
        if is_at_rest && (config.is_brief || pass > 0) {
            strength = Some(flat.evidence(STRENGTH_REACH));
            break;
        }
    }
    let polarity = detection.polarity;
    let strength = strength.unwrap_or_else(|| strength_of(source, &lattice, polarity));
    let lattice = lattice.with_strength(strength);
    Some(straightest(source, lattice, polarity, config))
}

fn strength_of(source: &Source, lattice: &Lattice, polarity: Polarity) -> f32 {
    Flat::of(source, lattice, polarity, GRAIN).evidence(STRENGTH_REACH)
}

/// Returns the flat lattice nearest to this one, if it is far away and its lines are about as strong: where shaded cells
/// or bold digits were taken for lines, the board is not bent.
fn straightest(
    source: &Source,
    lattice: Lattice,
    polarity: Polarity,
    config: &RefineConfig,
) -> Lattice {
    let straight = || {
        let flat = flattened(&lattice)?;
        if flat.farthest_from(&lattice) < config.bent * flat.corners().cell_side() {
            return None;
        }
        let ridges = Flat::of(source, &flat, polarity, GRAIN);
        let bent = Flat::of(source, &lattice, polarity, GRAIN);
        let lead = ridges.evidence(NEAR) - bent.evidence(NEAR);
        (lead >= -config.straight_bonus)
            .then(|| flat.with_strength(ridges.evidence(STRENGTH_REACH)))
    };
    straight().unwrap_or(lattice)
}

/// Returns the flat lattice that fits most crossings of this one.
fn flattened(lattice: &Lattice) -> Option<Lattice> {
    Lattice::under(&robust_fit(|i, j| lattice.points()[i][j], [[1.0; 10]; 10])?)
}

/// Returns the homography from cells to these crossings, by row and column; the farther one lies off it, the less it counts.
fn robust_fit(
    crossing: impl Fn(usize, usize) -> Point,
    weights: [[f32; 10]; 10],
) -> Option<Homography> {
    let mut current = weights;
    let mut map = None;
    for _ in 0..4 {
        let pairs = (0..100).map(|k| {
            let (i, j) = (k / 10, k % 10);
            (grid_point(i, j), crossing(i, j), current[i][j])
        });
        let fitted = Homography::fit(pairs)?;
        let back = fitted.inverse()?;
        for i in 0..10usize {
            for j in 0..10usize {
                let at = back.apply(crossing(i, j));
                let off = (at.x - j as f32).hypot(at.y - i as f32) / 0.08;
                current[i][j] = weights[i][j] / (1.0 + off * off);
            }
        }
        map = Some(fitted);
    }
    map
}

fn grid_point(row: usize, column: usize) -> Point {
    Point {
        x: column as f32,
        y: row as f32,
    }
}

/// Returns the lattice of a page that bulges so far that single lines would be taken for their
/// neighbours: groups of four lines are moved together, fixed at their ends. `None` where the
/// lattice fits as it is.
fn follow_bulge(
    source: &Source,
    lattice: &Lattice,
    polarity: Polarity,
    config: &RefineConfig,
) -> Option<Lattice> {
    let flat = Flat::of(source, lattice, polarity, GRAIN);
    let limits = TraceLimits {
        reach: (config.bulge * CELL as f32).round() as i32,
        end_reach: 8,
        bend: 8,
        bend_cost: 0.015,
        offset_cost: 0.004,
    };
    let groups = [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 9]];
    let bulges = |ridges: &Ridges| groups.map(|lines| ridges.follow(&lines, &limits).offset);
    let (horizontal, vertical) = (bulges(&flat.horizontal), bulges(&flat.vertical));
    let largest = horizontal
        .iter()
        .chain(&vertical)
        .flatten()
        .fold(0f32, |largest, offset| largest.max(offset.abs()));
    if largest < 0.2 * CELL as f32 {
        return None;
    }
    // Between the middles of the groups, at lines 1.5, 4.5 and 7.5.
    let between = |groups: &[[f32; 9]; 3], line: usize, crossing: usize| {
        let place = ((line as f32 - 1.5) / 3.0).clamp(0.0, 2.0);
        let group = (place as usize).min(1);
        let at = |group: usize| borders(&groups[group])[crossing];
        (at(group) + (place - group as f32) * (at(group + 1) - at(group))) / CELL as f32
    };
    let points = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            lattice.point(
                j as f32 + between(&vertical, j, i),
                i as f32 + between(&horizontal, i, j),
            )
        })
    });
    Lattice::new(points, 0.0)
}

/// The traced crossings, as displacements on a flat canvas.
struct Crossings {
    /// Displacement to the right.
    across: SmoothField<10>,
    /// Displacement down.
    down: SmoothField<10>,
}

impl Crossings {
    fn of(horizontal: &[Trace; 10], vertical: &[Trace; 10]) -> Crossings {
        let offsets = |traces: &[Trace; 10]| {
            let mut offset = [[0f32; 10]; 10];
            let mut weight = [[0f32; 10]; 10];
            for (line, trace) in traces.iter().enumerate() {
                let sure = trace
                    .strength
                    .map(|strength| ((strength - 0.25) / 0.4).clamp(0.0, 1.0));
                let offsets = borders(&trace.offset);
                for crossing in 0..10usize {
                    let (a, b) = (crossing.saturating_sub(1), crossing.min(8));
                    let (wa, wb) = (sure[a] + 1e-3, sure[b] + 1e-3);
                    // The surer of the two segments that meet here says more.
                    let inner = (wa * trace.offset[a] + wb * trace.offset[b]) / (wa + wb);
                    let place = if a == b { offsets[crossing] } else { inner };
                    offset[line][crossing] = place / CELL as f32;
                    weight[line][crossing] = 0.5 * (sure[a] + sure[b]);
                }
            }
            SmoothField { offset, weight }
        };
        let transposed = |grid: &[[f32; 10]; 10]| -> [[f32; 10]; 10] {
            std::array::from_fn(|i| std::array::from_fn(|j| grid[j][i]))
        };
        let vertical_offsets = offsets(vertical);
        Crossings {
            down: offsets(horizontal),
            across: SmoothField {
                offset: transposed(&vertical_offsets.offset),
                weight: transposed(&vertical_offsets.weight),
            },
        }
    }

    /// Returns a lattice around the homography that fits these crossings best: the residuals are
    /// smoothed, so that a line that was not seen follows the others.
    fn refit(&self, lattice: &Lattice, config: &RefineConfig) -> Option<Lattice> {
        let seen = |i: usize, j: usize| {
            lattice.point(
                j as f32 + self.across.offset[i][j],
                i as f32 + self.down.offset[i][j],
            )
        };
        let weights: [[f32; 10]; 10] = std::array::from_fn(|i| {
            std::array::from_fn(|j| self.across.weight[i][j].min(self.down.weight[i][j]) + 1e-3)
        });
        let map = robust_fit(seen, weights)?;
        let back = map.inverse()?;
        let mut left = (self.across.clone(), self.down.clone());
        for i in 0..10usize {
            for j in 0..10usize {
                let at = back.apply(seen(i, j));
                left.0.offset[i][j] = at.x - j as f32;
                left.1.offset[i][j] = at.y - i as f32;
            }
        }
        let across = left.0.at_rest(config.stiffness);
        let down = left.1.at_rest(config.stiffness);
        Lattice::bent(&map, &across, &down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::Quad;
    use crate::vision::drawn::{DrawnBoard, PAPER, printed};
    use crate::vision::photo_config::PhotoConfig;
    use image::GrayImage;
    use proptest::prelude::*;

    const SIZE: (u32, u32) = (420, 400);
    const ASKEW: [(f32, f32); 4] = [(50.0, 60.0), (360.0, 40.0), (385.0, 350.0), (30.0, 330.0)];

    fn detection(corners: [(f32, f32); 4]) -> Detection {
        Detection {
            quad: Quad::new(corners.map(|(x, y)| Point { x, y })).unwrap(),
            polarity: Polarity::DarkOnLight,
            score: 0.5,
            mesh: None,
            is_exact: false,
        }
    }

    fn refined(picture: &GrayImage, detection: &Detection) -> Lattice {
        let photo = Photo::from_luma(picture.clone(), &PhotoConfig::default());
        refine(&photo, detection, &RefineConfig::default()).unwrap()
    }

    /// The largest distance of a crossing from its true position, in cells.
    fn error(found: &Lattice, board: &DrawnBoard) -> f32 {
        let truth = board.lattice();
        found.farthest_from(&truth) / truth.corners().cell_side()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn rough_corners_are_refined_to_the_lattice(
            shifts in proptest::array::uniform8(-7f32..7.0),
            bend in -0.35f64..0.35,
        ) {
            let board = DrawnBoard::new(ASKEW, bend);
            let picture = board.draw(SIZE, printed);
            let mut rough = ASKEW;
            for (corner, shift) in rough.iter_mut().zip(shifts.as_chunks::<2>().0) {
                *corner = (corner.0 + shift[0], corner.1 + shift[1]);
            }
            let lattice = refined(&picture, &detection(rough));
            // Corners were off by up to 0.3 cells. Of thousands of boards, a few are off by 0.06.
            prop_assert!(error(&lattice, &board) < 0.08, "{}", error(&lattice, &board));
            prop_assert!(lattice.strength() > 0.75, "{}", lattice.strength());
            for point in lattice.points().iter().flatten() {
                prop_assert!((0.0..420.0).contains(&point.x) && (0.0..400.0).contains(&point.y));
            }
        }

        #[test]
        fn any_picture_gives_finite_places(
            corners in proptest::array::uniform8(-100f32..600.0),
            bend in -1f64..1.0,
        ) {
            let [ax, ay, bx, by, cx, cy, dx, dy] = corners;
            let Some(quad) = Quad::new([(ax, ay), (bx, by), (cx, cy), (dx, dy)].map(|(x, y)| Point { x, y })) else {
                return Ok(());
            };
            let picture = DrawnBoard::new(ASKEW, bend).draw((210, 200), printed);
            let detection = Detection { quad, ..detection(ASKEW) };
            let photo = Photo::from_luma(picture, &PhotoConfig::default());
            if let Some(lattice) = refine(&photo, &detection, &RefineConfig::default()) {
                let points = lattice.points().iter().flatten();
                prop_assert!(points.clone().all(|point| point.x.is_finite() && point.y.is_finite()));
                prop_assert!(lattice.strength().is_finite());
            }
        }
    }

    #[test]
    fn a_page_that_bulges_is_followed() {
        for bend in [-0.7, -0.5, 0.5, 0.7] {
            let board = DrawnBoard::new(ASKEW, bend);
            let picture = board.draw(SIZE, printed);
            let lattice = refined(&picture, &detection(ASKEW));
            assert!(
                error(&lattice, &board) < 0.1,
                "{bend}: {}",
                error(&lattice, &board)
            );
        }
    }

    #[test]
    fn a_lattice_at_rest_stays_where_it_is() {
        let board = DrawnBoard::new(ASKEW, 0.25);
        let picture = board.draw(SIZE, printed);
        let once = refined(&picture, &detection(ASKEW));
        let again = Detection {
            quad: once.corners(),
            mesh: Some(Box::new(once.clone())),
            ..detection(ASKEW)
        };
        let twice = refined(&picture, &again);
        let moved = twice.farthest_from(&once) / once.corners().cell_side();
        assert!(moved < 0.03, "{moved}");
        assert!(error(&twice, &board) < 0.06);
    }

    #[test]
    fn the_mesh_of_seen_cells_is_the_starting_point() {
        // Bent too much to be followed from the corners.
        let board = DrawnBoard::new(ASKEW, 1.1);
        let picture = board.draw(SIZE, printed);
        let off = |point: Point| Point {
            x: point.x + 4.0,
            y: point.y - 3.0,
        };
        let mesh = board.lattice().points().map(|row| row.map(off));
        let meshed = Detection {
            mesh: Lattice::new(mesh, 0.0).map(Box::new),
            ..detection(ASKEW)
        };
        let lattice = refined(&picture, &meshed);
        assert!(
            error(&lattice, &board) < 0.06,
            "{}",
            error(&lattice, &board)
        );
        let from_corners = refined(&picture, &detection(ASKEW));
        assert!(error(&from_corners, &board) > 0.3);
    }

    #[test]
    fn an_exact_mesh_stays_where_it_is_whatever_looks_like_a_line() {
        let board = DrawnBoard::new(ASKEW, 0.0);
        let picture = board.draw(SIZE, |u, v| printed(u + 0.3, v + 0.3));
        let exact = Detection {
            mesh: Some(Box::new(board.lattice())),
            is_exact: true,
            ..detection(ASKEW)
        };
        let lattice = refined(&picture, &exact);
        assert!(
            error(&lattice, &board) < 0.01,
            "{}",
            error(&lattice, &board)
        );
        assert!(lattice.strength() >= exact.score);
    }

    #[test]
    fn a_flat_board_is_not_bent_to_the_edge_of_a_shaded_column() {
        let flat = DrawnBoard::new(ASKEW, 0.0);
        let source = flat.draw(SIZE, printed);
        // The edge of a shaded column is taken for its left line.
        let across: [[f32; 10]; 10] =
            std::array::from_fn(|_| std::array::from_fn(|j| if j < 1 { 0.5 } else { 0.0 }));
        let map = Homography::between(&board_square(), &detection(ASKEW).quad).unwrap();
        let bent = Lattice::bent(&map, &across, &[[0.0; 10]; 10]).unwrap();
        assert!(error(&bent, &flat) > 0.4);
        let config = RefineConfig::default();
        let polarity = Polarity::DarkOnLight;
        let straight = straightest(&Source::whole(&source), bent, polarity, &config);
        assert!(error(&straight, &flat) < 0.1, "{}", error(&straight, &flat));
    }

    #[test]
    fn a_missing_line_is_placed_by_the_others() {
        let board = DrawnBoard::new(ASKEW, 0.2);
        let picture = board.draw(SIZE, |u, v| {
            let erased = (v - 4.0).abs() < 0.2 && (u - u.round()).abs() > 0.03;
            if erased { PAPER } else { printed(u, v) }
        });
        let lattice = refined(&picture, &detection(ASKEW));
        assert!(
            error(&lattice, &board) < 0.08,
            "{}",
            error(&lattice, &board)
        );
    }

    #[test]
    fn light_lines_are_traced_as_dark_ones_are() {
        let board = DrawnBoard::new(ASKEW, 0.2);
        let mut picture = board.draw(SIZE, printed);
        image::imageops::invert(&mut picture);
        let light = Detection {
            polarity: Polarity::LightOnDark,
            ..detection(ASKEW)
        };
        let lattice = refined(&picture, &light);
        assert!(
            error(&lattice, &board) < 0.06,
            "{}",
            error(&lattice, &board)
        );
        assert!(lattice.strength() > 0.75);
    }

    #[test]
    fn a_large_picture_gives_the_same_lattice_as_a_small_one() {
        let small = DrawnBoard::new(ASKEW, 0.2);
        let large = DrawnBoard::new(ASKEW.map(|(x, y)| (2.0 * x, 2.0 * y)), 0.2);
        let lattice = refined(
            &large.draw((2 * SIZE.0, 2 * SIZE.1), printed),
            &detection(ASKEW.map(|(x, y)| (2.0 * x, 2.0 * y))),
        );
        assert!(
            error(&lattice, &large) < 0.05,
            "{}",
            error(&lattice, &large)
        );
        assert!(error(&lattice.scaled(0.5).unwrap(), &small) < 0.05);
    }

    #[test]
    fn paper_without_lines_has_no_strength() {
        let blank = GrayImage::from_pixel(SIZE.0, SIZE.1, image::Luma([200]));
        let lattice = refined(&blank, &detection(ASKEW));
        assert!(lattice.strength() < 0.01);
        // Nothing was seen, so the corners stay.
        assert!(error(&lattice, &DrawnBoard::new(ASKEW, 0.0)) < 0.01);
    }
}
