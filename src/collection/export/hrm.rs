//! The folders that two well-known networks learn from, as their loaders expect them.
//!
//! The layout is that of `dataset/build_sudoku_dataset.py` and `puzzle_dataset.py` of the Hierarchical Reasoning Model
//! (sapientinc/HRM, 2025), which the Tiny Recursive Model (SamsungSAILMontreal/TinyRecursiveModels, 2025) shares. A split has
//! examples, puzzles and groups. A puzzle of Sudoku is one example; a group is a puzzle with its symmetric copies, and
//! an epoch draws one puzzle of each group. `puzzle_indices` and `group_indices` say where each begins, and end with the total.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::super::part::Part;
use super::error::ExportError;
use super::example::{CommonRules, Example};
use super::npy::{Element, NpyFile};
use super::record::Record;
use super::row_writer::RowWriter;
use crate::files::write_json;

/// The name of the one set of each split.
const SET: &str = "all";
/// Token that fills up a batch: no cell is that. A label that is that counts nothing.
const PAD: u8 = 0;
/// What a cell's value, 0 for a blank, is increased by.
const FIRST_TOKEN: u8 = 1;
/// Tokens that are no values: the pad and the blank.
const OTHER_TOKENS: usize = 2;

/// The split folders on their way. Rows without a split are of the training split; `train/` and `test/` are
/// always there, `validation/` where a row is of it. Rows of one [group](Record::group) that follow each other are one group.
pub(super) struct HrmFolders {
    folder: PathBuf,
    copies: u32,
    seed: u64,
    rules: CommonRules,
    train: SplitFolder,
    validation: Option<SplitFolder>,
    test: SplitFolder,
}

impl HrmFolders {
    pub(super) fn create(folder: &Path, copies: u32, seed: u64) -> Result<HrmFolders, ExportError> {
        Ok(HrmFolders {
            train: SplitFolder::create(folder, Part::Train)?,
            validation: None,
            test: SplitFolder::create(folder, Part::Test)?,
            folder: folder.to_owned(),
            copies,
            seed,
            rules: CommonRules::default(),
        })
    }
}

impl RowWriter for HrmFolders {
    fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        let row = self.rules.add(&record.example);
        let row = row.map_err(|row| ExportError::other_rules(row, &record.id))?;
        let no_solution = || ExportError::NoSolution {
            row,
            id: record.id.clone(),
        };
        let (split, copies) = match record.split {
            None | Some(Part::Train) => (&mut self.train, self.copies),
            Some(Part::Test) => (&mut self.test, 0),
            Some(Part::Validation) => {
                let split = match self.validation.take() {
                    Some(split) => split,
                    None => SplitFolder::create(&self.folder, Part::Validation)?,
                };
                (self.validation.insert(split), 0)
            }
        };
        split.begin(record.group.as_deref())?;
        split.add(&record.example).ok_or_else(no_solution)??;
        for copy in record.example.copies(copies as usize, self.seed) {
            split.add(&copy).ok_or_else(no_solution)??;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let mut files = Vec::new();
        let splits = [Some(self.train), self.validation, Some(self.test)];
        for split in splits.into_iter().flatten() {
            files.extend(split.finish(self.rules.cells())?);
        }
        let path = self.folder.join("identifiers.json");
        write_json(&path, &["<blank>"]).map_err(ExportError::of(&path))?;
        files.push(path);
        Ok(files)
    }
}

/// What a loader reads first.
#[derive(Serialize)]
struct Metadata {
    pad_id: u8,
    ignore_label_id: u8,
    blank_identifier_id: u32,
    vocab_size: usize,
    seq_len: usize,
    num_puzzle_identifiers: u32,
    total_groups: i32,
    mean_puzzle_examples: f64,
    /// Which the second of the networks asks for; its builder, too, writes the number of groups here.
    total_puzzles: i32,
    sets: [&'static str; 1],
}

/// One split.
struct SplitFolder {
    folder: PathBuf,
    inputs: NpyFile,
    labels: NpyFile,
    identifiers: NpyFile,
    puzzle_indices: NpyFile,
    group_indices: NpyFile,
    puzzles: i32,
    groups: i32,
    /// The name of the group under way, if it has one.
    group: Option<String>,
}

impl SplitFolder {
    fn create(folder: &Path, split: Part) -> Result<SplitFolder, ExportError> {
        let folder = folder.join(split.name());
        let path = |field: &str| folder.join(format!("{SET}__{field}.npy"));
        let boards = |field| NpyFile::create(path(field), Element::Byte);
        let numbers = |field| NpyFile::create(path(field), Element::Int);
        let mut split = SplitFolder {
            inputs: boards("inputs")?,
            labels: boards("labels")?,
            identifiers: numbers("puzzle_identifiers")?,
            puzzle_indices: numbers("puzzle_indices")?,
            group_indices: numbers("group_indices")?,
            folder,
            puzzles: 0,
            groups: 0,
            group: None,
        };
        split.puzzle_indices.add_int(0)?;
        Ok(split)
    }

    /// Begins a row, which goes on with a group or begins one.
    fn begin(&mut self, group: Option<&str>) -> Result<(), ExportError> {
        let goes_on = group.is_some() && self.group.as_deref() == group;
        if !goes_on {
            // Where the group begins.
            self.group_indices.add_int(self.puzzles)?;
            self.groups += 1;
            self.group = group.map(str::to_owned);
        }
        Ok(())
    }

    /// Adds an example; `None` if it has no solution.
    fn add(&mut self, example: &Example) -> Option<Result<(), ExportError>> {
        let labels = example.solution_cells()?;
        Some(self.add_cells(example.cells(), labels))
    }

    fn add_cells(&mut self, mut inputs: Vec<u8>, mut labels: Vec<u8>) -> Result<(), ExportError> {
        for cell in inputs.iter_mut().chain(&mut labels) {
            *cell += FIRST_TOKEN;
        }
        self.puzzles = self.puzzles.checked_add(1).ok_or(ExportError::TooMany)?;
        self.inputs.add_bytes(&inputs)?;
        self.labels.add_bytes(&labels)?;
        self.identifiers.add_int(0)?;
        self.puzzle_indices.add_int(self.puzzles)
    }

    /// Completes the files of boards with so many cells.
    fn finish(mut self, cells: usize) -> Result<Vec<PathBuf>, ExportError> {
        self.group_indices.add_int(self.puzzles)?;
        let metadata = Metadata {
            pad_id: PAD,
            ignore_label_id: PAD,
            blank_identifier_id: 0,
            vocab_size: cells.isqrt() + OTHER_TOKENS,
            seq_len: cells,
            num_puzzle_identifiers: 1,
            total_groups: self.groups,
            mean_puzzle_examples: 1.0,
            total_puzzles: self.groups,
            sets: [SET],
        };
        let mut files = vec![
            self.inputs.finish(Some(cells))?,
            self.labels.finish(Some(cells))?,
            self.identifiers.finish(None)?,
            self.puzzle_indices.finish(None)?,
            self.group_indices.finish(None)?,
        ];
        let path = self.folder.join("dataset.json");
        write_json(&path, &metadata).map_err(ExportError::of(&path))?;
        files.push(path);
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Solution;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn example(solution: Option<&str>) -> Example {
        Example::Classic {
            puzzle: PUZZLE.parse().unwrap(),
            solution: solution.map(|solution| solution.parse().unwrap()),
        }
    }

    fn record(split: Option<Part>, group: Option<&str>) -> Record {
        let mut record = Record::new("p", example(Some(SOLUTION)));
        record.split = split;
        record.group = group.map(str::to_owned);
        record
    }

    /// The data after the header of an array.
    fn body(folder: &Path, name: &str) -> Vec<u8> {
        std::fs::read(folder.join(name)).unwrap().split_off(128)
    }

    fn ints(folder: &Path, name: &str) -> Vec<i32> {
        let body = body(folder, name);
        let (numbers, rest) = body.as_chunks::<4>();
        assert!(rest.is_empty());
        numbers
            .iter()
            .map(|bytes| i32::from_le_bytes(*bytes))
            .collect()
    }

    #[test]
    fn copies_stay_in_the_group_of_their_puzzle_and_keep_its_solution() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut writer = Box::new(HrmFolders::create(folder, 2, 7).unwrap());
        writer.add(&record(Some(Part::Train), None)).unwrap();
        writer.add(&record(Some(Part::Test), None)).unwrap();
        writer.add(&record(None, Some("g"))).unwrap();
        writer.add(&record(None, Some("g"))).unwrap();
        let files = writer.finish().unwrap();
        assert_eq!(files.len(), 13);
        assert!(files.iter().all(|path| path.is_file()));
        assert_eq!(ints(folder, "train/all__group_indices.npy"), [0, 3, 9]);
        let expected: Vec<i32> = (0..=9).collect();
        assert_eq!(ints(folder, "train/all__puzzle_indices.npy"), expected);
        assert_eq!(ints(folder, "train/all__puzzle_identifiers.npy"), [0; 9]);
        assert_eq!(ints(folder, "test/all__group_indices.npy"), [0, 1]);
        let inputs = body(folder, "train/all__inputs.npy");
        let labels = body(folder, "train/all__labels.npy");
        assert_eq!((inputs.len(), labels.len()), (9 * 81, 9 * 81));
        assert_eq!(inputs[..81], body(folder, "test/all__inputs.npy"));
        assert_ne!(inputs[..81], inputs[81..162]);
        let text = |tokens: &[u8]| -> String {
            let cells = tokens.iter().map(|&token| match token {
                1 => '.',
                2..=10 => char::from(b'0' + token - 1),
                _ => panic!("{token} is no cell"),
            });
            cells.collect()
        };
        assert_eq!(text(&inputs[..81]), PUZZLE);
        for (input, label) in inputs.chunks(81).zip(labels.chunks(81)) {
            let solution: Solution = text(label).parse().unwrap();
            assert!(solution.solves(&text(input).parse().unwrap()));
        }
        let metadata = std::fs::read(folder.join("train/dataset.json")).unwrap();
        let metadata: serde_json::Value = serde_json::from_slice(&metadata).unwrap();
        assert_eq!(
            metadata,
            serde_json::json!({
                "pad_id": 0, "ignore_label_id": 0, "blank_identifier_id": 0, "vocab_size": 11, "seq_len": 81,
                "num_puzzle_identifiers": 1, "total_groups": 2, "mean_puzzle_examples": 1.0, "total_puzzles": 2,
                "sets": ["all"],
            })
        );
    }

    #[test]
    fn an_empty_split_is_written_and_seeds_determine_the_copies() {
        let write = |seed| {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = Box::new(HrmFolders::create(folder.path(), 3, seed).unwrap());
            writer.add(&record(None, None)).unwrap();
            writer.finish().unwrap();
            assert_eq!(ints(folder.path(), "test/all__group_indices.npy"), [0]);
            assert_eq!(body(folder.path(), "test/all__inputs.npy"), [0; 0]);
            assert!(!folder.path().join("validation").exists());
            body(folder.path(), "train/all__inputs.npy")
        };
        assert_eq!(write(1), write(1));
        assert_ne!(write(1), write(2));
    }

    #[test]
    fn a_puzzle_without_a_solution_is_refused_and_leaves_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Box::new(HrmFolders::create(folder.path(), 0, 0).unwrap());
        let mut open = record(None, None);
        open.example = example(None);
        let error = writer.add(&open).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 1: the format needs a solution, and p has none"
        );
        drop(writer);
        let train = std::fs::read_dir(folder.path().join("train")).unwrap();
        assert_eq!(train.count(), 0);
    }
}
