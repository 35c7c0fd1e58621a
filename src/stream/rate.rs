//! Rates streams of puzzles, as CSV.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::extras::{Extras, Measured};
use super::pipeline::{End, StreamError, each_at_once, each_in_order};
use crate::corpus::{Corpora, CorpusError, Entry};
use crate::grid::{CellSet, House, Puzzle};
use crate::logic::{Measure, Profile, Rated, Rater, Rating, RatingError};

/// The columns, in order.
const COLUMNS: [&str; 15] = [
    "puzzle",
    "givens",
    "lee_givens",
    "lee_houses",
    "profile",
    "solved",
    "er",
    "ep",
    "ed",
    "level",
    "score",
    "hardest",
    "steps",
    "guesses",
    "error",
];

/// Counts of the lines of a corpus by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateTally {
    /// Puzzles solved without a guess.
    pub solved: u64,
    /// Puzzles that took a guess.
    pub guessed: u64,
    /// Puzzles without or with several solutions, which are not rated.
    pub unrated: u64,
    /// Puzzles that exceeded their time limit.
    pub late: u64,
    /// Lines that are not puzzles.
    pub bad_lines: u64,
    /// Files that were not read, or not to their end.
    pub broken_files: u64,
    /// Number of puzzles by their hardest technique.
    pub hardest: BTreeMap<Cow<'static, str>, u64>,
}

impl RateTally {
    /// Returns the number of puzzles with a row.
    pub fn puzzles(&self) -> u64 {
        self.solved + self.guessed + self.unrated + self.late
    }

    /// Returns whether every line was a puzzle that was rated.
    pub fn is_clean(&self) -> bool {
        self.unrated + self.late + self.bad_lines + self.broken_files == 0
    }
}

impl AddAssign for RateTally {
    fn add_assign(&mut self, other: RateTally) {
        self.solved += other.solved;
        self.guessed += other.guessed;
        self.unrated += other.unrated;
        self.late += other.late;
        self.bad_lines += other.bad_lines;
        self.broken_files += other.broken_files;
        for (technique, count) in other.hardest {
            *self.hardest.entry(technique).or_default() += count;
        }
    }
}

/// Rates every puzzle and writes one row each, in input order; the row of a puzzle without a rating
/// says why. Optional measures have columns behind the others.
///
/// Runs in the current rayon pool; checks `stop` once per chunk or, with optional measures, all the
/// time, and then drops what is not done.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub fn rate_all(
    corpora: Corpora,
    rater: Rater<'_>,
    extras: Extras,
    stop: &AtomicBool,
    out: &mut (dyn Write + Send),
    on_problem: &mut (dyn FnMut(&CorpusError) + Send),
) -> Result<(RateTally, End), StreamError> {
    let mut table = csv::Writer::from_writer(out);
    let columns = COLUMNS.into_iter().chain(extras.columns());
    let headed = table.write_record(columns).map_err(io_error);
    let mut tally = RateTally::default();
    let mut write = |rated: Result<(Rated, Measured), CorpusError>| -> io::Result<()> {
        match rated {
            Ok((rated, measured)) => {
                tally.add(&rated);
                let row = row(&rated, rater.profile).into_iter();
                let row = row.chain(extras.cells(&measured));
                table.write_record(row).map_err(io_error)?;
                // Who waits a minute for a row wants to see it.
                if extras.are_slow() {
                    table.flush()?;
                }
            }
            Err(error) => {
                match error {
                    CorpusError::BadLine { .. } => tally.bad_lines += 1,
                    CorpusError::Unreadable { .. } | CorpusError::Broken { .. } => {
                        tally.broken_files += 1;
                    }
                }
                on_problem(&error);
            }
        }
        Ok(())
    };
    let is_stopped = || stop.load(Ordering::Relaxed);
    let work = |Entry { puzzle, .. }: Entry| {
        let rating = rater.rate(&puzzle);
        let measured = match &rating {
            Ok(_) => extras.measure(&puzzle, &rater, &is_stopped),
            Err(_) => Measured::default(),
        };
        (Rated { rating, puzzle }, measured)
    };
    headed?;
    let end = if extras.are_slow() {
        each_at_once(corpora, stop, work, &mut write)?
    } else {
        each_in_order(corpora, stop, work, &mut write)?
    };
    match table.flush() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok((tally, End::Closed)),
        flushed => Ok((tally, flushed.map(|()| end)?)),
    }
}

/// Converts an error, keeping its kind, so that a closed pipe is recognized.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

/// Returns the cells of a row, by [`COLUMNS`].
fn row(rated: &Rated, profile: &Profile) -> [String; COLUMNS.len()] {
    let (by_givens, by_houses) = lee(&rated.puzzle);
    let puzzle = rated.puzzle.to_string();
    let givens = rated.puzzle.givens().count().to_string();
    let head = [
        puzzle,
        givens,
        by_givens.into(),
        by_houses.into(),
        profile.name.into(),
    ];
    let tail = match &rated.rating {
        Ok(rating) => {
            let tenths = |value: Option<u16>| {
                value.map_or_else(String::new, |tenths| {
                    format!("{}.{}", tenths / 10, tenths % 10)
                })
            };
            let (ratings, scores) = match rating.measure {
                Measure::Rank => Default::default(),
                Measure::Tenths { er, ep, ed } => ([er, ep, ed].map(tenths), Default::default()),
                Measure::Score { level, score } => (
                    Default::default(),
                    [level.name().to_owned(), score.to_string()],
                ),
            };
            let [er, ep, ed] = ratings;
            let [level, score] = scores;
            [
                u8::from(rating.solved).to_string(),
                er,
                ep,
                ed,
                level,
                score,
                rating.hardest.unwrap_or_default().to_owned(),
                rating.steps.to_string(),
                rating.guesses.to_string(),
                is_open(rating).map_or_else(String::new, str::to_owned),
            ]
        }
        Err(why) => {
            let mut tail: [String; 10] = Default::default();
            tail[0] = "0".to_owned();
            tail[9] = why.to_string();
            tail
        }
    };
    let mut cells = head.into_iter().chain(tail);
    std::array::from_fn(|_| cells.next().unwrap_or_default())
}

impl RateTally {
    fn add(&mut self, rated: &Rated) {
        match &rated.rating {
            Ok(rating) => {
                if rating.solved {
                    self.solved += 1;
                } else if is_open(rating).is_some() {
                    self.unrated += 1;
                } else {
                    self.guessed += 1;
                }
                if let Some(hardest) = rating.hardest {
                    *self.hardest.entry(hardest.into()).or_default() += 1;
                }
            }
            Err(RatingError::Late) => self.late += 1,
            Err(_) => self.unrated += 1,
        }
    }
}

/// Returns why a path ends before the board is full: with several solutions there is no digit to
/// guess.
fn is_open(rating: &Rating) -> Option<&'static str> {
    let is_open = !rating.solved && rating.guesses == 0;
    is_open.then_some("many solutions: the steps end before the board is full")
}

/// Returns the difficulty of a puzzle by the number of its givens, and by the fewest of them in a
/// row or a column: the first two measures of W.-M. Lee, "Programming Sudoku", 2006.
fn lee(puzzle: &Puzzle) -> (&'static str, &'static str) {
    let given = |cells: CellSet| {
        let given = cells
            .into_iter()
            .filter(|&cell| puzzle.given(cell).is_some());
        given.count()
    };
    let by_givens = match puzzle.givens().count() {
        47.. => LEE[0],
        36..=46 => LEE[1],
        32..=35 => LEE[2],
        28..=31 => LEE[3],
        _ => LEE[4],
    };
    let lines = House::all().take(18);
    let by_houses = match lines.map(|line| given(line.cells())).min().unwrap_or(0) {
        5.. => LEE[0],
        4 => LEE[1],
        3 => LEE[2],
        2 => LEE[3],
        _ => LEE[4],
    };
    (by_givens, by_houses)
}

/// Levels of difficulty, the easiest first.
const LEE: [&str; 5] = ["extremely easy", "easy", "medium", "difficult", "evil"];
