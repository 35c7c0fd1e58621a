//! Canonical forms of the puzzles of a corpus, one row each.

use std::io::Write;

use super::board::Board;
use super::each::{ReadTally, Watch, each_of, flush};
use super::form::{CanonColumns, Form, csv_field};
use crate::corpus::{Row, Rows};
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// Writes the form of each puzzle, in order. A puzzle without a form, since it has not one solution where that counts,
/// has an empty field, or an empty line; their number is returned, too. `stop` ends searches on large boards.
///
/// # Errors
/// See [`StreamError`].
pub fn canonize_all<B: Board>(
    rows: Rows<B>,
    form: Form,
    columns: CanonColumns,
    stop: Option<Stop>,
    watch: &mut Watch<'_, B::Error>,
    out: &mut (dyn Write + Send),
) -> Result<(ReadTally, u64, End), StreamError> {
    let mut out = std::io::BufWriter::new(out);
    if let CanonColumns::Table { transform } = columns {
        let rest = if transform { ",transform" } else { "" };
        writeln!(out, "puzzle,canon,id,automorphisms{rest}")?;
    }
    let mut without = 0;
    let work = |rows: &[Row<B::Puzzle>]| B::forms(rows, form, columns, stop);
    let batch = B::batch(form == Form::Solution);
    let (tally, end) = each_of(rows, batch, watch, work, |row, line: Option<String>| {
        without += u64::from(line.is_none());
        match (line, columns) {
            (Some(line), _) => writeln!(out, "{line}"),
            (None, CanonColumns::FormOnly) => writeln!(out),
            (None, CanonColumns::Table { transform }) => {
                let rest = if transform { "," } else { "" };
                writeln!(out, "{},,,{rest}", csv_field(&B::line(&row.puzzle)))
            }
        }
    })?;
    let end = flush(&mut out, end)?;
    Ok((tally, without, end))
}
