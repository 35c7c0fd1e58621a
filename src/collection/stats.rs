//! What a collection is made of, in counts.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::board::{Board, Facts};
use super::check::Solutions;
use super::difficulty::Difficulty;
use super::each::{ReadTally, Watch, each_of};
use super::key::Key;
use super::rating::Number;
use crate::corpus::{Row, Rows};
use crate::generate::GivensSymmetry;
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// Rows that a thread takes at a time: each is solved once for each of its givens.
const BATCH: usize = 128;

/// Counts of the puzzles of a collection.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CollectionStats {
    /// What was read.
    #[serde(flatten)]
    pub read: ReadTally,
    /// Puzzles with one solution.
    pub one_solution: u64,
    /// Puzzles with several.
    pub many_solutions: u64,
    /// Puzzles without any.
    pub no_solution: u64,
    /// Puzzles with one solution of which no given can be left out, if that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal: Option<u64>,
    /// Different puzzles, and classes of puzzles that count as the same.
    pub classes: Classes,
    /// Puzzles of other sizes and shapes by their board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub boards: BTreeMap<String, u64>,
    /// Puzzles by their number of givens.
    pub givens: BTreeMap<usize, u64>,
    /// Puzzles with one solution by the number of givens any one of which can be left out.
    pub redundant: BTreeMap<usize, u64>,
    /// Classic puzzles by the number of their automorphisms.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub automorphisms: BTreeMap<u64, u64>,
    /// Puzzles by the symmetries that their patterns of givens have: one with several counts for each, one with none for
    /// `none`.
    pub symmetry: BTreeMap<&'static str, u64>,
    /// Puzzles by whole numbers of their difficulty: 7 counts those from 7 to less than 8.
    pub difficulty: BTreeMap<i64, u64>,
    /// Puzzles without a difficulty, where it was asked for.
    pub without_difficulty: u64,
}

/// How many different puzzles there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Classes {
    /// By their givens.
    pub exact: u64,
    /// Of which none is the other with renamed digits.
    pub relabeled: u64,
    /// Of which none is an image of another one.
    pub equivalent: u64,
    /// With solutions of which none is an image of another one.
    pub solution: u64,
}

/// What is counted beside what always is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatsConfig {
    /// Where the difficulty of puzzles comes from, if it is counted.
    pub difficulty: Option<Difficulty>,
    /// Whether to look for redundant givens on boards of other sizes and shapes, too: each puzzle is solved once more
    /// for each of its givens. Of classic puzzles they are always counted.
    pub minimal: bool,
    /// The flag that ends searches on large boards.
    pub stop: Option<Stop>,
}

impl CollectionStats {
    /// Counts the rows. Holds up to 130 bytes for each of them, to know which ones differ.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn of<B: Board>(
        rows: Rows<B>,
        config: &StatsConfig,
        watch: &mut Watch<'_, B::Error>,
    ) -> Result<(CollectionStats, End), StreamError> {
        let mut stats = CollectionStats::default();
        let mut different: [HashSet<Key>; 4] = Default::default();
        let difficulty = config.difficulty.as_ref();
        let batch = difficulty.map_or(usize::MAX, Difficulty::batch);
        let work = |rows: &[Row<B::Puzzle>]| {
            let facts = B::facts(rows, config.minimal, config.stop)?;
            let facts = facts.into_iter().zip(rows).map(|(facts, row)| {
                let number = difficulty.and_then(|difficulty| difficulty.of::<B>(row));
                (facts, number)
            });
            Some(facts.collect())
        };
        let batch = batch.min(B::batch(true)).min(BATCH);
        let (read, end) = each_of(rows, batch, watch, work, |row, (facts, number)| {
            stats.add::<B>(&row.puzzle, &facts);
            match number {
                Some(Number(number)) => {
                    *stats.difficulty.entry(number.floor() as i64).or_default() += 1;
                }
                None => stats.without_difficulty += u64::from(difficulty.is_some()),
            }
            for (keys, key) in different.iter_mut().zip(facts.keys) {
                keys.extend(key);
            }
            Ok(())
        })?;
        let [exact, relabeled, equivalent, solution] = different.map(|keys| keys.len() as u64);
        stats.classes = Classes {
            exact,
            relabeled,
            equivalent,
            solution,
        };
        stats.read = read;
        Ok((stats, end))
    }

    fn add<B: Board>(&mut self, puzzle: &B::Puzzle, facts: &Facts) {
        if let Some(board) = &facts.board {
            *self.boards.entry(board.clone()).or_default() += 1;
        }
        *self.givens.entry(B::given_count(puzzle)).or_default() += 1;
        if let Some(automorphisms) = facts.automorphisms {
            *self.automorphisms.entry(automorphisms).or_default() += 1;
        }
        let mut has_none = true;
        for symmetry in GivensSymmetry::ALL {
            if B::has_symmetry(puzzle, symmetry) {
                has_none = false;
                *self.symmetry.entry(symmetry.name()).or_default() += 1;
            }
        }
        if has_none {
            *self.symmetry.entry("none").or_default() += 1;
        }
        match facts.solutions {
            Solutions::One => {
                self.one_solution += 1;
                if let Some(redundant) = facts.redundant {
                    *self.minimal.get_or_insert_default() += u64::from(redundant == 0);
                    *self.redundant.entry(redundant).or_default() += 1;
                }
            }
            Solutions::Many => self.many_solutions += 1,
            Solutions::None | Solutions::Clash(_) => self.no_solution += 1,
        }
    }
}
