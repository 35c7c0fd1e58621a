//! `crops/manifest.csv`: a row for each cell crop that was saved, with the label it should have.

use std::io::{self, Write};

use super::batch::PhotoResult;
use super::record::{Reading, Record, Status};
use super::score::agreement;
use crate::digits::{ManifestRow, ManifestWriter};
use crate::grid::{Cell, Puzzle};
use crate::solve::puzzle_id;
use crate::vision::CROP_SIDE;

/// Least cells in which a board and its truth agree if they are the same board the same way up.
const SAME_BOARD: usize = 50;

/// Writes the manifest of the crops of these photos. The label of a cell is that of the truth, where
/// there is one for the board (`source` is `truth`), else that of the decoded puzzle (`source` is
/// `decoded` for a solved board, and `doubtful` for one that should be looked at before it is
/// learned from).
///
/// # Errors
/// What stops the writer.
pub fn write_manifest<'a>(
    writer: &mut dyn Write,
    photos: impl IntoIterator<Item = (&'a PhotoResult, &'a [Puzzle])>,
) -> io::Result<()> {
    let mut manifest = ManifestWriter::new(writer)?;
    let side = CROP_SIDE as u32;
    for (photo, truth) in photos {
        let (Some(sheet), Some(file)) = (&photo.entry.sheet, photo.entry.sheet_file()) else {
            continue;
        };
        let file = file.strip_prefix("crops/").unwrap_or(&file);
        let boards = photo.entry.records.iter();
        let boards = boards.filter_map(|record| Some((record, record.reading.as_ref()?)));
        for (index, ((record, reading), contrast)) in boards.zip(sheet).enumerate() {
            let (labels, source) = labels(record, reading, truth);
            let puzzle = puzzle_id(labels);
            for cell in Cell::all() {
                manifest.write(&ManifestRow {
                    file: file.to_owned(),
                    x: cell.column() as u32 * side,
                    y: (index * 9 + cell.row()) as u32 * side,
                    width: side,
                    height: side,
                    label: Some(labels.given(cell)),
                    solution: None,
                    photo: photo.file.name.clone(),
                    puzzle: puzzle.clone(),
                    source: source.to_owned(),
                    contrast: Some(*contrast),
                })?;
            }
        }
    }
    manifest.finish()?;
    Ok(())
}

fn labels<'a>(
    record: &Record,
    reading: &'a Reading,
    truth: &'a [Puzzle],
) -> (&'a Puzzle, &'static str) {
    let closest = truth
        .iter()
        .max_by_key(|truth| agreement(truth, &reading.decoded));
    match closest {
        Some(truth) if agreement(truth, &reading.decoded) >= SAME_BOARD => (truth, "truth"),
        _ if record.status == Status::Solved => (&reading.decoded, "decoded"),
        _ => (&reading.decoded, "doubtful"),
    }
}
