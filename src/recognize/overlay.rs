//! The overlay: a photo with the solution drawn back into its blanks, in perspective.

use std::ops::Range;

use image::buffer::ConvertBuffer;
use image::{Rgb, RgbImage};
use jpeg_encoder::EncodingError;

use super::jpeg;
use crate::grid::{Cell, CellSet, Puzzle, Solution};
use crate::reader::ReadBoard;
use crate::render::{DigitInk, draw_digit};
use crate::vision::{BoardPlace, Homography, Photo, Point, Quad};

/// Longest side of an overlay, in pixels.
pub(super) const OVERLAY_SIDE: u32 = 1600;
/// JPEG quality, 1 to 100.
const QUALITY: u8 = 88;
/// Solution digits and board outline on light paper.
const INK: [u8; 3] = [0, 98, 190];
/// Solution digits and board outline on a dark screen.
const GLOW: [u8; 3] = [96, 214, 255];
/// Frame of a cell that the rules overruled, and outline of a board in doubt.
const AMBER: [u8; 3] = [240, 140, 0];

/// An entry of a person that is right.
const GREEN: [u8; 3] = [20, 160, 60];
/// One that is wrong, and what is right.
const RED: [u8; 3] = [210, 20, 30];

/// A board with what is drawn into it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved<'a> {
    pub(super) place: &'a BoardPlace,
    pub(super) decoded: &'a Puzzle,
    pub(super) solution: &'a Solution,
    pub(super) overruled: CellSet,
    /// Cells with an entry of a person that is marked as right or, among the mistakes, as wrong.
    pub(super) checked: CellSet,
    pub(super) mistakes: CellSet,
}

/// Draws the solution of a board that was read, and the outline of one that is in doubt. `check` asks for marks of right
/// and wrong entries. `reading_width` is the width of the copy that the lattice is in.
pub(super) fn draw_board(
    canvas: &mut RgbImage,
    board: &ReadBoard,
    check: bool,
    reading_width: u32,
) {
    if !board.status.is_read() {
        return outline(canvas, &board.place, reading_width, AMBER);
    }
    let Some(solution) = board.verdict.solution() else {
        return;
    };
    let is_checked = check && board.key.is_some();
    let marked = |cells| if is_checked { cells } else { CellSet::EMPTY };
    let solved = Solved {
        place: &board.place,
        decoded: &board.decoded,
        solution,
        overruled: board.overruled,
        checked: marked(board.written),
        mistakes: marked(board.mistakes),
    };
    draw(canvas, &solved, reading_width);
}

/// Draws the solution of a board. `reading_width` is the width of the copy that the lattice is in.
pub(super) fn draw(canvas: &mut RgbImage, board: &Solved<'_>, reading_width: u32) {
    let place = on_canvas(board.place, canvas.width(), reading_width);
    let quad = |cell: Cell| {
        let (row, column) = (cell.row() as f32, cell.column() as f32);
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        Quad::new(corners.map(|(dx, dy)| place(column + dx, row + dy)))
    };
    let dark = is_dark(canvas, &place);
    let (color, halo) = if dark {
        (GLOW, [0, 0, 0])
    } else {
        (INK, [255, 255, 255])
    };
    let ink = DigitInk {
        color,
        halo: Some(halo),
        ..DigitInk::default()
    };
    for cell in Cell::all() {
        let Some(quad) = quad(cell) else { continue };
        if board.decoded.given(cell).is_none() {
            draw_digit(canvas, board.solution.digit(cell), &quad, &ink);
        }
        let is_wrong = board.mistakes.contains(cell);
        if board.checked.contains(cell) {
            tint(canvas, &quad, if is_wrong { RED } else { GREEN });
        } else if board.overruled.contains(cell) {
            draw_frame(canvas, &quad);
        }
        if board.checked.contains(cell) && is_wrong {
            let at = |x: f32, y: f32| place(cell.column() as f32 + x, cell.row() as f32 + y);
            let half_width = (quad.area().sqrt() / 26.0).max(0.8);
            draw_line(canvas, at(0.16, 0.84), at(0.84, 0.16), half_width, RED);
            // The right digit, small, in the corner that the stroke leaves free.
            let corner = [(0.6, 0.58), (0.98, 0.58), (0.98, 0.98), (0.6, 0.98)];
            if let Some(corner) = Quad::new(corner.map(|(x, y)| at(x, y))) {
                let ink = DigitInk {
                    color: RED,
                    halo: Some(halo),
                    ..DigitInk::default()
                };
                draw_digit(canvas, board.solution.digit(cell), &corner, &ink);
            }
        }
    }
    outline(canvas, board.place, reading_width, color);
}

/// Returns where a point of the board is on a canvas of this width.
fn on_canvas(place: &BoardPlace, width: u32, reading_width: u32) -> impl Fn(f32, f32) -> Point {
    let scale = width as f32 / reading_width as f32;
    move |column, row| {
        let point = place.point(column, row);
        Point {
            x: point.x * scale,
            y: point.y * scale,
        }
    }
}

fn outline(canvas: &mut RgbImage, place: &BoardPlace, reading_width: u32, color: [u8; 3]) {
    let place = on_canvas(place, canvas.width(), reading_width);
    let around = (0..9)
        .map(|i| (i as f32, 0.0))
        .chain((0..9).map(|i| (9.0, i as f32)))
        .chain((0..9).map(|i| ((9 - i) as f32, 9.0)))
        .chain((0..=9).map(|i| (0.0, (9 - i) as f32)));
    let outline: Vec<Point> = around.map(|(column, row)| place(column, row)).collect();
    let half_width = outline_width(canvas.dimensions());
    for ends in outline.windows(2) {
        draw_line(canvas, ends[0], ends[1], half_width, color);
    }
}

/// Half the width of the outline of boards, in pixels.
fn outline_width((width, height): (u32, u32)) -> f32 {
    (width.max(height) as f32 / 800.0).max(0.8)
}

/// Returns the columns and the rows of a picture of this size that [`draw`] looks at or draws in.
pub(super) fn box_of(
    place: &BoardPlace,
    size: (u32, u32),
    reading_width: u32,
) -> (Range<u32>, Range<u32>) {
    let scale = size.0 as f32 / reading_width as f32;
    // An edge that fades out, and the pixel that it ends in.
    let margin = outline_width(size) + 3.0;
    let lines = || (0..=9u8).map(f32::from);
    let points = lines().flat_map(|row| lines().map(move |column| place.point(column, row)));
    let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
    for Point { x, y } in points {
        for (side, value) in [x, y].into_iter().enumerate() {
            low[side] = low[side].min(value * scale - margin);
            high[side] = high[side].max(value * scale + margin);
        }
    }
    let range = |side: usize, most: u32| {
        let within = |value: f32| value.clamp(0.0, most as f32) as u32;
        // Of a board that lies outside, the pixels at the edge are looked at.
        let start = within(low[side]).min(most.saturating_sub(1));
        start..(within(high[side]) + 1).clamp(start, most)
    };
    (range(0, size.0), range(1, size.1))
}

/// The reading copy of a photo at most `side` pixels long, to draw on.
pub(super) fn gray_canvas(photo: &Photo, side: u32) -> RgbImage {
    photo.thumbnail(side).convert()
}

/// The canvas as a JPEG file.
///
/// # Errors
/// As [`jpeg::of_color`].
pub(super) fn encode(canvas: &RgbImage) -> Result<Vec<u8>, EncodingError> {
    jpeg::of_color(canvas, QUALITY)
}

/// Whether the ground of the board is dark: of its cells' quarter points, most are.
fn is_dark(canvas: &RgbImage, place: &impl Fn(f32, f32) -> Point) -> bool {
    let dark = Cell::all().filter(|cell| {
        let point = place(cell.column() as f32 + 0.2, cell.row() as f32 + 0.2);
        let x = (point.x.max(0.0) as u32).min(canvas.width() - 1);
        let y = (point.y.max(0.0) as u32).min(canvas.height() - 1);
        let Rgb([r, g, b]) = *canvas.get_pixel(x, y);
        2 * u32::from(r) + 5 * u32::from(g) + u32::from(b) < 8 * 90
    });
    dark.count() > Cell::COUNT / 2
}

/// Colors the ground of a cell.
fn tint(canvas: &mut RgbImage, quad: &Quad, color: [u8; 3]) {
    shade(canvas, quad, |pixel, x, y, softness| {
        let edge = x.min(y).min(1.0 - x).min(1.0 - y);
        blend(
            pixel,
            color,
            0.3 * ((edge - 0.06) / softness).clamp(0.0, 1.0),
        );
    });
}

fn draw_frame(canvas: &mut RgbImage, quad: &Quad) {
    shade(canvas, quad, |pixel, x, y, softness| {
        let edge = x.min(y).min(1.0 - x).min(1.0 - y);
        let depth = 0.03 - (edge - 0.07).abs();
        blend(pixel, AMBER, (0.5 + depth / softness).clamp(0.0, 1.0));
    });
}

/// Calls `paint(pixel, x, y, pixel size)` for every pixel of a cell, in units of the cell.
fn shade(canvas: &mut RgbImage, quad: &Quad, paint: impl Fn(&mut Rgb<u8>, f32, f32, f32)) {
    let Some(to_unit) = Homography::between(quad, &unit()) else {
        return;
    };
    let softness = 1.0 / quad.area().sqrt().max(1.0);
    let corners = quad.corners();
    for_box(canvas, &corners, 0.0, |pixel, at| {
        let Point { x, y } = to_unit.apply(at);
        if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
            paint(pixel, x, y, softness);
        }
    });
}

fn unit() -> Quad {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    Quad::new(corners.map(|(x, y)| Point { x, y })).expect("the unit square is convex")
}

fn draw_line(canvas: &mut RgbImage, a: Point, b: Point, half_width: f32, ink: [u8; 3]) {
    for_box(canvas, &[a, b], half_width + 1.0, |pixel, at| {
        let distance = distance_to_line(at, a, b);
        blend(pixel, ink, (0.5 + half_width - distance).clamp(0.0, 1.0));
    });
}

/// Distance from a point to the line between two others.
fn distance_to_line(p: Point, a: Point, b: Point) -> f32 {
    let (abx, aby) = (b.x - a.x, b.y - a.y);
    let (apx, apy) = (p.x - a.x, p.y - a.y);
    let length = abx * abx + aby * aby;
    let along = if length > 0.0 {
        ((apx * abx + apy * aby) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (apx - along * abx).hypot(apy - along * aby)
}

/// Calls `paint(pixel, its centre)` for every pixel of the box around some points.
fn for_box(
    canvas: &mut RgbImage,
    points: &[Point],
    margin: f32,
    mut paint: impl FnMut(&mut Rgb<u8>, Point),
) {
    let range = |values: &mut dyn Iterator<Item = f32>, side: u32| {
        let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let pixel = |value: f32| value.clamp(0.0, side as f32) as u32;
        pixel(low - margin)..pixel(high + margin + 1.0)
    };
    let columns = range(&mut points.iter().map(|point| point.x), canvas.width());
    let rows = range(&mut points.iter().map(|point| point.y), canvas.height());
    for row in rows {
        for column in columns.clone() {
            let centre = Point {
                x: column as f32 + 0.5,
                y: row as f32 + 0.5,
            };
            paint(canvas.get_pixel_mut(column, row), centre);
        }
    }
}

fn blend(pixel: &mut Rgb<u8>, color: [u8; 3], share: f32) {
    for (under, over) in pixel.0.iter_mut().zip(color) {
        let mixed = f32::from(*under) * (1.0 - share) + f32::from(over) * share;
        *under = mixed.round() as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::{Lattice, Polarity, Rotation};

    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn correct_entries_are_green_and_wrong_ones_crossed_out_in_red() {
        let point = |i: usize, j: usize| Point {
            x: 10.0 + 40.0 * j as f32,
            y: 10.0 + 40.0 * i as f32,
        };
        let points = std::array::from_fn(|i| std::array::from_fn(|j| point(i, j)));
        let place = BoardPlace {
            lattice: Lattice::new(points, 1.0).unwrap(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::default(),
        };
        let board: Puzzle = SOLUTION.parse().unwrap();
        let solution = Solution::new(crate::grid::CellMap::from_fn(|cell| {
            board.given(cell).unwrap()
        }));
        let cells: Vec<Cell> = Cell::all().collect();
        let mut canvas = RgbImage::from_pixel(380, 380, Rgb([240; 3]));
        let solved = Solved {
            place: &place,
            decoded: &board,
            solution: &solution.unwrap(),
            overruled: CellSet::EMPTY,
            checked: CellSet::only(cells[0]).with(cells[40]),
            mistakes: CellSet::only(cells[40]),
        };
        draw(&mut canvas, &solved, 380);
        let count = |cell: Cell, is: fn([u8; 3]) -> bool| {
            let (x, y) = (10 + 40 * cell.column() as u32, 10 + 40 * cell.row() as u32);
            let pixels = (4..36).flat_map(|dx| (4..36).map(move |dy| (x + dx, y + dy)));
            pixels
                .filter(|&(x, y)| is(canvas.get_pixel(x, y).0))
                .count()
        };
        let green = |[r, g, b]: [u8; 3]| g > r.saturating_add(30) && g > b.saturating_add(20);
        let red = |[r, g, b]: [u8; 3]| r > g.saturating_add(120) && r > b.saturating_add(120);
        assert!(count(cells[0], green) > 800 && count(cells[0], red) == 0);
        let crossed = count(cells[40], red);
        assert!(crossed > 60, "{crossed}");
        assert_eq!(count(cells[40], green), 0);
        assert_eq!(count(cells[41], green) + count(cells[41], red), 0);
    }
}
