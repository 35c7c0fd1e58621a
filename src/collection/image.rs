//! The images of a puzzle as rows.

use std::fmt::Display;
use std::io::Write;

use super::form::csv_field;
use super::identify::Identifier;
use super::key::Key;
use crate::canon::{Augmenter, Moves};
use crate::grid::{PuzzleLine, Solution};

/// What images are made, and what is written of each.
#[derive(Clone, Copy, Debug)]
pub struct AugmentConfig {
    /// Images of each puzzle; fewer where it has no more.
    pub count: usize,
    /// The symmetries that are used.
    pub moves: Moves,
    /// Which images: those of a puzzle depend on this number and the puzzle alone.
    pub seed: u64,
    /// What is written.
    pub columns: ImageColumns,
}

/// What is written of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageColumns {
    /// The image and nothing else.
    ImageOnly,
    /// CSV with `puzzle`, the image, `source`, the puzzle, and `transform`, the symmetry that leads to the image.
    Table {
        /// And `solution`, that of the image; empty if there is not just one.
        solution: bool,
    },
}

impl AugmentConfig {
    /// Whether puzzles are solved for what is written.
    pub(super) fn solves(&self) -> bool {
        self.columns == ImageColumns::Table { solution: true }
    }
}

/// Rows of images, and how many these are.
#[derive(Clone, Debug, Default)]
pub struct ImageRows {
    /// Number of images.
    pub count: u64,
    /// The rows, each with its end.
    pub text: Vec<u8>,
}

impl ImageRows {
    /// Adds an image, with its solution if it has one and no other. The fields need no quotes.
    fn add(
        &mut self,
        columns: ImageColumns,
        image: &[u8],
        solution: &[u8],
        source: &[u8],
        transform: &dyn Display,
    ) {
        self.count += 1;
        self.text.extend_from_slice(image);
        if let ImageColumns::Table { solution: wanted } = columns {
            if wanted {
                self.text.push(b',');
                self.text.extend_from_slice(solution);
            }
            self.text.push(b',');
            self.text.extend_from_slice(source);
            // Writing to a vector does not fail.
            let _ = write!(self.text, ",{transform}");
        }
        self.text.push(b'\n');
    }

    /// Adds an image on a board of any layout.
    pub(super) fn add_fields(
        &mut self,
        columns: ImageColumns,
        [image, solution, source]: [&str; 3],
        transform: &dyn Display,
    ) {
        if columns == ImageColumns::ImageOnly {
            self.add(columns, image.as_bytes(), b"", b"", &"");
            return;
        }
        let [image, solution, source] = [image, solution, source].map(csv_field);
        let transform = transform.to_string();
        self.add(
            columns,
            image.as_bytes(),
            solution.as_bytes(),
            source.as_bytes(),
            &csv_field(&transform),
        );
    }
}

/// The images of classic puzzles.
pub(super) fn classic_images(lines: &[PuzzleLine], config: AugmentConfig) -> Vec<ImageRows> {
    let mut augmenter = Augmenter::new(config.moves);
    let solutions = if config.solves() {
        Identifier::default().solutions(lines)
    } else {
        vec![None; lines.len()]
    };
    let images = lines.iter().zip(solutions).map(|(line, solution)| {
        let seed = Key::of(line.as_bytes()).seed(config.seed);
        let mut rows = ImageRows::default();
        rows.text.reserve(config.count.min(1 << 14) * 82);
        for image in augmenter.images(line, config.count, seed) {
            if config.columns == ImageColumns::ImageOnly {
                rows.add(config.columns, image.line.as_bytes(), b"", b"", &"");
                continue;
            }
            let symmetry = image.symmetry();
            let solution = solution.map(|it: Solution| symmetry.solution(&it).to_ascii());
            let solution = solution.as_ref().map_or(&[][..], |it| it.as_slice());
            rows.add(
                config.columns,
                image.line.as_bytes(),
                solution,
                line.as_bytes(),
                &symmetry,
            );
        }
        rows
    });
    images.collect()
}
