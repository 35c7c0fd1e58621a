//! A recognition run as its report sees it, and `results.csv`.

use std::io::{self, Write};
use std::path::Path;

use crate::recognize::{COLUMNS, Judgement, PhotoResult, Record, Standing, Status, Summary, show};
use crate::report::field::as_text;

/// A recognition run: its numbers and its photos.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The numbers.
    pub summary: &'a Summary,
    /// The photos, in input order.
    pub photos: &'a [PhotoResult],
    /// How each photo did against its truth, where it has some; one entry a photo.
    pub judgements: &'a [Option<Judgement>],
}

/// Columns that hold text from outside, which must not become a formula in a spreadsheet.
const TEXT_COLUMNS: [usize; 2] = [0, 12];

impl Run<'_> {
    /// Photos that went wrong, worst first and else in input order, each with what went wrong: wrong
    /// in silence, then what was not read, then what was read wrong.
    pub fn failures(&self) -> Vec<(&PhotoResult, String)> {
        let photos = self.photos.iter().zip(self.judgements);
        let mut failures: Vec<(&PhotoResult, Trouble)> = photos
            .filter_map(|(photo, judgement)| Some((photo, trouble(photo, judgement.as_ref())?)))
            .collect();
        failures.sort_by_key(|(_, trouble)| trouble.rank);
        let failures = failures.into_iter();
        failures
            .map(|(photo, trouble)| (photo, trouble.text))
            .collect()
    }

    /// The folder that holds all photos.
    pub fn folder(&self) -> &Path {
        let mut folders = self.photos.iter().map(|photo| parent(&photo.file.path));
        let first = folders.next().unwrap_or(Path::new(""));
        folders.fold(first, |common, folder| {
            let mut ancestors = common.ancestors();
            let shared = ancestors.find(|ancestor| folder.starts_with(ancestor));
            shared.unwrap_or(Path::new(""))
        })
    }
}

/// What went wrong with a photo.
pub(super) struct Trouble {
    /// How bad it is: 0 is worst.
    pub(super) rank: u8,
    /// What it is.
    pub(super) text: String,
}

/// What went wrong with a photo, if anything did.
pub(super) fn trouble(photo: &PhotoResult, judgement: Option<&Judgement>) -> Option<Trouble> {
    let wrong_cells = judgement.map_or(0, |judgement| judgement.wrong_cells);
    let (rank, text) = match Standing::of(&photo.entry.records, judgement) {
        Standing::Silent => (0, format!("wrong in silence ({wrong_cells} cells)")),
        Standing::NotRead => (1, failed_row(photo)?),
        Standing::WrongCells => (2, format!("{wrong_cells} cells differ from the truth")),
        Standing::Fine => return None,
    };
    Some(Trouble { rank, text })
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The name of a photo below a folder.
pub(super) fn name_below(photo: &PhotoResult, folder: &Path) -> String {
    let path = &photo.file.path;
    show(path.strip_prefix(folder).unwrap_or(path))
}

fn failed_row(photo: &PhotoResult) -> Option<String> {
    let failed = |record: &&Record| !record.status.is_read();
    let record = photo.entry.records.iter().find(failed)?;
    Some(match &record.error {
        Some(error) if record.status == Status::Unreadable => error.clone(),
        Some(error) => format!("{}: {error}", record.status),
        None => record.status.to_string(),
    })
}

/// Writes `results.csv`: a row a record, in order. A text that a spreadsheet would take for a
/// formula gets an apostrophe in front.
///
/// # Errors
/// What stops the writer.
pub fn results_csv<'a>(
    writer: &mut dyn Write,
    records: impl IntoIterator<Item = &'a Record>,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(writer);
    table.write_record(COLUMNS)?;
    for record in records {
        let mut fields = record.to_fields();
        for column in TEXT_COLUMNS {
            fields[column] = as_text(&fields[column]).into_owned();
        }
        table.write_record(&fields)?;
    }
    table.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::StageMs;

    #[test]
    fn names_survive_csv_and_never_become_formulas() {
        let record = |photo: &str| Record {
            photo: photo.to_owned(),
            puzzle: 0,
            status: Status::NoGrid,
            reading: None,
            error: Some("-1 is no answer".to_owned()),
            stages: StageMs::default(),
        };
        let names = ["a,\"b\"\nc.jpg", "=1+1.jpg", "-x.jpg", "@x.jpg", "+x.jpg"];
        let records: Vec<Record> = names.into_iter().map(record).collect();
        let mut bytes = Vec::new();
        results_csv(&mut bytes, &records).unwrap();
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        let header: Vec<_> = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        assert_eq!(header, COLUMNS);
        let read: Vec<_> = reader.records().map(|row| row.unwrap()).collect();
        let shown: Vec<&str> = read.iter().map(|row| &row[0]).collect();
        assert_eq!(shown[0], names[0]);
        for (shown, name) in shown.iter().zip(names).skip(1) {
            assert_eq!(*shown, format!("'{name}"));
        }
        assert!(
            read.iter()
                .all(|row| row.len() == COLUMNS.len() && row[12].starts_with('\''))
        );
    }
}
