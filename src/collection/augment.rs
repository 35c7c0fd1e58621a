//! More puzzles of the same kind: different images of each puzzle of a corpus.

use std::io::{self, Write};

use super::board::Board;
use super::each::{ReadTally, Watch, each_of, flush};
use super::image::{AugmentConfig, ImageColumns, ImageRows};
use crate::corpus::{Row, Rows};
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// Images that a thread makes before they are written: bounds the memory.
const IMAGES: usize = 1 << 14;

/// Writes the images of each puzzle, puzzle by puzzle, and returns how many. `stop` ends searches on large boards.
///
/// # Errors
/// See [`StreamError`].
pub fn augment_all<B: Board>(
    rows: Rows<B>,
    config: AugmentConfig,
    stop: Option<Stop>,
    watch: &mut Watch<'_, B::Error>,
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
    let batch = (IMAGES / config.count.max(1)).clamp(1, B::batch(config.solves()));
    let mut written = 0;
    let work = |rows: &[Row<B::Puzzle>]| B::images(rows, config, stop);
    let (read, end) = each_of(rows, batch, watch, work, |_, images: ImageRows| {
        written += images.count;
        out.write_all(&images.text)
    })?;
    let end = flush(&mut out, end)?;
    Ok((read, written, end))
}
