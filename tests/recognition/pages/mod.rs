//! Multi-page documents: names, ground truth, resumed runs, shards, corrections, and damage.

mod documents;
mod formats;
mod rows;

use crate::common;
use std::io::Cursor;
use std::path::Path;

use common::{Said, program, results, say};
use image::{Rgb, RgbImage};
use sudoku_batch::pages::{Document, is_document};

fn paper() -> RgbImage {
    RgbImage::from_pixel(552, 552, Rgb([240; 3]))
}

fn run(folder: &Path, arguments: &[&str]) -> Said {
    say(program(arguments).current_dir(folder))
}

/// Photo, status and decoded board of each row.
fn rows(folder: &Path) -> Vec<(String, String, String)> {
    let row = |row: csv::StringRecord| {
        let photo = row[0].strip_prefix("photos/").unwrap_or(&row[0]);
        (photo.to_owned(), row[2].to_owned(), row[4].to_owned())
    };
    results(folder).into_iter().map(row).collect()
}

/// All pages of a file, if it can be opened as a document; the picture or the error of each.
fn pictures(bytes: Vec<u8>) -> Option<Vec<Result<Vec<u8>, String>>> {
    is_document(&mut Cursor::new(&bytes))
        .unwrap()
        .then_some(())?;
    let document = Document::open(bytes).ok()?;
    assert!(document.picture(0, 1).is_err() && document.picture(usize::MAX, 1).is_err());
    let picture = |number| {
        document
            .picture(number, 64_000_000)
            .map_err(|it| it.to_string())
    };
    Some((1..=document.pages()).map(picture).collect())
}
