//! Draws a board on a page, in the many ways that boards are printed.

use rand::{Rng, RngExt};

use super::config::PrintConfig;
use super::page::{Color, Page};
use crate::grid::{Cell, Digit, Puzzle};
use crate::render::crop::{Arrangement, MarkConfig, Pen, Span};
use crate::render::face::Face;
use crate::render::strokes::Handwriting;
use crate::vision::{Point, Quad};

/// Content of a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardContent {
    /// Printed digits.
    pub givens: Puzzle,
    /// Digits written by hand into other cells.
    pub written: Puzzle,
}

impl BoardContent {
    /// Returns a board without handwriting.
    pub fn printed(givens: Puzzle) -> BoardContent {
        BoardContent {
            givens,
            written: Puzzle::empty(),
        }
    }

    /// Returns all digits on the board, printed and written.
    pub fn shown(&self) -> Puzzle {
        let mut shown = self.givens;
        for (cell, digit) in self.written.givens() {
            shown.set(cell, Some(digit));
        }
        shown
    }
}

/// Cells with a background of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tint {
    None,
    /// Every other block.
    Blocks,
    /// Cells with a given.
    Givens,
    /// A selected cell, and the row, column and block it sees.
    Selection(Cell),
}

/// Pencil marks as an app prints them. They are random, and independent of the digits of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrintedMarks {
    /// Share of the blanks that have some.
    pub(super) share: f64,
    /// Arrangement in all cells; `None` for corners in some and rows in others.
    pub(super) arrangement: Option<Arrangement>,
    /// Height of a mark.
    pub(super) height: f32,
    pub(super) bold: bool,
    pub(super) color: Color,
    /// The color in some of the cells.
    pub(super) accent: Color,
}

impl PrintedMarks {
    /// Returns the marks of an app with a dark or a light background.
    pub(super) fn of_app(is_dark: bool, rng: &mut impl Rng) -> PrintedMarks {
        let config = MarkConfig::default();
        let colors: [Color; 5] = match is_dark {
            true => [
                [150, 155, 165],
                [120, 170, 250],
                [130, 210, 150],
                [240, 170, 90],
                [235, 238, 245],
            ],
            false => [
                [110, 115, 125],
                [40, 90, 200],
                [30, 130, 70],
                [190, 60, 50],
                [30, 40, 70],
            ],
        };
        let mut color = || colors[rng.random_range(0..colors.len())];
        let (color, accent) = (color(), color());
        PrintedMarks {
            share: rng.random_range(0.3..1.0),
            arrangement: rng.random_bool(0.75).then(|| Arrangement::draw(rng)),
            height: config.app_height.step(rng),
            bold: config.app_bold.draw(rng),
            color,
            accent: if rng.random_bool(0.3) { accent } else { color },
        }
    }

    fn print(
        &self,
        page: &mut Page,
        (middle, cell): (Point, f32),
        face: Option<&Face>,
        rng: &mut impl Rng,
    ) {
        let arrangement = self.arrangement.unwrap_or(match rng.random_bool(0.5) {
            true => Arrangement::Row,
            false => Arrangement::Corners,
        });
        let color = if rng.random_bool(0.2) {
            self.accent
        } else {
            self.color
        };
        let pen = Pen {
            face,
            bold: self.bold,
            strength: 1.0,
        };
        page.ink(middle, cell, color, 1.0, |ink, middle| {
            pen.marks(ink, middle, cell, (self.height, arrangement), rng);
        });
    }
}

/// Print style of a board. Lengths are shares of a cell's side.
#[derive(Clone, Debug)]
pub(super) struct BoardStyle {
    pub(super) thin: f32,
    pub(super) thick: f32,
    pub(super) frame: f32,
    pub(super) line: Color,
    /// Lines between the cells of a block; often paler.
    pub(super) inner: Color,
    pub(super) dotted: bool,
    pub(super) digit: Color,
    pub(super) digit_height: f32,
    /// Draws printed digits where there is no face.
    pub(super) strokes: Handwriting,
    pub(super) ground: Color,
    pub(super) tint: Tint,
    pub(super) tint_color: Color,
    pub(super) pen: Color,
    pub(super) written_height: Span,
    /// Opacity of the pen or pencil.
    pub(super) pressure: f32,
    /// Blanks with small written candidates.
    pub(super) candidates: usize,
    /// Printed candidates.
    pub(super) marks: Option<PrintedMarks>,
}

impl BoardStyle {
    /// Returns a style like black on white, the most common one, with some variety.
    pub(super) fn printed(ground: Color, config: &PrintConfig, rng: &mut impl Rng) -> BoardStyle {
        let black = rng.random_range(10..70u8);
        let pale = black + rng.random_range(0..90u8);
        let pens = [
            [30, 45, 120],
            [40, 40, 45],
            [70, 72, 78],
            [20, 60, 140],
            [150, 30, 40],
        ];
        let pen = rng.random_range(0..pens.len());
        BoardStyle {
            thin: config.thin.step(rng),
            thick: config.thick.step(rng),
            frame: config.frame.step(rng),
            line: [black; 3],
            inner: [pale; 3],
            dotted: false,
            digit: [black; 3],
            digit_height: config.digit_height.step(rng),
            strokes: Handwriting::clean(0.14),
            ground,
            tint: Tint::None,
            tint_color: [225, 225, 225],
            pen: pens[pen],
            written_height: config.written_height,
            pressure: config.pressure.step(rng),
            candidates: 0,
            marks: None,
        }
    }
}

/// Draws a board with the outer top left corner of its frame at `corner`, and the handwriting on
/// it; returns its corners. Without a face the digits are drawn by strokes, too.
pub(super) fn draw_board(
    page: &mut Page,
    corner: Point,
    side: f32,
    style: &BoardStyle,
    face: Option<&Face>,
    content: &BoardContent,
    rng: &mut impl Rng,
) -> Quad {
    let cell = side / 9.0;
    let at = |k: usize| k as f32 * cell;
    let (left, top) = (corner.x, corner.y);
    page.fill([left, top, left + side, top + side], style.ground);
    for place in Cell::all() {
        if is_tinted(style.tint, place, &content.givens) {
            let (row, column) = (place.index() / 9, place.index() % 9);
            let (x, y) = (left + at(column), top + at(row));
            page.fill([x, y, x + cell, y + cell], style.tint_color);
        }
    }
    for k in (1..9).filter(|k| k % 3 != 0).chain([3, 6]) {
        let (width, color, dotted) = match k % 3 {
            0 => (style.thick * cell, style.line, false),
            _ => (style.thin * cell, style.inner, style.dotted),
        };
        let (x, y) = (left + at(k) - width / 2.0, top + at(k) - width / 2.0);
        let step = if dotted { 0.075 * cell } else { side };
        let mut from = 0.0;
        while from < side {
            let to = from + if dotted { 0.5 * step } else { step };
            page.fill([x, top + from, x + width, top + to], color);
            page.fill([left + from, y, left + to, y + width], color);
            from += step;
        }
    }
    page.frame(
        [left, top, left + side, top + side],
        style.frame * cell,
        style.line,
    );
    let center = |place: Cell| Point {
        x: left + at(place.index() % 9) + cell / 2.0,
        y: top + at(place.index() / 9) + cell / 2.0,
    };
    let hand = Handwriting::of_writer(rng.random());
    for (place, digit) in content.givens.givens() {
        let height = style.digit_height * cell;
        match face {
            Some(face) => {
                let mask = &face.masks[digit.index()];
                // Digits of one face keep their relative heights and their baseline.
                let tallest = face.masks.iter().map(|mask| mask.height).max().unwrap_or(1) as f32;
                let scale = height / tallest;
                let mut middle = center(place);
                middle.y += height / 2.0 - (mask.rise as f32 - mask.height as f32 / 2.0) * scale;
                page.glyph(mask, middle, mask.height as f32 * scale, style.digit);
            }
            None => {
                let written = style.strokes.write(digit, rng);
                page.written(&written, center(place), height, style.digit, 1.0);
            }
        }
    }
    let height = style.written_height.step(rng) * cell;
    let jitter = |amount: f32, rng: &mut _| amount * cell * signed(rng);
    for (place, digit) in content.written.givens() {
        let written = hand.write(digit, rng);
        let mut middle = center(place);
        middle.x += jitter(0.09, rng);
        middle.y += jitter(0.09, rng);
        let height = height * (1.0 + 0.1 * signed(rng));
        page.written(&written, middle, height, style.pen, style.pressure);
    }
    let shown = content.shown();
    let mut blanks: Vec<Cell> = Cell::all()
        .filter(|&place| shown.given(place).is_none())
        .collect();
    if let Some(marks) = &style.marks {
        for &place in &blanks {
            if rng.random_bool(marks.share) {
                marks.print(page, (center(place), cell), face, rng);
            }
        }
    }
    for _ in 0..style.candidates.min(blanks.len()) {
        let place = blanks.swap_remove(rng.random_range(0..blanks.len()));
        let count = rng.random_range(1..4);
        for k in 0..count {
            let digit = Digit::ALL[rng.random_range(0..9usize)];
            let mut middle = center(place);
            middle.x += cell * (0.2 * k as f32 - 0.28);
            middle.y -= cell * rng.random_range(0.24..0.32);
            let written = hand.write(digit, rng);
            page.written(
                &written,
                middle,
                0.22 * cell,
                style.pen,
                0.8 * style.pressure,
            );
        }
    }
    let right = Point {
        x: left + side,
        y: top,
    };
    let below = Point {
        x: left + side,
        y: top + side,
    };
    Quad::new([
        corner,
        right,
        below,
        Point {
            x: left,
            y: top + side,
        },
    ])
    .expect("a square is convex")
}

fn is_tinted(tint: Tint, cell: Cell, givens: &Puzzle) -> bool {
    let (row, column) = (cell.index() / 9, cell.index() % 9);
    match tint {
        Tint::None => false,
        Tint::Blocks => (row / 3 + column / 3) % 2 == 1,
        Tint::Givens => givens.given(cell).is_some(),
        Tint::Selection(selected) => cell == selected || cell.sees(selected),
    }
}

fn signed(rng: &mut impl Rng) -> f32 {
    rng.random_range(-1.0..1.0)
}
