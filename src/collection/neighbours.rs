//! Neighbours of a puzzle: some givens taken away, as many others added, and still one solution.
//!
//! The neighbourhood `{-k+k}` is how players look for new hard puzzles around known ones. What is usual is to test each
//! candidate by a search of its own. Here all solutions of what is left after the removal are listed once: added
//! givens leave a single solution exactly when that combination occurs in one of those solutions and no
//! other, so two sets of bits, "seen" and "seen twice", decide about all candidates at the same time.

use std::num::NonZeroUsize;

use crate::grid::{Candidate, Cell, CellSet, Digit, Puzzle, Solution};
use crate::solve::{Bands, Goal, Limits, Solver, Verdict};

/// Solutions that are listed before one added given is tried after the other instead.
const MOST_SOLUTIONS: usize = 1 << 8;
/// The same where two givens are to be added: a list of solutions stands for so many more searches.
const MOST_SOLUTIONS_OF_PAIRS: usize = 1 << 14;

/// Finds neighbours; keeps its solver and its working memory between puzzles.
#[derive(Debug)]
pub struct Neighbours {
    solver: Bands,
    most_solutions: usize,
    most_solutions_of_pairs: usize,
    pairs: Pairs,
}

impl Default for Neighbours {
    fn default() -> Neighbours {
        Neighbours::new()
    }
}

impl Neighbours {
    /// Makes a finder.
    pub fn new() -> Neighbours {
        Neighbours {
            solver: Bands::new(),
            most_solutions: MOST_SOLUTIONS,
            most_solutions_of_pairs: MOST_SOLUTIONS_OF_PAIRS,
            pairs: Pairs::default(),
        }
    }

    /// Whether a puzzle has exactly one solution.
    pub fn is_unique(&mut self, puzzle: &Puzzle) -> bool {
        let outcome = self.solver.solve(puzzle, Goal::ProveUnique, Limits::NONE);
        matches!(outcome.verdict, Verdict::Unique(_))
    }

    /// Whether a puzzle with one solution has several without any one of its givens.
    pub fn is_minimal(&mut self, puzzle: &Puzzle) -> bool {
        let mut givens = puzzle.givens();
        givens.all(|(cell, _)| {
            let mut without = *puzzle;
            without.set(cell, None);
            !self.is_unique(&without)
        })
    }

    /// Hands over every puzzle with exactly one solution that differs from this one by `radius` givens taken away and as
    /// many added, each once: by the cells of the removed givens, then by the added candidates, both ascending.
    /// The solution may be another one. The puzzle itself must have one solution.
    pub fn each(&mut self, puzzle: &Puzzle, radius: usize, sink: &mut dyn FnMut(Puzzle)) {
        let givens = puzzle.givens().map(|(cell, _)| cell).collect();
        for removed in Removals::new(givens, radius) {
            self.each_after(puzzle, &removed, sink);
        }
    }

    /// [`Neighbours::each`] for one choice of givens to take away.
    pub fn each_after(&mut self, puzzle: &Puzzle, removed: &[Cell], sink: &mut dyn FnMut(Puzzle)) {
        if removed.is_empty() {
            return;
        }
        let mut rest = *puzzle;
        // What was taken away comes not back: that would be a neighbour of a smaller radius.
        let mut open = [CellSet::ALL; 9];
        for &cell in removed {
            rest.set(cell, None);
            if let Some(digit) = puzzle.given(cell) {
                open[digit.index()] = open[digit.index()].without(cell);
            }
        }
        for (cell, digit) in rest.givens() {
            let closed = cell.peers();
            open[digit.index()] = open[digit.index()].difference(closed);
            for open in &mut open {
                *open = open.without(cell);
            }
        }
        self.add(&rest, removed.len(), 0, &open, sink);
    }

    /// Hands over what has one solution with `count` more givens, all of them among the open candidates from
    /// this number on.
    fn add(
        &mut self,
        rest: &Puzzle,
        count: usize,
        from: usize,
        open: &[CellSet; 9],
        sink: &mut dyn FnMut(Puzzle),
    ) {
        let most = match count {
            1 => self.most_solutions,
            _ => self.most_solutions_of_pairs,
        };
        let (solutions, is_complete) = self.solutions(rest, most);
        let mut seen = Seen::default();
        for solution in &solutions {
            seen.add(solution);
        }
        for number in from..CANDIDATES {
            let Candidate { cell, digit } = candidate(number);
            let place = digit.index();
            let is_dead = is_complete && !seen.once[place].contains(cell);
            if is_dead || !open[place].contains(cell) {
                continue;
            }
            let mut with = *rest;
            with.set(cell, Some(digit));
            match count {
                1 => {
                    let is_unique =
                        !seen.twice[place].contains(cell) && (is_complete || self.is_unique(&with));
                    if is_unique {
                        sink(with);
                    }
                }
                2 if is_complete => {
                    self.pairs.read(&solutions, cell, digit);
                    for second in self.pairs.unique_from(number + 1) {
                        let second = candidate(second);
                        if open[second.digit.index()].contains(second.cell) && second.cell != cell {
                            let mut with = with;
                            with.set(second.cell, Some(second.digit));
                            sink(with);
                        }
                    }
                }
                _ => {
                    let mut open = *open;
                    open[place] = open[place].difference(cell.peers());
                    for open in &mut open {
                        *open = open.without(cell);
                    }
                    self.add(&with, count - 1, number + 1, &open, sink);
                }
            }
        }
    }

    /// Up to `most` solutions, and whether these are all.
    fn solutions(&mut self, puzzle: &Puzzle, most: usize) -> (Vec<Solution>, bool) {
        let wanted = NonZeroUsize::MIN.saturating_add(most);
        let outcome = self.solver.solve(puzzle, Goal::Count(wanted), Limits::NONE);
        match outcome.verdict {
            Verdict::Multiple(mut solutions) => {
                let is_complete = solutions.len() <= most;
                solutions.truncate(most);
                (solutions, is_complete)
            }
            Verdict::Unique(solution) => (vec![solution], true),
            Verdict::Solved(_) => (Vec::new(), false),
            _ => (Vec::new(), true),
        }
    }
}

/// How many candidates a board has: their numbers are by cell, then by digit.
const CANDIDATES: usize = 9 * Cell::COUNT;

fn candidate(number: usize) -> Candidate {
    Candidate {
        cell: Cell::new(number / 9).expect("the number is below 729"),
        digit: Digit::ALL[number % 9],
    }
}

/// The candidates that occur in solutions, and those that occur in more than one, as the cells of each digit.
#[derive(Default)]
struct Seen {
    once: [CellSet; 9],
    twice: [CellSet; 9],
}

impl Seen {
    fn add(&mut self, solution: &Solution) {
        let mut places = [0_u128; 9];
        for cell in Cell::all() {
            places[solution.digit(cell).index()] |= 1 << cell.index();
        }
        for ((once, twice), places) in self.once.iter_mut().zip(&mut self.twice).zip(places) {
            let places = CellSet::from_bits(places);
            *twice = twice.union(once.intersection(places));
            *once = once.union(places);
        }
    }
}

/// The candidates that occur together with one given candidate.
#[derive(Debug, Default)]
struct Pairs {
    once: Vec<CellSet>,
    twice: Vec<CellSet>,
}

impl Pairs {
    /// Looks at the solutions that hold this digit in this cell.
    fn read(&mut self, solutions: &[Solution], cell: Cell, digit: Digit) {
        let mut seen = Seen::default();
        let holding = solutions.iter().filter(|it| it.digit(cell) == digit);
        for solution in holding {
            seen.add(solution);
        }
        self.once.clear();
        self.once.extend(seen.once);
        self.twice.clear();
        self.twice.extend(seen.twice);
    }

    /// The numbers, from this one on, of those that occur with it in one solution only.
    fn unique_from(&self, from: usize) -> impl Iterator<Item = usize> {
        (from..CANDIDATES).filter(|&number| {
            let Candidate { cell, digit } = candidate(number);
            self.once[digit.index()].contains(cell) && !self.twice[digit.index()].contains(cell)
        })
    }
}

/// The choices of givens to take away, so many at a time, as their cells: ascending, in the order of a dictionary.
#[derive(Clone, Debug)]
pub struct Removals<C = Cell> {
    givens: Vec<C>,
    /// The next choice, as places in `givens`; none once all were taken.
    next: Option<Vec<usize>>,
}

impl<C> Removals<C> {
    /// All choices of `count` of these cells.
    pub fn new(givens: Vec<C>, count: usize) -> Removals<C> {
        let next = (0 < count && count <= givens.len()).then(|| (0..count).collect());
        Removals { givens, next }
    }
}

impl<C: Copy> Iterator for Removals<C> {
    type Item = Vec<C>;

    fn next(&mut self) -> Option<Vec<C>> {
        let places = self.next.as_mut()?;
        let cells = places.iter().map(|&place| self.givens[place]).collect();
        let (count, givens) = (places.len(), self.givens.len());
        // The last place that can still go up; those behind it follow close.
        match (0..count).rfind(|&at| places[at] < givens - count + at) {
            Some(at) => {
                let first = places[at] + 1;
                for (behind, place) in places[at..].iter_mut().enumerate() {
                    *place = first + behind;
                }
            }
            None => self.next = None,
        }
        Some(cells)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::solve::Mrv;

    /// "Golden Nugget", minimal with 21 givens.
    const HARD: &str =
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn is_unique(puzzle: &Puzzle) -> bool {
        let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
        matches!(outcome.verdict, Verdict::Unique(_))
    }

    /// Brute force: one search for every digit in every blank.
    fn by_trial(rest: &Puzzle, original: &Puzzle, count: usize, from: usize) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for number in from..CANDIDATES {
            let Candidate { cell, digit } = candidate(number);
            if rest.given(cell).is_some() || original.given(cell) == Some(digit) {
                continue;
            }
            let mut with = *rest;
            with.set(cell, Some(digit));
            match count {
                1 if is_unique(&with) => drop(found.insert(with.to_line())),
                1 => {}
                _ => found.extend(by_trial(&with, original, count - 1, number + 1)),
            }
        }
        found
    }

    fn found_after(finder: &mut Neighbours, puzzle: &Puzzle, removed: &[Cell]) -> Vec<String> {
        let mut found = Vec::new();
        finder.each_after(puzzle, removed, &mut |near| found.push(near.to_line()));
        found
    }

    /// A finder that lists at most this many solutions.
    fn givens(puzzle: &Puzzle) -> Vec<Cell> {
        puzzle.givens().map(|(cell, _)| cell).collect()
    }

    fn bounded(most: usize) -> Neighbours {
        Neighbours {
            most_solutions: most,
            most_solutions_of_pairs: most,
            ..Neighbours::new()
        }
    }

    fn without(puzzle: &Puzzle, cells: &[Cell]) -> Puzzle {
        let mut rest = *puzzle;
        for &cell in cells {
            rest.set(cell, None);
        }
        rest
    }

    #[test]
    fn neighbours_agree_with_brute_force_for_every_removal() {
        for line in [HARD, EASY] {
            let puzzle: Puzzle = line.parse().unwrap();
            let mut total = 0;
            for removed in Removals::new(givens(&puzzle), 1) {
                let truth = by_trial(&without(&puzzle, &removed), &puzzle, 1, 0);
                total += truth.len();
                for most in [0, 1, 7, MOST_SOLUTIONS] {
                    let found = found_after(&mut bounded(most), &puzzle, &removed);
                    assert_eq!(found.len(), truth.len(), "{line} {removed:?} {most}");
                    assert!(found.iter().all(|it| truth.contains(it)));
                }
            }
            let mut count = 0;
            Neighbours::new().each(&puzzle, 1, &mut |_| count += 1);
            assert_eq!(count, total);
            assert!(count > 10, "{line} has {count} neighbours");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Few blanks, so that every pair can be tried; some of them leave many solutions.
        #[test]
        fn pairs_agree_with_brute_force(
            blanks in prop::collection::btree_set(0..81_usize, 6..12),
            removed in prop::collection::btree_set(0..81_usize, 2..3),
            most in prop::sample::select(vec![0, 1, 3, 1000]),
        ) {
            let cell = |&at: &usize| Cell::new(at).unwrap();
            let removed: Vec<Cell> = removed.difference(&blanks).map(cell).collect();
            let blanks: Vec<Cell> = blanks.iter().map(cell).collect();
            let puzzle = without(&SOLUTION.parse().unwrap(), &blanks);
            prop_assume!(removed.len() == 2 && is_unique(&puzzle));
            let truth = by_trial(&without(&puzzle, &removed), &puzzle, 2, 0);
            let found = found_after(&mut bounded(most), &puzzle, &removed);
            prop_assert!(found.is_sorted_by(|left, right| left != right));
            let different: BTreeSet<String> = found.iter().cloned().collect();
            prop_assert_eq!(different.len(), found.len(), "some came twice");
            prop_assert_eq!(different, truth);
        }
    }

    #[test]
    fn no_given_of_a_minimal_puzzle_can_be_removed() {
        let mut finder = Neighbours::new();
        assert!(finder.is_minimal(&HARD.parse().unwrap()));
        assert!(!finder.is_minimal(&SOLUTION.parse().unwrap()));
        let mut more: Puzzle = HARD.parse().unwrap();
        let outcome = Mrv::new().solve(&more, Goal::ProveUnique, Limits::NONE);
        let first = Cell::new(0).unwrap();
        more.set(
            first,
            Some(outcome.verdict.solution().unwrap().digit(first)),
        );
        assert!(!finder.is_minimal(&more));
    }

    #[test]
    fn removals_are_all_combinations_in_order() {
        let mut puzzle = Puzzle::empty();
        for cell in Cell::all().step_by(20) {
            puzzle.set(cell, Some(Digit::ALL[0]));
        }
        for (count, expected) in [(0, 0), (1, 5), (2, 10), (3, 10), (5, 1), (6, 0)] {
            let choices: Vec<Vec<Cell>> = Removals::new(givens(&puzzle), count).collect();
            assert_eq!(choices.len(), expected);
            assert!(choices.is_sorted_by(|left, right| left < right));
            assert!(
                choices
                    .iter()
                    .all(|choice| choice.is_sorted_by(|left, right| left < right))
            );
        }
    }
}
