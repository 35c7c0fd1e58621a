//! Where the rows of a data set go.

use std::path::Path;

use serde::Serialize;

use super::error::ExportError;
use super::hrm::HrmFolders;
use super::npy_table::NpyTable;
use super::parquet_file::ParquetFile;
use super::record::Column;
use super::row_writer::RowWriter;
use super::text::{CsvFile, JsonLines};

/// How a data set is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `puzzles.csv`: a table with a header. What is not known is empty; yes and no are 1 and 0.
    Csv,
    /// `puzzles.jsonl`: an object a line. What is not known is `null`.
    Jsonl,
    /// `puzzles.npy` and `solutions.npy`, bytes of shape N x cells with 0 for a blank (and for every cell of a solution that is
    /// not known), and `table.csv` with the other columns, row by row.
    Npy,
    /// `puzzles.parquet`: typed columns, with nulls.
    Parquet,
    /// The folders that the Hierarchical Reasoning Model (github.com/sapientinc/HRM) and the Tiny Recursive Model
    /// (github.com/SamsungSAILMontreal/TinyRecursiveModels) load.
    Hrm,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [
        Format::Csv,
        Format::Jsonl,
        Format::Npy,
        Format::Parquet,
        Format::Hrm,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Npy => "npy",
            Format::Parquet => "parquet",
            Format::Hrm => "hrm",
        }
    }
}

/// What goes into a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportConfig {
    /// How it is written.
    pub format: Format,
    /// Its columns, in order. Those of [`Format::Hrm`] are given by the layout.
    pub columns: Vec<Column>,
    /// Of [`Format::Hrm`]: random symmetric copies that join each puzzle of the training split in its group.
    pub copies: u32,
    /// Seed of these copies.
    pub seed: u64,
}

/// Starts the files of a data set below a folder, which is made where it is missing.
///
/// # Errors
/// [`ExportError::Write`].
pub fn create(folder: &Path, config: &ExportConfig) -> Result<Box<dyn RowWriter>, ExportError> {
    let columns = &config.columns;
    Ok(match config.format {
        Format::Csv => Box::new(CsvFile::create(&folder.join("puzzles.csv"), columns)?),
        Format::Jsonl => Box::new(JsonLines::create(&folder.join("puzzles.jsonl"), columns)?),
        Format::Npy => Box::new(NpyTable::create(folder, columns)?),
        Format::Parquet => Box::new(ParquetFile::create(
            &folder.join("puzzles.parquet"),
            columns,
        )?),
        Format::Hrm => Box::new(HrmFolders::create(folder, config.copies, config.seed)?),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::super::part::Part;
    use super::super::card::{Card, SUMS, write_card};
    use super::super::example::Example;
    use super::super::record::Record;
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn records() -> [Record; 2] {
        let example = |solution: Option<&str>| Example::Classic {
            puzzle: PUZZLE.parse().unwrap(),
            solution: solution.map(|solution| solution.parse().unwrap()),
        };
        let bare = Record::new("first", example(None));
        let full = Record {
            canon: Some(PUZZLE.to_owned()),
            grid_id: Some("17".to_owned()),
            automorphisms: Some(2),
            minimal: Some(true),
            er: Some(23),
            ep: Some(110),
            ed: Some(7),
            guesses_median: Some(12.5),
            source: Some("=list, of \"a\"".to_owned()),
            group: Some("g".to_owned()),
            split: Some(Part::Train),
            weight: Some(0.25),
            ..Record::new("second", example(Some(SOLUTION)))
        };
        [bare, full]
    }

    fn write(folder: &Path, format: Format) -> Vec<PathBuf> {
        let config = ExportConfig {
            format,
            columns: Column::ALL.to_vec(),
            copies: 0,
            seed: 1,
        };
        let mut writer = create(folder, &config).unwrap();
        for record in records() {
            writer.add(&record).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn unknown_values_are_empty_cells_of_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), Format::Csv);
        let text = std::fs::read_to_string(&files[0]).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], Column::ALL.map(Column::name).join(","));
        assert_eq!(lines[1], format!("first,{PUZZLE},,,,30,,,,,,,,,,"));
        let end = "17,30,2,1,2.3,11.0,0.7,12.5,\"'=list, of \"\"a\"\"\",g,train,0.25";
        assert_eq!(
            lines[2],
            format!("second,{PUZZLE},{SOLUTION},{PUZZLE},{end}")
        );
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn objects_have_their_members_in_order_and_nulls() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), Format::Jsonl);
        let text = std::fs::read_to_string(&files[0]).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with(&format!(
            "{{\"id\":\"first\",\"puzzle\":\"{PUZZLE}\",\"solution\":null,"
        )));
        let second: serde_json::Value = serde_json::from_str(lines[1]).unwrap();
        assert_eq!(second["er"], 2.3);
        assert_eq!(second["minimal"], true);
        assert_eq!(second["source"], "=list, of \"a\"");
        assert_eq!(second["automorphisms"], 2);
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn arrays_hold_the_boards_and_a_table_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), Format::Npy);
        let names = files
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap());
        let names: Vec<&str> = names.collect();
        assert_eq!(names, ["puzzles.npy", "solutions.npy", "table.csv"]);
        let solutions = std::fs::read(&files[1]).unwrap();
        assert_eq!(solutions[128..209], [0; 81]);
        assert_eq!(solutions[209..213], [5, 3, 4, 6]);
        assert_eq!(solutions.len(), 128 + 162);
        let table = std::fs::read_to_string(&files[2]).unwrap();
        assert!(table.starts_with("id,canon,grid_id,givens,"));
    }

    #[test]
    fn a_writer_dropped_early_leaves_no_files() {
        for format in Format::ALL {
            let folder = tempfile::tempdir().unwrap();
            let config = ExportConfig {
                format,
                columns: Column::ALL.to_vec(),
                copies: 0,
                seed: 1,
            };
            let mut writer = create(folder.path(), &config).unwrap();
            writer.add(&records()[1]).unwrap();
            drop(writer);
            let mut folders = vec![folder.path().to_owned()];
            while let Some(folder) = folders.pop() {
                for entry in std::fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    assert!(path.is_dir(), "{format:?} left {path:?}");
                    folders.push(path);
                }
            }
        }
    }

    #[test]
    fn the_card_names_every_file_with_its_whole_hash() {
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), Format::Csv);
        let card = Card {
            title: "Two puzzles".to_owned(),
            command: "sudoku-batch corpus export --to csv two.txt".to_owned(),
            seed: 1,
            format: Format::Csv,
            columns: Column::ALL.to_vec(),
            rows: 2,
            splits: [(Part::Train, 1)].into(),
            copies: 0,
        };
        write_card(folder.path(), &card, &files).unwrap();
        let bytes = std::fs::read(&files[0]).unwrap();
        let hash = blake3::hash(&bytes).to_hex();
        let sums = std::fs::read_to_string(folder.path().join(SUMS)).unwrap();
        assert_eq!(sums, format!("{hash}  puzzles.csv\n"));
        let text = std::fs::read_to_string(folder.path().join("README.md")).unwrap();
        let row = format!("| `puzzles.csv` | {} | `{hash}` |", bytes.len());
        for part in [
            &row,
            &card.command,
            "| train | 1 |",
            "Licence: TODO",
            "`grid_id`",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn columns_are_known_by_their_names() {
        for column in Column::ALL {
            assert_eq!(column.name().parse(), Ok(column));
        }
        let error = "rating".parse::<Column>().unwrap_err();
        assert!(error.contains("guesses_median"), "{error}");
    }
}
