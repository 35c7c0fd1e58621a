//! Pages with grids of numbers or letters that are no Sudoku: other puzzles, tables, cards, keys.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::layouts::{Layout, square};
use super::page::{Color, Page};
use super::print::{Types, column, write};
use super::scene_style::SceneStyle;

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const INK: Color = [38; 3];

/// Content of a cell.
#[derive(Clone, Debug, Default)]
struct Content {
    /// Background; that of the grid where there is none.
    ground: Option<Color>,
    /// Text in the middle.
    text: String,
    /// Small text in the top left corner.
    corner: String,
    /// Clue of a Kakuro: down and across, separated by a diagonal.
    clue: Option<[String; 2]>,
}

impl Content {
    fn text(text: impl ToString) -> Content {
        Content {
            text: text.to_string(),
            ..Content::default()
        }
    }

    fn on(ground: Color) -> Content {
        Content {
            ground: Some(ground),
            ..Content::default()
        }
    }
}

/// A grid of cells, row by row.
struct Grid {
    columns: usize,
    cells: Vec<Content>,
    /// Width over height of a cell.
    aspect: f32,
}

impl Grid {
    fn new(rows: usize, columns: usize, mut content: impl FnMut(usize, usize) -> Content) -> Grid {
        let cells = (0..rows * columns).map(|at| content(at / columns, at % columns));
        Grid {
            columns,
            cells: cells.collect(),
            aspect: 1.0,
        }
    }
}

/// Returns a page with the grid of this style.
pub(super) fn grid_page(scene_style: SceneStyle, types: &Types<'_>, rng: &mut impl Rng) -> Layout {
    let white = rng.random_range(226..252u8);
    let mut page = Page::new(
        1300,
        1650,
        [white, white - 2, white - rng.random_range(2..14)],
    );
    let (title, grid) = match scene_style {
        SceneStyle::Codeword => ("Codeword", codeword(rng)),
        SceneStyle::Kakuro => ("Kakuro", kakuro(rng)),
        SceneStyle::Nonogram => ("Nonogram", nonogram(rng)),
        SceneStyle::NumberTable => ("Results", number_table(rng)),
        SceneStyle::Bingo => ("BINGO", bingo(rng)),
        SceneStyle::Keypad => ("", keypad(rng)),
        _ => ("Crossword", filled_crossword(rng)),
    };
    write(
        &mut page,
        types.title.as_ref(),
        84.0,
        (150.0, 150.0),
        INK,
        title,
    );
    let rows = grid.cells.len().div_ceil(grid.columns);
    let room = 1000.0f32.min(1150.0 * grid.aspect * grid.columns as f32 / rows as f32);
    let width = room / grid.columns as f32;
    let height = width / grid.aspect;
    let (left, top) = (150.0, 210.0);
    draw(&mut page, types, &grid, [left, top, width, height], rng);
    let bottom = top + rows as f32 * height;
    let text = [left, bottom + 60.0, left + 1000.0, 1610.0];
    column(&mut page, types.text.as_ref(), text, 26.0, rng);
    Layout {
        page,
        boards: Vec::new(),
        subject: square(left, top, room, bottom - top),
    }
}

fn draw(
    page: &mut Page,
    types: &Types<'_>,
    grid: &Grid,
    [left, top, width, height]: [f32; 4],
    rng: &mut impl Rng,
) {
    let line = rng.random_range(1.5..4.0f32);
    let gray = [rng.random_range(30..120u8); 3];
    let size = width.min(height) * rng.random_range(0.5..0.8f32);
    let ground = [rng.random_range(236..254u8); 3];
    for (at, content) in grid.cells.iter().enumerate() {
        let (row, column) = (at / grid.columns, at % grid.columns);
        let (x, y) = (left + column as f32 * width, top + row as f32 * height);
        let (right, bottom) = (x + width, y + height);
        page.fill([x, y, right, bottom], content.ground.unwrap_or(ground));
        let mut put = |size: f32, x: f32, baseline: f32, text: &str| {
            write(page, types.text.as_ref(), size, (x, baseline), INK, text);
        };
        let across = |size: f32, text: &str| 0.5 * size * text.len() as f32;
        let middle = size.min(1.8 * width / content.text.len().max(1) as f32);
        let begin = x + (width - across(middle, &content.text)) / 2.0;
        put(
            middle,
            begin,
            y + 0.5 * height + 0.36 * middle,
            &content.text,
        );
        put(
            0.3 * height,
            x + 0.07 * width,
            y + 0.31 * height,
            &content.corner,
        );
        if let Some([down, other]) = &content.clue {
            let small = 0.36 * height;
            put(small, x + 0.08 * width, y + 0.92 * height, down);
            put(
                small,
                right - across(small, other) - 0.1 * width,
                y + 0.42 * height,
                other,
            );
            for step in 0..width as usize {
                let step = step as f32;
                page.fill(
                    [
                        x + step,
                        y + step / grid.aspect,
                        x + step + 2.0,
                        y + step / grid.aspect + 2.0,
                    ],
                    gray,
                );
            }
        }
        page.frame([x, y, right + line, bottom + line], line, gray);
    }
    let rows = grid.cells.len().div_ceil(grid.columns) as f32;
    let (right, bottom) = (left + grid.columns as f32 * width, top + rows * height);
    let border = line * rng.random_range(1.0..3.0f32);
    page.frame([left, top, right + border, bottom + border], border, gray);
}

fn letter(rng: &mut impl Rng) -> char {
    char::from(*LETTERS.choose(rng).unwrap_or(&b'E'))
}

fn is_black(row: usize, column: usize, rng: &mut impl Rng) -> bool {
    (row % 2 == 1 && column % 2 == 1) || rng.random_bool(0.1)
}

/// Returns a partly solved crossword.
fn filled_crossword(rng: &mut impl Rng) -> Grid {
    let side = rng.random_range(9..16);
    let filled = rng.random_range(0.1..1.0);
    let mut number = 0;
    Grid::new(side, side, |row, column| {
        if is_black(row, column, rng) {
            return Content::on([35; 3]);
        }
        let mut content = Content::default();
        if rng.random_bool(0.3) {
            number += 1;
            content.corner = number.to_string();
        }
        if rng.random_bool(filled) {
            content.text = letter(rng).to_string();
        }
        content
    })
}

/// Returns a crossword with a number for each letter.
fn codeword(rng: &mut impl Rng) -> Grid {
    let side = rng.random_range(9..14);
    Grid::new(side, side, |row, column| {
        if is_black(row, column, rng) {
            return Content::on([35; 3]);
        }
        Content {
            corner: rng.random_range(1..27).to_string(),
            text: match rng.random_bool(0.15) {
                true => letter(rng).to_string(),
                false => String::new(),
            },
            ..Content::default()
        }
    })
}

/// Returns a Kakuro, with some digits filled in.
fn kakuro(rng: &mut impl Rng) -> Grid {
    let side = rng.random_range(7..12);
    let filled = rng.random_range(0.0..0.9);
    let ground = [rng.random_range(60..215u8); 3];
    Grid::new(side, side, |row, column| {
        if row == 0 || column == 0 || rng.random_bool(0.22) {
            let mut sum = || match rng.random_bool(0.6) {
                true => rng.random_range(3..46).to_string(),
                false => String::new(),
            };
            return Content {
                clue: Some([sum(), sum()]),
                ..Content::on(ground)
            };
        }
        match rng.random_bool(filled) {
            true => Content::text(rng.random_range(1..10)),
            false => Content::default(),
        }
    })
}

/// Returns a nonogram, with the lengths of the runs beside and above it.
fn nonogram(rng: &mut impl Rng) -> Grid {
    let (side, hints) = ([5, 8, 9, 10, 15][rng.random_range(0..5usize)], 3);
    let filled = rng.random_range(0.0..0.6);
    Grid::new(side + hints, side + hints, |row, column| {
        match (row < hints, column < hints) {
            (true, true) => Content::default(),
            (false, false) if rng.random_bool(filled) => Content::on([45; 3]),
            (false, false) => Content::default(),
            _ if rng.random_bool(0.6) => Content::text(rng.random_range(1..side.min(9))),
            _ => Content::default(),
        }
    })
}

/// Returns a table of numbers: a multiplication table, scores, or measurements; one in three with
/// nine rows and columns.
fn number_table(rng: &mut impl Rng) -> Grid {
    let (rows, columns) = match rng.random_bool(0.35) {
        true => (9, 9),
        false => (rng.random_range(5..14), rng.random_range(4..12)),
    };
    let most = [10, 10, 100, 1000][rng.random_range(0..4usize)];
    let (is_product, full) = (rng.random_bool(0.3), rng.random_range(0.4..1.1f64).min(1.0));
    let shaded = rng.random_bool(0.4);
    let mut grid = Grid::new(rows, columns, |row, column| {
        let ground = (shaded && row == 0).then_some([205; 3]);
        let text = match is_product {
            true => ((row + 1) * (column + 1)).to_string(),
            false if rng.random_bool(full) => rng.random_range(0..most).to_string(),
            false => String::new(),
        };
        Content {
            ground,
            text,
            ..Content::default()
        }
    });
    grid.aspect = match rng.random_bool(0.5) {
        true => 1.0,
        false => rng.random_range(1.0..2.2),
    };
    grid
}

/// Returns a card of five rows and columns, or of three rows and nine columns.
fn bingo(rng: &mut impl Rng) -> Grid {
    let is_wide: bool = rng.random();
    let (rows, columns) = if is_wide { (3, 9) } else { (5, 5) };
    Grid::new(rows, columns, |_, column| {
        let step = if is_wide { 10 } else { 15 };
        let number = column * step + rng.random_range(1..step);
        match is_wide && rng.random_bool(0.45) {
            true => Content::default(),
            false => Content::text(number),
        }
    })
}

/// Returns the keys of a telephone or a calculator.
fn keypad(rng: &mut impl Rng) -> Grid {
    const PHONE: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];
    const CALCULATOR: [&str; 16] = [
        "7", "8", "9", "/", "4", "5", "6", "x", "1", "2", "3", "-", "0", ".", "=", "+",
    ];
    let is_phone: bool = rng.random();
    let (keys, columns): (&[&str], usize) = match is_phone {
        true => (&PHONE, 3),
        false => (&CALCULATOR, 4),
    };
    Grid::new(4, columns, |row, column| {
        Content::text(keys[row * columns + column])
    })
}
