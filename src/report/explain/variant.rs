//! Explanations of boards of any size, as text and JSON.

use std::fmt::Write;

use anstyle::Style;
use serde::Serialize;

use crate::report::wrap::wrapped;
use crate::variant::{
    Alphabet, Value, VariantExplanation, VariantPuzzle, VariantStep, pretty, write_cells,
};

/// Characters per line of an argument.
const WIDTH: usize = 88;

/// Returns the board, each step with its argument, and the end.
pub fn explain_variant_text(
    puzzle: &VariantPuzzle,
    alphabet: Alphabet,
    explanation: &VariantExplanation,
) -> String {
    let layout = puzzle.layout();
    let bold = Style::new().bold();
    let mut text = pretty(layout, puzzle.givens(), alphabet);
    for (step, number) in explanation.steps.iter().zip(1..) {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "\n{number:>3}. {bold}{}{bold:#}",
            step.notation(layout, alphabet)
        );
        for line in wrapped(&step.argument(layout, alphabet), WIDTH) {
            let _ = writeln!(text, "     {line}");
        }
    }
    text.push('\n');
    if explanation.is_contradiction {
        text += "No solution: a cell has no value left, a value no place in a house, or a cage cannot have its sum.\n";
    } else if explanation.is_solved() {
        let _ = writeln!(text, "Solved: {}", cells(&explanation.placed, alphabet));
    } else {
        text += match layout.cages().is_empty() {
            true => "Stuck: singles and subsets find no further step.\n",
            false => "Stuck: singles, subsets and sums find no further step.\n",
        };
        text += &pretty(layout, &explanation.placed, alphabet);
    }
    text
}

/// Returns the same as one line of JSON.
pub fn explain_variant_json(
    puzzle: &VariantPuzzle,
    alphabet: Alphabet,
    explanation: &VariantExplanation,
) -> String {
    let layout = puzzle.layout();
    let place = |cell: usize| Place {
        row: cell / layout.side() + 1,
        column: cell % layout.side() + 1,
    };
    let numbers = |values: &[Value]| values.iter().map(|value| value.get()).collect();
    let step = |step: &VariantStep| Step {
        technique: step.name(),
        cells: step.cells.iter().map(|cell| place(*cell)).collect(),
        values: numbers(&step.values),
        struck: step
            .struck
            .iter()
            .map(|(cell, values)| Struck {
                cell: place(*cell),
                values: numbers(values),
            })
            .collect(),
        text: step.argument(layout, alphabet),
    };
    let json = Json {
        puzzle: cells(puzzle.givens(), alphabet),
        solved: explanation.is_solved(),
        contradiction: explanation.is_contradiction,
        board: cells(&explanation.placed, alphabet),
        steps: explanation.steps.iter().map(step).collect(),
    };
    serde_json::to_string(&json).expect("numbers and texts are JSON") + "\n"
}

fn cells(cells: &[Option<Value>], alphabet: Alphabet) -> String {
    let written = write_cells(cells, alphabet);
    written
        .or_else(|_| write_cells(cells, Alphabet::Numbers))
        .unwrap_or_default()
}

#[derive(Serialize)]
struct Json {
    puzzle: String,
    solved: bool,
    contradiction: bool,
    /// The cells known at the end.
    board: String,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    technique: String,
    cells: Vec<Place>,
    values: Vec<u8>,
    struck: Vec<Struck>,
    text: String,
}

#[derive(Serialize)]
struct Struck {
    cell: Place,
    values: Vec<u8>,
}

#[derive(Serialize)]
struct Place {
    row: usize,
    column: usize,
}
