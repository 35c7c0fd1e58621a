//! Results for the photos of the repository, compared with those stored in the
//! golden files `tests/golden/lattices.csv` and `tests/golden/results.csv`.
//!
//! A change that moves grid lines or readings on purpose updates them:
//!
//! ```sh
//! UPDATE_GOLDEN=1 cargo test --release --test golden
//! ```
//!
//! Review the diff before you commit it. Numbers have tolerances, since the vector instructions
//! of machines round differently.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use common::{program, results, say};
use csv::StringRecord;
use sudoku_batch::vision::{
    Backend, Board, DetectConfig, LocateConfig, Photo, PhotoConfig, Point, Quad, locate,
};

/// Largest distance of a crossing or corner from its golden position, in pixels.
const PIXELS: f32 = 0.5;
/// Largest distance of a lattice corner from the rendered one, in cells.
const CELLS: f32 = 0.25;

const HEAD: &str =
    "# Written by `UPDATE_GOLDEN=1 cargo test --release --test golden`; see tests/golden.rs.\n";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn photos() -> PathBuf {
    root().join("datasets/photos")
}

/// The rows of a golden file, header first; the file is written first if requested.
fn golden(name: &str, text: &str) -> Vec<StringRecord> {
    let path = root().join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 writes it", path.display()));
    rows(&text)
}

fn rows(text: &str) -> Vec<StringRecord> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .has_headers(false)
        .from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap()).collect()
}

fn numbers<'a>(fields: impl IntoIterator<Item = &'a str>) -> Vec<f32> {
    fields
        .into_iter()
        .map(|field| field.parse().unwrap())
        .collect()
}

/// The rendered boards: photo, number in it, corners in pixels.
fn drawn() -> Vec<(String, usize, Quad)> {
    let text = fs::read_to_string(photos().join("corners.csv")).unwrap();
    let rows = rows(&text).into_iter().skip(1);
    rows.map(|row| {
        let places = numbers(row.iter().skip(2));
        let corners = [0, 2, 4, 6].map(|at| Point {
            x: places[at],
            y: places[at + 1],
        });
        (
            row[0].to_owned(),
            row[1].parse().unwrap(),
            Quad::new(corners).unwrap(),
        )
    })
    .collect()
}

fn located(photo: &Photo) -> Vec<Board> {
    let detector = Backend::default()
        .detector(&DetectConfig::default())
        .unwrap();
    locate(photo, &*detector, &LocateConfig::default()).unwrap()
}

/// The largest distance of corners from the rendered ones, in the best of the four orientations.
fn farthest(found: &Quad, drawn: &Quad) -> f32 {
    let (found, drawn) = (found.corners(), drawn.corners());
    let turned = |turn: usize| {
        let off = |i: usize| {
            let (a, b) = (found[(i + turn) % 4], drawn[i]);
            (a.x - b.x).hypot(a.y - b.y)
        };
        (0..4).map(off).fold(0.0, f32::max)
    };
    (0..4).map(turned).fold(f32::INFINITY, f32::min)
}

#[test]
fn lattices_of_the_rendered_photos() {
    let mut text = HEAD.to_owned();
    text.push_str("# The crossings of one horizontal grid line a row, in pixels of the picture that is read.\n");
    text.push_str("photo,board,line");
    for crossing in 0..10 {
        write!(text, ",x{crossing},y{crossing}").unwrap();
    }
    text.push('\n');
    let drawn = drawn();
    let mut opened: Option<(String, Photo, Vec<Board>)> = None;
    for (name, number, corners) in &drawn {
        if opened.as_ref().is_none_or(|(open, ..)| open != name) {
            let bytes = fs::read(photos().join(name)).unwrap();
            let photo = Photo::from_bytes(&bytes, &PhotoConfig::default()).unwrap();
            let boards = located(&photo);
            opened = Some((name.clone(), photo, boards));
        }
        let (_, photo, boards) = opened.as_ref().unwrap();
        let corners = corners.scaled(photo.scale()).unwrap();
        let closest = boards
            .iter()
            .map(|board| (farthest(&board.lattice.corners(), &corners), board))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let (off, board) = closest.unwrap_or_else(|| panic!("{name}: no board is found"));
        let off = off / (corners.area() / 81.0).sqrt();
        println!("{name}, board {number}: corners {off:.3} cells from where they are drawn");
        assert!(
            off < CELLS,
            "{name}, board {number}: corners {off} cells off"
        );
        for (line, points) in board.lattice.points().iter().enumerate() {
            write!(text, "{name},{number},{line}").unwrap();
            for point in points {
                write!(text, ",{:.1},{:.1}", point.x, point.y).unwrap();
            }
            text.push('\n');
        }
    }
    let (found, golden) = (rows(&text), golden("lattices.csv", &text));
    assert_eq!(found.len(), 1 + 10 * drawn.len());
    assert_eq!(golden.len(), found.len(), "not the same boards");
    for (found, golden) in found.iter().zip(&golden).skip(1) {
        let key = |row: &StringRecord| row.iter().take(3).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(key(found), key(golden));
        let (a, b) = (
            numbers(found.iter().skip(3)),
            numbers(golden.iter().skip(3)),
        );
        assert_eq!((a.len(), b.len()), (20, 20));
        for (crossing, (a, b)) in a.chunks(2).zip(b.chunks(2)).enumerate() {
            let off = (a[0] - b[0]).hypot(a[1] - b[1]);
            assert!(
                off <= PIXELS,
                "{:?}, crossing {crossing}: {off} pixels off",
                key(found)
            );
        }
    }
}

/// The columns of `results.csv` that do not depend on time, and how far numbers may differ.
const RESULTS: [(&str, Option<f32>); 12] = [
    ("photo", None),
    ("puzzle", None),
    ("status", None),
    ("givens", None),
    ("decoded", None),
    ("solution", None),
    ("solutions", None),
    ("overruled", None),
    ("rotation", None),
    ("confidence", Some(0.02)),
    ("margin", Some(0.2)),
    ("corners", Some(PIXELS)),
];

/// Runs the program over a folder; returns these columns of its rows.
fn run(photos: &Path, out: &Path) -> String {
    let (photos, out_text) = (photos.to_str().unwrap(), out.to_str().unwrap());
    say(&mut program(&[
        "recognize",
        "--quiet",
        "--fresh",
        "--out",
        out_text,
        photos,
    ]));
    let header = csv::Reader::from_path(out.join("results.csv"))
        .unwrap()
        .headers()
        .unwrap()
        .clone();
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(RESULTS.map(|(name, _)| name)).unwrap();
    for row in results(out) {
        let field = |(name, _): (&str, _)| {
            let value = &row[header.iter().position(|column| column == name).unwrap()];
            match name {
                "photo" => Path::new(value).file_name().unwrap().to_str().unwrap(),
                _ => value,
            }
            .to_owned()
        };
        table.write_record(RESULTS.map(field)).unwrap();
    }
    HEAD.to_owned() + &String::from_utf8(table.into_inner().unwrap()).unwrap()
}

#[test]
fn results_of_the_rendered_photos() {
    let out = tempfile::tempdir().unwrap();
    let text = run(&photos(), out.path());
    let (found, golden) = (rows(&text), golden("results.csv", &text));
    assert_eq!(found.len(), golden.len(), "not the same number of rows");
    assert_eq!(found[0], golden[0]);
    // As many boards as were rendered, and four photos without one.
    assert_eq!(found.len(), 1 + drawn().len() + 4);
    for (found, golden) in found.iter().zip(&golden).skip(1) {
        for ((name, tolerance), (a, b)) in RESULTS.into_iter().zip(found.iter().zip(golden)) {
            let place = format!("{}, puzzle {}: {name}", &golden[0], &golden[1]);
            let Some(tolerance) = tolerance.filter(|_| !a.is_empty() && !b.is_empty()) else {
                assert_eq!(a, b, "{place}");
                continue;
            };
            let (x, y) = (numbers(a.split(' ')), numbers(b.split(' ')));
            assert_eq!(x.len(), y.len(), "{place}");
            for (x, y) in x.iter().zip(&y) {
                // Half of the last digit is lost in each of the two.
                assert!((x - y).abs() <= tolerance + 1e-4, "{place}: {a}, not {b}");
            }
        }
    }
}
