//! The hardest puzzles of a corpus: a click opens the grid and the effort of each solver.

use data_encoding::BASE64;
use maud::{Markup, html};

use crate::bench::{CorpusRow, HardAnswer, HardPuzzle};
use crate::grid::{Cell, Puzzle};
use crate::report::number::{counted, grouped, sort_key, time};
use crate::variant::{Reading, parse_line, svg};

/// Returns the list, in the order of the file; empty if none is known.
pub(super) fn hardest(corpus: &CorpusRow) -> Markup {
    html! {
        @if !corpus.hardest.is_empty() {
            h3 { "The hardest puzzles" }
            p.quiet {
                "Those that took each solver the most nodes and, where nodes are equal, the most time. "
                "Open one to see it, and what every solver needed."
            }
            @for puzzle in &corpus.hardest { (hard_puzzle(puzzle)) }
        }
    }
}

fn hard_puzzle(puzzle: &HardPuzzle) -> Markup {
    html! {
        details.puzzle {
            summary {
                b { "line " (grouped(puzzle.line)) } ", "
                (counted(givens(&puzzle.puzzle), "given"))
                span.note { "hard for " (puzzle.hardest_for.join(", ")) }
            }
            div.opened {
                div {
                    (board(&puzzle.puzzle, puzzle.line))
                    p { code { (puzzle.puzzle) } }
                }
                div.wide { (answers(puzzle)) }
            }
        }
    }
}

/// Returns the number of givens in a line of text, whose first field has the cells.
fn givens(puzzle: &str) -> u64 {
    let cells = puzzle.split_whitespace().next().unwrap_or_default();
    cells.chars().filter(char::is_ascii_alphanumeric).count() as u64
}

/// Returns a classic board as a table, any other as a picture; nothing, if it cannot be parsed.
fn board(puzzle: &str, line: u64) -> Markup {
    if let Ok(classic) = puzzle.parse() {
        return grid(&classic, line);
    }
    let entry = parse_line(puzzle, &Reading::default());
    let picture = entry.map(|it| svg(&it.puzzle, it.puzzle.givens(), it.alphabet, None));
    html! {
        @if let Ok(picture) = picture {
            img width="300" alt={ "The puzzle of line " (line) }
                src={ "data:image/svg+xml;base64," (BASE64.encode(picture.as_bytes())) };
        }
    }
}

fn grid(puzzle: &Puzzle, line: u64) -> Markup {
    let given = |row, column| Cell::at(row, column).and_then(|cell| puzzle.given(cell));
    html! {
        table.grid {
            caption.unseen { "The puzzle of line " (line) }
            tbody {
                @for row in 0..9 {
                    tr {
                        @for column in 0..9 {
                            td { @if let Some(digit) = given(row, column) { (digit.to_string()) } }
                        }
                    }
                }
            }
        }
    }
}

fn answers(puzzle: &HardPuzzle) -> Markup {
    let count = |number: Option<u64>| number.map_or_else(String::new, grouped);
    html! {
        table.sorts {
            caption.unseen { "What each solver needed for line " (puzzle.line) }
            thead { tr {
                th scope="col" { "solver" }
                @for title in ["time", "guesses", "nodes"] { th.number scope="col" { (title) } }
                th scope="col" { "answer" }
            } }
            tbody {
                @for answer in &puzzle.answers {
                    @let HardAnswer { solver, verdict, guesses, nodes, us } = answer;
                    tr {
                        th scope="row" { (solver) }
                        td.number data-value=[us.map(sort_key)] { (us.map_or_else(String::new, time)) }
                        td.number data-value=[guesses] { (count(*guesses)) }
                        td.number data-value=[nodes] { (count(*nodes)) }
                        td { (verdict) }
                    }
                }
            }
        }
    }
}
