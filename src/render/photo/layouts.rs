//! Layouts of pages: boards, text, other puzzles, the interface of an app.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::board::{BoardContent, BoardStyle, draw_board};
use super::config::PrintConfig;
use super::page::{Color, Page};
use super::print::{Types, column, crossword, write};
use crate::grid::Digit;
use crate::render::strokes::Handwriting;
use crate::vision::{Point, Quad};

/// Titles above boards.
const TITLES: [&str; 6] = [
    "SUDOKU",
    "Sudoku",
    "Su Doku",
    "Puzzle 137",
    "No. 42",
    "Daily Sudoku",
];

/// Difficulty levels beside them.
const LEVELS: [&str; 6] = ["easy", "medium", "difficult", "mild", "fiendish", "Level 3"];

/// A page and the positions of its boards.
pub(super) struct Layout {
    pub(super) page: Page,
    pub(super) boards: Vec<Quad>,
    /// The part of the page that the photo shows.
    pub(super) subject: Quad,
}

pub(super) fn square(left: f32, top: f32, width: f32, height: f32) -> Quad {
    let at = |x: f32, y: f32| Point { x, y };
    let (right, bottom) = (left + width, top + height);
    Quad::new([
        at(left, top),
        at(right, top),
        at(right, bottom),
        at(left, bottom),
    ])
    .expect("a rectangle is convex")
}

/// Returns a newspaper page around one board; a second one is small, below it.
pub(super) fn newspaper(
    types: &Types<'_>,
    boards: &[BoardContent],
    config: &PrintConfig,
    rng: &mut impl Rng,
) -> Layout {
    let paper = [
        rng.random_range(215..240),
        rng.random_range(212..234),
        rng.random_range(200..226),
    ];
    let mut page = Page::new(1500, 1900, paper);
    let side = rng.random_range(560.0..760.0f32);
    let (left, top) = (
        rng.random_range(330.0..650.0f32),
        rng.random_range(420.0..560.0f32),
    );
    let style = BoardStyle::printed(if rng.random() { paper } else { [248; 3] }, config, rng);
    let title = TITLES.choose(rng).copied().unwrap_or_default();
    let bar = [
        rng.random_range(20..120),
        rng.random_range(20..90),
        rng.random_range(30..140),
    ];
    if rng.random() {
        page.fill(
            [left - 20.0, top - 90.0, left + side + 20.0, top - 25.0],
            bar,
        );
        write(
            &mut page,
            types.title.as_ref(),
            60.0,
            (left, top - 40.0),
            [245; 3],
            title,
        );
    } else {
        write(
            &mut page,
            types.title.as_ref(),
            64.0,
            (left, top - 34.0),
            [30; 3],
            title,
        );
        let level = LEVELS.choose(rng).copied().unwrap_or_default();
        write(
            &mut page,
            types.text.as_ref(),
            34.0,
            (left + 0.7 * side, top - 34.0),
            [60; 3],
            level,
        );
    }
    if rng.random_bool(0.5) {
        page.frame(
            [
                left - 24.0,
                top - 100.0,
                left + side + 24.0,
                top + side + 90.0,
            ],
            3.0,
            [60; 3],
        );
    }
    let mut quads = Vec::new();
    if let Some(content) = boards.first() {
        quads.push(draw_board(
            &mut page,
            Point { x: left, y: top },
            side,
            &style,
            types.digits,
            content,
            rng,
        ));
    }
    let text = types.text.as_ref();
    column(
        &mut page,
        text,
        [left, top + side + 16.0, left + side, top + side + 80.0],
        24.0,
        rng,
    );
    column(
        &mut page,
        text,
        [30.0, 400.0, left - 50.0, 1850.0],
        26.0,
        rng,
    );
    column(
        &mut page,
        text,
        [left + side + 50.0, 400.0, 1480.0, 1850.0],
        26.0,
        rng,
    );
    write(
        &mut page,
        types.title.as_ref(),
        120.0,
        (40.0, 180.0),
        [25; 3],
        "The Morning Post",
    );
    page.fill([40.0, 210.0, 1460.0, 216.0], [40; 3]);
    column(&mut page, text, [40.0, 230.0, 1460.0, 300.0], 30.0, rng);
    let below = top + side + 110.0;
    if let Some(second) = boards.get(1) {
        let small = rng.random_range(0.09..0.15) * page.width();
        let x = left + rng.random_range(0.0..1.0) * (side - small);
        write(
            &mut page,
            text,
            24.0,
            (x, below + 24.0),
            [60; 3],
            "Yesterday's solution",
        );
        let corner = Point { x, y: below + 36.0 };
        let quad = draw_board(&mut page, corner, small, &style, types.digits, second, rng);
        quads.push(quad);
        let subject = square(0.0, 0.0, page.width(), page.height());
        return Layout {
            page,
            subject,
            boards: quads,
        };
    }
    if below + 420.0 < 1890.0 {
        crossword(
            &mut page,
            types,
            left,
            below,
            (1860.0 - below).min(side),
            13,
            rng,
        );
    }
    Layout {
        page,
        subject: square(left, top, side, side),
        boards: quads,
    }
}

/// Returns a page with nothing but boards, with titles and a page number.
pub(super) fn sheet(
    types: &Types<'_>,
    boards: &[BoardContent],
    style: &BoardStyle,
    paper: Color,
    rng: &mut impl Rng,
) -> Layout {
    let mut page = Page::new(1300, if boards.len() > 1 { 2300 } else { 1700 }, paper);
    let side = if boards.len() > 1 {
        rng.random_range(780.0..920.0)
    } else {
        rng.random_range(880.0..1040.0f32)
    };
    let left = (1300.0 - side) / 2.0 + rng.random_range(-60.0..60.0f32);
    let mut quads = Vec::new();
    for (k, content) in boards.iter().enumerate() {
        let top = 230.0 + k as f32 * (side + 170.0) + rng.random_range(0.0..40.0f32);
        let title = TITLES.choose(rng).copied().unwrap_or_default();
        write(
            &mut page,
            types.title.as_ref(),
            58.0,
            (left, top - 34.0),
            [40; 3],
            title,
        );
        let level = LEVELS.choose(rng).copied().unwrap_or_default();
        write(
            &mut page,
            types.text.as_ref(),
            38.0,
            (left + 0.78 * side, top - 34.0),
            [70; 3],
            level,
        );
        quads.push(draw_board(
            &mut page,
            Point { x: left, y: top },
            side,
            style,
            types.digits,
            content,
            rng,
        ));
    }
    let number = rng.random_range(3..240).to_string();
    let bottom = page.height();
    if boards.len() < 2 {
        column(
            &mut page,
            types.text.as_ref(),
            [left, bottom - 330.0, left + side, bottom - 160.0],
            30.0,
            rng,
        );
    }
    write(
        &mut page,
        types.text.as_ref(),
        34.0,
        (640.0, bottom - 60.0),
        [60; 3],
        &number,
    );
    let top = 230.0;
    let height = boards.len().max(1) as f32 * (side + 170.0) - 130.0;
    Layout {
        page,
        subject: square(left, top, side, height),
        boards: quads,
    }
}

/// Returns a page of a puzzle book: boards in rows, with titles.
pub(super) fn puzzle_page(
    types: &Types<'_>,
    boards: &[BoardContent],
    style: &BoardStyle,
    paper: Color,
    rng: &mut impl Rng,
) -> Layout {
    let mut page = Page::new(1800, 2400, paper);
    let (width, height) = (page.width(), page.height());
    let count = boards.len().max(1) as f32;
    let columns = (count * width / height).sqrt().ceil();
    let rows = (count / columns).ceil();
    let margin = rng.random_range(50.0..110.0);
    let slot = [
        (width - 2.0 * margin) / columns,
        (height - 2.0 * margin) / rows,
    ];
    let room = slot[0].min(slot[1]);
    let side = rng.random_range(0.72..0.86) * room;
    let mut quads = Vec::new();
    for (k, content) in boards.iter().enumerate() {
        let (row, column) = (k / columns as usize, k % columns as usize);
        let corner = Point {
            x: margin + slot[0] * column as f32 + 0.5 * (slot[0] - side),
            y: margin + slot[1] * row as f32 + 0.6 * (slot[1] - side),
        };
        write(
            &mut page,
            types.title.as_ref(),
            0.08 * room,
            (corner.x, corner.y - 0.02 * room),
            [40; 3],
            &format!("{}", k + 1),
        );
        quads.push(draw_board(
            &mut page,
            corner,
            side,
            style,
            types.digits,
            content,
            rng,
        ));
    }
    Layout {
        page,
        subject: square(0.0, 0.0, width, height),
        boards: quads,
    }
}

/// Returns the screen of an app: a bar above, digits to tap below.
pub(super) fn screen(
    types: &Types<'_>,
    board: &BoardContent,
    style: &BoardStyle,
    ground: Color,
    accent: Color,
    rng: &mut impl Rng,
) -> Layout {
    let mut page = Page::new(1080, 1900, ground);
    let side = rng.random_range(960.0..1040.0f32);
    let (left, top) = ((1080.0 - side) / 2.0, rng.random_range(330.0..420.0f32));
    let pale = accent.map(|value| value / 2 + ground[0] / 2);
    page.fill(
        [0.0, 0.0, 1080.0, 70.0],
        ground.map(|value| value.saturating_add(12)),
    );
    let time = format!(
        "{:02}:{:02}",
        rng.random_range(0..24),
        rng.random_range(0..60)
    );
    write(
        &mut page,
        types.text.as_ref(),
        40.0,
        (40.0, 50.0),
        accent,
        &time,
    );
    write(
        &mut page,
        types.title.as_ref(),
        70.0,
        (60.0, 190.0),
        accent,
        "Sudoku",
    );
    let level = LEVELS.choose(rng).copied().unwrap_or_default();
    write(
        &mut page,
        types.text.as_ref(),
        44.0,
        (60.0, 275.0),
        pale,
        level,
    );
    let clock = format!(
        "{:02}:{:02}",
        rng.random_range(0..30),
        rng.random_range(0..60)
    );
    write(
        &mut page,
        types.text.as_ref(),
        44.0,
        (860.0, 275.0),
        pale,
        &clock,
    );
    let quad = draw_board(
        &mut page,
        Point { x: left, y: top },
        side,
        style,
        types.digits,
        board,
        rng,
    );
    let keys = top + side + 150.0;
    for digit in Digit::ALL {
        let center = Point {
            x: left + side * (digit.index() as f32 + 0.5) / 9.0,
            y: keys,
        };
        match types.digits {
            Some(face) => page.glyph(&face.masks[digit.index()], center, 64.0, accent),
            None => page.written(
                &Handwriting::clean(0.13).write(digit, rng),
                center,
                64.0,
                accent,
                1.0,
            ),
        }
    }
    for k in 0..4 {
        let center = Point {
            x: left + side * (k as f32 + 0.5) / 4.0,
            y: keys + 150.0,
        };
        page.disk(center, 44.0, pale);
        page.disk(center, 38.0, ground);
    }
    Layout {
        page,
        subject: square(left, top, side, side),
        boards: vec![quad],
    }
}
