//! The canonical form of a puzzle as a row.

use std::borrow::Cow;

use super::identify::Identifier;
use super::key::Key;
use crate::canon::{Canonical, Canonizer};
use crate::grid::PuzzleLine;
use crate::variant::CanonicalPuzzle;

/// Which of the images of a puzzle stands for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The least line.
    Minlex,
    /// The least of those whose solution is the least grid.
    Solution,
    /// The least pattern of givens, which are all written as 1.
    Pattern,
}

/// What is written of each puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanonColumns {
    /// The form and nothing else.
    FormOnly,
    /// CSV with `puzzle`, `canon`, `id` and `automorphisms`.
    Table {
        /// And with `transform`, the symmetry that leads from the puzzle to the form.
        transform: bool,
    },
}

/// The rows of classic puzzles.
pub(super) fn classic_forms(
    lines: &[PuzzleLine],
    form: Form,
    columns: CanonColumns,
) -> Vec<Option<String>> {
    let mut canonizer = Canonizer::new();
    let text = |line: &PuzzleLine| String::from_utf8_lossy(line.as_bytes()).into_owned();
    if (form, columns) == (Form::Minlex, CanonColumns::FormOnly) {
        let form = |line| Some(text(&canonizer.minlex_line(line)));
        return lines.iter().map(form).collect();
    }
    let forms: Vec<Option<Canonical>> = match form {
        Form::Minlex => {
            let form = |line| Some(canonizer.minlex(line));
            lines.iter().map(form).collect()
        }
        Form::Pattern => {
            let form = |line| Some(canonizer.pattern(line));
            lines.iter().map(form).collect()
        }
        Form::Solution => {
            let solutions = Identifier::default().solutions(lines);
            let pairs = lines.iter().zip(solutions);
            pairs
                .map(|(line, solution)| Some(canonizer.by_solution(line, &solution?)))
                .collect()
        }
    };
    let pairs = lines.iter().zip(forms);
    let written = pairs.map(|(puzzle, form)| {
        let CanonColumns::Table { transform } = columns else {
            return Some(text(&form?.line));
        };
        let form = form?;
        let line = text(&form.line);
        let id = Key::of(form.line.as_bytes());
        let mut row = format!("{},{line},{id},{}", text(puzzle), form.automorphisms);
        if transform {
            row += &format!(",{}", form.symmetry);
        }
        Some(row)
    });
    written.collect()
}

/// The row of a puzzle of any layout: `puzzle` and its form, as lines. The column `transform` is empty.
pub(super) fn form_row(
    puzzle: &str,
    line: &str,
    form: &CanonicalPuzzle,
    columns: CanonColumns,
) -> String {
    let CanonColumns::Table { transform } = columns else {
        return line.to_owned();
    };
    let automorphisms = form.automorphisms.map(|count| count.to_string());
    let automorphisms = automorphisms.unwrap_or_default();
    let (puzzle, line) = (csv_field(puzzle), csv_field(line));
    let rest = if transform { "," } else { "" };
    format!(
        "{puzzle},{line},{},{automorphisms}{rest}",
        Key::of(&form.form)
    )
}

/// A text as a field of a table.
pub(super) fn csv_field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
