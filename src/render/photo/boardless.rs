//! Pages without a board that look as if they had one.

use rand::{Rng, RngExt};

use super::layouts::{Layout, square};
use super::page::Page;
use super::print::{Types, column, crossword, write};
use crate::vision::Point;

/// Returns a page with a large crossword.
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

/// Returns a page with a month of a calendar.
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

/// Returns a page with a chess diagram in a column of text.
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

/// Returns a page with two columns of text and a headline.
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
