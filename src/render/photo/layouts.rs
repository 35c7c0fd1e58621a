//! What is on a page: boards, text, other puzzles, the interface of an app.

use ab_glyph::FontVec;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::board::{BoardStyle, Puzzling, draw_board};
use super::page::{Color, Page};
use crate::grid::Digit;
use crate::render::fonts::Face;
use crate::render::strokes::Hand;
use crate::vision::{Point, Quad};

/// Words of no meaning for columns of text.
const WORDS: [&str; 24] = [
    "the", "of", "river", "and", "market", "in", "council", "to", "a", "season", "would", "that",
    "people", "early", "town", "after", "which", "morning", "new", "for", "price", "with", "road",
    "house",
];

/// Titles that stand above boards.
const TITLES: [&str; 6] = [
    "SUDOKU",
    "Sudoku",
    "Su Doku",
    "Puzzle 137",
    "No. 42",
    "Daily Sudoku",
];

/// Levels that stand beside them.
const LEVELS: [&str; 6] = ["easy", "medium", "difficult", "mild", "fiendish", "Level 3"];

/// The fonts of one page; without any, text is left out.
pub(super) struct Types<'a> {
    pub(super) digits: Option<&'a Face>,
    pub(super) text: Option<FontVec>,
    pub(super) title: Option<FontVec>,
}

/// A page and where its boards are on it.
pub(super) struct Layout {
    pub(super) page: Page,
    pub(super) boards: Vec<Quad>,
    /// The part of the page that the photo is about.
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

fn write(
    page: &mut Page,
    font: Option<&FontVec>,
    size: f32,
    at: (f32, f32),
    color: Color,
    text: &str,
) {
    if let Some(font) = font {
        page.text(font, size, at, color, text);
    }
}

/// Lines of words, ragged on the right.
fn column(
    page: &mut Page,
    font: Option<&FontVec>,
    [left, top, right, bottom]: [f32; 4],
    size: f32,
    rng: &mut impl Rng,
) {
    let Some(font) = font else { return };
    let mut baseline = top + size;
    while baseline < bottom {
        let mut x = left;
        // A paragraph ends now and then.
        let end = if rng.random_bool(0.15) {
            rng.random_range(left..right)
        } else {
            right
        };
        while let Some(word) = WORDS.choose(rng) {
            let width = 0.5 * size * word.len() as f32;
            if x + width > end {
                break;
            }
            x += page.text(font, size, (x, baseline), [50, 48, 46], word) + 0.3 * size;
        }
        baseline += 1.25 * size;
    }
}

/// A crossword diagram of this many cells a side.
fn crossword(
    page: &mut Page,
    types: &Types<'_>,
    left: f32,
    top: f32,
    side: f32,
    cells: usize,
    rng: &mut impl Rng,
) {
    let cell = side / cells as f32;
    let mut number = 0;
    page.fill([left, top, left + side, top + side], [245, 244, 240]);
    for row in 0..cells {
        for col in 0..cells {
            let (x, y) = (left + col as f32 * cell, top + row as f32 * cell);
            let black = (row % 2 == 1 && col % 2 == 1) || rng.random_bool(0.1);
            if black {
                page.fill([x, y, x + cell, y + cell], [35, 35, 35]);
            } else if rng.random_bool(0.25) {
                number += 1;
                let at = (x + 0.08 * cell, y + 0.34 * cell);
                write(
                    page,
                    types.text.as_ref(),
                    0.32 * cell,
                    at,
                    [40; 3],
                    &number.to_string(),
                );
            }
            page.frame([x, y, x + cell + 1.0, y + cell + 1.0], 1.5, [50; 3]);
        }
    }
    page.frame([left, top, left + side, top + side], 3.0, [30; 3]);
}

/// A newspaper page around one board, or around two.
pub(super) fn newspaper(types: &Types<'_>, boards: &[Puzzling], rng: &mut impl Rng) -> Layout {
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
    let style = BoardStyle::printed(if rng.random() { paper } else { [248; 3] }, rng);
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
    if let Some(puzzling) = boards.first() {
        quads.push(draw_board(
            &mut page,
            Point { x: left, y: top },
            side,
            &style,
            types.digits,
            puzzling,
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

/// A page with nothing but boards, a title each and a page number.
pub(super) fn sheet(
    types: &Types<'_>,
    boards: &[Puzzling],
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
    for (k, puzzling) in boards.iter().enumerate() {
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
            puzzling,
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

/// An app: a bar above, digits to tap below.
pub(super) fn screen(
    types: &Types<'_>,
    board: &Puzzling,
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
                &Hand::clean(0.13).write(digit, rng),
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

/// A page with a large crossword.
pub(super) fn crossword_page(types: &Types<'_>, rng: &mut impl Rng) -> Layout {
    let mut page = Page::new(1300, 1700, [238, 236, 228]);
    write(
        &mut page,
        types.title.as_ref(),
        80.0,
        (150.0, 180.0),
        [30; 3],
        "Crossword",
    );
    crossword(&mut page, types, 150.0, 230.0, 1000.0, 13, rng);
    column(
        &mut page,
        types.text.as_ref(),
        [150.0, 1270.0, 630.0, 1660.0],
        26.0,
        rng,
    );
    column(
        &mut page,
        types.text.as_ref(),
        [680.0, 1270.0, 1150.0, 1660.0],
        26.0,
        rng,
    );
    Layout {
        page,
        boards: Vec::new(),
        subject: square(150.0, 230.0, 1000.0, 1000.0),
    }
}

/// A month in a table.
pub(super) fn calendar(types: &Types<'_>, rng: &mut impl Rng) -> Layout {
    let mut page = Page::new(1300, 1300, [250; 3]);
    write(
        &mut page,
        types.title.as_ref(),
        90.0,
        (120.0, 150.0),
        [150, 30, 30],
        "October",
    );
    let (cell, left, top) = (150.0, 125.0, 210.0);
    let first = rng.random_range(0..7usize);
    for k in 0..42usize {
        let (x, y) = (left + (k % 7) as f32 * cell, top + (k / 7) as f32 * cell);
        page.frame([x, y, x + cell + 3.0, y + cell + 3.0], 3.0, [70; 3]);
        if (first..first + 31).contains(&k) {
            let color = if k % 7 == 6 { [190, 40, 40] } else { [40; 3] };
            let day = (k - first + 1).to_string();
            write(
                &mut page,
                types.text.as_ref(),
                64.0,
                (x + 20.0, y + 80.0),
                color,
                &day,
            );
        }
    }
    Layout {
        page,
        boards: Vec::new(),
        subject: square(left, top, 7.0 * cell, 6.0 * cell),
    }
}

/// A chess diagram in a column of text.
pub(super) fn chess(types: &Types<'_>, rng: &mut impl Rng) -> Layout {
    let mut page = Page::new(1300, 1600, [242, 240, 234]);
    let (cell, left, top) = (100.0, 250.0, 300.0);
    column(
        &mut page,
        types.text.as_ref(),
        [150.0, 90.0, 1150.0, 270.0],
        32.0,
        rng,
    );
    for k in 0..64usize {
        let (row, col) = (k / 8, k % 8);
        let (x, y) = (left + col as f32 * cell, top + row as f32 * cell);
        let dark = (row + col) % 2 == 1;
        page.fill(
            [x, y, x + cell, y + cell],
            if dark { [150, 140, 128] } else { [240; 3] },
        );
        if rng.random_bool(0.35) {
            let ink = if rng.random() { [20; 3] } else { [252; 3] };
            let at = |dy: f32| Point {
                x: x + 50.0,
                y: y + dy,
            };
            page.disk(at(64.0), 29.0, [20; 3]);
            page.disk(at(64.0), 25.0, ink);
            page.disk(at(34.0), 18.0, [20; 3]);
            page.disk(at(34.0), 14.0, ink);
        }
    }
    page.frame([left, top, left + 800.0, top + 800.0], 6.0, [30; 3]);
    column(
        &mut page,
        types.text.as_ref(),
        [150.0, 1140.0, 1150.0, 1560.0],
        32.0,
        rng,
    );
    Layout {
        page,
        boards: Vec::new(),
        subject: square(left, top, 800.0, 800.0),
    }
}

/// Two columns of text and a headline.
pub(super) fn text(types: &Types<'_>, rng: &mut impl Rng) -> Layout {
    let mut page = Page::new(1300, 1700, [244, 242, 236]);
    write(
        &mut page,
        types.title.as_ref(),
        84.0,
        (100.0, 170.0),
        [30; 3],
        "Rivers and roads",
    );
    column(
        &mut page,
        types.text.as_ref(),
        [100.0, 230.0, 630.0, 1640.0],
        30.0,
        rng,
    );
    column(
        &mut page,
        types.text.as_ref(),
        [680.0, 230.0, 1210.0, 1640.0],
        30.0,
        rng,
    );
    Layout {
        page,
        boards: Vec::new(),
        subject: square(100.0, 200.0, 1100.0, 1200.0),
    }
}
