//! What photos really show: sidecar files beside them, or one table for all.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::record_line;
use crate::grid::{Cell, Digit, Puzzle};

/// Where truth comes from.
#[derive(Clone, Debug)]
pub enum TruthSource {
    /// `same-stem.dat` or `same-stem.txt` beside each photo.
    Beside,
    /// The same files in a folder of their own.
    Folder(PathBuf),
    /// A CSV file with the columns `photo,givens`: boards by the photo's path as it stands there, and
    /// by its file name.
    Table(HashMap<String, Vec<Puzzle>>),
}

/// What a photo shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Its boards; none where it is known to show no board.
    pub boards: Vec<Puzzle>,
    /// Whether these are all of its boards: a `.dat` file has room for one only, so it says nothing of
    /// others.
    pub is_complete: bool,
}

/// Why a truth file could not be used.
#[derive(Debug, Error)]
pub enum TruthError {
    /// The file is there, but cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What stopped it.
        source: io::Error,
    },
    /// A line says something else than a board.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl Truth {
    const fn complete(boards: Vec<Puzzle>) -> Truth {
        Truth {
            boards,
            is_complete: true,
        }
    }
}

impl TruthSource {
    /// The source at `path`: a folder of sidecars, or a table. Without a path, sidecars lie beside
    /// their photos.
    ///
    /// # Errors
    /// [`TruthError`] for a table that cannot be read or has a bad line.
    pub fn open(path: Option<&Path>) -> Result<TruthSource, TruthError> {
        match path {
            None => Ok(TruthSource::Beside),
            Some(path) if path.is_dir() => Ok(TruthSource::Folder(path.to_owned())),
            Some(path) => parse_table(path, &read(path)?).map(TruthSource::Table),
        }
    }

    /// Returns what this photo shows; `None` where nothing is known.
    ///
    /// # Errors
    /// [`TruthError`] for a sidecar that cannot be read or is no board.
    pub fn boards(&self, photo: &Path) -> Result<Option<Truth>, TruthError> {
        match self {
            TruthSource::Beside => read_sidecar(photo),
            TruthSource::Folder(folder) => match photo.file_name() {
                Some(name) => read_sidecar(&folder.join(name)),
                None => Ok(None),
            },
            TruthSource::Table(table) => {
                let name = photo.file_name().map(|name| name.to_string_lossy());
                let by_path = table.get(photo.to_string_lossy().as_ref());
                let boards = by_path.or_else(|| table.get(name?.as_ref())).cloned();
                Ok(boards.map(Truth::complete))
            }
        }
    }
}

/// The boards in the sidecar of a photo: `same-stem.dat` (two header lines, then nine rows of nine
/// numbers, 0 = blank), else `same-stem.txt` (81 characters a board, or nine lines of nine; or the
/// one word `none` for a photo without a board). `None` where there is no sidecar.
///
/// # Errors
/// [`TruthError`] for a sidecar that cannot be read or is no board.
pub fn read_sidecar(photo: &Path) -> Result<Option<Truth>, TruthError> {
    let dat = photo.with_extension("dat");
    if dat.is_file() {
        let board = parse_dat(&dat, &read(&dat)?)?;
        return Ok(Some(Truth {
            boards: vec![board],
            is_complete: false,
        }));
    }
    let txt = photo.with_extension("txt");
    if txt.is_file() && txt != photo {
        let boards = parse_txt(&txt, &read(&txt)?)?;
        return Ok(Some(Truth::complete(boards)));
    }
    Ok(None)
}

/// The text of a sidecar that [`read_sidecar`] reads back as these boards.
pub fn sidecar_text(boards: &[Puzzle]) -> String {
    match boards {
        [] => "none\n".to_owned(),
        _ => boards.iter().map(|board| format!("{board}\n")).collect(),
    }
}

fn read(path: &Path) -> Result<String, TruthError> {
    let bytes = std::fs::read(path).map_err(|source| TruthError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn bad_line(path: &Path, line: usize, why: impl ToString) -> TruthError {
    TruthError::Line {
        path: path.to_owned(),
        line,
        why: why.to_string(),
    }
}

fn parse_dat(path: &Path, text: &str) -> Result<Puzzle, TruthError> {
    let mut board = Puzzle::empty();
    let rows = text.lines().enumerate().skip(2);
    let mut found = 0;
    for (row, (index, line)) in rows.filter(|(_, line)| !line.trim().is_empty()).enumerate() {
        let numbers: Vec<&str> = line.split_whitespace().collect();
        if numbers.len() != 9 || row >= 9 {
            return Err(bad_line(
                path,
                index + 1,
                "expected nine rows of nine numbers",
            ));
        }
        for (column, number) in numbers.into_iter().enumerate() {
            let value = number.parse::<u8>().ok().filter(|&value| value <= 9);
            let Some((value, cell)) = value.zip(Cell::at(row, column)) else {
                return Err(bad_line(
                    path,
                    index + 1,
                    format!("{number:?} is not 0 to 9"),
                ));
            };
            board.set(cell, Digit::new(value));
        }
        found += 1;
    }
    match found {
        9 => Ok(board),
        _ => Err(bad_line(
            path,
            text.lines().count(),
            format!("{found} rows, not 9"),
        )),
    }
}

fn parse_txt(path: &Path, text: &str) -> Result<Vec<Puzzle>, TruthError> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    if let [(_, "none")] = lines[..] {
        return Ok(Vec::new());
    }
    if lines.len() == 9 && lines.iter().all(|(_, line)| line.chars().count() == 9) {
        let joined: String = lines.iter().map(|&(_, line)| line).collect();
        let board = joined.parse();
        return board
            .map(|board| vec![board])
            .map_err(|why| bad_line(path, lines[0].0, why));
    }
    if lines.is_empty() {
        return Err(bad_line(
            path,
            1,
            "no board; write `none` for a photo without one",
        ));
    }
    lines
        .into_iter()
        .map(|(number, line)| line.parse().map_err(|why| bad_line(path, number, why)))
        .collect()
}

fn parse_table(path: &Path, text: &str) -> Result<HashMap<String, Vec<Puzzle>>, TruthError> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|why| bad_line(path, 1, why))?;
    let column = |name: &str| header.iter().position(|field| field.trim() == name);
    let (Some(photo), Some(givens)) = (column("photo"), column("givens")) else {
        return Err(bad_line(path, 1, "expected the columns photo,givens"));
    };
    let mut table: HashMap<String, Vec<Puzzle>> = HashMap::new();
    for row in reader.records() {
        let row = row.map_err(|why| bad_line(path, 1, why))?;
        let line = record_line(text.as_bytes(), row.position()) as usize;
        let name = row.get(photo).unwrap_or_default();
        let board: Option<Puzzle> = match row.get(givens).map(str::trim).unwrap_or_default() {
            "none" => None,
            text => Some(text.parse().map_err(|why| bad_line(path, line, why))?),
        };
        let file_name = Path::new(name).file_name().unwrap_or_default();
        let file_name = file_name.to_string_lossy();
        if name != file_name {
            table.entry(name.to_owned()).or_default().extend(board);
        }
        let boards = table.entry(file_name.into_owned()).or_default();
        boards.extend(board);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn sidecar(name: &str, text: &str) -> Result<Option<Vec<Puzzle>>, TruthError> {
        let truth = truth(name, text)?;
        Ok(truth.map(|truth| truth.boards))
    }

    fn truth(name: &str, text: &str) -> Result<Option<Truth>, TruthError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        read_sidecar(&folder.path().join("photo.jpg"))
    }

    #[test]
    fn both_kinds_of_sidecar_say_the_same() {
        let board: Puzzle = LINE.parse().unwrap();
        let rows: Vec<String> = LINE
            .as_bytes()
            .chunks(9)
            .map(|row| String::from_utf8_lossy(row).into_owned())
            .collect();
        let numbers = rows.iter().map(|row| {
            let row = row.replace('.', "0");
            row.chars().map(|c| format!("{c} ")).collect::<String>() + "\n"
        });
        let dat = format!("a phone\n640x480\n{}\n", numbers.collect::<String>());
        for (name, text) in [
            ("photo.dat", dat.as_str()),
            ("photo.txt", LINE),
            ("photo.txt", rows.join("\n").as_str()),
            ("photo.txt", sidecar_text(&[board]).as_str()),
        ] {
            assert_eq!(sidecar(name, text).unwrap(), Some(vec![board]), "{text}");
        }
    }

    #[test]
    fn a_photo_may_show_several_boards_or_none_or_have_no_truth() {
        let board: Puzzle = LINE.parse().unwrap();
        let two = sidecar_text(&[board, board]);
        assert_eq!(sidecar("photo.txt", &two).unwrap(), Some(vec![board; 2]));
        let none = sidecar_text(&[]);
        assert_eq!(sidecar("photo.txt", &none).unwrap(), Some(vec![]));
        assert_eq!(sidecar("other.txt", LINE).unwrap(), None);
    }

    #[test]
    fn bad_sidecars_are_told_with_their_line() {
        for (name, text, expected) in [
            ("photo.dat", "a\nb\n1 2 3\n", ":3: expected nine rows"),
            ("photo.dat", "a\nb\n1 2 3 4 5 6 7 8 x\n", ":3: \"x\" is not"),
            ("photo.dat", "", "0 rows, not 9"),
            ("photo.txt", "\n12345\n", ":2: expected 81 cells, found 5"),
            ("photo.txt", "", ":1: no board"),
        ] {
            let message = sidecar(name, text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_table_is_looked_up_by_file_name() {
        let text = format!("photo,givens\na/one.jpg,{LINE}\ntwo.jpg,{LINE}\ntwo.jpg,{LINE}\n");
        let table = parse_table(Path::new("truth.csv"), &text).unwrap();
        let source = TruthSource::Table(table);
        let count = |photo: &str| source.boards(Path::new(photo)).unwrap().map(|b| b.boards.len());
        assert_eq!(count("b/one.jpg"), Some(1));
        assert_eq!(count("two.jpg"), Some(2));
        let text = format!("photo,givens\na/one.jpg,{LINE}\nb/one.jpg,none\n");
        let same_name = TruthSource::Table(parse_table(Path::new("t.csv"), &text).unwrap());
        let boards = |photo: &str| same_name.boards(Path::new(photo)).unwrap().unwrap().boards.len();
        assert_eq!((boards("a/one.jpg"), boards("b/one.jpg")), (1, 0));
        assert_eq!(count("three.jpg"), None);
        assert!(parse_table(Path::new("t.csv"), "photo,givens\na.jpg,12\n").is_err());
    }
}
