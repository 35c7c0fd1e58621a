//! Training, validation and test sets that share nothing.
//!
//! Rows that must not be parted are joined to groups; each group goes to one part as a whole. Which one depends on the
//! seed, the names of all groups and their sizes, and not on the order of the rows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::board::Board;
use super::each::{ReadTally, Watch, each_of};
use super::identify::SameBy;
use super::key::Key;
use super::neighbourhood::GREATEST_RADIUS;
use super::part::Part;
use super::union_find::UnionFind;
use crate::corpus::{Row, Rows};
use crate::solve::Stop;
use crate::stream::{End, StreamError};

/// Which rows must not be parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// Puzzles with the same givens: what a shuffle of the lines does, to see what leaks then.
    Exact,
    /// Equivalent puzzles.
    Puzzle,
    /// Puzzles with equivalent solutions. Puzzles without a single solution are kept together if they are equivalent.
    Solution,
    /// Neighbours, and what is joined by a chain of neighbours. Two puzzles are neighbours within a radius if, with at
    /// most so many givens taken away from each, images of each other are left.
    Radius(usize),
}

impl fmt::Display for SplitBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplitBy::Exact => f.write_str("exact"),
            SplitBy::Puzzle => f.write_str("puzzle"),
            SplitBy::Solution => f.write_str("solution"),
            SplitBy::Radius(radius) => write!(f, "radius:{radius}"),
        }
    }
}

/// What [`SplitBy`] is called is none of the names it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected exact, puzzle, solution, or radius:K with K from 1 to {GREATEST_RADIUS}")]
pub struct UnknownSplit;

impl FromStr for SplitBy {
    type Err = UnknownSplit;

    fn from_str(text: &str) -> Result<SplitBy, UnknownSplit> {
        match text {
            "exact" => Ok(SplitBy::Exact),
            "puzzle" => Ok(SplitBy::Puzzle),
            "solution" => Ok(SplitBy::Solution),
            _ => match text.strip_prefix("radius:").map(str::parse) {
                Some(Ok(radius)) if (1..=GREATEST_RADIUS).contains(&radius) => {
                    Ok(SplitBy::Radius(radius))
                }
                _ => Err(UnknownSplit),
            },
        }
    }
}

/// How large the parts are to be, by [`Part::ALL`]; only their ratios count.
pub type Shares = [f64; 3];

/// Groups of rows that must not be parted.
#[derive(Debug)]
pub struct Groups {
    /// What was read.
    pub read: ReadTally,
    /// Rows without a single solution, where that is what counts.
    pub unnamed: u64,
    /// For each row, the place of its group in `groups`.
    rows: Vec<u32>,
    groups: Vec<Group>,
}

/// Rows that must not be parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The least name of its rows.
    pub key: Key,
    /// How many rows.
    pub rows: u64,
}

/// The names of a row: the first is its own, and rows that share any of them are joined.
struct Names {
    is_unnamed: bool,
    keys: Vec<Key>,
}

fn names<B: Board>(rows: &[Row<B::Puzzle>], by: SplitBy, stop: Option<Stop>) -> Option<Vec<Names>> {
    let mut identifier = B::Identifier::default();
    let named = |keys: Vec<Key>| Names {
        is_unnamed: false,
        keys,
    };
    let same_by = match by {
        SplitBy::Exact => SameBy::Exact,
        SplitBy::Puzzle => SameBy::Puzzle,
        SplitBy::Solution => SameBy::Solution,
        SplitBy::Radius(radius) => {
            let near = |row: &Row<B::Puzzle>| {
                let keys = B::remainders(&mut identifier, &row.puzzle, radius, stop)?;
                Some(named(keys.into_iter().map(|(_, key)| key).collect()))
            };
            return rows.iter().map(near).collect();
        }
    };
    let keys = B::keys(&mut identifier, rows, &[same_by], stop)?.pop()?;
    let own = |(row, key): (&Row<B::Puzzle>, Option<Key>)| {
        if let Some(key) = key {
            return Some(named(vec![key]));
        }
        let row = std::slice::from_ref(row);
        let keys = B::keys(&mut identifier, row, &[SameBy::Puzzle], stop)?.pop()?;
        Some(Names {
            is_unnamed: true,
            keys: keys.into_iter().flatten().collect(),
        })
    };
    rows.iter().zip(keys).map(own).collect()
}

impl Groups {
    /// Reads rows and joins them to groups. Holds 60 bytes a row, and with a radius 40 for each remainder, of which a
    /// puzzle of 24 givens has 25 within 1 and 301 within 2. `stop` ends searches on large boards.
    ///
    /// # Errors
    /// See [`StreamError`].
    pub fn of<B: Board>(
        rows: Rows<B>,
        by: SplitBy,
        stop: Option<Stop>,
        watch: &mut Watch<'_, B::Error>,
    ) -> Result<(Groups, End), StreamError> {
        let mut first_with: HashMap<Key, u32> = HashMap::new();
        let mut sets = UnionFind::default();
        let mut own = Vec::new();
        let mut unnamed = 0;
        let batch = match by {
            SplitBy::Radius(_) => B::batch(false).min(32),
            SplitBy::Solution => B::batch(true),
            SplitBy::Exact | SplitBy::Puzzle => B::batch(false),
        };
        let work = |rows: &[Row<B::Puzzle>]| names::<B>(rows, by, stop);
        let (read, end) = each_of(rows, batch, watch, work, |_, names: Names| {
            let row = sets.push();
            unnamed += u64::from(names.is_unnamed);
            own.extend(names.keys.first());
            for key in names.keys {
                match first_with.entry(key) {
                    Entry::Occupied(other) => sets.join(row, *other.get()),
                    Entry::Vacant(entry) => {
                        entry.insert(row);
                    }
                }
            }
            Ok(())
        })?;
        drop(first_with);
        let mut places: HashMap<u32, u32> = HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut rows = Vec::with_capacity(own.len());
        for (row, key) in own.into_iter().enumerate() {
            let place = *places.entry(sets.find(row as u32)).or_insert_with(|| {
                groups.push(Group { key, rows: 0 });
                groups.len() as u32 - 1
            });
            let group = &mut groups[place as usize];
            group.rows += 1;
            group.key = group.key.min(key);
            rows.push(place);
        }
        let groups = Groups {
            read,
            unnamed,
            rows,
            groups,
        };
        Ok((groups, end))
    }

    /// Returns the name of a row's group, counted from 0; `None` behind the last row.
    pub fn key(&self, row: usize) -> Option<Key> {
        let place = *self.rows.get(row)? as usize;
        Some(self.groups[place].key)
    }

    /// Deals the groups out in an order that the seed gives them: the first ones to the training set until it has its
    /// share of the rows, then to the validation set, then to the test set. A part is off its share by no more than
    /// the groups on its borders.
    pub fn deal(self, shares: Shares, seed: u64) -> Split {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by(|&a, &b| {
            let draw = |group: usize| self.groups[group].key.draw(seed);
            draw(a)
                .total_cmp(&draw(b))
                .then(self.groups[a].key.cmp(&self.groups[b].key))
        });
        let all: f64 = shares.iter().sum();
        let rows = self.rows.len() as f64;
        let mut parts = vec![Part::Test; self.groups.len()];
        let mut dealt = 0.0;
        for group in order {
            let size = self.groups[group].rows as f64;
            let middle = (dealt + size / 2.0) / rows * all;
            dealt += size;
            parts[group] = if middle < shares[0] {
                Part::Train
            } else if middle < shares[0] + shares[1] {
                Part::Validation
            } else {
                Part::Test
            };
        }
        Split {
            groups: self,
            parts,
        }
    }
}

/// Groups, each in a part.
#[derive(Debug)]
pub struct Split {
    groups: Groups,
    /// By the place of the group.
    parts: Vec<Part>,
}

impl Split {
    /// Returns the part of a row, counted from 0, and the name of its group; `None` behind the last one.
    pub fn row(&self, row: usize) -> Option<(Part, Key)> {
        let place = *self.groups.rows.get(row)? as usize;
        Some((self.parts[place], self.groups.key(row)?))
    }

    /// Returns how many rows there are.
    pub fn rows(&self) -> usize {
        self.groups.rows.len()
    }

    /// Returns what was read.
    pub fn read(&self) -> &ReadTally {
        &self.groups.read
    }

    /// Returns how many rows have no single solution, where that is what counts.
    pub fn unnamed(&self) -> u64 {
        self.groups.unnamed
    }

    /// Returns each group with its part, in the order of their first rows.
    pub fn groups(&self) -> impl Iterator<Item = (Group, Part)> {
        let parts = self.parts.iter().copied();
        self.groups.groups.iter().copied().zip(parts)
    }
}
