//! Text and other puzzles around boards.

use ab_glyph::FontVec;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::page::{Color, Page};
use crate::render::face::Face;

/// Meaningless words for columns of text.
const WORDS: [&str; 24] = [
    "the", "of", "river", "and", "market", "in", "council", "to", "a", "season", "would", "that",
    "people", "early", "town", "after", "which", "morning", "new", "for", "price", "with", "road",
    "house",
];

/// The fonts of one page; without any, text is left out.
pub(super) struct Types<'a> {
    pub(super) digits: Option<&'a Face>,
    pub(super) text: Option<FontVec>,
    pub(super) title: Option<FontVec>,
}

/// Draws a line of text from a point on its baseline; nothing without a font.
pub(super) fn write(
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

/// Draws lines of words, ragged on the right.
pub(super) fn column(
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

/// Draws a crossword diagram with this many cells per side.
pub(super) fn crossword(
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
