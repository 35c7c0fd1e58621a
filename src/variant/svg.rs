//! A board of any layout as a picture.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::alphabet::Alphabet;
use super::describe::symbol;
use super::layout::{Cage, HouseKind, Layout};
use super::puzzle::VariantPuzzle;
use super::steps::VariantStep;
use super::value::Value;

/// Units of the picture: a cell, the paper around the board, and how far the outline of a cage stands within it.
const CELL: usize = 48;
const MARGIN: usize = 12;
const INSET: usize = 5;
/// A digit of a sum, and its height.
const SUM_DIGIT: usize = 7;
const SUM_HEIGHT: usize = 12;

const STYLE: &str = "
.board .paper { fill: #ffffff } .board .window { fill: #e3ecf6 } .board path { fill: none }
.board .seen { fill: #fdeeb5 } .board .struck { fill: #f9cfcf }
.board .diagonal { stroke: #e6b8b8; stroke-width: 2.5 } .board .thin { stroke: #b4bac2; stroke-width: 1 }
.board .thick { stroke: #1f2329; stroke-width: 2.5; stroke-linecap: square }
.board .cage { stroke: #57606a; stroke-width: 1.2; stroke-dasharray: 4 3 }
.board text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; font-size: 27px; text-anchor: middle;
  dominant-baseline: central }
.board .given { fill: #1f2329; font-weight: 700 } .board .found { fill: #1a66b3 } .board .two { font-size: 22px }
.board .sum { fill: #1f2329; font-size: 11.5px; text-anchor: start }
@media (prefers-color-scheme: dark) {
.board .paper { fill: #14181d } .board .window { fill: #223044 }
.board .seen { fill: #574a1c } .board .struck { fill: #5a2b2f } .board .diagonal { stroke: #6d3b3f }
.board .thin { stroke: #4b535d } .board .thick { stroke: #d5dae0 } .board .cage { stroke: #a2abb6 }
.board .given, .board .sum { fill: #eceff3 } .board .found { fill: #7cc0f5 }
}
";

/// Draws a board as a self-contained SVG, for light and dark pages: regions in heavy lines, cages in dashed outlines
/// with their sums, windows shaded, diagonals drawn; values of `cells` that are givens in the color of the lines, and
/// all others, the found ones, in another. The cells that a step is about are shaded, and in another color those
/// in which it strikes values.
pub fn svg(
    puzzle: &VariantPuzzle,
    cells: &[Option<Value>],
    alphabet: Alphabet,
    step: Option<&VariantStep>,
) -> String {
    let layout = puzzle.layout();
    let side = layout.side();
    let size = side * CELL + 2 * MARGIN;
    let mut text = format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{size}\" height=\"{size}\" \
         role=\"img\">\n<title>Sudoku of {side} x {side} cells</title>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{size}\" height=\"{size}\"/>\n"
    );
    windows(layout, &mut text);
    if let Some(step) = step {
        let is_struck = |cell: &usize| step.struck.iter().any(|(struck, _)| struck == cell);
        for cell in step.cells.iter().filter(|cell| !is_struck(cell)) {
            shade(side, *cell, "seen", &mut text);
        }
        for (cell, _) in &step.struck {
            shade(side, *cell, "struck", &mut text);
        }
    }
    if layout.has_diagonals() {
        let (near, far) = (MARGIN, MARGIN + side * CELL);
        let _ = writeln!(
            text,
            "<path class=\"diagonal\" d=\"M{near} {near}L{far} {far}M{near} {far}L{far} {near}\"/>"
        );
    }
    let (thin, thick) = lines(layout);
    let _ = writeln!(text, "<path class=\"thin\" d=\"{}\"/>", thin.path());
    let _ = writeln!(text, "<path class=\"thick\" d=\"{}\"/>", thick.path());
    for cage in layout.cages() {
        self::cage(layout, cage, &mut text);
    }
    let all = puzzle.givens().iter().zip(cells).enumerate();
    for (cell, (given, value)) in all {
        let Some(value) = given.or(*value) else {
            continue;
        };
        let symbol = symbol(value, alphabet);
        let class = match (given, symbol.len()) {
            (Some(_), 1) => "given",
            (Some(_), _) => "given two",
            (None, 1) => "found",
            (None, _) => "found two",
        };
        // Below the sums, where there are any.
        let lower = if layout.cages().is_empty() { 0 } else { 3 };
        let (x, y) = corner(side, cell);
        let (x, y) = (x + CELL / 2, y + CELL / 2 + lower);
        let _ = writeln!(
            text,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{symbol}</text>"
        );
    }
    text += "</svg>\n";
    text
}

/// The left and upper corner of a cell.
fn corner(side: usize, cell: usize) -> (usize, usize) {
    (MARGIN + cell % side * CELL, MARGIN + cell / side * CELL)
}

fn shade(side: usize, cell: usize, class: &str, text: &mut String) {
    let (x, y) = corner(side, cell);
    let _ = writeln!(
        text,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>"
    );
}

fn windows(layout: &Layout, text: &mut String) {
    let houses = layout.houses().iter();
    for window in houses.filter(|house| house.kind == HouseKind::Window) {
        let (Some(first), Some(last)) = (window.cells.first(), window.cells.last()) else {
            continue;
        };
        let (x, y) = corner(layout.side(), *first);
        let (right, bottom) = corner(layout.side(), *last);
        let (width, height) = (right + CELL - x, bottom + CELL - y);
        let _ = writeln!(
            text,
            "<rect class=\"window\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }
}

/// The lines between cells of a region, and those between regions and around the board.
fn lines(layout: &Layout) -> (Strokes, Strokes) {
    let side = layout.side();
    let (mut thin, mut thick) = (Strokes::default(), Strokes::default());
    let region = |row: usize, column: usize| {
        (row < side && column < side).then(|| layout.region(row * side + column))
    };
    for line in 0..=side {
        for at in 0..side {
            let (level, start) = (MARGIN + line * CELL, MARGIN + at * CELL);
            let (above, left) = match line.checked_sub(1) {
                Some(before) => (region(before, at), region(at, before)),
                None => (None, None),
            };
            let of = |is_thin: bool| if is_thin { 0 } else { 1 };
            let both = [&mut thin, &mut thick];
            both[of(above == region(line, at))].across(level, start, start + CELL);
            both[of(left == region(at, line))].down(level, start, start + CELL);
        }
    }
    (thin, thick)
}

/// The outline of a cage, and its sum.
fn cage(layout: &Layout, cage: &Cage, text: &mut String) {
    let side = layout.side();
    let has = |row: Option<usize>, column: Option<usize>| match (row, column) {
        (Some(row), Some(column)) => {
            row < side && column < side && cage.cells.contains(&(row * side + column))
        }
        _ => false,
    };
    let mut outline = Strokes::default();
    for &cell in &cage.cells {
        let (x, y) = corner(side, cell);
        let (row, column) = (cell / side, cell % side);
        let before = |at: usize| at.checked_sub(1);
        let after = |at: usize| Some(at + 1);
        // A side ends within the cell at a corner of the cage, at the edge of the cell where the side goes on in the
        // next one, and beyond it where the cage goes around a corner.
        let start = |at: usize, is_beside: bool, is_across: bool| match (is_beside, is_across) {
            (false, _) => at + INSET,
            (true, false) => at,
            (true, true) => at - INSET,
        };
        let end = |at: usize, is_beside: bool, is_across: bool| match (is_beside, is_across) {
            (false, _) => at + CELL - INSET,
            (true, false) => at + CELL,
            (true, true) => at + CELL + INSET,
        };
        for (other, level) in [(before(row), y + INSET), (after(row), y + CELL - INSET)] {
            if !has(other, Some(column)) {
                let (left, right) = (before(column), after(column));
                outline.across(
                    level,
                    start(x, has(Some(row), left), has(other, left)),
                    end(x, has(Some(row), right), has(other, right)),
                );
            }
        }
        for (other, level) in [
            (before(column), x + INSET),
            (after(column), x + CELL - INSET),
        ] {
            if !has(Some(row), other) {
                let (above, below) = (before(row), after(row));
                outline.down(
                    level,
                    start(y, has(above, Some(column)), has(above, other)),
                    end(y, has(below, Some(column)), has(below, other)),
                );
            }
        }
    }
    let _ = writeln!(text, "<path class=\"cage\" d=\"{}\"/>", outline.path());
    if let Some(first) = cage.cells.first() {
        let (x, y) = corner(side, *first);
        let sum = cage.sum.to_string();
        let width = sum.len() * SUM_DIGIT + 2;
        let _ = writeln!(
            text,
            "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{SUM_HEIGHT}\"/>\
             <text class=\"sum\" x=\"{}\" y=\"{}\">{sum}</text>",
            x + 2,
            y + 2,
            x + 3,
            y + 2 + SUM_HEIGHT / 2
        );
    }
}

/// Horizontal and vertical strokes by their level: where each begins and ends.
#[derive(Default)]
struct Strokes {
    across: BTreeMap<usize, Vec<(usize, usize)>>,
    down: BTreeMap<usize, Vec<(usize, usize)>>,
}

impl Strokes {
    fn across(&mut self, level: usize, start: usize, end: usize) {
        self.across.entry(level).or_default().push((start, end));
    }

    fn down(&mut self, level: usize, start: usize, end: usize) {
        self.down.entry(level).or_default().push((start, end));
    }

    /// The strokes as a path, those joined that touch.
    fn path(&self) -> String {
        let mut path = String::new();
        for (level, strokes) in &self.across {
            for (start, end) in joined(strokes) {
                let _ = write!(path, "M{start} {level}H{end}");
            }
        }
        for (level, strokes) in &self.down {
            for (start, end) in joined(strokes) {
                let _ = write!(path, "M{level} {start}V{end}");
            }
        }
        path
    }
}

fn joined(strokes: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut sorted = strokes.to_vec();
    sorted.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (start, end) in sorted {
        match joined.last_mut() {
            Some(last) if last.1 >= start => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}
