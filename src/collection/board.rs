//! What collections ask of puzzles, for each kind of board.

use super::check::{Solutions, check};
use super::each::lines_of;
use super::identify::{Identifier, SameBy};
use super::key::Key;
use super::rating::{Number, explainer_rating};
use crate::canon::Canonizer;
use crate::corpus::{Corpus, Row, RowFile};
use crate::generate::{GivensSymmetry, Tenths};
use crate::grid::{Puzzle, PuzzleLine};
use crate::solve::{Goal, Limits, Lockstep, Stop};
use crate::variant::{
    Alphabet, Format, Reading, VariantEntry, VariantFile, VariantPuzzle, VariantQuality,
    VariantSolution, VariantVerdict, fastest,
};

/// A kind of boards, by the files that have its puzzles.
pub trait Board: RowFile {
    /// Whether there is a rating for its puzzles.
    const IS_RATED: bool;

    /// Names puzzles, so that those that count as the same have the same name; `None` where the solution counts and
    /// there is not exactly one. Returns `None` if `stop` has ended a search.
    fn keys(
        rows: &[Row<Self::Puzzle>],
        same_by: SameBy,
        stop: Option<Stop>,
    ) -> Option<Vec<Option<Key>>>;

    /// Returns what statistics count of puzzles, whether givens are redundant only if `minimal` is true or that is
    /// cheap; `None` if `stop` has ended a search.
    fn facts(rows: &[Row<Self::Puzzle>], minimal: bool, stop: Option<Stop>) -> Option<Vec<Facts>>;

    /// Returns how many rows a thread takes at a time to name them or, where `solves` is true, to solve them too.
    fn batch(solves: bool) -> usize;

    /// Returns the name that a puzzle shares with no other, by which samples are drawn.
    fn draw_key(puzzle: &Self::Puzzle) -> Key;

    /// Returns the number of givens.
    fn given_count(puzzle: &Self::Puzzle) -> usize;

    /// Returns whether the pattern of givens has a symmetry.
    fn has_symmetry(puzzle: &Self::Puzzle, symmetry: GivensSymmetry) -> bool;

    /// Returns the puzzle as a line.
    fn line(puzzle: &Self::Puzzle) -> String;

    /// Returns ER, the rating by the profile `se-1.2.1`; `None` of a puzzle that cannot be rated.
    fn rating(puzzle: &Self::Puzzle) -> Option<Number>;
}

/// What statistics count of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What board it is, if there are several kinds.
    pub board: Option<String>,
    /// How many solutions it has.
    pub solutions: Solutions,
    /// Number of givens any one of which can be left out, if that was asked for.
    pub redundant: Option<usize>,
    /// Its names, by givens, relabeled givens, class, and solution.
    pub keys: [Option<Key>; 4],
    /// Symmetries that map it to itself, if they were counted.
    pub automorphisms: Option<u64>,
}

impl Board for Corpus {
    const IS_RATED: bool = true;

    fn keys(rows: &[Row], same_by: SameBy, _: Option<Stop>) -> Option<Vec<Option<Key>>> {
        Some(Identifier::default().keys(&lines_of(rows), same_by))
    }

    fn facts(rows: &[Row], _: bool, _: Option<Stop>) -> Option<Vec<Facts>> {
        let lines = lines_of(rows);
        let mut canonizer = Canonizer::new();
        let mut identifier = Identifier::default();
        let mut keys = |same_by| identifier.keys(&lines, same_by);
        let [exact, relabeled, solution] =
            [SameBy::Exact, SameBy::Relabeling, SameBy::Solution].map(&mut keys);
        let qualities = check(&mut Lockstep::new(), &lines);
        let facts = lines.iter().enumerate().map(|(row, line)| {
            let canonical = canonizer.minlex(line);
            let puzzle = Some(Key::of(canonical.line.as_bytes()));
            Facts {
                board: None,
                solutions: qualities[row].solutions,
                redundant: Some(qualities[row].redundant.len()),
                keys: [exact[row], relabeled[row], puzzle, solution[row]],
                automorphisms: Some(canonical.automorphisms),
            }
        });
        Some(facts.collect())
    }

    fn batch(solves: bool) -> usize {
        if solves { 128 } else { 512 }
    }

    fn draw_key(puzzle: &Puzzle) -> Key {
        Key::of(PuzzleLine::from(puzzle).as_bytes())
    }

    fn given_count(puzzle: &Puzzle) -> usize {
        puzzle.given_count()
    }

    fn has_symmetry(puzzle: &Puzzle, symmetry: GivensSymmetry) -> bool {
        symmetry.holds(puzzle)
    }

    fn line(puzzle: &Puzzle) -> String {
        puzzle.to_line()
    }

    fn rating(puzzle: &Puzzle) -> Option<Number> {
        let Tenths(tenths) = explainer_rating(puzzle)?;
        Some(Number(f64::from(tenths) / 10.0))
    }
}

impl Board for VariantFile {
    const IS_RATED: bool = false;

    fn keys(
        rows: &[Row<VariantEntry>],
        same_by: SameBy,
        stop: Option<Stop>,
    ) -> Option<Vec<Option<Key>>> {
        let key = |row: &Row<VariantEntry>| {
            let puzzle = &row.puzzle.puzzle;
            let form = match same_by {
                SameBy::Exact => puzzle.exact_form(),
                SameBy::Relabeling => puzzle.relabeled_form(),
                SameBy::Puzzle => puzzle.canonical_form(),
                SameBy::Solution => match verdict(puzzle, stop) {
                    VariantVerdict::Unique(solution) => return Some(grid_key(puzzle, &solution)),
                    _ => return None,
                },
            };
            Some(Key::of(&form))
        };
        let keys = rows.iter().map(key).collect();
        (!is_set(stop)).then_some(keys)
    }

    fn facts(rows: &[Row<VariantEntry>], minimal: bool, stop: Option<Stop>) -> Option<Vec<Facts>> {
        let facts = |row: &Row<VariantEntry>| {
            let puzzle = &row.puzzle.puzzle;
            let (verdict, redundant) = if minimal {
                let quality = VariantQuality::within(puzzle, until(stop));
                (quality.verdict, Some(quality.redundant.len()))
            } else {
                (verdict(puzzle, stop), None)
            };
            let (solutions, grid) = match &verdict {
                VariantVerdict::Unique(solution) => {
                    (Solutions::One, Some(grid_key(puzzle, solution)))
                }
                VariantVerdict::Unsolvable => (Solutions::None, None),
                _ => (Solutions::Many, None),
            };
            let forms = [
                puzzle.exact_form(),
                puzzle.relabeled_form(),
                puzzle.canonical_form(),
            ];
            let [exact, relabeled, equivalent] = forms.map(|form| Some(Key::of(&form)));
            Facts {
                board: Some(puzzle.layout().describe()),
                solutions,
                redundant,
                keys: [exact, relabeled, equivalent, grid],
                automorphisms: None,
            }
        };
        let facts = rows.iter().map(facts).collect();
        (!is_set(stop)).then_some(facts)
    }

    fn batch(solves: bool) -> usize {
        // One large board may take minutes.
        if solves { 1 } else { 64 }
    }

    fn draw_key(entry: &VariantEntry) -> Key {
        Key::of(&entry.puzzle.exact_form())
    }

    fn given_count(entry: &VariantEntry) -> usize {
        entry.puzzle.given_count()
    }

    fn has_symmetry(entry: &VariantEntry, symmetry: GivensSymmetry) -> bool {
        let givens = entry.puzzle.givens();
        symmetry.holds_on(entry.puzzle.layout().side(), |cell| givens[cell].is_some())
    }

    fn line(entry: &VariantEntry) -> String {
        let write =
            |alphabet| Format::Fields.write(&entry.puzzle, alphabet, None, &Reading::default());
        let written = write(entry.alphabet).or_else(|_| write(Alphabet::Numbers));
        written.unwrap_or_default()
    }

    fn rating(_: &VariantEntry) -> Option<Number> {
        None
    }
}

fn verdict(puzzle: &VariantPuzzle, stop: Option<Stop>) -> VariantVerdict {
    let mut solver = (fastest(puzzle.layout()).build)();
    let outcome = solver.solve(puzzle, Goal::ProveUnique, until(stop));
    outcome.verdict
}

fn until(stop: Option<Stop>) -> Limits {
    Limits {
        stop,
        ..Limits::NONE
    }
}

fn is_set(stop: Option<Stop>) -> bool {
    stop.is_some_and(Stop::is_set)
}

/// The name that a solution shares with its images.
fn grid_key(puzzle: &VariantPuzzle, solution: &VariantSolution) -> Key {
    Key::of(&puzzle.solved(solution).canonical_form())
}
