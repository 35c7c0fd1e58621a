//! The most probable boards where every cell seems to hold a digit.
//!
//! Such a board is a solution, except for cells that are blank after all and for mistakes of a person. So it is
//! solutions that are searched, with the digits of a cell costing no more than its being blank or wrong. Each cell has
//! one digit, and each digit one cell of each house: an assignment problem in several dimensions. Its dual gives a
//! lower bound: the least cost of one rule after the other is taken out and added up, and what then remains of a
//! digit's cost is what a solution with it costs beyond the bound. Digits for which that is too much are removed
//! (reduced-cost fixing; Dantzig, Fulkerson and Johnson, 1954), and where it is not enough, cells are tried, depth
//! first. So a solution is found although half of its cells are misread, where a search from the most probable reading
//! on would look at too many other boards first.

use super::config::DecodeConfig;
use super::limit::TimeLimit;
use super::search::{Findings, Found, bound, record};
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, CellSet, Digit, DigitSet, House, Puzzle, Solution};
use crate::solve::{Goal, Solver, Verdict};

/// Costs of the digits of each cell, in nats.
type Costs = CellMap<[f32; 9]>;

/// Nats by which sums of 81 costs may be off.
const SLACK: f32 = 1e-3;

/// Returns the best board and the next best one of a reading without a blank. `None` for any other reading, where the
/// limits do not suffice, and where one of the two boards has several solutions.
pub(super) fn filled_boards(
    posteriors: &CellMap<Posterior>,
    config: &DecodeConfig,
    time_limit: TimeLimit,
    solver: &mut dyn Solver,
) -> Option<Findings> {
    let best = posteriors.map(Posterior::best);
    let is_full = best.as_array().iter().all(Option::is_some);
    if !is_full || !config.is_by_hand(&Puzzle::from_givens(best)) {
        return None;
    }
    let nats = |cell: Cell, content| {
        let probability = posteriors[cell].of(content);
        probability.max(config.probability_floor).ln()
    };
    let cost = |cell: Cell, content| nats(cell, best[cell]) - nats(cell, content);
    let digits = CellMap::from_fn(|cell| Digit::ALL.map(|digit| cost(cell, Some(digit))));
    let blank = CellMap::from_fn(|cell| cost(cell, None));
    let out = CellMap::from_fn(|cell| blank[cell].min(config.mistake_cost));
    let is_mistake = |cell: &Cell| config.mistake_cost < blank[*cell];
    let mut search = FilledSearch {
        costs: CellMap::from_fn(|cell| digits[cell].map(|cost| cost.min(out[cell]))),
        digits,
        out,
        mistakes: Cell::all().filter(is_mistake).collect(),
        config,
        nodes: config.solver_nodes,
        time_limit,
        found: Vec::new(),
    };
    search.visit(CellMap::from_fn(|_| DigitSet::ALL))?;
    let boards = search.found;
    for found in &boards {
        let limits = time_limit.solver_limits(config);
        let verdict = solver
            .solve(&found.board, Goal::ProveUnique, limits)
            .verdict;
        if verdict != found.verdict {
            return None;
        }
    }
    Some(Findings {
        boards,
        frontier: f32::INFINITY,
        gave_up: None,
    })
}

/// A search for the boards of least cost.
struct FilledSearch<'a> {
    /// Cost of each digit.
    digits: Costs,
    /// Cost of a cell's being blank, or wrong if that is less.
    out: CellMap<f32>,
    /// Cells where it is.
    mistakes: CellSet,
    /// The lesser of the two for each digit.
    costs: Costs,
    config: &'a DecodeConfig,
    /// Nodes that may still be visited.
    nodes: u64,
    time_limit: TimeLimit,
    /// Up to two boards, the best one first, taken to have one solution.
    found: Vec<Found>,
}

impl FilledSearch<'_> {
    /// Visits all solutions of these candidates that may matter; `None` where a limit is reached.
    fn visit(&mut self, mut candidates: CellMap<DigitSet>) -> Option<()> {
        self.nodes = self.nodes.checked_sub(1)?;
        if self.time_limit.passed().is_some() {
            return None;
        }
        let Some(beyond) = self.narrow(&mut candidates) else {
            return Some(());
        };
        // The cell whose second digit costs most: to be wrong about it would show at once.
        let regret = |cell: Cell| {
            let mut costs = beyond[cell];
            costs.sort_by(f32::total_cmp);
            costs[1]
        };
        let open = Cell::all().filter(|cell| candidates[*cell].len() > 1);
        let Some(cell) = open.max_by(|a, b| regret(*a).total_cmp(&regret(*b))) else {
            self.enter(&candidates);
            return Some(());
        };
        let mut digits: Vec<Digit> = candidates[cell].into_iter().collect();
        digits.sort_by(|a, b| beyond[cell][a.index()].total_cmp(&beyond[cell][b.index()]));
        for digit in digits {
            let mut tried = candidates;
            tried[cell] = DigitSet::only(digit);
            self.visit(tried)?;
        }
        Some(())
    }

    /// Removes candidates that are in no solution that matters. Returns what a solution with each digit costs beyond
    /// the lower bound at least; `None` where no solution is left.
    fn narrow(&self, candidates: &mut CellMap<DigitSet>) -> Option<Costs> {
        loop {
            for cell in Cell::all() {
                if let Some(digit) = candidates[cell].single() {
                    for peer in cell.peers() {
                        candidates[peer] = candidates[peer].without(digit);
                    }
                }
            }
            let mut beyond = CellMap::from_fn(|cell| {
                Digit::ALL.map(|digit| match candidates[cell].contains(digit) {
                    true => self.costs[cell][digit.index()],
                    false => f32::INFINITY,
                })
            });
            let mut least = 0.0;
            for _ in 0..ROUNDS {
                least += take_from_cells(&mut beyond) + take_from_houses(&mut beyond);
            }
            least += take_from_cells(&mut beyond);
            let most = bound(&self.found, self.config) + SLACK;
            // Infinite where a cell has no digit or a digit no place.
            if least > most || least == f32::INFINITY {
                return None;
            }
            let mut is_narrower = false;
            for cell in Cell::all() {
                for digit in candidates[cell] {
                    if least + beyond[cell][digit.index()] > most {
                        candidates[cell] = candidates[cell].without(digit);
                        is_narrower = true;
                    }
                }
            }
            if !is_narrower {
                return Some(beyond);
            }
        }
    }

    /// Enters the best board of a solution, and the next best one: another cell with or without its digit.
    fn enter(&mut self, candidates: &CellMap<DigitSet>) {
        let digits = Cell::all().map(|cell| candidates[cell].single());
        let Some(digits) = digits.collect::<Option<Vec<Digit>>>() else {
            return;
        };
        let digits = CellMap::from_fn(|cell| digits[cell.index()]);
        let Some(solution) = Solution::new(digits) else {
            return;
        };
        let more = |cell: Cell| self.digits[cell][digits[cell].index()] - self.out[cell];
        let nearest = Cell::all().min_by(|a, b| more(*a).abs().total_cmp(&more(*b).abs()));
        for flipped in [None, nearest] {
            let is_out = |cell: &Cell| (more(*cell) > 0.0) != (flipped == Some(*cell));
            let outs: CellSet = Cell::all().filter(is_out).collect();
            let cost = |cell: Cell| match outs.contains(cell) {
                true => self.out[cell],
                false => self.digits[cell][digits[cell].index()],
            };
            let digit = |cell| (!outs.contains(cell)).then_some(digits[cell]);
            let total = Cell::all().map(cost).sum();
            let found = Found {
                board: Puzzle::from_givens(CellMap::from_fn(digit)),
                mistakes: outs.intersection(self.mistakes),
                verdict: Verdict::Unique(solution),
                cost: total,
                total,
            };
            record(&mut self.found, found);
        }
    }
}

/// Passes over all rules in which the bound is raised.
const ROUNDS: usize = 2;

/// Takes the least cost out of each cell. Returns their sum.
fn take_from_cells(costs: &mut Costs) -> f32 {
    let mut taken = 0.0;
    for cell in Cell::all() {
        let least = costs[cell].iter().copied().fold(f32::INFINITY, f32::min);
        taken += least;
        if least > 0.0 && least < f32::INFINITY {
            costs[cell] = costs[cell].map(|cost| cost - least);
        }
    }
    taken
}

/// Takes the least cost out of each digit of each house. Returns their sum.
fn take_from_houses(costs: &mut Costs) -> f32 {
    let mut taken = 0.0;
    for house in House::all() {
        let mut least = [f32::INFINITY; 9];
        for cell in house.cells() {
            for (least, cost) in least.iter_mut().zip(&costs[cell]) {
                *least = least.min(*cost);
            }
        }
        taken += least.iter().sum::<f32>();
        let finite = least.map(|least| if least < f32::INFINITY { least } else { 0.0 });
        for cell in house.cells() {
            for (cost, least) in costs[cell].iter_mut().zip(finite) {
                *cost -= least;
            }
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::super::search::Search;
    use super::*;
    use crate::solve::Mrv;
    use proptest::prelude::*;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const GRID: &str =
        "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

    fn findings(
        posteriors: &CellMap<Posterior>,
        config: &DecodeConfig,
    ) -> (Option<Findings>, Findings) {
        let limit = TimeLimit::start(config);
        let givens = Puzzle::from_givens(posteriors.map(Posterior::best));
        let (mut one, mut other) = (Mrv::new(), Mrv::new());
        (
            filled_boards(posteriors, config, limit, &mut one),
            Search::new(posteriors, givens, config, limit, &mut other).run(),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// The oracle is the search from the most probable reading on, where it gets to the end.
        #[test]
        fn the_two_best_boards_are_those_of_the_general_search(
            noise in proptest::collection::vec(proptest::array::uniform10(0.0f32..1.0), 81),
            doubtful in proptest::collection::vec(0usize..81, 0..9),
            mistake_cost in 2f32..9.0,
        ) {
            let truth: Puzzle = GRID.parse().unwrap();
            let posteriors = CellMap::from_fn(|cell| {
                let most = if doubtful.contains(&cell.index()) { 1.5 } else { 0.02 };
                let mut weights = noise[cell.index()].map(|it| most * it.powi(3) + 1e-5);
                weights[usize::from(truth.given(cell).unwrap().value())] += 1.0;
                Posterior::from_weights(weights).unwrap()
            });
            let config = DecodeConfig { mistake_cost, time_limit_ms: None, ..DecodeConfig::default() };
            let (found, oracle) = findings(&posteriors, &config);
            let is_blank = posteriors.as_array().iter().any(|it| it.best().is_none());
            prop_assert_eq!(found.is_none(), is_blank);
            if let Some(found) = found && oracle.gave_up.is_none() {
                prop_assert_eq!(found.boards[0].board, oracle.boards[0].board);
                prop_assert_eq!(found.boards[0].mistakes, oracle.boards[0].mistakes);
                let end = |it: &Findings| {
                    let next = it.boards.get(1).map_or(f32::INFINITY, |next| next.total);
                    next.min(it.boards[0].total + config.margin_cap)
                };
                prop_assert!((found.boards[0].total - oracle.boards[0].total).abs() < 1e-3);
                prop_assert!((end(&found) - end(&oracle)).abs() < 2e-3);
            }
        }

        /// Half of the cells read as another digit are too many for the general search.
        #[test]
        fn a_grid_of_which_no_digit_is_sure_is_found(
            noise in proptest::collection::vec(proptest::array::uniform9(0.0f32..1.0), 81),
        ) {
            let truth: Puzzle = GRID.parse().unwrap();
            let posteriors = CellMap::from_fn(|cell| {
                let mut weights = [1e-3; 10];
                weights[1..].copy_from_slice(&noise[cell.index()].map(|it| 0.9 * it.powi(4) + 0.01));
                weights[usize::from(truth.given(cell).unwrap().value())] += 0.6;
                Posterior::from_weights(weights).unwrap()
            });
            let (found, _) = findings(&posteriors, &DecodeConfig { max_boards: 1, ..DecodeConfig::default() });
            prop_assert_eq!(found.unwrap().boards[0].board, truth);
        }
    }
    #[test]
    fn digits_in_random_places_are_not_settled() {
        let truth: Puzzle = GRID.parse().unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut cells: Vec<Cell> = Cell::all().collect();
        for _ in 0..5 {
            cells.shuffle(&mut rng);
            let posteriors = CellMap::from_fn(|cell| {
                let mut weights = [(); 10].map(|()| rng.random_range(0.01..0.3));
                let digit = truth.given(cells[cell.index()]).unwrap();
                weights[usize::from(digit.value())] += 1.0;
                Posterior::from_weights(weights).unwrap()
            });
            let config = DecodeConfig {
                time_limit_ms: None,
                ..DecodeConfig::default()
            };
            assert!(findings(&posteriors, &config).0.is_none());
        }
    }
}
