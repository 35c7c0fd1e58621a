//! `crops/manifest.csv`: a row for each cell crop that was saved, with the label it should have.

use std::io;
use std::path::Path;

use super::photo::PhotoResult;
use super::record::{Reading, Record};
use super::score::agreement;
use crate::decode::DecodeConfig;
use crate::digits::{ManifestRow, ManifestWriter};
use crate::files::WholeFile;
use crate::grid::{Cell, CellSet, Puzzle};
use crate::reader::Status;
use crate::solve::puzzle_id;
use crate::vision::CROP_SIDE;

/// Least cells in which a board and its truth agree if they are the same board the same way up.
const SAME_BOARD: usize = 50;

/// The manifest of the crops of a run, written as the photos are done.
///
/// The label of a cell is what stands on the paper: by the ground truth, where there is one for the board
/// (`source` is `truth`), else by the decoded board (`source` is `decoded` for a solved board, and
/// `doubtful` for one that should be looked at before it is learned from). It is left empty where only
/// the right digit is known, which `solution` has.
pub(super) struct CropManifest(ManifestWriter<WholeFile>);

impl CropManifest {
    /// Its place below the output folder.
    pub(super) const FILE: &str = "crops/manifest.csv";

    pub(super) fn create(path: &Path) -> io::Result<CropManifest> {
        ManifestWriter::new(WholeFile::create(path)?).map(CropManifest)
    }

    pub(super) fn add(&mut self, photo: &PhotoResult) -> io::Result<()> {
        let (Some(sheet), Some(file)) = (&photo.sheet, photo.sheet_file()) else {
            return Ok(());
        };
        let file = file.strip_prefix("crops/").unwrap_or(&file);
        let boards = photo.records.iter();
        let boards = boards.filter_map(|record| Some((record, record.reading.as_ref()?)));
        let side = CROP_SIDE as u32;
        for (index, ((record, reading), contrast)) in boards.zip(sheet).enumerate() {
            let labels = Labels::of(record, reading);
            let puzzle = puzzle_id(labels.paper);
            for cell in Cell::all() {
                let is_known = !labels.unknown.contains(cell);
                self.0.write(&ManifestRow {
                    file: file.to_owned(),
                    x: cell.column() as u32 * side,
                    y: (index * 9 + cell.row()) as u32 * side,
                    width: side,
                    height: side,
                    label: is_known.then(|| labels.paper.given(cell)),
                    solution: reading.solution.map(|it| it.digit(cell)),
                    photo: photo.photo.clone(),
                    puzzle: puzzle.clone(),
                    source: labels.source.to_owned(),
                    contrast: Some(*contrast),
                    kind: None,
                    marks: None,
                })?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.0.finish()?.finish()
    }
}

/// What stands on the paper, as far as it is known.
struct Labels<'a> {
    paper: &'a Puzzle,
    /// Cells of which only the right digit is known.
    unknown: CellSet,
    source: &'static str,
}

impl<'a> Labels<'a> {
    fn of(record: &'a Record, reading: &'a Reading) -> Labels<'a> {
        let same = |truth: &&Puzzle| agreement(truth, &reading.decoded) >= SAME_BOARD;
        if let Some(truth) = record.truth.as_ref().filter(same) {
            return Labels {
                paper: truth,
                unknown: CellSet::EMPTY,
                source: "truth",
            };
        }
        // On a board filled in by hand a cell that the rules overrule may be misread, or a mistake.
        let is_filled = reading.read.given_count() >= DecodeConfig::default().filled_from;
        let overruled = |cell: &Cell| reading.decoded.given(*cell) != reading.read.given(*cell);
        let unknown = match is_filled {
            true => Cell::all().filter(overruled).collect(),
            false => reading.mistakes,
        };
        Labels {
            paper: &reading.decoded,
            unknown,
            source: match record.status {
                Status::Solved => "decoded",
                _ => "doubtful",
            },
        }
    }
}
