//! Fewest candidates first, with forward checking: the oracle of every other solver.
//!
//! Minimum remaining values as a rule for ordering variables is from Haralick and Elliott (1980);
//! naked and hidden singles are placed before each branch.

use super::solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
use crate::grid::{Cell, CellMap, CellSet, Digit, DigitSet, House, Puzzle, Solution};

/// Depth-first search that branches on a cell with the fewest candidates.
#[derive(Debug, Default)]
pub struct Mrv {
    stack: Vec<Branch>,
}

/// A state of the search: what each cell may still hold.
#[derive(Clone, Debug)]
struct Board {
    /// Of an open cell its candidates, of a placed one its digit.
    candidates: CellMap<DigitSet>,
    open: CellSet,
}

/// A cell to branch on, and the digits that were not tried yet.
#[derive(Clone, Debug)]
struct Branch {
    board: Board,
    cell: Cell,
    untried: DigitSet,
}

/// Some cell or digit has no place left.
struct Contradiction;

impl Mrv {
    /// A solver; it keeps its stack between puzzles.
    pub fn new() -> Mrv {
        Mrv::default()
    }

    /// Up to `limit` solutions in the order in which they are found, and the effort; `None` where
    /// the budget ran out first.
    pub fn solutions(
        &mut self,
        puzzle: &Puzzle,
        limit: usize,
        budget: Budget,
    ) -> (Option<Vec<Solution>>, Effort) {
        let mut solutions = Vec::new();
        let mut effort = Effort::default();
        let complete = self.search(puzzle, limit, budget, &mut solutions, &mut effort);
        (complete.then_some(solutions), effort)
    }

    /// False where the budget ran out before the goal was reached.
    fn search(
        &mut self,
        puzzle: &Puzzle,
        limit: usize,
        budget: Budget,
        solutions: &mut Vec<Solution>,
        effort: &mut Effort,
    ) -> bool {
        self.stack.clear();
        let mut entered = Board::new(puzzle).ok();
        loop {
            effort.nodes += 1;
            if effort.nodes > budget.nodes {
                return false;
            }
            if let Some(mut board) = entered
                && board.propagate().is_ok()
            {
                match board.tightest_cell() {
                    Some(cell) => {
                        let untried = board.candidates[cell];
                        self.stack.push(Branch {
                            board,
                            cell,
                            untried,
                        });
                    }
                    None => {
                        solutions.extend(board.solution());
                        if solutions.len() >= limit {
                            return true;
                        }
                    }
                }
            }
            let Some(branch) = self.stack.last_mut() else {
                return true;
            };
            let Some(digit) = branch.untried.into_iter().next() else {
                return true;
            };
            branch.untried = branch.untried.without(digit);
            let cell = branch.cell;
            entered = if branch.untried.is_empty() {
                self.stack.pop().map(|branch| branch.board)
            } else {
                effort.guesses += 1;
                Some(branch.board.clone())
            };
            entered = entered.and_then(|mut board| board.place(cell, digit).ok().map(|()| board));
        }
    }
}

impl Solver for Mrv {
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome {
        let limit = match goal {
            Goal::FirstSolution => 1,
            Goal::ProveUnique => 2,
        };
        let mut solutions = Vec::new();
        let mut effort = Effort::default();
        let complete = self.search(puzzle, limit, budget, &mut solutions, &mut effort);
        let verdict = match (complete, solutions.as_slice(), goal) {
            (false, ..) => Verdict::OutOfBudget,
            (true, [], _) => Verdict::Unsolvable,
            (true, [only], Goal::FirstSolution) => Verdict::Solved(*only),
            (true, [only], Goal::ProveUnique) => Verdict::Unique(*only),
            (true, [first, second, ..], _) => Verdict::Multiple(Box::new([*first, *second])),
        };
        Outcome { verdict, effort }
    }
}

impl Board {
    fn new(puzzle: &Puzzle) -> Result<Board, Contradiction> {
        let mut board = Board {
            candidates: CellMap::from_fn(|_| DigitSet::ALL),
            open: CellSet::ALL,
        };
        for (cell, digit) in puzzle.givens() {
            board.place(cell, digit)?;
        }
        Ok(board)
    }

    /// Places a digit and strikes it from the candidates of all peers.
    fn place(&mut self, cell: Cell, digit: Digit) -> Result<(), Contradiction> {
        if !self.candidates[cell].contains(digit) {
            return Err(Contradiction);
        }
        self.candidates[cell] = DigitSet::only(digit);
        self.open = self.open.without(cell);
        for peer in cell.peers() {
            let left = self.candidates[peer].without(digit);
            if left.is_empty() {
                return Err(Contradiction);
            }
            self.candidates[peer] = left;
        }
        Ok(())
    }

    /// Places naked and hidden singles until there are none.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            let before = self.open;
            for cell in before {
                if let Some(digit) = self.candidates[cell].single() {
                    self.place(cell, digit)?;
                }
            }
            if self.open != before {
                continue;
            }
            for house in House::all() {
                self.place_hidden_singles(house)?;
            }
            if self.open == before {
                return Ok(());
            }
        }
    }

    fn place_hidden_singles(&mut self, house: House) -> Result<(), Contradiction> {
        let (mut once, mut twice) = (DigitSet::EMPTY, DigitSet::EMPTY);
        for cell in house.cells() {
            let candidates = self.candidates[cell];
            twice = twice.union(once.intersection(candidates));
            once = once.union(candidates);
        }
        if once != DigitSet::ALL {
            return Err(Contradiction);
        }
        let singles = once.difference(twice);
        for cell in house.cells().intersection(self.open) {
            let hidden = self.candidates[cell].intersection(singles);
            if hidden.is_empty() {
                continue;
            }
            // Two digits that both have this cell as their only place leave none for one of them.
            let digit = hidden.single().ok_or(Contradiction)?;
            self.place(cell, digit)?;
        }
        Ok(())
    }

    /// The open cell with the fewest candidates, the first of equals.
    fn tightest_cell(&self) -> Option<Cell> {
        let mut tightest = None;
        let mut fewest = usize::MAX;
        for cell in self.open {
            let count = self.candidates[cell].len();
            if count < fewest {
                (tightest, fewest) = (Some(cell), count);
                if count == 2 {
                    break;
                }
            }
        }
        tightest
    }

    fn solution(&self) -> Option<Solution> {
        if !self.open.is_empty() {
            return None;
        }
        let first = |set: &DigitSet| set.single();
        let digits = self.candidates.map(first);
        let complete = digits.as_array().iter().all(Option::is_some);
        complete
            .then(|| digits.map(|digit| digit.expect("every cell is placed")))
            .and_then(Solution::new)
    }
}
