//! Temporary files of runs that were killed: nothing else removes them.

use std::fs;
use std::path::Path;

use crate::files::TEMPORARY;

/// Folders of an output folder that runs write files into.
const FOLDERS: [&str; 8] = [
    "baselines",
    "cells",
    "checkpoints",
    "crops",
    "large",
    "overlays",
    "pages",
    "thumbnails",
];
/// Those of them that have folders in turn.
const NESTED: &str = "checkpoints";

/// Removes the temporary files that killed runs have left in an output folder. Only who holds the folder may: the
/// files of a run under way look the same. What cannot be removed stays.
pub(super) fn remove_leftovers(out: &Path) {
    sweep(out);
    for name in FOLDERS {
        sweep(&out.join(name));
    }
    let nested = out.join(NESTED).read_dir().into_iter().flatten().flatten();
    nested.for_each(|entry| sweep(&entry.path()));
}

fn sweep(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary = name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        if is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_temporary_files_are_removed_from_result_folders() {
        let out = tempfile::tempdir().unwrap();
        let kept = [
            ".sudoku-batch",
            "results.csv",
            "photos/.sudoku-batch-aB3dE5",
            "overlays/a.jpg",
            "checkpoints/epoch-0001/weights",
        ];
        let removed = [
            ".sudoku-batch-aB3dE5",
            "baselines/.sudoku-batch-aB3dE5",
            "overlays/.sudoku-batch-aB3dE5.mp4",
            "checkpoints/epoch-0001/.sudoku-batch-aB3dE5",
        ];
        for name in kept.iter().chain(&removed) {
            let path = out.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "half").unwrap();
        }
        let folder = out.path().join("cells/.sudoku-batch-folder");
        fs::create_dir_all(&folder).unwrap();
        remove_leftovers(out.path());
        let is_there = |name: &&str| out.path().join(name).exists();
        assert!(kept.iter().all(is_there) && folder.is_dir());
        assert!(!removed.iter().any(is_there));
        remove_leftovers(&out.path().join("no such folder"));
    }
}
