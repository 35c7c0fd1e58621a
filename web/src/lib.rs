//! The reader for a page: photos and frames in, JSON out. `sudoku_batch::live` defines the answers.

use std::sync::Arc;

use serde::Serialize;
use sudoku_batch::live::{self, Frame};
use sudoku_batch::reader::{Reader, ReaderConfig};
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads the photos and frames of one page.
#[wasm_bindgen]
pub struct Session(live::Session);

#[wasm_bindgen]
impl Session {
    /// Loads the built-in network.
    ///
    /// # Errors
    /// A sentence, where the build lacks what a reader needs.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Session, String> {
        let reader = Reader::new(ReaderConfig::default()).map_err(|error| error.to_string())?;
        Ok(Session(live::Session::new(Arc::new(reader))))
    }

    /// Answers with the boards of a picture file.
    ///
    /// # Errors
    /// A sentence that says why it does not open.
    pub fn photo(&mut self, bytes: &[u8]) -> Result<String, String> {
        json(self.0.photo(bytes))
    }

    /// Answers with the boards of a camera's frame, one byte a pixel.
    ///
    /// # Errors
    /// A sentence, where the size does not fit the bytes.
    pub fn gray(&mut self, width: u32, height: u32, pixels: Vec<u8>) -> Result<String, String> {
        json(self.0.frame(Frame::Gray {
            width,
            height,
            pixels,
        }))
    }

    /// Answers with the boards of a camera's frame, four bytes a pixel.
    ///
    /// # Errors
    /// A sentence, where the size does not fit the bytes.
    pub fn rgba(&mut self, width: u32, height: u32, pixels: &[u8]) -> Result<String, String> {
        json(self.0.frame(Frame::Rgba {
            width,
            height,
            pixels,
        }))
    }
}

/// Solves 81 characters.
///
/// # Errors
/// A sentence, where they are no puzzle.
#[wasm_bindgen]
pub fn solve(cells: &str) -> Result<String, String> {
    json(live::solve(cells))
}

/// Finds the easiest next step of 81 characters.
///
/// # Errors
/// As [`solve`].
#[wasm_bindgen]
pub fn hint(cells: &str) -> Result<String, String> {
    json(live::hint(cells))
}

/// Explains the way to the solution of 81 characters.
///
/// # Errors
/// As [`solve`].
#[wasm_bindgen]
pub fn explain(cells: &str) -> Result<String, String> {
    json(live::explain(cells))
}

fn json<T: Serialize, E: ToString>(answer: Result<T, E>) -> Result<String, String> {
    let answer = answer.map_err(|error| error.to_string())?;
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}
