//! A pocket game: a board on a liquid crystal display with seven-segment digits.

use rand::{Rng, RngExt};

use super::board::{BoardContent, BoardStyle, Tint, draw_board};
use super::layouts::{Layout, square};
use super::page::{Color, Page};
use crate::grid::{Cell, Digit, Puzzle};
use crate::vision::Point;

/// The segments of 1 to 9, a bit each: 1 top, 2 upper right, 4 lower right, 8 bottom, 16 lower
/// left, 32 upper left, 64 middle.
const SEGMENTS: [u8; 9] = [
    0b000_0110, 0b101_1011, 0b100_1111, 0b110_0110, 0b110_1101, 0b111_1101, 0b000_0111, 0b111_1111,
    0b110_1111,
];

/// Shares of a cell's side: height and width of a digit, thickness of a segment.
const DIGIT: (f32, f32, f32) = (0.63, 0.42, 0.12);

/// Returns the front of the game with the board on its display.
pub(super) fn display(content: &BoardContent, mut style: BoardStyle, rng: &mut impl Rng) -> Layout {
    let cases: [Color; 3] = [[46, 58, 84], [96, 40, 44], [60, 62, 66]];
    let case = cases[rng.random_range(0..cases.len())];
    let mut page = Page::new(1300, 1700, case);
    let glass = rng.random_range(150..176u8);
    style.ground = [glass, glass + 14, glass - 14];
    let dark = rng.random_range(24..52u8);
    style.digit = [dark, dark + 6, dark];
    style.line = style.digit;
    style.inner = style.digit;
    style.tint = Tint::None;
    style.candidates = 0;
    let (side, corner) = (1000.0, Point { x: 150.0, y: 190.0 });
    page.fill([90.0, 130.0, 1210.0, 1250.0], case.map(|value| value / 3));
    page.fill([110.0, 150.0, 1190.0, 1230.0], style.ground);
    let lines = BoardContent::printed(Puzzle::empty());
    let quad = draw_board(&mut page, corner, side, &style, None, &lines, rng);
    // Segments that are off throw a faint shadow.
    let off = style.ground.map(|value| value - 8);
    let cell = side / 9.0;
    for place in Cell::all() {
        let middle = Point {
            x: corner.x + (place.column() as f32 + 0.5) * cell,
            y: corner.y + (place.row() as f32 + 0.5) * cell,
        };
        let lit = content.shown().given(place);
        draw_digit(&mut page, middle, cell, lit, [style.digit, off]);
    }
    for key in 0..10 {
        let center = Point {
            x: 190.0 + 230.0 * (key % 5) as f32,
            y: 1370.0 + 170.0 * (key / 5) as f32,
        };
        page.disk(center, 58.0, case.map(|value| value / 2));
        page.disk(center, 52.0, [206, 204, 198]);
    }
    Layout {
        page,
        subject: square(corner.x, corner.y, side, side),
        boards: vec![quad],
    }
}

/// Draws all seven segments: those of the digit in the first color, the others in the second.
fn draw_digit(
    page: &mut Page,
    middle: Point,
    cell: f32,
    digit: Option<Digit>,
    [lit, off]: [Color; 2],
) {
    let (height, width, thick) = DIGIT;
    let (height, width, thick) = (height * cell, width * cell, thick * cell);
    let (left, top) = (middle.x - width / 2.0, middle.y - height / 2.0);
    let (right, bottom) = (left + width, top + height);
    // Segments do not touch.
    let gap = 0.35 * thick;
    let across = |y: f32| [left + gap, y, right - gap, y + thick];
    let upper = |x: f32| [x, top + gap, x + thick, middle.y - gap];
    let lower = |x: f32| [x, middle.y + gap, x + thick, bottom - gap];
    let segments = [
        across(top),
        upper(right - thick),
        lower(right - thick),
        across(bottom - thick),
        lower(left),
        upper(left),
        across(middle.y - thick / 2.0),
    ];
    let bits = digit.map_or(0, |digit| SEGMENTS[digit.index()]);
    for (index, segment) in segments.into_iter().enumerate() {
        let color = if bits >> index & 1 == 1 { lit } else { off };
        page.fill(segment, color);
    }
}
