//! Best-first search over readings of a board, directed by its conflicts.
//!
//! A board without a solution holds a conflict: a set of filled cells that no solution satisfies
//! together. Whatever the true board is, it differs in at least one of them, so only these cells
//! need to be branched on. This is conflict-directed A* (Williams and Ragno, 2007) over the hitting
//! sets of Reiter's theory of diagnosis (1987). The priority is the cost of the changes made, plus
//! the least cost of resolving the repeated digits still on the board; that is never too much, so
//! boards come out in order of probability.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use super::config::DecodeConfig;
use super::limit::{Limit, TimeLimit};
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, CellSet, Digit, DigitSet, House, Puzzle};
use crate::solve::{Goal, Solver, Verdict};

/// A cell with another content than its most probable one.
#[derive(Clone, Copy, Debug)]
struct Change {
    cell: Cell,
    content: Option<Digit>,
    /// Whether the cell is filled, but by mistake: it counts as blank.
    mistake: bool,
    /// Cost in nats.
    cost: f32,
}

/// The most probable reading with some changes.
#[derive(Clone, Debug)]
struct Node {
    /// Cost of the changes made, in nats.
    cost: f32,
    /// Lower bound of the cost of a board with a solution on this branch, in nats; at least `cost`.
    bound: f32,
    /// Order of creation: breaks ties the same way in every run.
    serial: usize,
    changes: Vec<Change>,
    /// For each digit, a lower bound of the cost of resolving where it is repeated, in nats.
    clashes: [f32; 9],
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Node {}
impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// Orders by bound, reversed, as [`BinaryHeap`] pops the greatest.
impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        other
            .bound
            .total_cmp(&self.bound)
            .then(other.serial.cmp(&self.serial))
    }
}

/// A board that explains the reading.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The board. Mistakes of a person are blank; those of a misprint are kept.
    pub(super) board: Puzzle,
    /// Cells taken for mistakes.
    pub(super) mistakes: CellSet,
    /// Unique or multiple; unsolvable for a misprint.
    pub(super) verdict: Verdict,
    /// Cost of the changed cells, in nats.
    pub(super) cost: f32,
    /// Cost of the changed cells plus the priors about puzzles, in nats.
    pub(super) total: f32,
}

/// The boards that a search found, in order of probability, and how far it got.
#[derive(Debug)]
pub(super) struct Findings {
    /// Up to two boards.
    pub(super) boards: Vec<Found>,
    /// Nats below which all boards were seen; infinite where all that matter were.
    pub(super) frontier: f32,
    /// The limit that kept the search from settling the best board and its margin.
    pub(super) gave_up: Option<Limit>,
}

enum Assessment {
    Conflict(CellSet),
    Solvable(Verdict),
    Unknown(Limit),
}

pub(super) struct Search<'a> {
    givens: Puzzle,
    is_by_hand: bool,
    alternatives: CellMap<Vec<Change>>,
    config: &'a DecodeConfig,
    time_limit: TimeLimit,
    solver: &'a mut dyn Solver,
    queue: BinaryHeap<Node>,
    serial: usize,
    /// Conflicts found: sets of filled cells that no solution satisfies together. Many boards of a
    /// search hold the same ones.
    conflicts: Vec<Vec<(Cell, Digit)>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        posteriors: &CellMap<Posterior>,
        givens: Puzzle,
        config: &'a DecodeConfig,
        time_limit: TimeLimit,
        solver: &'a mut dyn Solver,
    ) -> Search<'a> {
        let is_by_hand = config.is_by_hand(&givens);
        let mistake_cost = match is_by_hand {
            true => config.mistake_cost,
            false => config.misprinted_digit_cost,
        };
        let floor = config.probability_floor;
        let alternatives =
            CellMap::from_fn(|cell| alternatives(cell, &posteriors[cell], floor, mistake_cost));
        Search {
            givens,
            is_by_hand,
            alternatives,
            config,
            time_limit,
            solver,
            queue: BinaryHeap::new(),
            serial: 0,
            conflicts: Vec::new(),
        }
    }

    /// Finds the best board and the next best one, as far as the limits allow.
    ///
    /// A board that the solver leaves open is passed over together with all that could have
    /// followed from it, so the frontier stays at its bound.
    pub(super) fn run(mut self) -> Findings {
        let mut boards = Vec::new();
        let mut frontier = f32::INFINITY;
        let mut gave_up = None;
        let mut open: Option<(f32, Limit)> = None;
        let mut seen = HashSet::new();
        let places = places_of_digits(&self.givens);
        let clashes = places.map(|cells| self.least_cost(cells, CellSet::EMPTY));
        self.push(Vec::new(), clashes);
        while let Some(node) = self.queue.pop() {
            if node.bound > bound(&boards, self.config) {
                frontier = node.bound;
                break;
            }
            let puzzle = self.board(&node.changes);
            if seen.contains(&puzzle) {
                continue;
            }
            gave_up = self.limit_reached(seen.len());
            if gave_up.is_some() {
                frontier = node.bound;
                break;
            }
            seen.insert(puzzle);
            match self.assess(&puzzle) {
                Assessment::Conflict(cells) => self.expand(&node, cells, f32::INFINITY, true),
                Assessment::Unknown(limit) => {
                    if open.is_none_or(|(least, _)| node.bound < least) {
                        open = Some((node.bound, limit));
                    }
                }
                Assessment::Solvable(verdict) => {
                    record(&mut boards, self.found(puzzle, verdict, &node));
                    let limit = bound(&boards, self.config);
                    // What has a solution as it stands is no misprint.
                    self.expand(&node, CellSet::ALL, limit, self.is_by_hand);
                }
            }
        }
        let matters = bound(&boards, self.config);
        if let Some((least, limit)) = open.filter(|&(least, _)| least <= matters) {
            frontier = frontier.min(least);
            gave_up = gave_up.or(Some(limit));
        }
        Findings {
            boards,
            frontier,
            gave_up,
        }
    }

    /// Returns a board that has a solution, or is a misprint of one that has.
    fn found(&self, puzzle: Puzzle, verdict: Verdict, node: &Node) -> Found {
        let mistakes = mistakes(&node.changes);
        let is_misprint = !mistakes.is_empty() && !self.is_by_hand;
        let (board, verdict) = match is_misprint {
            true => (
                with_content_of(&self.givens, puzzle, mistakes),
                Verdict::Unsolvable,
            ),
            false => (puzzle, verdict),
        };
        let is_rare = is_rare(&verdict, &board);
        let prior = match is_rare {
            true => self.config.multiple_cost,
            false => 0.0,
        };
        Found {
            board,
            mistakes,
            verdict,
            cost: node.cost,
            total: node.cost + prior,
        }
    }

    /// Returns the limit that forbids assessing another board after this many.
    fn limit_reached(&self, assessed: usize) -> Option<Limit> {
        let most = self.config.max_boards;
        let boards = (assessed >= most).then_some(Limit::Boards(most));
        boards.or_else(|| self.time_limit.passed())
    }

    fn push(&mut self, changes: Vec<Change>, clashes: [f32; 9]) {
        let cost: f32 = changes.iter().map(|change| change.cost).sum();
        let is_misprint = changes.iter().any(|change| change.mistake) && !self.is_by_hand;
        let cost = match is_misprint {
            true => cost + self.config.misprint_cost,
            false => cost,
        };
        let bound = cost + clashes.iter().sum::<f32>();
        if bound.is_finite() {
            self.serial += 1;
            self.queue.push(Node {
                cost,
                bound,
                serial: self.serial,
                changes,
                clashes,
            });
        }
    }

    /// Returns a lower bound of the cost of resolving where a digit at these places is repeated in
    /// a house. Pairs that share no cell need a change each; a pair of changed cells cannot be
    /// resolved.
    fn least_cost(&self, places: CellSet, changed: CellSet) -> f32 {
        let price = |cell: Cell| match changed.contains(cell) {
            true => f32::INFINITY,
            false => self.alternatives[cell][0].cost,
        };
        let mut unpaid = places;
        let mut total = 0.0;
        for house in House::all() {
            let mut held = house.cells().intersection(unpaid).into_iter();
            while let (Some(one), Some(other)) = (held.next(), held.next()) {
                total += price(one).min(price(other));
                unpaid = unpaid.without(one).without(other);
            }
        }
        total
    }

    /// Adds a child for each other content of each of these cells that is not changed yet, and,
    /// where there may be mistakes, one for each of them as a mistake.
    fn expand(&mut self, node: &Node, cells: CellSet, limit: f32, mistakes: bool) {
        let places = places_of_digits(&self.board(&node.changes));
        let changed = changed_cells(&node.changes);
        for cell in cells.difference(changed) {
            let is_within = |change: &Change| node.cost + change.cost <= limit;
            let within = self.alternatives[cell].partition_point(is_within);
            if within == 0 {
                continue;
            }
            let changed = changed.with(cell);
            let mut emptied = node.clashes;
            if let Some(digit) = self.givens.given(cell) {
                let places = places[digit.index()].without(cell);
                emptied[digit.index()] = self.least_cost(places, changed);
            }
            for index in 0..within {
                let change = self.alternatives[cell][index];
                if change.mistake && !mistakes {
                    continue;
                }
                let mut clashes = emptied;
                if let Some(digit) = change.content {
                    let places = places[digit.index()].with(cell);
                    clashes[digit.index()] = self.least_cost(places, changed);
                }
                let mut changes = node.changes.clone();
                changes.push(change);
                self.push(changes, clashes);
            }
        }
    }

    fn board(&self, changes: &[Change]) -> Puzzle {
        let mut puzzle = self.givens;
        for change in changes {
            puzzle.set(change.cell, change.content);
        }
        puzzle
    }

    fn assess(&mut self, puzzle: &Puzzle) -> Assessment {
        if let Some(pair) = duplicates(puzzle) {
            return Assessment::Conflict(pair);
        }
        if let Some(known) = self.known_conflict(puzzle) {
            return Assessment::Conflict(known);
        }
        let limits = self.time_limit.solver_limits(self.config);
        let verdict = self.solver.solve(puzzle, Goal::ProveUnique, limits).verdict;
        if let Some(limit) = self.time_limit.limit_behind(&verdict, self.config) {
            return Assessment::Unknown(limit);
        }
        match verdict {
            Verdict::Unsolvable => {
                let conflict: Vec<_> = self.conflict(puzzle).givens().collect();
                let cells = cells_of(&conflict);
                self.conflicts.push(conflict);
                Assessment::Conflict(cells)
            }
            verdict => Assessment::Solvable(verdict),
        }
    }

    /// Returns the cells of the smallest known conflict that this board contains.
    fn known_conflict(&self, puzzle: &Puzzle) -> Option<CellSet> {
        let is_held = |conflict: &&Vec<(Cell, Digit)>| {
            let mut filled = conflict.iter();
            filled.all(|&(cell, digit)| puzzle.given(cell) == Some(digit))
        };
        let held = self.conflicts.iter().filter(is_held);
        Some(cells_of(held.min_by_key(|conflict| conflict.len())?))
    }

    /// Returns a minimal set of filled cells of a board without a common solution (minimal up to
    /// the solver's limits, which leave cells in).
    fn conflict(&mut self, puzzle: &Puzzle) -> Puzzle {
        let mut core = *puzzle;
        for (cell, digit) in puzzle.givens() {
            if self.time_limit.passed().is_some() {
                break;
            }
            core.set(cell, None);
            let limits = self.time_limit.solver_limits(self.config);
            let outcome = self.solver.solve(&core, Goal::FirstSolution, limits);
            if outcome.verdict != Verdict::Unsolvable {
                core.set(cell, Some(digit));
            }
        }
        core
    }
}

fn cells_of(filled: &[(Cell, Digit)]) -> CellSet {
    filled.iter().map(|&(cell, _)| cell).collect()
}

/// Fewest givens of a puzzle with one solution (McGuire, Tugemann and Civario, 2014): with fewer,
/// several are expected.
const FEWEST: usize = 17;

/// Returns whether a board has several solutions although it has digits enough for one.
pub(super) fn is_rare(verdict: &Verdict, board: &Puzzle) -> bool {
    matches!(verdict, Verdict::Multiple(_)) && board.given_count() >= FEWEST
}

/// Returns the cost up to which boards matter: that of the second best, or some distance behind the
/// best.
pub(super) fn bound(boards: &[Found], config: &DecodeConfig) -> f32 {
    match boards {
        [] => f32::INFINITY,
        [best] => best.total + config.margin_cap,
        [best, next, ..] => next.total.min(best.total + config.margin_cap),
    }
}

/// Enters a board among the two best ones.
pub(super) fn record(boards: &mut Vec<Found>, found: Found) {
    // Of two digits that clash, either may be the wrong one: the reading is the same.
    let is_same = |other: &Found| found.board == other.board && found.verdict == other.verdict;
    if boards.iter().any(is_same) {
        return;
    }
    let place = boards.partition_point(|other| other.total <= found.total);
    boards.insert(place, found);
    boards.truncate(2);
}

/// Returns the board with the content of these cells taken from another one.
fn with_content_of(other: &Puzzle, mut board: Puzzle, cells: CellSet) -> Puzzle {
    for cell in cells {
        board.set(cell, other.given(cell));
    }
    board
}

/// Returns the cells of each digit.
fn places_of_digits(board: &Puzzle) -> [CellSet; 9] {
    let mut places = [CellSet::EMPTY; 9];
    for (cell, digit) in board.givens() {
        places[digit.index()] = places[digit.index()].with(cell);
    }
    places
}

fn changed_cells(changes: &[Change]) -> CellSet {
    changes.iter().map(|change| change.cell).collect()
}

fn mistakes(changes: &[Change]) -> CellSet {
    changes
        .iter()
        .filter(|change| change.mistake)
        .map(|change| change.cell)
        .collect()
}

/// Returns every other content of a cell, cheapest first.
fn alternatives(cell: Cell, posterior: &Posterior, floor: f32, mistake_cost: f32) -> Vec<Change> {
    let best = posterior.best();
    let nats = |content| posterior.of(content).max(floor).ln();
    let contents = std::iter::once(None).chain(Digit::ALL.map(Some));
    let mut changes: Vec<Change> = contents
        .filter(|&content| content != best)
        .map(|content| Change {
            cell,
            content,
            mistake: false,
            cost: nats(best) - nats(content),
        })
        .collect();
    if best.is_some() {
        changes.push(Change {
            cell,
            content: None,
            mistake: true,
            cost: mistake_cost,
        });
    }
    changes.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    changes
}

/// Returns two cells that see each other and hold the same digit.
fn duplicates(puzzle: &Puzzle) -> Option<CellSet> {
    House::all().find_map(|house| {
        let mut seen = DigitSet::EMPTY;
        let cells = house.cells();
        let (second, digit) = cells.into_iter().find_map(|cell| {
            let digit = puzzle.given(cell)?;
            let repeated = seen.contains(digit);
            seen = seen.with(digit);
            repeated.then_some((cell, digit))
        })?;
        let first = cells
            .into_iter()
            .find(|&cell| puzzle.given(cell) == Some(digit))?;
        Some(CellSet::only(first).with(second))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{PuzzleLine, Solution};
    use crate::solve::{Effort, Limits, Outcome, one_by_one};

    fn found(board: Puzzle, verdict: Verdict, total: f32) -> Found {
        Found {
            board,
            mistakes: CellSet::EMPTY,
            verdict,
            cost: total,
            total,
        }
    }

    #[test]
    fn the_two_most_probable_boards_are_kept_without_duplicates() {
        let board = |line: &str| line.parse::<Puzzle>().unwrap();
        let [one, two, three] =
            ["1", "2", "3"].map(|digit| board(&format!("{digit}{}", ".".repeat(80))));
        let mut boards = Vec::new();
        record(&mut boards, found(one, Verdict::Unsolvable, 3.0));
        record(&mut boards, found(one, Verdict::Unsolvable, 1.0));
        assert_eq!(boards.len(), 1);
        record(&mut boards, found(two, Verdict::Unsolvable, 2.0));
        record(&mut boards, found(three, Verdict::Unsolvable, 4.0));
        let kept: Vec<(Puzzle, f32)> = boards.iter().map(|it| (it.board, it.total)).collect();
        assert_eq!(kept, [(two, 2.0), (one, 3.0)]);
    }

    /// Gives these verdicts one after the other, then no more.
    struct Scripted(std::vec::IntoIter<Verdict>);

    impl Solver for Scripted {
        fn solve_lines(
            &mut self,
            lines: &[PuzzleLine],
            _: Goal,
            _: Limits,
            sink: &mut dyn FnMut(Outcome),
        ) {
            one_by_one(lines, sink, |_| Outcome {
                verdict: self.0.next().unwrap_or(Verdict::OutOfBudget),
                effort: Effort::default(),
            });
        }
    }

    fn search(line: &str, config: &DecodeConfig, verdicts: Vec<Verdict>) -> Findings {
        let givens: Puzzle = line.parse().unwrap();
        let posteriors = CellMap::from_fn(|cell| {
            let mut weights = [1e-4; 10];
            weights[givens.given(cell).map_or(0, |digit| digit.value() as usize)] = 1.0;
            Posterior::from_weights(weights).unwrap()
        });
        let mut solver = Scripted(verdicts.into_iter());
        Search::new(
            &posteriors,
            givens,
            config,
            TimeLimit::start(config),
            &mut solver,
        )
        .run()
    }

    #[test]
    fn a_misprint_costs_its_prior_and_that_of_its_digit() {
        let config = DecodeConfig {
            misprint_cost: 2.0,
            misprinted_digit_cost: 3.0,
            ..DecodeConfig::default()
        };
        let line = format!("1{}", ".".repeat(80));
        let solution: Solution =
            "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
                .parse()
                .unwrap();
        let many = Verdict::Multiple(vec![solution; 2]);
        // No solution; without its only digit no conflict is left; then the board without it.
        let found = search(
            &line,
            &config,
            vec![Verdict::Unsolvable, many.clone(), many],
        );
        assert_eq!(
            (found.boards[0].cost, found.boards[0].mistakes.len()),
            (5.0, 1)
        );
    }

    #[test]
    fn the_frontier_is_that_of_the_first_unknown_board() {
        let config = DecodeConfig::default();
        let line = format!("1{}", ".".repeat(80));
        // The only digit is in conflict; all boards without it are left open.
        let found = search(
            &line,
            &config,
            vec![Verdict::Unsolvable, Verdict::OutOfBudget],
        );
        let cheapest = config.misprint_cost + config.misprinted_digit_cost;
        assert_eq!(found.frontier, cheapest);
        assert!(found.boards.is_empty() && found.gave_up.is_some());
    }

    #[test]
    fn boards_matter_up_to_the_second_best_or_a_fixed_margin() {
        let config = DecodeConfig {
            margin_cap: 5.0,
            ..DecodeConfig::default()
        };
        let totals = |totals: &[f32]| -> f32 {
            let boards: Vec<Found> = totals
                .iter()
                .map(|&total| found(Puzzle::empty(), Verdict::Unsolvable, total))
                .collect();
            bound(&boards, &config)
        };
        assert_eq!(totals(&[]), f32::INFINITY);
        assert_eq!(totals(&[3.0]), 8.0);
        assert_eq!(totals(&[3.0, 4.0]), 4.0);
        assert_eq!(totals(&[3.0, 40.0]), 8.0);
    }
}
