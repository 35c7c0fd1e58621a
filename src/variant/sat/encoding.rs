//! A board as clauses: each candidate left is a variable; each cell has one value, and each value one place
//! in each house.
//!
//! Of up to [`MOST_PAIRWISE`] literals at most one is true by a clause for each pair; longer lists are cut by
//! new variables. A cage has a variable for each set of values with its sum, and one of them is true; where
//! the sets are too many, a chain of variables holds the sums of the first cells instead.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::super::combinations::combinations;
use super::super::layout::{Cage, Layout};
use super::super::mask::{Mask, bits};

/// Lists of literals are cut into pieces of this many.
const MOST_PAIRWISE: usize = 12;
/// Cages with more sets of values than that get a chain of sums.
const MOST_SETS: usize = 1_000;

/// A variable, numbered from 1, or its negation, as in the DIMACS format.
pub(super) type Literal = i32;

/// Takes clauses, and may break the encoding off.
pub(super) trait Clauses {
    /// Why it breaks off.
    type Stop;

    /// One of these literals is true.
    fn clause(&mut self, literals: &[Literal]) -> ControlFlow<Self::Stop>;
}

/// Which variable says that a cell has a value.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    side: usize,
    /// For each candidate, its variable, or 0.
    variables: Vec<Literal>,
    /// For each variable that is a candidate, the candidate: `cell * side + value`.
    candidates: Vec<usize>,
    /// How many variables there are.
    count: Literal,
}

impl Encoding {
    /// Hands over the clauses of a board with these values left in each cell.
    pub(super) fn new<C: Clauses>(
        layout: &Layout,
        values: &[Mask],
        clauses: &mut C,
    ) -> ControlFlow<C::Stop, Encoding> {
        let side = layout.side();
        let candidates: Vec<usize> = (values.iter().enumerate())
            .flat_map(|(cell, values)| bits(*values).map(move |value| cell * side + value))
            .collect();
        let mut variables = vec![0; layout.cells() * side];
        for (candidate, variable) in candidates.iter().zip(1..) {
            variables[*candidate] = variable;
        }
        let mut encoding = Encoding {
            side,
            variables,
            count: candidates.len() as Literal,
            candidates,
        };
        encoding.houses(layout, clauses)?;
        for cage in layout.cages() {
            encoding.cage(cage, clauses)?;
        }
        ControlFlow::Continue(encoding)
    }

    /// The value of each cell, numbered from 0, by the variables that are true.
    pub(super) fn values(&self, is_true: impl Fn(Literal) -> bool) -> Vec<usize> {
        let mut values = vec![0; self.variables.len() / self.side];
        for (candidate, variable) in self.candidates.iter().zip(1..) {
            if is_true(variable) {
                values[candidate / self.side] = candidate % self.side;
            }
        }
        values
    }

    /// The variable of a value in a cell, or 0.
    pub(super) fn variable(&self, cell: usize, value: usize) -> Literal {
        self.variables[cell * self.side + value]
    }

    fn houses<C: Clauses>(&mut self, layout: &Layout, clauses: &mut C) -> ControlFlow<C::Stop> {
        for cell in 0..layout.cells() {
            let values = 0..self.side;
            let literals = self.left(values.map(|value| (cell, value)));
            self.exactly_one(literals, clauses)?;
        }
        for house in layout.houses() {
            for value in 0..self.side {
                let literals = self.left(house.cells.iter().map(|&cell| (cell, value)));
                self.exactly_one(literals, clauses)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The variables of these cells and values that are left.
    fn left(&self, candidates: impl Iterator<Item = (usize, usize)>) -> Vec<Literal> {
        candidates
            .map(|(cell, value)| self.variable(cell, value))
            .filter(|variable| *variable != 0)
            .collect()
    }

    fn exactly_one<C: Clauses>(
        &mut self,
        literals: Vec<Literal>,
        clauses: &mut C,
    ) -> ControlFlow<C::Stop> {
        clauses.clause(&literals)?;
        self.at_most_one(literals, clauses)
    }

    fn at_most_one<C: Clauses>(
        &mut self,
        mut literals: Vec<Literal>,
        clauses: &mut C,
    ) -> ControlFlow<C::Stop> {
        while literals.len() > MOST_PAIRWISE {
            // One of the last literals is true only if the new variable is, which stands for all of them.
            let mut tail = literals.split_off(literals.len() - MOST_PAIRWISE / 2);
            let any = self.fresh();
            tail.push(-any);
            pairwise(&tail, clauses)?;
            literals.insert(0, any);
        }
        pairwise(&literals, clauses)
    }

    fn fresh(&mut self) -> Literal {
        self.count += 1;
        self.count
    }

    fn cage<C: Clauses>(&mut self, cage: &Cage, clauses: &mut C) -> ControlFlow<C::Stop> {
        for value in 0..self.side {
            let literals = self.left(cage.cells.iter().map(|&cell| (cell, value)));
            self.at_most_one(literals, clauses)?;
        }
        let total = cage.sum as i32 - cage.cells.len() as i32;
        match combinations(self.side, cage.cells.len(), total, MOST_SETS) {
            Some(sets) => self.sets(cage, &sets, clauses),
            None => self.chain(cage, total, clauses),
        }
    }

    /// One of these sets holds the values of the cage.
    fn sets<C: Clauses>(
        &mut self,
        cage: &Cage,
        sets: &[Mask],
        clauses: &mut C,
    ) -> ControlFlow<C::Stop> {
        let chosen: Vec<Literal> = sets.iter().map(|_| self.fresh()).collect();
        clauses.clause(&chosen)?;
        for (&set, &chosen) in sets.iter().zip(&chosen) {
            for value in 0..self.side {
                let literals = self.left(cage.cells.iter().map(|&cell| (cell, value)));
                if set >> value & 1 == 1 {
                    let mut clause = literals;
                    clause.push(-chosen);
                    clauses.clause(&clause)?;
                } else {
                    for literal in literals {
                        clauses.clause(&[-chosen, -literal])?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Variables for the sums that the first cells can have lead from 0 to the total.
    fn chain<C: Clauses>(
        &mut self,
        cage: &Cage,
        total: i32,
        clauses: &mut C,
    ) -> ControlFlow<C::Stop> {
        let start = self.fresh();
        clauses.clause(&[start])?;
        let mut sums = BTreeMap::from([(0, start)]);
        for &cell in &cage.cells {
            let mut next = BTreeMap::new();
            for (sum, before) in sums {
                for value in 0..self.side {
                    let literal = self.variable(cell, value);
                    let sum = sum + value as i32;
                    if literal == 0 {
                        continue;
                    }
                    if sum > total {
                        clauses.clause(&[-before, -literal])?;
                        continue;
                    }
                    let after = *next.entry(sum).or_insert_with(|| {
                        self.count += 1;
                        self.count
                    });
                    clauses.clause(&[-before, -literal, after])?;
                }
            }
            sums = next;
        }
        for (sum, variable) in sums {
            if sum != total {
                clauses.clause(&[-variable])?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn pairwise<C: Clauses>(literals: &[Literal], clauses: &mut C) -> ControlFlow<C::Stop> {
    for (at, one) in literals.iter().enumerate() {
        for other in &literals[..at] {
            clauses.clause(&[-one, -other])?;
        }
    }
    ControlFlow::Continue(())
}
