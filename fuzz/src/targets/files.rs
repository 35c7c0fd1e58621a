//! Tables that people edit.

use std::fs;
use std::path::Path;

use sudoku_batch::digits::ManifestRow;
use sudoku_batch::truth::TruthSource;

use crate::folder::Folder;

/// Reads a table of ground truth, and the two kinds of sidecars.
pub fn truth(data: &[u8]) {
    let folder = Folder::new();
    let at = |name: &str| folder.at(name);
    for name in ["truth.csv", "one.txt", "one.dat"] {
        fs::write(at(name), data).expect("temporary files can be written");
    }
    if let Ok(source) = TruthSource::open(Some(&at("truth.csv"))) {
        for photo in ["one.jpg", "a/one.jpg", "/a/b.jpg"] {
            let _ = source.boards(Path::new(photo));
        }
        let told = source.unused().len() + source.repeated().len();
        assert!(told <= data.len());
    }
    let beside = TruthSource::Beside;
    let _ = beside.boards(&at("one.jpg"));
    fs::remove_file(at("one.dat")).expect("temporary files can be removed");
    let _ = beside.boards(&at("one.jpg"));
}

/// Reads a manifest of labeled crops.
pub fn manifest(data: &[u8]) {
    match ManifestRow::read_all(data) {
        Ok(rows) => assert!(rows.iter().all(|(line, _)| *line > 0)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
