//! The overlay: a photo with the solution drawn back into its blanks, in perspective.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageResult, Rgb, RgbImage};

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
/// Frame of a cell that the rules overruled.
const AMBER: [u8; 3] = [240, 140, 0];

/// A board with what is drawn into it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved<'a> {
    pub(super) place: &'a BoardPlace,
    pub(super) decoded: &'a Puzzle,
    pub(super) solution: &'a Solution,
    pub(super) overruled: CellSet,
}

impl<'a> Solved<'a> {
    /// What is drawn into a board that was read; nothing if it has no solution.
    pub(super) fn of(board: &'a ReadBoard) -> Option<Solved<'a>> {
        Some(Solved {
            place: &board.place,
            decoded: &board.decoded,
            solution: board.verdict.solution()?,
            overruled: board.overruled,
        })
    }
}

/// Draws the solution of a board. `reading_width` is the width of the copy that the lattice is in.
pub(super) fn draw(canvas: &mut RgbImage, board: &Solved<'_>, reading_width: u32) {
    let scale = canvas.width() as f32 / reading_width as f32;
    let place = |column: f32, row: f32| {
        let point = board.place.point(column, row);
        Point {
            x: point.x * scale,
            y: point.y * scale,
        }
    };
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
        if board.overruled.contains(cell) {
            draw_frame(canvas, &quad);
        }
    }
    let around = (0..9)
        .map(|i| (i as f32, 0.0))
        .chain((0..9).map(|i| (9.0, i as f32)))
        .chain((0..9).map(|i| ((9 - i) as f32, 9.0)))
        .chain((0..=9).map(|i| (0.0, (9 - i) as f32)));
    let outline: Vec<Point> = around.map(|(column, row)| place(column, row)).collect();
    let half_width = canvas.width().max(canvas.height()) as f32 / 800.0;
    for ends in outline.windows(2) {
        draw_line(canvas, ends[0], ends[1], half_width.max(0.8), color);
    }
}

/// The reading copy of a photo, to draw on.
pub(super) fn gray_canvas(photo: &Photo) -> RgbImage {
    DynamicImage::from(photo.thumbnail(OVERLAY_SIDE)).into_rgb8()
}

/// The canvas as a JPEG file.
pub(super) fn encode(canvas: &RgbImage) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY).encode_image(canvas)?;
    Ok(bytes)
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
