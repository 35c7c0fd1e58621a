//! Canonical forms of the puzzles of a corpus, one row each.

use std::io::Write;

use super::each::{ReadTally, Watch, each_row, flush};
use super::identify::Identifier;
use super::key::Key;
use crate::canon::{Canonical, Canonizer};
use crate::corpus::Rows;
use crate::grid::PuzzleLine;
use crate::stream::{End, StreamError};

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

/// Writes the form of each puzzle, in order. A puzzle without a form, since it has not one solution where that counts,
/// has an empty field, or an empty line; their number is returned, too.
///
/// # Errors
/// See [`StreamError`].
pub fn canonize_all(
    rows: Rows,
    form: Form,
    columns: CanonColumns,
    watch: &mut Watch<'_>,
    out: &mut (dyn Write + Send),
) -> Result<(ReadTally, u64, End), StreamError> {
    let mut out = std::io::BufWriter::new(out);
    if let CanonColumns::Table { transform } = columns {
        let rest = if transform { ",transform" } else { "" };
        writeln!(out, "puzzle,canon,id,automorphisms{rest}")?;
    }
    let mut without = 0;
    let work = |_: &[_], lines: &[PuzzleLine]| written(lines, form, columns);
    let (tally, end) = each_row(rows, watch, work, |row, line: Option<String>| {
        without += u64::from(line.is_none());
        match (line, columns) {
            (Some(line), _) => writeln!(out, "{line}"),
            (None, CanonColumns::FormOnly) => writeln!(out),
            (None, CanonColumns::Table { transform }) => {
                let rest = if transform { "," } else { "" };
                writeln!(out, "{},,,{rest}", row.puzzle)
            }
        }
    })?;
    let end = flush(&mut out, end)?;
    Ok((tally, without, end))
}

/// The lines of a batch.
fn written(lines: &[PuzzleLine], form: Form, columns: CanonColumns) -> Vec<Option<String>> {
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
