//! More puzzles of the same kind: different images of each puzzle of a corpus.

use std::io::{self, Write};

use super::each::{ReadTally, Watch, each_row_of, flush};
use super::identify::Identifier;
use super::key::Key;
use crate::canon::{Augmenter, Moves};
use crate::corpus::{Row, Rows};
use crate::grid::{PuzzleLine, Solution};
use crate::stream::{End, StreamError};

/// Images that a thread makes before they are written: bounds the memory.
const IMAGES: usize = 1 << 14;

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

/// Writes the images of each puzzle, puzzle by puzzle, and returns how many.
///
/// # Errors
/// See [`StreamError`].
pub fn augment_all(
    rows: Rows,
    config: AugmentConfig,
    watch: &mut Watch<'_>,
    out: &mut (dyn Write + Send),
) -> Result<(ReadTally, u64, End), StreamError> {
    let mut out = io::BufWriter::new(out);
    match config.columns {
        ImageColumns::ImageOnly => {}
        ImageColumns::Table { solution: false } => out.write_all(b"puzzle,source,transform\n")?,
        ImageColumns::Table { solution: true } => {
            out.write_all(b"puzzle,solution,source,transform\n")?;
        }
    }
    let batch = (IMAGES / config.count.max(1)).clamp(1, 512);
    let mut written = 0;
    let work = |_: &[Row], lines: &[PuzzleLine]| images(lines, config);
    let (read, end) = each_row_of(
        rows,
        batch,
        watch,
        work,
        |_, (count, text): (u64, Vec<u8>)| {
            written += count;
            out.write_all(&text)
        },
    )?;
    let end = flush(&mut out, end)?;
    Ok((read, written, end))
}

/// The images of each line, as text.
fn images(lines: &[PuzzleLine], config: AugmentConfig) -> Vec<(u64, Vec<u8>)> {
    let mut augmenter = Augmenter::new(config.moves);
    let solutions = match config.columns {
        ImageColumns::Table { solution: true } => Identifier::default().solutions(lines),
        _ => vec![None; lines.len()],
    };
    let texts = lines.iter().zip(solutions).map(|(line, solution)| {
        let seed = Key::of(line.as_bytes()).seed(config.seed);
        let mut text = Vec::with_capacity(config.count.min(IMAGES) * 82);
        let mut count = 0;
        for image in augmenter.images(line, config.count, seed) {
            count += 1;
            text.extend_from_slice(image.line.as_bytes());
            if let ImageColumns::Table { solution: wanted } = config.columns {
                let symmetry = image.symmetry();
                if wanted {
                    text.push(b',');
                    let of_image = solution.map(|solution: Solution| symmetry.solution(&solution));
                    text.extend(of_image.iter().flat_map(Solution::to_ascii));
                }
                text.push(b',');
                text.extend_from_slice(line.as_bytes());
                // Writing to a vector does not fail.
                let _ = io::Write::write_fmt(&mut text, format_args!(",{symmetry}"));
            }
            text.push(b'\n');
        }
        (count, text)
    });
    texts.collect()
}
