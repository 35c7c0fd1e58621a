//! Cuts the cells of a board out of the photo along its lattice.

use super::crop::{CROP_SIDE, CellCrop, Window, board_contrast, cell_tone};
use super::detect::Polarity;
use super::lattice::Lattice;
use super::photo::Photo;
use super::quad::Point;
use super::sample::Source;
use crate::grid::{Cell, CellMap};

/// Margin of a crop beyond each border of its cell, as a share of the cell.
const MARGIN: f32 = 0.06;

/// Pixels along the edge of a crop that say nothing about the polarity of its ink: lines and gaps between cells may be
/// broad.
const BORDER: usize = 8;

/// Fewest cells with light ink on which a board is inverted, and how many times as many as those with dark ink.
const MIN_LIGHT: usize = 8;
const CLEARLY: usize = 3;

/// Returns the crops of all cells, in the reading order of the board as it lies, ink dark on light
/// whatever the polarity. Small cells come from a finer copy of the photo; large ones are averaged
/// down first, so that no pixel is skipped.
pub fn crop_cells(photo: &Photo, lattice: &Lattice, polarity: Polarity) -> CellMap<CellCrop> {
    let source = photo.source_for(lattice.corners().cell_side());
    let mut pixels = CellMap::from_fn(|cell| cut(&source, lattice, cell, polarity));
    let tones = pixels.iter().map(|(_, pixels)| cell_tone(pixels).contrast);
    let contrast = board_contrast(tones.collect());
    // Gaps between colored cells are lines of the other polarity.
    let inks: Vec<Polarity> = pixels
        .iter()
        .filter_map(|(_, pixels)| ink(pixels, contrast))
        .collect();
    let light = inks
        .iter()
        .filter(|ink| **ink == Polarity::LightOnDark)
        .count();
    if light >= MIN_LIGHT && light > CLEARLY * (inks.len() - light) {
        pixels = pixels.map(|pixels| Box::new(pixels.map(|pixel| !pixel)));
    }
    pixels.map(|pixels| CellCrop {
        pixels: pixels.clone(),
        board_contrast: contrast,
    })
}

/// Returns the polarity of the ink in the middle of a cell; `None` where it is blank or unclear.
fn ink(pixels: &[u8; CROP_SIDE * CROP_SIDE], contrast: f32) -> Option<Polarity> {
    let middle = BORDER..CROP_SIDE - BORDER;
    let mut values: Vec<u8> = middle
        .clone()
        .flat_map(|y| &pixels[y * CROP_SIDE..][middle.clone()])
        .copied()
        .collect();
    let last = (values.len() - 1) as f32;
    let mut at = |share: f32| f32::from(*values.select_nth_unstable((share * last) as usize).1);
    let (low, ground, high) = (at(0.02), at(0.5), at(0.98));
    let (darker, lighter) = (ground - low, high - ground);
    if darker.max(lighter) < 0.5 * contrast {
        None
    } else if darker > 2.0 * lighter {
        Some(Polarity::DarkOnLight)
    } else if lighter > 2.0 * darker {
        Some(Polarity::LightOnDark)
    } else {
        None
    }
}

fn cut(
    source: &Source,
    lattice: &Lattice,
    cell: Cell,
    polarity: Polarity,
) -> Box<[u8; CROP_SIDE * CROP_SIDE]> {
    let (row, column) = (cell.row() as f32, cell.column() as f32);
    let corner = |right: f32, down: f32| lattice.point(column + right, row + down);
    let mut pixels = Box::new([0u8; CROP_SIDE * CROP_SIDE]);
    sample(source, corner, Window::WHOLE, CROP_SIDE, &mut *pixels);
    if polarity == Polarity::LightOnDark {
        pixels.iter_mut().for_each(|pixel| *pixel = !*pixel);
    }
    pixels
}

/// Samples a window of a cell as `side` rows of `side` gray values. `corner` returns the corner of the cell that lies this
/// far to the right and down, 0 or 1.
pub(super) fn sample(
    source: &Source,
    corner: impl Fn(f32, f32) -> Point,
    window: Window,
    side: usize,
    pixels: &mut [u8],
) {
    let at = |i: usize, middle: f32| {
        let share = (i as f32 + 0.5) / side as f32 - 0.5;
        let place = middle + share * window.side;
        place / CROP_SIDE as f32 * (1.0 + 2.0 * MARGIN) - MARGIN
    };
    let [right, down] = window.middle;
    let [a, b] = [corner(0.0, 0.0), corner(1.0, 0.0)];
    let [c, d] = [corner(0.0, 1.0), corner(1.0, 1.0)];
    // Inside one cell the lattice is bilinear: each line of the crop is straight in the photo.
    let point = |s: f32, t: f32| {
        let mix = |a: f32, b: f32, c: f32, d: f32| {
            (1.0 - t) * ((1.0 - s) * a + s * b) + t * ((1.0 - s) * c + s * d)
        };
        Point {
            x: mix(a.x, b.x, c.x, d.x),
            y: mix(a.y, b.y, c.y, d.y),
        }
    };
    for (i, line) in pixels.chunks_exact_mut(side).enumerate() {
        let (first, last) = (
            point(at(0, right), at(i, down)),
            point(at(side - 1, right), at(i, down)),
        );
        let step = Point {
            x: (last.x - first.x) / (side - 1) as f32,
            y: (last.y - first.y) / (side - 1) as f32,
        };
        source.along(first, step, line);
    }
}

/// Returns the board rotated by `quarter_turns` clockwise: cells change places and rotate with it.
pub fn turn_board(crops: &CellMap<CellCrop>, quarter_turns: u8) -> CellMap<CellCrop> {
    // Where, before the turn, the thing was that is at (row, column) of a square after it.
    let before = |side: usize, row: usize, column: usize| match quarter_turns % 4 {
        0 => (row, column),
        1 => (side - 1 - column, row),
        2 => (side - 1 - row, side - 1 - column),
        _ => (column, side - 1 - row),
    };
    let crops = crops.as_array();
    CellMap::from_fn(|cell| {
        let (row, column) = before(9, cell.index() / 9, cell.index() % 9);
        let crop = &crops[row * 9 + column];
        let mut pixels = Box::new([0u8; CROP_SIDE * CROP_SIDE]);
        for (i, pixel) in pixels.iter_mut().enumerate() {
            let (y, x) = before(CROP_SIDE, i / CROP_SIDE, i % CROP_SIDE);
            *pixel = crop.pixels[y * CROP_SIDE + x];
        }
        CellCrop {
            pixels,
            board_contrast: crop.board_contrast,
        }
    })
}
