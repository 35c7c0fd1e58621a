//! A step of logic as a picture.

use maud::{Markup, PreEscaped, html};

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, Digit};
use crate::logic::{Argument, Effect, Position, Step};
use crate::report::wrap::wrapped;

/// Lengths in units of the picture: a cell, a pencil mark, the margins at the left and above the
/// board for the names of lines, and a line of text below it.
const CELL: usize = 60;
const MARK: usize = 18;
const MARGIN: usize = 34;
const LINE: usize = 22;
/// Characters per line of text.
const WIDTH: usize = 74;
/// Characters per line of the title, which is bold.
const TITLE_WIDTH: usize = 60;
/// Number of colors for the parts of a pattern; further parts reuse them.
const COLORS: usize = 4;

const STYLE: &str = "\
.paper { fill: #ffffff } .house { fill: #eceff3 }
.p0 { fill: #cfe8fd } .p1 { fill: #d6f0cf } .p2 { fill: #f5def5 } .p3 { fill: #fdebc8 }
.thin { stroke: #b4bac2; stroke-width: 1 } .thick { stroke: #1f2329; stroke-width: 2.5 }
text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2329;
  text-anchor: middle; dominant-baseline: central }
.name { font-size: 14px; fill: #69717c } .digit { font-size: 34px } .given { font-weight: 700 }
.mark { font-size: 14px; fill: #57606a } .seen { font-weight: 700; fill: #1f2329 }
.dot0 { fill: #7cc0f5 } .dot1 { fill: #8fd67f } .dot2 { fill: #e0a3e0 } .dot3 { fill: #efbf5f }
.struck { fill: #c81e2b; font-weight: 700 } .strike { stroke: #c81e2b; stroke-width: 1.5 }
.gone { fill: #fddcdc } .ring { fill: none; stroke: #15803d; stroke-width: 2.5 }
.caption { font-size: 15px; text-anchor: start } .title { font-weight: 700; font-size: 16px }
@media (prefers-color-scheme: dark) {
.paper { fill: #14181d } .house { fill: #20262d }
.p0 { fill: #16405f } .p1 { fill: #204a20 } .p2 { fill: #4d2a4f } .p3 { fill: #57431a }
.thin { stroke: #4b535d } .thick { stroke: #d5dae0 }
text, .seen { fill: #eceff3 } .name, .mark { fill: #a2abb6 } .seen { fill: #ffffff }
.dot0 { fill: #2b7dbb } .dot1 { fill: #3b8a35 } .dot2 { fill: #93508f } .dot3 { fill: #a2741c }
.gone { fill: #552529 } .struck { fill: #ff9a9e } .strike { stroke: #ff7b80 } .ring { stroke: #4ade80 }
}";

/// Returns the step as a self-contained SVG, for light and dark pages: the board before it with its
/// pencil marks, the houses shaded, the pattern colored, eliminations crossed out, placements
/// ringed, and the argument below.
pub fn explain_svg(position: &Position, step: &Step, number: usize) -> String {
    let argument = step.argument();
    let title = format!("{number}. {}", argument.notation());
    let text = argument.text();
    let title_lines = wrapped(&title, TITLE_WIDTH);
    let text_lines = wrapped(&text, WIDTH);
    let board = 9 * CELL;
    let (width, top) = (board + 2 * MARGIN, MARGIN + board + 24);
    let height = top + LINE * (title_lines.len() + text_lines.len()) + 4;
    let all_lines = title_lines.iter().map(|line| (line, "caption title"));
    let all_lines = all_lines.chain(text_lines.iter().map(|line| (line, "caption")));
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) }
            width=(width) height=(height) role="img" {
            title { (title) }
            desc { (text) }
            style { (PreEscaped(STYLE)) }
            rect.paper width=(width) height=(height) {}
            @for cell in Cell::all() { (background(cell, &argument)) }
            @for cell in Cell::all() {
                @match step.before.candidates(cell).single() {
                    Some(digit) if step.before.placed().contains(cell) => {
                        (placed(cell, digit, position.givens()))
                    }
                    _ => {
                        @for digit in step.before.candidates(cell) {
                            (mark(Candidate { cell, digit }, &argument))
                        }
                    }
                }
            }
            @for line in (0..10).filter(|line| line % 3 != 0) { (grid_line("thin", line)) }
            @for line in (0..10).step_by(3) { (grid_line("thick", line)) }
            @for line in 0..9 {
                @let middle = MARGIN + line * CELL + CELL / 2;
                text.name x=(middle) y=(MARGIN - 14) { "c" (line + 1) }
                text.name x=(MARGIN - 15) y=(middle) { "r" (line + 1) }
            }
            @for ((line, class), at) in all_lines.zip(0..) {
                text class=(class) x=(MARGIN) y=(top + at * LINE) { (line) }
            }
        }
    };
    picture.into_string() + "\n"
}

/// Returns the left and upper corner of a cell.
fn corner(cell: Cell) -> (usize, usize) {
    (MARGIN + cell.column() * CELL, MARGIN + cell.row() * CELL)
}

/// Returns the centre of a candidate in its cell, of three rows of three.
fn place(candidate: Candidate) -> (usize, usize) {
    let (x, y) = corner(candidate.cell);
    let index = candidate.digit.index();
    let at = |third: usize| CELL / 2 + third * MARK - MARK;
    (x + at(index % 3), y + at(index / 3))
}

/// Returns the color of the first part that this candidate belongs to.
fn color(argument: &Argument, belongs: impl Fn(&CandidateSet) -> bool) -> Option<usize> {
    let mut parts = argument.parts().iter();
    let part = parts.position(|part| belongs(&part.candidates))?;
    Some(part % COLORS)
}

fn background(cell: Cell, argument: &Argument) -> Markup {
    let here = |candidates: &CandidateSet| candidates.iter().any(|c| c.cell == cell);
    let class = match color(argument, here) {
        Some(color) => format!("p{color}"),
        None if argument.houses().cells().contains(cell) => "house".to_owned(),
        None => return html! {},
    };
    let (x, y) = corner(cell);
    html! { rect class=(class) x=(x) y=(y) width=(CELL) height=(CELL) {} }
}

fn placed(cell: Cell, digit: Digit, givens: CellSet) -> Markup {
    let (x, y) = corner(cell);
    let class = if givens.contains(cell) {
        "digit given"
    } else {
        "digit"
    };
    html! { text class=(class) x=(x + CELL / 2) y=(y + CELL / 2) { (digit) } }
}

/// Returns a pencil mark with the style of its role in the step.
fn mark(candidate: Candidate, argument: &Argument) -> Markup {
    let (x, y) = place(candidate);
    let color = color(argument, |candidates| candidates.contains(candidate));
    let (is_placed, is_struck) = match &argument.effect {
        Effect::Place(placed) => (*placed == candidate, false),
        Effect::Eliminate(struck) => (false, struck.contains(candidate)),
    };
    let class = match color {
        _ if is_struck => "mark struck",
        Some(_) => "mark seen",
        None => "mark",
    };
    html! {
        @if let Some(color) = color {
            circle class={ "dot" (color) } cx=(x) cy=(y) r="8.5" {}
        }
        @if is_struck { circle.gone cx=(x) cy=(y) r="8.5" {} }
        text class=(class) x=(x) y=(y) { (candidate.digit) }
        @if is_placed { circle.ring cx=(x) cy=(y) r="9.5" {} }
        @if is_struck { line.strike x1=(x - 8) y1=(y + 8) x2=(x + 8) y2=(y - 8) {} }
    }
}

/// Returns the horizontal and the vertical grid line of this index.
fn grid_line(class: &str, line: usize) -> Markup {
    let (at, end) = (MARGIN + line * CELL, MARGIN + 9 * CELL);
    html! {
        line class=(class) x1=(MARGIN) y1=(at) x2=(end) y2=(at) stroke-linecap="square" {}
        line class=(class) x1=(at) y1=(MARGIN) x2=(at) y2=(end) stroke-linecap="square" {}
    }
}
