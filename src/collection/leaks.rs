//! How much of a test set is in a training set, in disguise or not.
//!
//! The test set is kept in memory, by names of its puzzles; the training set goes by once. That is the other way
//! around from how [`Split`](super::Split) makes disjoint sets, so that the one checks the other: how rows are joined and
//! dealt, but not how they are named. Canonical forms, solutions and what is left without some givens come from the same
//! code; `tests/reasoning/leaks_by_images.rs` checks small splits without it.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use super::board::{Board, Shape};
use super::each::{ReadTally, Watch, each_of};
use super::identify::SameBy;
use super::key::Key;
use super::places::{Places, ShortPlace};
use crate::corpus::{Corpus, Place, Row, Rows};
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// What a puzzle of the test set shares with one of the training set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeakKind {
    /// It counts as the same.
    Same(SameBy),
    /// It is a neighbour, see [`SplitBy::Radius`](super::SplitBy): the number is the radius, from 1.
    Neighbour(u8),
}

impl fmt::Display for LeakKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeakKind::Same(SameBy::Exact) => f.write_str("exact"),
            LeakKind::Same(SameBy::Relabeling) => f.write_str("relabeled"),
            LeakKind::Same(SameBy::Puzzle) => f.write_str("equivalent"),
            LeakKind::Same(SameBy::Solution) => f.write_str("same_solution"),
            LeakKind::Neighbour(radius) => write!(f, "neighbour_{radius}"),
        }
    }
}

/// How many puzzles of the test set are in the training set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeakTable {
    /// What was read of the test set.
    pub test: ReadTally,
    /// What was read of the training set.
    pub train: ReadTally,
    /// Puzzles of the test set without a single solution, which are never compared by it.
    pub test_without_solution: u64,
    /// For each kind that was looked for, how many puzzles of the test set share so much, or more of that, with some
    /// puzzle of the training set.
    pub leaks: Vec<LeakCount>,
}

/// One row of a [`LeakTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeakCount {
    /// In the spelling of [`LeakKind`].
    pub kind: String,
    /// Puzzles of the test set.
    pub puzzles: u64,
}

impl LeakTable {
    /// Whether nothing of the test set is in the training set.
    pub fn is_clean(&self) -> bool {
        self.leaks.iter().all(|leak| leak.puzzles == 0)
    }
}

/// A puzzle of the test set that is in the training set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The puzzle, as a line.
    pub puzzle: String,
    /// Where it stands.
    pub place: Place,
    /// For each kind that was looked for, where the first such puzzle of the training set stands.
    pub found: Vec<Option<Place>>,
}

/// A test set, ready to be looked for in a training set.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use sudoku_batch::collection::{LeakTest, SameBy, Watch};
/// use sudoku_batch::corpus::Rows;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let [train, test] = ["train.txt", "test.txt"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&train, puzzle)?;
/// // The same puzzle, turned upside down.
/// std::fs::write(&test, puzzle.chars().rev().collect::<String>())?;
/// let mut watch = Watch {
///     stop: &AtomicBool::new(false),
///     on_error: &mut |error| eprintln!("{error}"),
/// };
/// let (mut leaks, _) = LeakTest::read(Rows::open(vec![test])?, &[SameBy::Puzzle], 0, None, &mut watch)?;
/// leaks.compare(Rows::open(vec![train])?, &mut watch)?;
/// assert!(!leaks.table().is_clean());
/// # Ok(())
/// # }
/// ```
pub struct LeakTest<B: Board = Corpus> {
    kinds: Vec<SameBy>,
    radius: usize,
    stop: Option<Stop>,
    read: ReadTally,
    train: ReadTally,
    rows: Vec<TestRow<B::Puzzle>>,
    /// The different ones of the test set.
    shapes: Vec<Shape>,
    has_common_shape: bool,
    same: Vec<Lookup<ShortPlace>>,
    remainders: Lookup<(u8, ShortPlace)>,
    places: Places,
}

/// What is kept of a row of the test set.
struct TestRow<P> {
    puzzle: P,
    place: ShortPlace,
    /// For each kind, its slot in the lookup, if it has a name of this kind.
    same: Vec<Option<u32>>,
    /// For each remainder, how many givens were taken away, and its slot.
    remainders: Vec<(u8, u32)>,
}

/// Names of the test set, and where the training set has them.
struct Lookup<F> {
    slots: HashMap<Key, u32>,
    found: Vec<Option<F>>,
}

impl<F> Lookup<F> {
    fn new() -> Lookup<F> {
        Lookup {
            slots: HashMap::new(),
            found: Vec::new(),
        }
    }

    /// The slot of a name, which gets one if it has none yet.
    fn slot(&mut self, key: Key) -> u32 {
        *self.slots.entry(key).or_insert_with(|| {
            self.found.push(None);
            self.found.len() as u32 - 1
        })
    }

    fn get_mut(&mut self, key: Key) -> Option<&mut Option<F>> {
        let slot = *self.slots.get(&key)?;
        Some(&mut self.found[slot as usize])
    }
}

/// The names of a row.
struct Names {
    same: Vec<Option<Key>>,
    remainders: Vec<(u8, Key)>,
}

fn names<B: Board>(
    rows: &[Row<B::Puzzle>],
    kinds: &[SameBy],
    radius: usize,
    stop: Option<Stop>,
) -> Option<Vec<Names>> {
    let mut identifier = B::Identifier::default();
    let by_kind = B::keys(&mut identifier, rows, kinds, stop)?;
    let mut names = Vec::with_capacity(rows.len());
    for (number, row) in rows.iter().enumerate() {
        names.push(Names {
            same: by_kind.iter().map(|keys| keys[number]).collect(),
            remainders: if radius == 0 {
                Vec::new()
            } else {
                B::remainders(&mut identifier, &row.puzzle, radius, stop)?
            },
        });
    }
    Some(names)
}

/// Rows that a thread takes at a time: fewer where each has many names.
fn batch<B: Board>(kinds: &[SameBy], radius: usize) -> usize {
    let batch = B::batch(kinds.contains(&SameBy::Solution));
    if radius == 0 { batch } else { batch.min(32) }
}

impl<B: Board> LeakTest<B> {
    /// Reads a test set, to look for what counts as the same by these kinds, and for neighbours within `radius`; 0 is
    /// none. `stop` ends searches on large boards. Holds 200 bytes a classic puzzle and 40 more for each remainder: with
    /// the radius 1 about 1.2 kB, with 2 about 14 kB.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn read(
        rows: Rows<B>,
        kinds: &[SameBy],
        radius: usize,
        stop: Option<Stop>,
        watch: &mut Watch<'_, B::Error>,
    ) -> Result<(LeakTest<B>, End), StreamError> {
        let mut test = LeakTest {
            kinds: kinds.to_vec(),
            radius,
            stop,
            read: ReadTally::default(),
            train: ReadTally::default(),
            rows: Vec::new(),
            shapes: Vec::new(),
            has_common_shape: false,
            same: kinds.iter().map(|_| Lookup::new()).collect(),
            remainders: Lookup::new(),
            places: Places::default(),
        };
        let work = |rows: &[Row<B::Puzzle>]| names::<B>(rows, kinds, radius, stop);
        let batch = batch::<B>(kinds, radius);
        let (read, end) = each_of(rows, batch, watch, work, |row, names: Names| {
            test.add(row, names);
            Ok(())
        })?;
        test.read = read;
        Ok((test, end))
    }

    fn add(&mut self, row: Row<B::Puzzle>, names: Names) {
        let shape = B::shape(&row.puzzle);
        if !self.shapes.contains(&shape) {
            self.shapes.push(shape);
        }
        let lookups = self.same.iter_mut();
        let same = lookups
            .zip(names.same)
            .map(|(lookup, key)| key.map(|key| lookup.slot(key)));
        let same = same.collect();
        let slot = |(taken, key)| (taken, self.remainders.slot(key));
        let remainders = names.remainders.into_iter().map(slot).collect();
        self.rows.push(TestRow {
            puzzle: row.puzzle,
            place: self.places.shorten(&row.place),
            same,
            remainders,
        });
    }

    /// Looks for the test set in a training set.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn compare(
        &mut self,
        rows: Rows<B>,
        watch: &mut Watch<'_, B::Error>,
    ) -> Result<End, StreamError> {
        let LeakTest {
            kinds,
            radius,
            stop,
            same,
            remainders,
            places,
            shapes,
            has_common_shape,
            ..
        } = self;
        let (radius, stop) = (*radius, *stop);
        let work = |rows: &[Row<B::Puzzle>]| names::<B>(rows, kinds, radius, stop);
        let batch = batch::<B>(kinds, radius);
        let (read, end) = each_of(rows, batch, watch, work, |row, names: Names| {
            *has_common_shape = *has_common_shape || shapes.contains(&B::shape(&row.puzzle));
            let place = places.shorten(&row.place);
            for (lookup, key) in same.iter_mut().zip(names.same) {
                if let Some(found) = key.and_then(|key| lookup.get_mut(key)) {
                    found.get_or_insert(place);
                }
            }
            for (taken, key) in names.remainders {
                // The row with the fewest givens taken away is the nearest one.
                match remainders.get_mut(key) {
                    Some(Some((fewest, _))) if *fewest <= taken => {}
                    Some(found) => *found = Some((taken, place)),
                    None => {}
                }
            }
            Ok(())
        })?;
        self.train = read;
        Ok(end)
    }

    /// The kinds that are looked for, in the order of [`Leak::found`].
    pub fn kinds(&self) -> Vec<LeakKind> {
        let same = self.kinds.iter().map(|&kind| LeakKind::Same(kind));
        same.chain((1..=self.radius as u8).map(LeakKind::Neighbour))
            .collect()
    }

    /// Whether some puzzle of the training set is on the same board as one of the test set, so that it could be in it.
    pub fn has_common_shape(&self) -> bool {
        self.has_common_shape
    }

    /// Where the training set has a row, by the kinds.
    fn found(&self, row: &TestRow<B::Puzzle>) -> Vec<Option<ShortPlace>> {
        let same = row.same.iter().zip(&self.same);
        let same = same.map(|(slot, lookup)| lookup.found[(*slot)? as usize]);
        let neighbour = |radius: u8| {
            let remainders = row.remainders.iter();
            let mut near = remainders.filter_map(|&(taken, slot)| {
                let (taken_there, place) = self.remainders.found[slot as usize]?;
                (taken.max(taken_there) <= radius).then_some(place)
            });
            near.next()
        };
        same.chain((1..=self.radius as u8).map(neighbour)).collect()
    }

    /// Returns each puzzle of the test set of which the training set has something, in order.
    pub fn leaks(&self) -> impl Iterator<Item = Leak> {
        let leaks = self.rows.iter().map(|row| (row, self.found(row)));
        let leaks = leaks.filter(|(_, found)| found.iter().any(Option::is_some));
        leaks.map(|(row, found)| Leak {
            puzzle: B::line(&row.puzzle),
            place: self.places.place(row.place),
            found: found
                .into_iter()
                .map(|place| Some(self.places.place(place?)))
                .collect(),
        })
    }

    /// Returns how many puzzles of each kind were found.
    pub fn table(&self) -> LeakTable {
        let kinds = self.kinds();
        let mut counts = vec![0; kinds.len()];
        for row in &self.rows {
            for (count, found) in counts.iter_mut().zip(self.found(row)) {
                *count += u64::from(found.is_some());
            }
        }
        let by_solution = self.kinds.iter().position(|&kind| kind == SameBy::Solution);
        let unnamed = by_solution.map_or(0, |kind| {
            let rows = self.rows.iter();
            rows.filter(|row| row.same[kind].is_none()).count()
        });
        let leaks = kinds.iter().zip(counts);
        LeakTable {
            test: self.read,
            train: self.train,
            test_without_solution: unnamed as u64,
            leaks: leaks
                .map(|(kind, puzzles)| LeakCount {
                    kind: kind.to_string(),
                    puzzles,
                })
                .collect(),
        }
    }
}
