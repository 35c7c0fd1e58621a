//! `manifest.csv`: the table of a folder of labeled crops, a row for each crop. One type for a row,
//! one writer and one reader.
//!
//! | column | what it holds |
//! | --- | --- |
//! | `file`, `x`, `y`, `width`, `height` | a rectangle of a sheet, in pixels; the file is named relative to the folder |
//! | `label` | what stands on the paper: 0 for a blank, 1 to 9 for a digit, empty where nobody knows |
//! | `solution` | what is right in the cell, 1 to 9; empty where it is not known |
//! | `photo` | name of the photo, unique in the manifest: boards of one photo have one name |
//! | `puzzle` | identity of the puzzle by its content, never a path; see [`crate::solve::puzzle_id`] |
//! | `source` | where the crop comes from |
//! | `contrast` | contrast of the board in gray values; empty for crops that others have cut |
//! | `kind` | what kind of thing it is: `blank`, `marks`, `printed` or `written`; empty where nobody knows |
//! | `marks` | the candidates that are marked in the cell, such as `137`; empty where nobody knows |
//!
//! The first six columns must be there, in any order; the others may be absent.
//!
//! **Manifests without the column `puzzle`.** Those of this program's first version have the puzzle
//! in `photo`, as `<12 hexadecimal digits>/<name>`: it is taken from there. Any other `photo` says
//! nothing about the puzzle, which stays empty, whatever slashes the name has.

use std::io::{self, Write};

use serde::Deserialize;
use thiserror::Error;

use super::kind::CellKind;
use crate::files::record_line;
use crate::grid::{Digit, DigitSet};

/// Columns, in the order in which they are written.
const COLUMNS: [&str; 13] = [
    "file", "x", "y", "width", "height", "label", "solution", "photo", "puzzle", "source",
    "contrast", "kind", "marks",
];

/// Columns that a manifest must have.
const REQUIRED: &[&str] = COLUMNS.split_at(6).0;

/// Longest name in a manifest, in bytes: as long as a path may be.
const LONGEST_NAME: usize = 4096;

/// Hexadecimal digits of a puzzle's identity in the `photo` of an old manifest.
const OLD_ID: usize = 12;

/// A row of a manifest: one crop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ManifestRow {
    /// Sheet, relative to the folder of the manifest.
    pub file: String,
    /// Pixels from the left.
    pub x: u32,
    /// Pixels from the top.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Content on the paper: `Some(None)` is a blank, `None` is unknown.
    pub label: Option<Option<Digit>>,
    /// Digit of the solution, where it is known.
    pub solution: Option<Digit>,
    /// Name of the photo; may be empty.
    pub photo: String,
    /// Identifier of the puzzle; may be empty.
    pub puzzle: String,
    /// Source of the crop; may be empty.
    pub source: String,
    /// Contrast of the board in gray values, 0 to 255. Written in tenths.
    pub contrast: Option<f32>,
    /// CellKind of the content, where it is known.
    pub kind: Option<CellKind>,
    /// Candidates marked in the cell, where they are known: never the empty set.
    pub marks: Option<DigitSet>,
}

/// Error in a row, with its line.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ManifestError {
    /// Line in the file, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: FieldProblem,
}

/// Error in the fields of a row.
#[derive(Debug, Error)]
pub enum FieldProblem {
    /// A column or a field is missing or malformed.
    #[error("{0}")]
    Fields(String),
    /// The label is not a class.
    #[error("label `{0}` is neither 0 (blank) nor 1 to 9")]
    Label(String),
    /// The solution is not a digit.
    #[error("solution `{0}` is not 1 to 9")]
    Solution(String),
    /// The kind is unknown.
    #[error("kind `{0}` is not blank, marks, printed or written")]
    Kind(String),
    /// CellKind and label contradict each other.
    #[error("kind `{kind}` does not fit label `{label}`")]
    OtherKind {
        /// The kind.
        kind: CellKind,
        /// The label.
        label: String,
    },
    /// The marks are not digits.
    #[error("marks `{0}` are not digits 1 to 9, each once")]
    Marks(String),
    /// The contrast is out of range.
    #[error("contrast {0} is not between 0 and 255")]
    Contrast(f32),
}

/// The fields of a row as text.
#[derive(Deserialize)]
struct Fields {
    file: String,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    label: String,
    #[serde(default)]
    solution: String,
    #[serde(default)]
    photo: String,
    /// `None` where the manifest has no such column.
    puzzle: Option<String>,
    #[serde(default)]
    source: String,
    contrast: Option<f32>,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    marks: String,
}

impl ManifestRow {
    /// Reads the rows of a manifest, each with its line in the file, from 1.
    ///
    /// # Errors
    ///
    /// [`ManifestError`] for the first wrong row; for the header it names line 1.
    pub fn read_all(manifest: &[u8]) -> Result<Vec<(u64, ManifestRow)>, ManifestError> {
        let wrong = |line, problem| ManifestError { line, problem };
        let mut reader = csv::Reader::from_reader(manifest);
        let unread = csv::StringRecord::new();
        let header = reader.headers();
        let header =
            header.map_err(|error| wrong(1, FieldProblem::Fields(described(&error, &unread))))?;
        let header = header.clone();
        let fields =
            |line, error: csv::Error| wrong(line, FieldProblem::Fields(described(&error, &header)));
        let is_there = |name: &str| header.iter().any(|field| field == name);
        if let Some(name) = REQUIRED.iter().find(|name| !is_there(name))
            && !header.is_empty()
        {
            let problem = format!("the header has no column `{name}`");
            return Err(wrong(1, FieldProblem::Fields(problem)));
        }
        let has_puzzles = is_there("puzzle");
        let mut record = csv::StringRecord::new();
        let mut rows = Vec::new();
        loop {
            let line = reader.position().line();
            let found = reader.read_record(&mut record);
            if !found.map_err(|error| fields(line, error))? {
                return Ok(rows);
            }
            let line = record_line(manifest, record.position());
            let row: Fields = record
                .deserialize(Some(&header))
                .map_err(|error| fields(line, error))?;
            let row = row.check(has_puzzles);
            rows.push((line, row.map_err(|problem| wrong(line, problem))?));
        }
    }

    fn record(&self) -> [String; COLUMNS.len()] {
        let value = |digit: Option<Digit>| digit.map_or(0, Digit::value).to_string();
        let solution = self.solution.map(|digit| digit.value().to_string());
        [
            self.file.clone(),
            self.x.to_string(),
            self.y.to_string(),
            self.width.to_string(),
            self.height.to_string(),
            self.label.map(value).unwrap_or_default(),
            solution.unwrap_or_default(),
            self.photo.clone(),
            self.puzzle.clone(),
            self.source.clone(),
            self.contrast
                .map(|contrast| format!("{contrast:.1}"))
                .unwrap_or_default(),
            self.kind.map(|kind| kind.to_string()).unwrap_or_default(),
            self.marks.map(marks_text).unwrap_or_default(),
        ]
    }
}

impl Fields {
    fn check(self, has_puzzles: bool) -> Result<ManifestRow, FieldProblem> {
        let label = match self.label.trim() {
            "" => None,
            text => match text.parse::<u8>() {
                Ok(0) => Some(None),
                Ok(value @ 1..=9) => Some(Digit::new(value)),
                _ => return Err(FieldProblem::Label(self.label)),
            },
        };
        let solution = match self.solution.trim() {
            "" => None,
            text => match text.parse::<u8>().ok().and_then(Digit::new) {
                Some(digit) => Some(digit),
                None => return Err(FieldProblem::Solution(self.solution)),
            },
        };
        if let Some(contrast) = self.contrast
            && !(0.0..=255.0).contains(&contrast)
        {
            return Err(FieldProblem::Contrast(contrast));
        }
        let kind = match self.kind.trim() {
            "" => None,
            name => match CellKind::of_name(name) {
                Some(kind) => Some(kind),
                None => return Err(FieldProblem::Kind(self.kind)),
            },
        };
        if let (Some(label), Some(kind)) = (label, kind)
            && label.is_some() != kind.is_digit()
        {
            let label = self.label;
            return Err(FieldProblem::OtherKind { kind, label });
        }
        let marks = match marks_of(self.marks.trim()) {
            Some(marks) => Some(marks).filter(|marks| !marks.is_empty()),
            None => return Err(FieldProblem::Marks(self.marks)),
        };
        for (name, field) in [
            ("file", &self.file),
            ("photo", &self.photo),
            ("source", &self.source),
            ("puzzle", self.puzzle.as_ref().unwrap_or(&self.file)),
        ] {
            if field.len() > LONGEST_NAME {
                let problem = format!("`{name}` is longer than {LONGEST_NAME} bytes");
                return Err(FieldProblem::Fields(problem));
            }
        }
        let puzzle = match has_puzzles {
            true => self.puzzle.unwrap_or_default(),
            false => old_puzzle(&self.photo).to_owned(),
        };
        Ok(ManifestRow {
            file: self.file,
            x: self.x,
            y: self.y,
            width: self.width,
            height: self.height,
            label,
            solution,
            photo: self.photo,
            puzzle,
            source: self.source,
            contrast: self.contrast,
            kind,
            marks,
        })
    }
}

/// Returns marks as their digits, ascending.
fn marks_text(marks: DigitSet) -> String {
    marks
        .into_iter()
        .map(|digit| digit.to_ascii() as char)
        .collect()
}

/// Returns the set of these digits, if each occurs once.
fn marks_of(text: &str) -> Option<DigitSet> {
    text.bytes().try_fold(DigitSet::EMPTY, |marks, byte| {
        let digit = Digit::from_ascii(byte)?;
        (!marks.contains(digit)).then(|| marks.with(digit))
    })
}

/// Returns the puzzle that an old manifest has in `photo`; empty where it has none.
fn old_puzzle(photo: &str) -> &str {
    match photo.split_once('/') {
        Some((id, _)) if id.len() == OLD_ID && id.bytes().all(|it| it.is_ascii_hexdigit()) => id,
        _ => "",
    }
}

/// Returns a message for a wrong row, without its line number, which is added elsewhere.
fn described(error: &csv::Error, header: &csv::StringRecord) -> String {
    let column = |number: u64| {
        let name = usize::try_from(number).ok().and_then(|it| header.get(it));
        match name {
            Some(name) => format!("column `{name}`"),
            None => format!("field {}", number + 1),
        }
    };
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, but the header has {expected_len}"),
        csv::ErrorKind::Utf8 { err, .. } => {
            format!("{} is not UTF-8", column(err.field() as u64))
        }
        csv::ErrorKind::Deserialize { err, .. } => match err.field() {
            Some(number) => format!("{}: {}", column(number), err.kind()),
            None => err.to_string(),
        },
        _ => error.to_string(),
    }
}

/// Writes a manifest row by row.
#[derive(Debug)]
pub struct ManifestWriter<W: Write> {
    table: csv::Writer<W>,
}

impl<W: Write> ManifestWriter<W> {
    /// Starts a manifest with its header.
    ///
    /// # Errors
    ///
    /// Any error of the writer.
    pub fn new(writer: W) -> io::Result<ManifestWriter<W>> {
        let mut table = csv::Writer::from_writer(writer);
        table.write_record(COLUMNS)?;
        Ok(ManifestWriter { table })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Any error of the writer.
    pub fn write(&mut self, row: &ManifestRow) -> io::Result<()> {
        Ok(self.table.write_record(row.record())?)
    }

    /// Flushes, and returns the writer.
    ///
    /// # Errors
    ///
    /// Any error of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.table
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(rows: &[ManifestRow]) -> Vec<u8> {
        let mut writer = ManifestWriter::new(Vec::new()).unwrap();
        rows.iter().for_each(|row| writer.write(row).unwrap());
        writer.finish().unwrap()
    }

    fn read(manifest: &str) -> Vec<ManifestRow> {
        let rows = ManifestRow::read_all(manifest.as_bytes()).unwrap();
        rows.into_iter().map(|(_, row)| row).collect()
    }

    prop_compose! {
        fn any_row()(
            (file, photo, puzzle, source) in (".{1,9}", ".{0,9}", ".{0,9}", ".{0,9}"),
            [x, y, width, height] in any::<[u32; 4]>(),
            label in prop::option::of(0u8..=9),
            solution in 0u8..=9,
            tenths in prop::option::of(0u16..=2550),
            kind in prop::option::of(prop::sample::select(&CellKind::ALL[..])),
            marks in 0u16..512,
        ) -> ManifestRow {
            ManifestRow {
                file, x, y, width, height, photo, puzzle, source,
                label: label.map(Digit::new),
                kind: kind.filter(|kind| label.is_none_or(|label| kind.is_digit() == (label > 0))),
                marks: Some(DigitSet::from_bits(marks)).filter(|marks| !marks.is_empty()),
                solution: Digit::new(solution),
                contrast: tenths.map(|tenths| f32::from(tenths) / 10.0),
            }
        }
    }

    proptest! {
        #[test]
        fn rows_round_trip(rows in prop::collection::vec(any_row(), 0..9)) {
            let back = ManifestRow::read_all(&written(&rows)).unwrap();
            let back: Vec<ManifestRow> = back.into_iter().map(|(_, row)| row).collect();
            prop_assert_eq!(back, rows);
        }
    }

    #[test]
    fn an_empty_manifest_has_its_header() {
        let header =
            "file,x,y,width,height,label,solution,photo,puzzle,source,contrast,kind,marks\n";
        assert_eq!(String::from_utf8(written(&[])).unwrap(), header);
        assert_eq!(read(header), []);
        assert_eq!(read(""), []);
    }

    #[test]
    fn old_manifests_have_the_puzzle_in_photo_and_those_of_others_have_none() {
        let puzzles = |header: &str, photos: &[&str]| -> Vec<String> {
            let rows = photos
                .iter()
                .map(|photo| format!("s.png,0,0,8,8,1,{photo}\n"));
            let text = format!(
                "file,x,y,width,height,label,{header}\n{}",
                rows.collect::<String>()
            );
            read(&text).into_iter().map(|row| row.puzzle).collect()
        };
        let photos = [
            "0123456789ab/image1",
            "/tmp/photos/1.jpg",
            "photos/1.jpg",
            "0123456789ab",
            "0123456789abc/image1",
            "0123456789ag/image1",
            "",
        ];
        assert_eq!(
            puzzles("photo", &photos),
            ["0123456789ab", "", "", "", "", "", ""]
        );
        // If the column exists, the photo is not used.
        assert_eq!(
            puzzles("photo,puzzle", &["0123456789ab/image1,", "a.jpg,f00"]),
            ["", "f00"]
        );
    }

    #[test]
    fn labels_may_be_unknown_and_solutions_are_digits() {
        let row = |fields: &str| {
            let text = format!("file,x,y,width,height,label,solution\ns.png,0,0,8,8,{fields}\n");
            ManifestRow::read_all(text.as_bytes())
        };
        let parts = |fields: &str| {
            let row = row(fields).unwrap().remove(0).1;
            (row.label, row.solution.map(Digit::value))
        };
        assert_eq!(parts(",7"), (None, Some(7)));
        assert_eq!(parts("0,7"), (Some(None), Some(7)));
        assert_eq!(parts("3,"), (Some(Digit::new(3)), None));
        for (fields, expected) in [
            ("10,", "label `10`"),
            ("1,0", "solution `0`"),
            ("1,x", "`x`"),
        ] {
            let error = row(fields).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
