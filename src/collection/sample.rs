//! Balanced samples: as many puzzles of each bin.

use std::collections::{BTreeMap, BinaryHeap};
use std::io::{self, Write};

use super::board::Board;
use super::dedup::write_header;
use super::difficulty::Difficulty;
use super::each::{ReadTally, Watch, each_of, flush};
use super::rating::Number;
use crate::corpus::{Row, Rows};
use crate::generate::{GivensSymmetry, Span};
use crate::stream::{End, StreamError};

/// What is taken.
#[derive(Clone, Debug)]
pub struct SampleConfig {
    /// Puzzles of each bin.
    pub per_bin: usize,
    /// Bins by difficulty, of this width, and the range of it; else it does not count.
    pub difficulty: Option<DifficultyBins>,
    /// Bins by the number of givens, and its range; else it does not count.
    pub givens: Option<Span<usize>>,
    /// Only puzzles whose pattern of givens has this symmetry.
    pub symmetry: Option<GivensSymmetry>,
    /// Which of the puzzles of a bin.
    pub seed: u64,
}

/// Bins by difficulty.
#[derive(Clone, Debug)]
pub struct DifficultyBins {
    /// Where the numbers come from.
    pub by: Difficulty,
    /// The least and the greatest number that is taken.
    pub range: Span<Number>,
    /// The width of a bin. Bins begin at its multiples.
    pub width: f64,
}

/// The bin of a row: how many widths its difficulty is, and its givens; 0 for what does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bin {
    /// Widths below its difficulty.
    pub difficulty: i64,
    /// Givens.
    pub givens: usize,
}

/// How many puzzles a bin had, and how many of them were taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinCount {
    /// Puzzles that were read.
    pub found: u64,
    /// Puzzles that were written.
    pub taken: u64,
}

/// A row that is taken unless better ones come.
struct Candidate {
    /// By chance, but the same in every run: the least ones are taken.
    draw: f64,
    /// Counted from 0.
    number: u64,
    text: Box<[u8]>,
}

impl Candidate {
    fn order(&self) -> (f64, u64) {
        (self.draw, self.number)
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> std::cmp::Ordering {
        let ((draw, number), (other_draw, other_number)) = (self.order(), other.order());
        draw.total_cmp(&other_draw).then(number.cmp(&other_number))
    }
}

impl SampleConfig {
    /// The bin of a row; `None` if it is out of range, or has no difficulty where that counts.
    fn bin<B: Board>(&self, row: &Row<B::Puzzle>) -> Option<Bin> {
        let is_kept = |symmetry| B::has_symmetry(&row.puzzle, symmetry);
        if !self.symmetry.is_none_or(is_kept) {
            return None;
        }
        let givens = match &self.givens {
            None => 0,
            Some(range) => {
                let givens = B::given_count(&row.puzzle);
                range.contains(givens).then_some(givens)?
            }
        };
        let difficulty = match &self.difficulty {
            None => 0,
            Some(bins) => {
                let number = bins.by.of::<B>(row)?;
                if !bins.range.contains(number) {
                    return None;
                }
                // 7.2 is 72 tenths, though 7.2 / 0.1 is less than that.
                (number.0 / bins.width + 1e-9).floor() as i64
            }
        };
        Some(Bin { difficulty, givens })
    }

    /// How many rows a thread takes at a time.
    fn batch(&self) -> usize {
        let difficulty = self.difficulty.as_ref();
        difficulty.map_or(usize::MAX, |bins| bins.by.batch())
    }
}

/// Writes up to [`SampleConfig::per_bin`] rows of each bin, as they stand, in their order. Which ones depends on the seed
/// and the puzzles alone. Keeps no more than these rows.
///
/// # Errors
/// See [`StreamError`].
pub fn sample<B: Board>(
    rows: Rows<B>,
    config: &SampleConfig,
    watch: &mut Watch<'_, B::Error>,
    out: &mut (dyn Write + Send),
) -> Result<(ReadTally, BTreeMap<Bin, BinCount>, End), StreamError> {
    let mut out = io::BufWriter::new(out);
    write_header(&rows, &mut out)?;
    let mut bins: BTreeMap<Bin, (u64, BinaryHeap<Candidate>)> = BTreeMap::new();
    let mut number = 0;
    let work = |rows: &[Row<B::Puzzle>]| {
        let drawn = rows.iter().map(|row| {
            let bin = config.bin::<B>(row)?;
            Some((bin, B::draw_key(&row.puzzle).draw(config.seed)))
        });
        Some(drawn.collect())
    };
    let batch = config.batch().min(B::batch(false));
    let (read, end) = each_of(rows, batch, watch, work, |row, drawn| {
        number += 1;
        let Some((bin, draw)) = drawn else {
            return Ok(());
        };
        let (found, taken) = bins.entry(bin).or_default();
        *found += 1;
        taken.push(Candidate {
            draw,
            number,
            text: row.text,
        });
        if taken.len() > config.per_bin {
            taken.pop();
        }
        Ok(())
    })?;
    if end != End::Complete {
        return Ok((read, BTreeMap::new(), end));
    }
    let mut counts = BTreeMap::new();
    let mut chosen = Vec::new();
    for (bin, (found, taken)) in bins {
        let count = BinCount {
            found,
            taken: taken.len() as u64,
        };
        counts.insert(bin, count);
        chosen.extend(taken);
    }
    chosen.sort_by_key(|candidate| candidate.number);
    let written = chosen.iter().try_for_each(|candidate| {
        out.write_all(&candidate.text)?;
        out.write_all(b"\n")
    });
    let end = match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => End::Closed,
        written => {
            written?;
            flush(&mut out, end)?
        }
    };
    Ok((read, counts, end))
}
