//! Reads tables edited by a person: `corrections.csv`.

use std::fmt;
use std::path::Path;

use super::review_error::ReviewError;
use crate::files::{delimiter, record_line};
use crate::opening::{LARGEST_TEXT, read_file};

/// A row: its line in the file, and its fields or what is wrong with it.
type Row<const N: usize> = (u64, Result<[String; N], &'static str>);

/// Returns the rows of a table, with the fields of these columns; those after the first `required`
/// ones may be missing, and their fields are then empty.
///
/// # Errors
///
/// [`ReviewError::Unreadable`], if there is no such file, or it lacks a required column.
pub(super) fn rows<const N: usize>(
    path: &Path,
    columns: [&str; N],
    required: usize,
) -> Result<Vec<Row<N>>, ReviewError> {
    let unreadable = |reason: &dyn fmt::Display| ReviewError::Unreadable {
        path: path.to_owned(),
        reason: reason.to_string(),
    };
    let bytes = read_file(path, LARGEST_TEXT).map_err(|error| unreadable(&error))?;
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter(&bytes))
        .from_reader(&*bytes);
    let header = reader.headers().map_err(|error| unreadable(&error))?;
    let places = columns.map(|name| header.iter().position(|column| column.trim() == name));
    let mut found = places.iter().zip(columns).take(required);
    if let Some((_, name)) = found.find(|(place, _)| place.is_none()) {
        return Err(unreadable(&format_args!("there is no column `{name}`")));
    }
    let rows = reader.records().map(|record| match record {
        Ok(record) => {
            let field = |at: Option<usize>| {
                let field = at.and_then(|at| record.get(at));
                field.unwrap_or_default().to_owned()
            };
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
