//! A table of ground truth: a row for each board of each photo.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::error::{TruthError, bad_line, read};
use crate::files::{delimiter, record_line};
use crate::grid::Puzzle;

/// A CSV file with the columns `photo,givens`: one row per board, `none` for a photo without one;
/// rows that name the same photo are its several boards. Duplicate rows count once.
///
/// A photo is looked up by its absolute path: a row matches if its components are the last ones of
/// that path. `one.jpg` matches every photo of that name, `a/one.jpg` only those in a folder `a`.
/// Of several matching rows, the photo gets the one that names the most folders.
///
/// A row that matches two different photos is an error. Photos may come one by one and in any
/// number, so each row remembers the first photo that it was used for: memory grows with the table,
/// not with the photos. It is stored in a [`OnceLock`], so that a table may be shared between
/// threads without being mutable.
#[derive(Debug)]
pub struct TruthTable {
    path: PathBuf,
    /// The rows in the order of their first lines.
    rows: Vec<TruthRow>,
    /// The rows of each file name.
    by_name: HashMap<String, Vec<usize>>,
    /// Duplicate rows, which are left out.
    repeated: Vec<UnusedTruth>,
}

/// All rows of a table that name the same photo.
#[derive(Debug)]
struct TruthRow {
    /// The photo as written in the table.
    name: String,
    /// The parts of its path.
    parts: Vec<String>,
    /// The line on which the first of its rows begins, from 1.
    line: usize,
    boards: Vec<Puzzle>,
    /// The photo that it was used for.
    photo: OnceLock<PathBuf>,
}

/// A photo in a table that matches none of the photos looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedTruth {
    /// The photo as named in the table.
    pub photo: String,
    /// The line on which its first row begins, from 1.
    pub line: usize,
}

impl fmt::Display for UnusedTruth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.photo)
    }
}

impl TruthTable {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// [`TruthError`] for a file that cannot be read, lacks a column, or has a row that is no
    /// board.
    pub fn open(path: &Path) -> Result<TruthTable, TruthError> {
        TruthTable::parse(path, &read(path)?)
    }

    fn parse(path: &Path, text: &str) -> Result<TruthTable, TruthError> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .delimiter(delimiter(text.as_bytes()))
            .from_reader(text.as_bytes());
        let header = reader.headers().map_err(|why| bad_line(path, 1, why))?;
        let column = |name: &str| header.iter().position(|field| field.trim() == name);
        let (Some(photo), Some(givens)) = (column("photo"), column("givens")) else {
            return Err(bad_line(path, 1, "expected the columns photo,givens"));
        };
        let mut table = TruthTable {
            path: path.to_owned(),
            rows: Vec::new(),
            by_name: HashMap::new(),
            repeated: Vec::new(),
        };
        let mut by_parts = HashMap::new();
        for record in reader.records() {
            let record = record.map_err(|why| bad_line(path, 1, why))?;
            let line = record_line(text.as_bytes(), record.position()) as usize;
            let name = record.get(photo).unwrap_or_default();
            let board: Option<Puzzle> = match record.get(givens).map(str::trim).unwrap_or_default()
            {
                "none" => None,
                text => Some(text.parse().map_err(|why| bad_line(path, line, why))?),
            };
            let parts = parts(Path::new(name));
            match by_parts.entry(parts.clone()) {
                Entry::Occupied(row) => {
                    let row: &mut TruthRow = &mut table.rows[*row.get()];
                    if row.boards.is_empty() || board.is_none() {
                        let why = format!(
                            "{name}: `none` goes with no other row, and line {} is one",
                            row.line
                        );
                        return Err(bad_line(path, line, why));
                    }
                    // A photo that shows a board twice is rarer by far than a row that was copied twice.
                    match board.filter(|board| !row.boards.contains(board)) {
                        Some(board) => row.boards.push(board),
                        None => table.repeated.push(UnusedTruth {
                            photo: name.to_owned(),
                            line,
                        }),
                    }
                }
                Entry::Vacant(place) => {
                    let Some(file_name) = parts.last().filter(|_| !name.trim().is_empty()) else {
                        return Err(bad_line(path, line, "the row names no photo"));
                    };
                    let rows = table.by_name.entry(file_name.clone()).or_default();
                    rows.push(table.rows.len());
                    place.insert(table.rows.len());
                    table.rows.push(TruthRow {
                        name: name.to_owned(),
                        parts,
                        line,
                        boards: board.into_iter().collect(),
                        photo: OnceLock::new(),
                    });
                }
            }
        }
        Ok(table)
    }

    /// Returns the boards of this photo; empty for a photo that is known to show no board, `None`
    /// where no row matches. The row belongs to this photo from now on.
    ///
    /// # Errors
    ///
    /// [`TruthError::Ambiguous`] where the matching row was used for another photo before.
    pub fn boards(&self, photo: &Path) -> Result<Option<&[Puzzle]>, TruthError> {
        let photo_parts = absolute_parts(photo);
        let named = photo_parts.last().and_then(|name| self.by_name.get(name));
        let fitting = named.into_iter().flatten().map(|&row| &self.rows[row]);
        let closest = fitting
            .filter(|row| photo_parts.ends_with(&row.parts))
            .max_by_key(|row| row.parts.len());
        let Some(row) = closest else {
            return Ok(None);
        };
        let first = row.photo.get_or_init(|| photo.to_owned());
        if first != photo && absolute_parts(first) != photo_parts {
            return Err(TruthError::Ambiguous {
                path: self.path.clone(),
                line: row.line,
                row: row.name.clone(),
                first: first.clone(),
                second: photo.to_owned(),
            });
        }
        Ok(Some(&row.boards))
    }

    /// Returns the duplicate rows, which are left out, in the order of their lines.
    pub fn repeated(&self) -> &[UnusedTruth] {
        &self.repeated
    }

    /// Returns the photos of the table that no photo was looked up for so far, in the order of their
    /// lines.
    pub fn unused(&self) -> Vec<UnusedTruth> {
        let unused = self.rows.iter().filter(|row| row.photo.get().is_none());
        unused
            .map(|row| UnusedTruth {
                photo: row.name.clone(),
                line: row.line,
            })
            .collect()
    }
}

fn absolute_parts(photo: &Path) -> Vec<String> {
    match std::path::absolute(photo) {
        Ok(path) => parts(&path),
        Err(_) => parts(photo),
    }
}

/// Returns the components of a path as text, without `.`.
fn parts(path: &Path) -> Vec<String> {
    path.components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// The same board without its first given.
    const OTHER: &str =
        ".3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn board(line: &str) -> Puzzle {
        line.parse().unwrap()
    }

    fn table(rows: &[(&str, &str)]) -> TruthTable {
        let rows = rows
            .iter()
            .map(|(photo, givens)| format!("{photo},{givens}\n"));
        let text = format!("photo,givens\n{}", rows.collect::<String>());
        TruthTable::parse(Path::new("truth.csv"), &text).unwrap()
    }

    fn boards(table: &TruthTable, photo: &str) -> Option<Vec<Puzzle>> {
        table
            .boards(Path::new(photo))
            .unwrap()
            .map(<[Puzzle]>::to_vec)
    }

    #[test]
    fn equal_file_names_in_different_folders_stay_separate() {
        let table = table(&[
            ("a/one.jpg", LINE),
            ("b/one.jpg", OTHER),
            ("c/one.jpg", "none"),
        ]);
        assert_eq!(boards(&table, "/x/a/one.jpg"), Some(vec![board(LINE)]));
        assert_eq!(boards(&table, "b/one.jpg"), Some(vec![board(OTHER)]));
        assert_eq!(boards(&table, "./c/one.jpg"), Some(vec![]));
        // The same photo in another spelling.
        assert_eq!(boards(&table, "c/./one.jpg"), Some(vec![]));
        for stranger in [
            "one.jpg",
            "d/one.jpg",
            "xa/one.jpg",
            "a/b.jpg",
            "a",
            "",
            "/",
            "..",
        ] {
            assert_eq!(boards(&table, stranger), None, "{stranger}");
        }
        assert_eq!(table.unused(), []);
    }

    #[test]
    fn spreadsheets_may_use_other_delimiters_and_a_row_counts_once() {
        for delimiter in [",", ";", "\t"] {
            let rows = [
                ["photo", "givens"],
                ["a,b.jpg", LINE],
                ["one.jpg", LINE],
                ["one.jpg", OTHER],
                ["./one.jpg", LINE],
            ];
            let quoted = |field: &&str| format!("\"{field}\"");
            let line = |row: [&str; 2]| row.each_ref().map(quoted).join(delimiter) + "\n";
            let text: String = rows.into_iter().map(line).collect();
            let text = text
                .replace("\"photo\"", "photo")
                .replace("\"givens\"", "givens");
            let table = TruthTable::parse(Path::new("truth.csv"), &text).unwrap();
            assert_eq!(boards(&table, "a,b.jpg"), Some(vec![board(LINE)]));
            let both = Some(vec![board(LINE), board(OTHER)]);
            assert_eq!(boards(&table, "one.jpg"), both);
            let repeated: Vec<String> = table.repeated().iter().map(|it| it.to_string()).collect();
            assert_eq!(repeated, ["line 5: ./one.jpg"]);
        }
    }

    #[test]
    fn a_bare_file_name_fits_a_photo_in_any_folder() {
        let table = table(&[("one.jpg", LINE), ("one.jpg", OTHER)]);
        let both = Some(vec![board(LINE), board(OTHER)]);
        assert_eq!(boards(&table, "/x/y/one.jpg"), both);
        // The same photo once more.
        assert_eq!(boards(&table, "/x/y/one.jpg"), both);
        assert_eq!(boards(&table, "/x/./y/one.jpg"), both);
    }

    #[test]
    fn a_path_matches_as_given_whatever_its_prefix() {
        for path in [
            "a/one.jpg",
            "./a/one.jpg",
            "../a/one.jpg",
            "/x/a/one.jpg",
            "one.jpg",
        ] {
            assert_eq!(
                boards(&table(&[(path, LINE)]), path),
                Some(vec![board(LINE)]),
                "{path}"
            );
        }
        let here = std::env::current_dir().unwrap().join("a/one.jpg");
        let table = table(&[(here.to_str().unwrap(), LINE)]);
        assert_eq!(boards(&table, "a/one.jpg"), Some(vec![board(LINE)]));
        assert_eq!(boards(&table, "/y/a/one.jpg"), None);
    }

    #[test]
    fn the_row_with_the_most_matching_folders_wins() {
        let rows = [
            ("one.jpg", OTHER),
            ("x/a/one.jpg", LINE),
            ("a/one.jpg", "none"),
        ];
        for turn in 0..3 {
            let mut rows = rows;
            rows.rotate_left(turn);
            let table = table(&rows);
            assert_eq!(boards(&table, "/x/a/one.jpg"), Some(vec![board(LINE)]));
            assert_eq!(boards(&table, "/y/a/one.jpg"), Some(vec![]));
            assert_eq!(boards(&table, "/y/b/one.jpg"), Some(vec![board(OTHER)]));
        }
    }

    #[test]
    fn a_row_that_fits_two_photos_is_an_error_with_its_line_and_both() {
        let rows = [("two.jpg", LINE), ("a/one.jpg", LINE), ("a/one.jpg", OTHER)];
        for (first, second, line, row) in [
            ("/x/a/one.jpg", "/y/a/one.jpg", 3, "a/one.jpg"),
            ("p/two.jpg", "q/two.jpg", 2, "two.jpg"),
            ("two.jpg", "q/two.jpg", 2, "two.jpg"),
        ] {
            for (first, second) in [(first, second), (second, first)] {
                let table = table(&rows);
                assert!(boards(&table, first).is_some());
                for _ in 0..2 {
                    let error = table.boards(Path::new(second)).unwrap_err().to_string();
                    let expected = format!(
                        "truth.csv:{line}: {row} matches two photos, {first} and {second}: "
                    );
                    assert!(error.starts_with(&expected), "{error}");
                }
                assert!(boards(&table, first).is_some());
            }
        }
    }

    #[test]
    fn threads_that_share_a_table_agree_on_the_first_photo() {
        let table = table(&[("one.jpg", LINE)]);
        let photos: Vec<PathBuf> = (0..8).map(|n| format!("/x/{n}/one.jpg").into()).collect();
        let given = std::thread::scope(|scope| {
            let table = &table;
            let look = |photo: &PathBuf| {
                let photo = photo.clone();
                scope.spawn(move || table.boards(&photo).is_ok())
            };
            let threads: Vec<_> = photos.iter().map(look).collect();
            let given = threads.into_iter().map(|thread| thread.join().unwrap());
            given.filter(|given| *given).count()
        });
        assert_eq!(given, 1);
    }

    #[test]
    fn rows_without_a_photo_are_listed_with_their_lines() {
        let rows = [
            ("two.jpg", LINE),
            ("a/one.jpg", LINE),
            ("a/one.jpg", OTHER),
            ("3.jpg", "none"),
        ];
        let table = table(&rows);
        let unused = |table: &TruthTable| {
            let unused = table.unused().into_iter();
            unused.map(|row| row.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            unused(&table),
            ["line 2: two.jpg", "line 3: a/one.jpg", "line 5: 3.jpg"]
        );
        boards(&table, "b/two.jpg");
        boards(&table, "b/one.jpg");
        assert_eq!(unused(&table), ["line 3: a/one.jpg", "line 5: 3.jpg"]);
        boards(&table, "a/one.jpg");
        boards(&table, "3.jpg");
        assert_eq!(unused(&table), Vec::<String>::new());
    }

    #[test]
    fn bad_tables_are_refused_with_the_line() {
        for (text, expected) in [
            (
                "photo\na.jpg\n",
                "t.csv:1: expected the columns photo,givens",
            ),
            ("photo,givens\na.jpg,12\n", "t.csv:2: "),
            (
                &format!("givens,photo\n{LINE},\n"),
                "t.csv:2: the row names no photo",
            ),
            (
                &format!("givens,photo\n{LINE},.\n"),
                "t.csv:2: the row names no photo",
            ),
            (
                &format!("photo,givens\n\na.jpg,none\n./a.jpg,{LINE}\n"),
                "t.csv:4: ./a.jpg: `none` goes with no other row, and line 3 is one",
            ),
            (
                &format!("photo,givens\na.jpg,{LINE}\na.jpg,none\n"),
                "t.csv:3: a.jpg: `none` goes with no other row, and line 2 is one",
            ),
        ] {
            let error = TruthTable::parse(Path::new("t.csv"), text)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
