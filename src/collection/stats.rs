//! What a collection is made of, in counts.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::check::{Solutions, check};
use super::difficulty::{Difficulty, Number};
use super::each::{ReadTally, Watch, each_row_of};
use super::identify::{Identifier, SameBy};
use super::key::Key;
use crate::canon::Canonizer;
use crate::corpus::{Row, Rows};
use crate::generate::GivensSymmetry;
use crate::grid::PuzzleLine;
use crate::solve::Lockstep;
use crate::stream::{End, StreamError};

/// Rows that a thread takes at a time.
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
    /// Puzzles with one solution of which no given can be left out.
    pub minimal: u64,
    /// Different puzzles, and classes of puzzles that count as the same.
    pub classes: Classes,
    /// Puzzles by their number of givens.
    pub givens: BTreeMap<usize, u64>,
    /// Puzzles with one solution by the number of givens any one of which can be left out.
    pub redundant: BTreeMap<usize, u64>,
    /// Puzzles by the number of their automorphisms.
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

/// What is known of a row.
struct Facts {
    solutions: Solutions,
    redundant: usize,
    keys: [Option<Key>; 4],
    automorphisms: u64,
    difficulty: Option<Number>,
}

fn facts(rows: &[Row], lines: &[PuzzleLine], difficulty: Option<&Difficulty>) -> Vec<Facts> {
    let mut canonizer = Canonizer::new();
    let mut identifier = Identifier::default();
    let mut keys = |same_by| identifier.keys(lines, same_by);
    let [exact, relabeled, solution] =
        [SameBy::Exact, SameBy::Relabeling, SameBy::Solution].map(&mut keys);
    let qualities = check(&mut Lockstep::new(), lines);
    let facts = rows.iter().enumerate().map(|(row, of)| {
        let canonical = canonizer.minlex(&lines[row]);
        let puzzle = Some(Key::of(canonical.line.as_bytes()));
        Facts {
            solutions: qualities[row].solutions,
            redundant: qualities[row].redundant.len(),
            keys: [exact[row], relabeled[row], puzzle, solution[row]],
            automorphisms: canonical.automorphisms,
            difficulty: difficulty.and_then(|difficulty| difficulty.of(of)),
        }
    });
    facts.collect()
}

impl CollectionStats {
    /// Counts the rows. Holds up to 130 bytes for each of them, to know which ones differ.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn of(
        rows: Rows,
        difficulty: Option<&Difficulty>,
        watch: &mut Watch<'_>,
    ) -> Result<(CollectionStats, End), StreamError> {
        let mut stats = CollectionStats::default();
        let mut different: [HashSet<Key>; 4] = Default::default();
        let batch = difficulty.map_or(BATCH, |difficulty| difficulty.batch().min(BATCH));
        let work = |rows: &[Row], lines: &[PuzzleLine]| facts(rows, lines, difficulty);
        let (read, end) = each_row_of(rows, batch, watch, work, |row, facts| {
            stats.add(&row, &facts, difficulty.is_some());
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

    fn add(&mut self, row: &Row, facts: &Facts, is_rated: bool) {
        *self.givens.entry(row.puzzle.given_count()).or_default() += 1;
        *self.automorphisms.entry(facts.automorphisms).or_default() += 1;
        let mut has_none = true;
        for symmetry in GivensSymmetry::ALL {
            if symmetry.holds(&row.puzzle) {
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
                self.minimal += u64::from(facts.redundant == 0);
                *self.redundant.entry(facts.redundant).or_default() += 1;
            }
            Solutions::Many => self.many_solutions += 1,
            Solutions::None | Solutions::Clash(_) => self.no_solution += 1,
        }
        match facts.difficulty {
            Some(Number(number)) => *self.difficulty.entry(number.floor() as i64).or_default() += 1,
            None => self.without_difficulty += u64::from(is_rated),
        }
    }
}
