//! Sidecars: a file with the ground truth beside each photo.

use std::path::{Path, PathBuf};

use super::boards::Truth;
use super::error::{TruthError, bad_line, read};
use crate::grid::{Cell, Digit, Puzzle};

/// Returns the sidecar of a photo, if it has one: `same-stem.dat`, else `same-stem.txt`.
pub fn sidecar(photo: &Path) -> Option<PathBuf> {
    let mut paths = ["dat", "txt"].into_iter().map(|it| beside(photo, it));
    paths.find(|path| path.is_file() && path != photo)
}

/// Returns the boards in the sidecar of a photo: `same-stem.dat` (two header lines, then nine rows
/// of nine numbers, 0 = blank), else `same-stem.txt` (81 characters per board, or nine lines of
/// nine; or the one word `none` for a photo without a board). `None` where there is no sidecar.
///
/// # Errors
///
/// [`TruthError`] for a sidecar that cannot be read or is no board.
pub fn read_sidecar(photo: &Path) -> Result<Option<Truth>, TruthError> {
    let Some(path) = sidecar(photo) else {
        return Ok(None);
    };
    let text = read(&path)?;
    Ok(Some(match path.extension() {
        Some(ending) if ending == "dat" => Truth {
            boards: vec![parse_dat(&path, &text)?],
            is_complete: false,
        },
        _ => Truth::complete(parse_txt(&path, &text)?),
    }))
}

/// Returns the file beside a photo with another extension: `page.txt` for `page.jpg`, and
/// `book#12.txt` for the page `book.pdf#12`.
fn beside(photo: &Path, extension: &str) -> PathBuf {
    let own = photo.extension().and_then(|own| own.to_str());
    match own.and_then(|own| own.rsplit_once('#')) {
        Some((_, page)) if page.bytes().all(|it| it.is_ascii_digit()) => {
            let mut name = photo.file_stem().unwrap_or_default().to_owned();
            name.push(format!("#{page}.{extension}"));
            photo.with_file_name(name)
        }
        _ => photo.with_extension(extension),
    }
}

/// Returns the text of a sidecar that [`read_sidecar`] reads back as these boards.
pub fn sidecar_text(boards: &[Puzzle]) -> String {
    match boards {
        [] => "none\n".to_owned(),
        _ => boards.iter().map(|board| format!("{board}\n")).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn sidecar(name: &str, text: &str) -> Result<Option<Vec<Puzzle>>, TruthError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        let truth = read_sidecar(&folder.path().join("photo.jpg"))?;
        // Only a `.txt` file has room for all boards of a photo.
        assert!(
            truth
                .iter()
                .all(|it| it.is_complete == name.ends_with(".txt"))
        );
        Ok(truth.map(|truth| truth.boards))
    }

    #[test]
    fn both_sidecar_formats_agree() {
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
    fn a_page_has_a_sidecar_of_its_own_and_a_strange_extension_the_usual_one() {
        for (photo, expected) in [
            ("a/book.pdf#12", "a/book#12.txt"),
            ("a/photo.jpg", "a/photo.txt"),
            ("a/photo.j#x", "a/photo.txt"),
            ("a/photo", "a/photo.txt"),
        ] {
            assert_eq!(beside(Path::new(photo), "txt"), Path::new(expected));
        }
    }

    #[test]
    fn sidecar_errors_name_the_line() {
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
}
