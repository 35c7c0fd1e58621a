//! What collections ask of puzzles, for each kind of board.

use super::any_layout::{
    grid_key, is_set, solution, solved, until, verdict, written, written_cells,
};
use super::check::{Solutions, check};
use super::each::lines_of;
use super::export::Record;
use super::finder::{Finder, VariantNeighbours};
use super::form::{CanonColumns, Form, classic_forms, form_row};
use super::identify::{Identifier, SameBy};
use super::image::{AugmentConfig, ImageRows, classic_images};
use super::key::Key;
use super::neighbourhood::remainders;
use super::neighbours::Neighbours;
use super::rating::{Number, explainer_rating};
use super::record::RecordConfig;
use crate::canon::Canonizer;
use crate::corpus::{Corpus, Row, RowFile};
use crate::generate::{GivensSymmetry, Tenths};
use crate::grid::{Cell, Puzzle, PuzzleLine};
use crate::solve::{Lockstep, Stop};
use crate::variant::{
    Alphabet, VariantEntry, VariantFile, VariantImages, VariantPuzzle, VariantQuality,
    VariantVerdict,
};

/// A kind of boards, by the files that have its puzzles.
pub trait Board: RowFile {
    /// Whether there is a rating for its puzzles.
    const IS_RATED: bool;

    /// What puzzles are named with: keeps solvers and buffers.
    type Identifier: Default;

    /// What finds their neighbours.
    type Finder: Finder<Puzzle = Self::Puzzle> + Send;

    /// Names puzzles by each of these kinds, so that those that count as the same have the same name; `None` where the
    /// solution counts and there is not exactly one. Returns the names of one kind after the other, and `None` if `stop`
    /// has ended a search.
    fn keys(
        identifier: &mut Self::Identifier,
        rows: &[Row<Self::Puzzle>],
        kinds: &[SameBy],
        stop: Option<Stop>,
    ) -> Option<Vec<Vec<Option<Key>>>>;

    /// Names all that is left of a puzzle without at most `radius` givens, with the number of givens taken away, the
    /// fewest first. Images have the same name. Returns `None` if `stop` has ended that.
    fn remainders(
        identifier: &mut Self::Identifier,
        puzzle: &Self::Puzzle,
        radius: usize,
        stop: Option<Stop>,
    ) -> Option<Vec<(u8, Key)>>;

    /// Returns the canonical form of each puzzle as a row; `None` where the solution counts and there is not exactly one.
    /// Returns `None` if `stop` has ended a search.
    fn forms(
        rows: &[Row<Self::Puzzle>],
        form: Form,
        columns: CanonColumns,
        stop: Option<Stop>,
    ) -> Option<Vec<Option<String>>>;

    /// Returns the images of each puzzle as rows, and `None` if `stop` has ended a search.
    fn images(
        rows: &[Row<Self::Puzzle>],
        config: AugmentConfig,
        stop: Option<Stop>,
    ) -> Option<Vec<ImageRows>>;

    /// Returns each puzzle as a row of a data set; `None` for those without exactly one solution. Returns `None` if `stop`
    /// has ended a search.
    fn records(
        rows: &[Row<Self::Puzzle>],
        config: &RecordConfig,
        stop: Option<Stop>,
    ) -> Option<Vec<Option<Record>>>;

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

    /// Returns what equivalent puzzles, and puzzles with equivalent solutions, have in common.
    fn shape(puzzle: &Self::Puzzle) -> Shape;

    /// Returns the puzzle as a line.
    fn line(puzzle: &Self::Puzzle) -> String;

    /// Returns ER, the rating by the profile `se-1.2.1`; `None` of a puzzle that cannot be rated.
    fn rating(puzzle: &Self::Puzzle) -> Option<Number>;
}

/// The rules of a board that equivalent puzzles share, whatever their regions and cages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells of a row.
    pub side: usize,
    /// Whether the diagonals are houses.
    pub has_diagonals: bool,
    /// Whether it has the extra boxes of a windoku.
    pub has_windows: bool,
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

    type Identifier = Identifier;

    type Finder = Neighbours;

    fn keys(
        identifier: &mut Identifier,
        rows: &[Row],
        kinds: &[SameBy],
        _: Option<Stop>,
    ) -> Option<Vec<Vec<Option<Key>>>> {
        let lines = lines_of(rows);
        let kinds = kinds.iter();
        Some(kinds.map(|kind| identifier.keys(&lines, *kind)).collect())
    }

    fn remainders(
        identifier: &mut Identifier,
        puzzle: &Puzzle,
        radius: usize,
        _: Option<Stop>,
    ) -> Option<Vec<(u8, Key)>> {
        let givens: Vec<Cell> = puzzle.givens().map(|(cell, _)| cell).collect();
        let take = |puzzle: &Puzzle, cell| {
            let mut rest = *puzzle;
            rest.set(cell, None);
            rest
        };
        let mut name = |rest: &Puzzle| Some(identifier.puzzle(&PuzzleLine::from(rest)));
        remainders(puzzle, &givens, radius, &take, &mut name)
    }

    fn forms(
        rows: &[Row],
        form: Form,
        columns: CanonColumns,
        _: Option<Stop>,
    ) -> Option<Vec<Option<String>>> {
        Some(classic_forms(&lines_of(rows), form, columns))
    }

    fn images(rows: &[Row], config: AugmentConfig, _: Option<Stop>) -> Option<Vec<ImageRows>> {
        Some(classic_images(&lines_of(rows), config))
    }

    fn records(
        rows: &[Row],
        config: &RecordConfig,
        _: Option<Stop>,
    ) -> Option<Vec<Option<Record>>> {
        Some(config.classic(rows))
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

    fn batch(_: bool) -> usize {
        512
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

    fn shape(_: &Puzzle) -> Shape {
        Shape {
            side: 9,
            has_diagonals: false,
            has_windows: false,
        }
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

    type Identifier = ();

    type Finder = VariantNeighbours;

    fn keys(
        (): &mut (),
        rows: &[Row<VariantEntry>],
        kinds: &[SameBy],
        stop: Option<Stop>,
    ) -> Option<Vec<Vec<Option<Key>>>> {
        let key = |puzzle: &VariantPuzzle, kind| {
            let form = match kind {
                SameBy::Exact => puzzle.exact_form(),
                SameBy::Relabeling => puzzle.relabeled_form(),
                SameBy::Puzzle => puzzle.canonical_form(),
                SameBy::Solution => solved(puzzle, stop)?.canonical_form(),
            };
            Some(Key::of(&form))
        };
        let of_kind = |kind: &SameBy| {
            let puzzles = rows.iter().map(|row| &row.puzzle.puzzle);
            puzzles.map(|puzzle| key(puzzle, *kind)).collect()
        };
        let keys = kinds.iter().map(of_kind).collect();
        (!is_set(stop)).then_some(keys)
    }

    fn remainders(
        (): &mut (),
        entry: &VariantEntry,
        radius: usize,
        stop: Option<Stop>,
    ) -> Option<Vec<(u8, Key)>> {
        let is_given = |cell: &usize| entry.puzzle.givens()[*cell].is_some();
        let givens: Vec<usize> = (0..entry.puzzle.layout().cells())
            .filter(is_given)
            .collect();
        let mut name =
            |rest: &VariantPuzzle| (!is_set(stop)).then(|| Key::of(&rest.canonical_form()));
        remainders(
            &entry.puzzle,
            &givens,
            radius,
            &VariantPuzzle::without,
            &mut name,
        )
    }

    fn forms(
        rows: &[Row<VariantEntry>],
        form: Form,
        columns: CanonColumns,
        stop: Option<Stop>,
    ) -> Option<Vec<Option<String>>> {
        let row = |row: &Row<VariantEntry>| {
            let puzzle = &row.puzzle.puzzle;
            let form = match form {
                Form::Minlex => puzzle.canonical(),
                Form::Solution => solved(puzzle, stop)?.canonical(),
                Form::Pattern => puzzle.canonical_pattern(),
            };
            // Images have one line, whatever symbols they are written with.
            let line = form.puzzle.as_ref().map(|puzzle| {
                let alphabet = Alphabet::usual(puzzle.layout().side());
                written(puzzle, alphabet)
            });
            let line = line.unwrap_or_default();
            Some(form_row(&Self::line(&row.puzzle), &line, &form, columns))
        };
        let forms = rows.iter().map(row).collect();
        (!is_set(stop)).then_some(forms)
    }

    fn images(
        rows: &[Row<VariantEntry>],
        config: AugmentConfig,
        stop: Option<Stop>,
    ) -> Option<Vec<ImageRows>> {
        let images = |row: &Row<VariantEntry>| {
            let VariantEntry {
                puzzle, alphabet, ..
            } = &row.puzzle;
            let solution = config.solves().then(|| solution(puzzle, stop)).flatten();
            let source = Self::line(&row.puzzle);
            let seed = Self::draw_key(&row.puzzle).seed(config.seed);
            let mut rows = ImageRows::default();
            let images = VariantImages::new(puzzle, config.moves, seed).take(config.count);
            for image in images.take_while(|_| !is_set(stop)) {
                let of_image = solution
                    .as_ref()
                    .map(|solution| written_cells(&image.symmetry.values(solution), *alphabet));
                let image_line = written(&image.puzzle, *alphabet);
                let fields = [&image_line, of_image.as_deref().unwrap_or(""), &source];
                rows.add_fields(config.columns, fields, &image.symmetry);
            }
            rows
        };
        let images = rows.iter().map(images).collect();
        (!is_set(stop)).then_some(images)
    }

    fn records(
        rows: &[Row<VariantEntry>],
        config: &RecordConfig,
        stop: Option<Stop>,
    ) -> Option<Vec<Option<Record>>> {
        let records = rows.iter().map(|row| config.variant(row, stop)).collect();
        (!is_set(stop)).then_some(records)
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

    fn shape(entry: &VariantEntry) -> Shape {
        let layout = entry.puzzle.layout();
        Shape {
            side: layout.side(),
            has_diagonals: layout.has_diagonals(),
            has_windows: layout.has_windows(),
        }
    }

    fn line(entry: &VariantEntry) -> String {
        written(&entry.puzzle, entry.alphabet)
    }

    fn rating(_: &VariantEntry) -> Option<Number> {
        None
    }
}
