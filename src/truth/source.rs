//! Sources of ground truth.

use std::path::{Path, PathBuf};

use super::boards::Truth;
use super::error::TruthError;
use super::sidecar::read_sidecar;
use super::table::{TruthTable, UnusedTruth};

/// A source of ground truth. May be shared between threads.
#[derive(Debug)]
pub enum TruthSource {
    /// `same-stem.dat` or `same-stem.txt` beside each photo.
    Beside,
    /// The same files in a separate folder.
    Folder(PathBuf),
    /// A CSV file with the columns `photo,givens`.
    Table(TruthTable),
}

impl TruthSource {
    /// Opens the source at `path`: a folder of sidecars, or a table. Without a path, sidecars are
    /// beside their photos.
    ///
    /// # Errors
    ///
    /// [`TruthError`] for a table that cannot be read or has a bad line.
    pub fn open(path: Option<&Path>) -> Result<TruthSource, TruthError> {
        match path {
            None => Ok(TruthSource::Beside),
            Some(path) if path.is_dir() => Ok(TruthSource::Folder(path.to_owned())),
            Some(path) => TruthTable::open(path).map(TruthSource::Table),
        }
    }

    /// Returns the ground truth of this photo; `None` where nothing is known.
    ///
    /// # Errors
    ///
    /// [`TruthError`] for a sidecar that cannot be read or is no board, and for a row of a table
    /// that was used for another photo before, as in [`TruthTable::boards`].
    pub fn boards(&self, photo: &Path) -> Result<Option<Truth>, TruthError> {
        match self {
            TruthSource::Beside => read_sidecar(photo),
            TruthSource::Folder(folder) => match photo.file_name() {
                Some(name) => read_sidecar(&folder.join(name)),
                None => Ok(None),
            },
            TruthSource::Table(table) => {
                let boards = table.boards(photo)?.map(<[_]>::to_vec);
                Ok(boards.map(Truth::complete))
            }
        }
    }

    /// Returns the duplicate rows of a table, which count once.
    pub fn repeated(&self) -> &[UnusedTruth] {
        match self {
            TruthSource::Beside | TruthSource::Folder(_) => &[],
            TruthSource::Table(table) => table.repeated(),
        }
    }

    /// Returns the photos of a table that no photo was looked up for so far, in the order of their
    /// lines: once all photos were, these are typing errors, or belong to other photos. Sidecars
    /// are never unused.
    pub fn unused(&self) -> Vec<UnusedTruth> {
        match self {
            TruthSource::Beside | TruthSource::Folder(_) => Vec::new(),
            TruthSource::Table(table) => table.unused(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::grid::Puzzle;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// The boards of a photo, and the repeated and unused rows that the source reports.
    fn asked(source: &TruthSource, photo: &Path) -> (Option<Vec<Puzzle>>, usize, usize) {
        let truth = source.boards(photo).unwrap();
        let boards = truth.map(|truth| truth.boards);
        (boards, source.repeated().len(), source.unused().len())
    }

    #[test]
    fn a_photo_has_the_same_truth_from_a_sidecar_a_folder_and_a_table() {
        let board: Puzzle = LINE.parse().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let photo = path("one.jpg");
        fs::write(path("one.txt"), LINE).unwrap();
        let beside = TruthSource::open(None).unwrap();
        assert_eq!(asked(&beside, &photo), (Some(vec![board]), 0, 0));

        let elsewhere = TruthSource::open(Some(folder.path())).unwrap();
        let one = Path::new("photos/one.jpg");
        assert_eq!(asked(&elsewhere, one), (Some(vec![board]), 0, 0));
        for stranger in ["photos/two.jpg", "/"] {
            assert_eq!(asked(&elsewhere, Path::new(stranger)), (None, 0, 0));
        }

        let rows = format!("photo,givens\none.jpg,{LINE}\none.jpg,{LINE}\ntwo.jpg,none\n");
        fs::write(path("truth.csv"), rows).unwrap();
        let table = TruthSource::open(Some(&path("truth.csv"))).unwrap();
        assert_eq!(asked(&table, &photo), (Some(vec![board]), 1, 1));
        assert!(TruthSource::open(Some(&path("missing.csv"))).is_err());
    }
}
