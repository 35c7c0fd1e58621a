//! Tables that a person filled in: `review.csv`, `corrections.csv`.

use std::fmt;
use std::path::Path;

use super::review_error::ReviewError;
use crate::files::record_line;

/// A row: its line in the file, and its fields or what is wrong with it.
type Row<const N: usize> = (u64, Result<[String; N], &'static str>);

/// The rows of a table, with the fields of these columns.
///
/// # Errors
/// [`ReviewError::Unreadable`]: there is no such file, or it lacks a column.
pub(super) fn rows<const N: usize>(
    path: &Path,
    columns: [&str; N],
) -> Result<Vec<Row<N>>, ReviewError> {
    let unreadable = |reason: &dyn fmt::Display| ReviewError::Unreadable {
        path: path.to_owned(),
        reason: reason.to_string(),
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(&*bytes);
    let header = reader.headers().map_err(|error| unreadable(&error))?;
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(columns) {
        let found = header.iter().position(|column| column.trim() == name);
        *place = found.ok_or_else(|| unreadable(&format_args!("there is no column `{name}`")))?;
    }
    let rows = reader.records().map(|record| match record {
        Ok(record) => {
            let field = |at| record.get(at).unwrap_or_default().to_owned();
            (
                record_line(&bytes, record.position()),
                Ok(places.map(field)),
            )
        }
        Err(error) => {
            let line = record_line(&bytes, error.position());
            (line, Err("it is no text in UTF-8"))
        }
    });
    Ok(rows.collect())
}
