//! Code that several tests share; here, drawn boards, and a reader without a network.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

pub mod bench;
pub mod data;
pub mod documents;
pub mod ffmpeg;
pub mod orders;
pub mod program;
pub mod puzzles;
pub mod same_files;
pub mod techniques;
pub mod toy;
pub mod turned;
pub mod variants;

use std::io::Cursor;
use std::path::Path;
use std::process::Command;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use sudoku_batch::digits::{DigitClassifier, InferenceError, Posterior};
use sudoku_batch::grid::{Digit, Puzzle};
use sudoku_batch::render::{DigitInk, draw_upright};
use sudoku_batch::vision::{CROP_SIDE, CellCrop};

/// The example of Wikipedia's article on Sudoku, and the first two grids of Project Euler's
/// problem 96.
pub const PUZZLES: [&str; 3] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
    "2...8.3...6..7..84.3.5..2.9...1.54.8.........4.27.6...3.1..7.4.72..4..6...4.1...3",
];

/// Pixels of a cell in [`board`].
const CELL: u32 = 48;
/// Pixels of paper around the board.
const PAPER: u32 = 60;

/// A printed board on white paper.
pub fn board(line: &str) -> RgbImage {
    let puzzle: Puzzle = line.parse().unwrap();
    let side = 9 * CELL + 2 * PAPER;
    let mut image = RgbImage::from_pixel(side, side, Rgb([245; 3]));
    for i in 0..10 {
        let half = if i % 3 == 0 { 2 } else { 1 };
        for at in PAPER + i * CELL - half..PAPER + i * CELL + half {
            for along in PAPER - 2..PAPER + 9 * CELL + 2 {
                image.put_pixel(at, along, Rgb([20; 3]));
                image.put_pixel(along, at, Rgb([20; 3]));
            }
        }
    }
    let ink = DigitInk {
        color: [20; 3],
        opacity: 1.0,
        ..DigitInk::default()
    };
    for (cell, digit) in puzzle.givens() {
        let (x, y) = (cell.column() as u32 * CELL, cell.row() as u32 * CELL);
        let corner = ((PAPER + x) as f32, (PAPER + y) as f32);
        draw_upright(&mut image, digit, corner, CELL as f32, &ink);
    }
    image
}

pub fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// [`board`] as a PNG file.
pub fn board_png(line: &str) -> Vec<u8> {
    encoded(board(line), ImageFormat::Png)
}

/// Reads cells by the nearest of nine templates, drawn like the digits of [`board`].
pub struct Templates(Vec<Vec<f32>>);

impl Templates {
    pub fn new() -> Templates {
        let ink = DigitInk {
            color: [20; 3],
            opacity: 1.0,
            ..DigitInk::default()
        };
        // A crop shows its cell with a margin of 6 % on each side.
        let cell = CROP_SIDE as f32 / 1.12;
        let corner = (0.06 * cell, 0.06 * cell);
        let template = |digit: Digit| {
            let mut image = RgbImage::from_pixel(32, 32, Rgb([245; 3]));
            draw_upright(&mut image, digit, corner, cell, &ink);
            profile(|x, y| image.get_pixel(x as u32, y as u32).0[0])
        };
        Templates(Digit::ALL.into_iter().map(template).collect())
    }
}

/// Ink in blocks of 2 by 2 pixels, away from the grid lines.
fn profile(pixel: impl Fn(usize, usize) -> u8) -> Vec<f32> {
    let block = |i: usize| {
        let (x, y) = (5 + 2 * (i % 11), 5 + 2 * (i / 11));
        let sum: u32 = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .into_iter()
            .map(|(dx, dy)| u32::from(pixel(x + dx, y + dy)))
            .sum();
        1.0 - sum as f32 / (4.0 * 245.0)
    };
    (0..121).map(block).collect()
}

impl DigitClassifier for Templates {
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
        let posterior = |crop: &CellCrop| {
            let seen = profile(|x, y| crop.pixels[y * CROP_SIDE + x]);
            let mut weights = [0.0; 10];
            weights[0] = weight(&seen, &[0.0; 121]);
            for (at, template) in self.0.iter().enumerate() {
                weights[at + 1] = weight(&seen, template);
            }
            Posterior::from_weights(weights).unwrap_or(Posterior::blank(0.1))
        };
        Ok(crops.iter().map(posterior).collect())
    }
}

fn weight(seen: &[f32], template: &[f32]) -> f32 {
    let pairs = seen.iter().zip(template);
    let distance: f32 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
    (-1.5 * distance).exp()
}

/// The program, with these arguments.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(arguments);
    command
}

/// The output and exit code of a run of the program.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn say(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    let said = Said {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    said
}

/// The rows of `results.csv` in a folder, without the header.
pub fn results(folder: &Path) -> Vec<csv::StringRecord> {
    let mut reader = csv::Reader::from_path(folder.join("results.csv")).unwrap();
    reader.records().map(|row| row.unwrap()).collect()
}
