//! Bad photos, names and folders: each gives a row or one clear error, the
//! good photo next to it is still solved, and nothing crashes.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod files;
mod names;
mod pictures;
mod runs;

use crate::common;
use std::fs;
use std::path::{Path, PathBuf};

use common::{PUZZLES, Said, board_png, program, results, say};

/// A folder with a good photo and room for bad ones, and a folder for the results.
struct Fixture {
    folder: tempfile::TempDir,
    out: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        let fixture = Fixture {
            folder: tempfile::tempdir().unwrap(),
            out: tempfile::tempdir().unwrap(),
        };
        fixture.put("good.png", &board_png(PUZZLES[0]));
        fixture
    }

    fn put(&self, name: impl AsRef<Path>, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn run(&self) -> Said {
        let mut command = program(&["recognize", "-o"]);
        say(command.arg(self.out.path()).arg(self.folder.path()))
    }

    /// Returns status and error of the only row of this photo; checks that the good photo is solved.
    fn row_of(&self, name: &str) -> (String, String) {
        let rows = results(self.out.path());
        let row_of = |name: &str| {
            let rows: Vec<_> = rows.iter().filter(|row| row[0].ends_with(name)).collect();
            assert_eq!(rows.len(), 1, "{name}");
            rows[0]
        };
        let good = row_of("good.png");
        assert_eq!((&good[2], &good[4]), ("solved", PUZZLES[0]));
        let row = row_of(name);
        (row[2].to_owned(), row[12].to_owned())
    }
}
