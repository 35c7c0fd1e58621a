//! Which guess is tried next: where the fewest values are left, and where conflicts were frequent so far
//! (F. Boussemart et al., "Boosting systematic search by weighting constraints", 2004). On large boards the
//! best few are probed first, both ways, as look-ahead solvers of satisfiability do (M. Heule and H. van
//! Maaren, "Look-ahead based SAT solvers", 2009): a way that fails is a conclusion, and of the others that
//! guess is best which strikes much both ways.

use std::ops::ControlFlow;

use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;

use super::super::mask::bits;
use super::board::{Board, Conflict, Possible};
use super::geometry::Geometry;
use super::propagate::Propagator;

/// Guesses that are probed on boards of this side.
const fn probes(side: usize) -> usize {
    match side {
        ..10 => 0,
        10..20 => 8,
        _ => 16,
    }
}

/// A value in a cell, and how good a guess it seems: the less, the better.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    score: f32,
    cell: usize,
    value: usize,
}

/// Chooses guesses; remembers the conflicts of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Chooser {
    /// For each house, how often it was part of a conflict.
    weights: Vec<f32>,
    best: Vec<Candidate>,
}

impl Chooser {
    /// Forgets what it has seen.
    pub(super) fn reset(&mut self, geometry: &Geometry) {
        self.weights.clear();
        self.weights.resize(geometry.houses, 1.0);
    }

    /// Remembers the houses of a conflict.
    pub(super) fn weigh(&mut self, geometry: &Geometry, conflict: Conflict) {
        match conflict {
            Conflict::House(house) => self.weights[house] += 1.0,
            Conflict::Cell(cell) => {
                for member in geometry.memberships(cell) {
                    self.weights[usize::from(member.house)] += 0.3;
                }
            }
        }
    }

    /// A cell and one of its values to try, or none if every cell has its value. Strikes what probes refute.
    ///
    /// # Errors
    /// The conflict, if probes show that there is no solution.
    pub(super) fn choose(
        &mut self,
        geometry: &Geometry,
        board: &mut Board,
        propagator: &mut Propagator,
    ) -> Result<Option<(usize, usize)>, Conflict> {
        let probes = probes(geometry.side);
        loop {
            self.rank(geometry, board, probes.max(1));
            let Some(&first) = self.best.first() else {
                return Ok(None);
            };
            if probes == 0 {
                return Ok(Some((first.cell, first.value)));
            }
            match self.probe(geometry, board, propagator) {
                ControlFlow::Continue(best) => return Ok(Some((best.cell, best.value))),
                ControlFlow::Break(Refuted(ControlFlow::Continue(()))) => {}
                ControlFlow::Break(Refuted(ControlFlow::Break(conflict))) => return Err(conflict),
            }
        }
    }

    /// The guess that strikes most both ways, or what is left once one way is refuted.
    fn probe(
        &mut self,
        geometry: &Geometry,
        board: &mut Board,
        propagator: &mut Propagator,
    ) -> ControlFlow<Refuted, Candidate> {
        let mut chosen = self.best[0];
        let mut most = 0;
        for number in 0..self.best.len() {
            let candidate = self.best[number];
            let mark = board.mark();
            let mut struck = [0; 2];
            for (way, struck) in struck.iter_mut().enumerate() {
                let mut state = go(geometry, board, candidate, way == 0);
                if state.is_continue() {
                    state = propagator.run_cheaply(geometry, board);
                }
                *struck = board.mark() - mark;
                board.undo(geometry, mark);
                if let ControlFlow::Break(conflict) = state {
                    self.weigh(geometry, conflict);
                    let mut state = go(geometry, board, candidate, way == 1);
                    if state.is_continue() {
                        state = propagator.run(geometry, board);
                    }
                    return ControlFlow::Break(Refuted(state));
                }
            }
            let score = struck[0] * struck[1];
            if score > most {
                (chosen, most) = (candidate, score);
            }
        }
        ControlFlow::Continue(chosen)
    }

    /// Finds so many candidates with the least scores: few values and much weight.
    fn rank(&mut self, geometry: &Geometry, board: &Board, count: usize) {
        self.best.clear();
        for (cell, values) in board.values.iter().enumerate() {
            if values.is_power_of_two() {
                continue;
            }
            let members = geometry.memberships(cell).iter();
            let weight: f32 = members
                .map(|member| self.weights[usize::from(member.house)])
                .sum();
            let score = values.count_ones() as f32 / weight;
            if self.best.len() == count {
                if self.best[count - 1].score <= score {
                    continue;
                }
                self.best.pop();
            }
            let at = self.best.partition_point(|better| better.score <= score);
            let value = values.trailing_zeros() as usize;
            self.best.insert(at, Candidate { score, cell, value });
        }
    }
}

/// A random value of a random one of the cells with the fewest values, or none if every cell has its value.
pub(super) fn random_choice(board: &Board, rng: &mut ChaCha8Rng) -> Option<(usize, usize)> {
    let open = |cell: &usize| !board.values[*cell].is_power_of_two();
    let count = |cell: usize| board.values[cell].count_ones();
    let fewest = (0..board.values.len()).filter(open).map(count).min()?;
    let cells = (0..board.values.len()).filter(|cell| count(*cell) == fewest);
    let cell = cells.choose(rng)?;
    Some((cell, bits(board.values[cell]).choose(rng)?))
}

/// One way of a guess has no solution: the state of the other.
struct Refuted(Possible);

/// Puts the value into the cell, or strikes it from there.
fn go(geometry: &Geometry, board: &mut Board, guess: Candidate, put: bool) -> Possible {
    if put {
        board.assign(geometry, guess.cell, guess.value)
    } else {
        board.strike(geometry, guess.cell, guess.value)
    }
}
