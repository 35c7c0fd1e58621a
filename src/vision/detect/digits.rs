//! Boards whose lines cannot be seen, as in apps that tell cells apart by shades: their digits stand in nine rows and
//! nine columns.
//!
//! The limits were set by ten screenshots in which no board was found, and kept.

use std::cmp::Reverse;

use image::GrayImage;

use super::components::{Component, Components, Touch};
use super::detector::{DetectConfig, Detection, Polarity};
use super::search::working_copy;
use super::threshold::{Levels, Means, Threshold};
use crate::vision::lattice::Lattice;
use crate::vision::quad::Point;

/// Fewest digits of a board that is found by them: as many as a puzzle with one solution needs.
const FEWEST: usize = 17;

/// Smallest height of a digit in the copy that is searched, in pixels.
const LEAST_HEIGHT: f32 = 6.0;
/// Smallest and largest width, relative to the height.
const WIDTHS: [f32; 2] = [0.12, 1.3];
/// By how much heights of one board differ, as a share and in pixels.
const HEIGHT_SHARE: f32 = 0.12;
const HEIGHT_PIXELS: f32 = 0.6;

/// Largest distance of digits of one row or column, relative to their height, beside one pixel.
const SPREAD: f32 = 0.12;
/// Smallest and largest distance of rows or columns, relative to the height of digits.
const STEPS: [f32; 2] = [1.2, 5.0];
/// By how much a step may differ from the first, and a digit be off its row or column, as a share of a step: blocks may
/// be apart.
const UNEVEN: f32 = 0.2;
/// Largest ratio of the distance of rows and that of columns.
const OBLONG: f32 = 1.18;

/// Number of possible rows, and of columns, that are tried with each other.
const MOST_TRIED: usize = 6;

/// Ink that may be a digit.
struct Glyph {
    middle: [f32; 2],
    height: f32,
}

/// Positions of nine rows or columns.
type Nine = [f32; 9];

/// How likely digits make a board: by their lead, then by their height in pixels.
type Rank = (usize, Reverse<u32>);

/// Returns the board in whose cells most ink of one height stands, and little else of that height, if there is one. Its
/// sides are parallel to those of the picture.
pub fn board_of_digits(luma: &GrayImage, config: &DetectConfig) -> Option<Detection> {
    let working = working_copy(luma, config)?;
    let means = Means::new(&working);
    let levels = means.levels();
    let boards = [Polarity::DarkOnLight, Polarity::LightOnDark].map(|polarity| {
        let (rank, board) = likeliest(&glyphs(&means, &levels, polarity))?;
        Some((Reverse(rank), polarity, board))
    });
    let (_, polarity, [columns, rows]) = boards
        .into_iter()
        .flatten()
        .min_by_key(|(rank, ..)| *rank)?;
    let scale = luma.width() as f32 / working.width() as f32;
    let [columns, rows] = [columns, rows].map(|it| lines_between(&it).map(|at| at * scale));
    let points = rows.map(|y| columns.map(|x| Point { x, y }));
    Some(Detection {
        is_exact: true,
        ..Detection::along(Lattice::new(points, 0.0)?, polarity, 0.0)
    })
}

/// Returns the columns and rows of the likeliest board of digits of one height.
fn likeliest(glyphs: &[Glyph]) -> Option<(Rank, [Nine; 2])> {
    let mut heights: Vec<f32> = glyphs.iter().map(|it| it.height).collect();
    heights.sort_by(f32::total_cmp);
    heights.dedup();
    let mut best: Option<(Rank, [Nine; 2])> = None;
    for height in heights {
        let off = HEIGHT_SHARE * height + HEIGHT_PIXELS;
        let alike = |it: &&Glyph| (it.height - height).abs() <= off;
        let alike: Vec<&Glyph> = glyphs.iter().filter(alike).collect();
        if alike.len() < FEWEST {
            continue;
        }
        let [columns, rows] = [0, 1].map(|axis| ladders(&alike, axis, height));
        let boards = columns
            .iter()
            .flat_map(|columns| rows.iter().map(move |rows| [*columns, *rows]));
        for board in boards {
            let Some(lead) = lead(&alike, &board) else {
                continue;
            };
            // Of ink and the rims of paper around it, the ink is smaller.
            let rank = (lead, Reverse(height as u32));
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, board));
            }
        }
    }
    best
}

/// Returns the ink of the size and shape of digits.
fn glyphs(means: &Means, levels: &Levels, polarity: Polarity) -> Vec<Glyph> {
    let level = levels.of(polarity, Threshold::Plain);
    let ink = Components::of(
        &means.ink(level.radius, level.offset, polarity),
        Touch::Corners,
    );
    let glyph = |it: &Component| {
        let (width, height) = (it.width() as f32, it.height() as f32);
        let is_digit =
            height >= LEAST_HEIGHT && width >= WIDTHS[0] * height && width <= WIDTHS[1] * height;
        is_digit.then(|| Glyph {
            middle: [
                0.5 * (it.left + it.right) as f32,
                0.5 * (it.top + it.bottom) as f32,
            ],
            height,
        })
    };
    ink.all().iter().filter_map(glyph).collect()
}

/// Returns the likeliest nine columns of these digits (or rows, on axis 1), those with most digits first.
fn ladders(alike: &[&Glyph], axis: usize, height: f32) -> Vec<Nine> {
    let mut middles: Vec<f32> = alike.iter().map(|it| it.middle[axis]).collect();
    middles.sort_by(f32::total_cmp);
    let rungs = middles.chunk_by(|a, b| b - a <= SPREAD * height + 1.0);
    let rungs: Vec<(f32, usize)> = rungs
        .map(|rung| (rung.iter().sum::<f32>() / rung.len() as f32, rung.len()))
        .collect();
    let mut found = Vec::new();
    for (first, &(start, _)) in rungs.iter().enumerate() {
        for second in first + 1..rungs.len() {
            let step = rungs[second].0 - start;
            if step > STEPS[1] * height {
                break;
            }
            if step >= STEPS[0] * height {
                found.extend(climb(&rungs, first, second));
            }
        }
    }
    found.sort_by_key(|(digits, _)| Reverse(*digits));
    found.truncate(MOST_TRIED);
    found.into_iter().map(|(_, nine)| nine).collect()
}

/// Returns nine rungs in even steps, of which these are the first two, and the number of digits on them.
fn climb(rungs: &[(f32, usize)], first: usize, second: usize) -> Option<(usize, Nine)> {
    let step = rungs[second].0 - rungs[first].0;
    let mut chosen = [first; 9];
    chosen[1] = second;
    for i in 2..9 {
        let next = rungs[chosen[i - 1]].0 + step;
        let above = rungs.partition_point(|(at, _)| *at < next);
        let off = |rung: &usize| (rungs[*rung].0 - next).abs();
        let nearest = [above.saturating_sub(1), above.min(rungs.len() - 1)]
            .into_iter()
            .min_by(|a, b| off(a).total_cmp(&off(b)))?;
        if off(&nearest) > UNEVEN * step || nearest <= chosen[i - 1] {
            return None;
        }
        chosen[i] = nearest;
    }
    let digits = chosen.iter().map(|&rung| rungs[rung].1).sum();
    Some((digits, chosen.map(|rung| rungs[rung].0)))
}

/// Returns by how many more digits stand in these columns and rows than beside them, within the board; `None` if they are
/// too few, or the cells no squares.
fn lead(alike: &[&Glyph], nines: &[Nine; 2]) -> Option<usize> {
    let steps = nines.map(|it| (it[8] - it[0]) / 8.0);
    if steps[0].max(steps[1]) > OBLONG * steps[0].min(steps[1]) {
        return None;
    }
    let (mut inside, mut placed) = (0, 0);
    for glyph in alike {
        let mut is_inside = true;
        let mut is_placed = true;
        for axis in 0..2 {
            let at = (glyph.middle[axis] - nines[axis][0]) / steps[axis];
            is_inside &= (-0.5..8.5).contains(&at);
            let off = |rung: &f32| (rung - glyph.middle[axis]).abs() <= UNEVEN * steps[axis];
            is_placed &= nines[axis].iter().any(off);
        }
        inside += usize::from(is_inside);
        placed += usize::from(is_placed);
    }
    let is_board = placed >= FEWEST && 5 * placed >= 4 * inside;
    is_board.then(|| 2 * placed - inside)
}

/// Returns the lines between these rows or columns, and around them.
fn lines_between(nine: &Nine) -> [f32; 10] {
    std::array::from_fn(|i| match i {
        0 => 1.5 * nine[0] - 0.5 * nine[1],
        9 => 1.5 * nine[8] - 0.5 * nine[7],
        _ => 0.5 * (nine[i - 1] + nine[i]),
    })
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// A picture of digits, as bars of 8 x 14 pixels, with this many columns of 40 pixels, every third column and row 6
    /// pixels further; beside a paragraph of text.
    fn picture(columns: u32, paper: u8, ink: u8) -> GrayImage {
        let mut picture = GrayImage::from_pixel(700, 560, Luma([paper]));
        let mut bar = |left: u32, top: u32, width: u32, height: u32| {
            for y in top..top + height {
                for x in left..left + width {
                    picture.put_pixel(x, y, Luma([ink]));
                }
            }
        };
        for row in 0..9 {
            for column in (0..columns).filter(|column| (row * 5 + column * 7) % 3 != 0) {
                bar(
                    56 + 40 * column + column / 3 * 6,
                    63 + 40 * row + row / 3 * 6,
                    8,
                    14,
                );
            }
        }
        for line in 0..12 {
            for letter in 0..20 {
                bar(
                    480 + letter * 10,
                    40 + line * 18,
                    6 + line % 2,
                    9 + letter % 3,
                );
            }
        }
        picture
    }

    #[test]
    fn a_board_without_lines_is_found_by_its_digits() {
        for (paper, ink, polarity) in [
            (230, 40, Polarity::DarkOnLight),
            (30, 200, Polarity::LightOnDark),
        ] {
            let found = board_of_digits(&picture(9, paper, ink), &DetectConfig::default()).unwrap();
            assert_eq!(found.polarity, polarity);
            let [a, _, c, _] = found.quad.corners();
            for (found, expected) in [(a.x, 40.0), (a.y, 50.0), (c.x, 412.0), (c.y, 422.0)] {
                assert!((found - expected).abs() < 4.0, "{found} {expected}");
            }
        }
    }

    #[test]
    fn other_numbers_of_columns_are_no_board() {
        for columns in [7, 8] {
            assert_eq!(
                board_of_digits(&picture(columns, 230, 40), &DetectConfig::default()),
                None,
                "{columns}"
            );
        }
    }
}
