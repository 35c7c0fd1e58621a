//! An explanation on the terminal.

use std::fmt::Write;

use anstyle::Style;

use crate::grid::{CandidateGrid, Cell};
use crate::logic::{Explanation, Position, Step};
use crate::report::wrap::wrapped;
use crate::solve::Halt;

/// Characters per line of an argument.
const WIDTH: usize = 88;

/// Returns the board, each step with its argument, and the end.
pub fn explain_text(position: &Position, explanation: &Explanation) -> String {
    let mut text = board(position);
    text.push_str(&numbered(&explanation.steps));
    text.push('\n');
    text.push_str(&end_text(explanation));
    text
}

/// Returns the board, and each instance of a technique on it with its argument.
pub fn instances_text(position: &Position, name: &str, found: &[Step]) -> String {
    let count = match found.len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    format!(
        "{}{}\n{name}: {count} found\n",
        board(position),
        numbered(found)
    )
}

/// Returns each step with its number and its argument.
fn numbered(steps: &[Step]) -> String {
    let bold = Style::new().bold();
    let mut text = String::new();
    for (step, number) in steps.iter().zip(1..) {
        let argument = step.argument();
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n{number:>3}. {bold}{}{bold:#}", argument.notation());
        for line in wrapped(&argument.text(), WIDTH) {
            let _ = writeln!(text, "     {line}");
        }
    }
    text
}

/// Returns how the path ended: solved, stuck with the remaining candidates, or no solution.
pub fn end_text(explanation: &Explanation) -> String {
    match &explanation.end {
        Ok(grid) => match grid.solution() {
            Some(solution) if explanation.assumes_uniqueness() => format!(
                "Solved: {solution}\nSome steps assumed that there is only one solution, so they do \
                 not prove it.\n"
            ),
            Some(solution) => format!(
                "Solved: {solution}\nNo step assumed that there is only one solution, so this is \
                 the only one.\n"
            ),
            None => format!(
                "Stuck: no technique finds a further step. These candidates are left:\n{}",
                marks(grid)
            ),
        },
        Err(Halt::Late) => "Stopped at the time limit.\n".to_owned(),
        Err(Halt::Contradiction) => {
            "No solution: a cell has no candidate left, or a digit no place in a house.\n"
                .to_owned()
        }
    }
}

/// Returns the givens of the position.
fn board(position: &Position) -> String {
    table(|cell| {
        let digit = position.digit(cell);
        digit.map_or_else(|| ".".to_owned(), |digit| digit.to_string())
    })
}

/// Returns the candidates of every cell.
fn marks(grid: &CandidateGrid) -> String {
    table(|cell| {
        let digits = grid.candidates(cell).into_iter();
        digits.map(|digit| digit.to_string()).collect()
    })
}

/// Returns a table of nine rows of nine texts, its columns as wide as needed.
fn table(content: impl Fn(Cell) -> String) -> String {
    let cell = |row, column| Cell::at(row, column).map(&content).unwrap_or_default();
    let widths: [usize; 9] = std::array::from_fn(|column| {
        let widths = (0..9).map(|row| cell(row, column).len());
        widths.max().unwrap_or(0)
    });
    let border: String = widths
        .chunks(3)
        .map(|stack| format!("+{}", "-".repeat(stack.iter().sum::<usize>() + 4)))
        .collect();
    let mut text = String::new();
    for row in 0..9 {
        if row % 3 == 0 {
            let _ = writeln!(text, "{border}+");
        }
        for (column, &width) in widths.iter().enumerate() {
            text.push_str(if column % 3 == 0 { "| " } else { "" });
            let _ = write!(text, "{:<width$} ", cell(row, column));
        }
        text.push_str("|\n");
    }
    let _ = writeln!(text, "{border}+");
    text
}
