//! The solver `regions`: all-different propagation in each house, and the interactions of lines and
//! blocks.
//!
//! A house is an all-different constraint. It leaves exactly what no Hall set excludes (J.-C.
//! Régin, "A filtering algorithm for constraints of difference in CSPs", 1994; P. Hall, 1935):
//! wherever some blank cells together have as many candidates as there are cells, these digits go
//! nowhere else. Players know small ones as naked pairs and triples; hidden subsets are the
//! complements of the same sets.

use super::deadline::{Deadline, Halt};
use super::elimination::by_elimination;
use super::search::one_by_one;
use super::solver::{Goal, Limits, Outcome, Solver};
use crate::grid::{
    Candidate, CandidateGrid, CellSet, Contradiction, Digit, DigitSet, House, Lines, PuzzleLine,
};

/// The solver `regions`. Not complete: it eliminates until nothing changes, and never guesses.
#[derive(Clone, Debug, Default)]
pub struct Regions {}

impl Regions {
    /// Returns a solver ready for its first puzzle.
    pub fn new() -> Regions {
        Regions {}
    }
}

impl Solver for Regions {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        _: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        one_by_one(lines, sink, |puzzle| {
            by_elimination(puzzle, limits, eliminate)
        });
    }
}

/// Applies the cheapest rule that changes something, until none does.
fn eliminate(grid: &mut CandidateGrid, deadline: Deadline) -> Result<(), Halt> {
    while place_singles(grid)? || strike_locked(grid)? || strike_by_houses(grid)? {
        deadline.check()?;
    }
    Ok(())
}

/// Places every naked and hidden single. Returns whether there was one. They are Hall sets too, but
/// found for the whole board at once.
fn place_singles(grid: &mut CandidateGrid) -> Result<bool, Contradiction> {
    let mut changed = false;
    for cell in grid.naked_singles() {
        if let Some(digit) = grid.candidates(cell).single() {
            grid.place(Candidate { cell, digit })?;
            changed = true;
        }
    }
    for digit in Digit::ALL {
        for cell in grid.hidden_singles(digit) {
            grid.place(Candidate { cell, digit })?;
            changed = true;
        }
    }
    Ok(changed)
}

/// Applies pointing and claiming: where all places of a digit in a block lie in one line, removes
/// it from the rest of the line, and vice versa. Returns whether anything was removed.
fn strike_locked(grid: &mut CandidateGrid) -> Result<bool, Contradiction> {
    let mut changed = false;
    for digit in Digit::ALL {
        for lines in Lines::BOTH {
            let places = grid.places(digit);
            let by_block = places.confined_in_block(lines);
            let by_line = places.confined_in_line(lines);
            let mut struck = CellSet::EMPTY;
            for cell in by_block.difference(by_line) {
                let [line, block] = [cell.line(lines), cell.houses()[2]];
                struck = struck.union(line.cells().difference(block.cells()));
            }
            for cell in by_line.difference(by_block) {
                let [line, block] = [cell.line(lines), cell.houses()[2]];
                struck = struck.union(block.cells().difference(line.cells()));
            }
            changed |= !struck.is_empty();
            grid.eliminate(struck, digit)?;
        }
    }
    Ok(changed)
}

/// Applies the Hall sets of every house once. Returns whether anything was removed.
fn strike_by_houses(grid: &mut CandidateGrid) -> Result<bool, Contradiction> {
    let mut changed = false;
    for house in House::all() {
        changed |= strike_by_hall_sets(grid, house)?;
    }
    Ok(changed)
}

/// Removes what the Hall sets of this house exclude. Returns whether anything was removed.
fn strike_by_hall_sets(grid: &mut CandidateGrid, house: House) -> Result<bool, Contradiction> {
    let blanks = house.cells().intersection(grid.blanks());
    let mut candidates = [DigitSet::EMPTY; 9];
    for (candidates, cell) in candidates.iter_mut().zip(blanks) {
        *candidates = grid.candidates(cell);
    }

    // The union of the candidates of every choice of blanks, each from the choice without one.
    let mut unions = [DigitSet::EMPTY; 1 << 9];
    let mut excluded = [DigitSet::EMPTY; 9];
    for choice in 1..1_usize << blanks.len() {
        let first = choice.trailing_zeros() as usize;
        let union = unions[choice & (choice - 1)].union(candidates[first]);
        unions[choice] = union;
        let size = choice.count_ones() as usize;
        if union.len() < size {
            return Err(Contradiction);
        }
        if union.len() == size {
            for (cell, excluded) in excluded.iter_mut().enumerate() {
                if choice >> cell & 1 == 0 {
                    *excluded = excluded.union(union);
                }
            }
        }
    }

    let mut changed = false;
    for ((cell, candidates), excluded) in blanks.into_iter().zip(candidates).zip(excluded) {
        for digit in candidates.intersection(excluded) {
            grid.eliminate(CellSet::only(cell), digit)?;
            changed = true;
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;
    use proptest::prelude::*;

    /// The digits of each cell over all assignments of distinct digits.
    fn by_filling(candidates: &[DigitSet]) -> Vec<DigitSet> {
        fn fill(left: &[DigitSet], taken: DigitSet) -> Option<Vec<DigitSet>> {
            let Some((first, rest)) = left.split_first() else {
                return Some(Vec::new());
            };
            let mut all: Option<Vec<DigitSet>> = None;
            for digit in first.difference(taken) {
                let Some(mut filled) = fill(rest, taken.with(digit)) else {
                    continue;
                };
                filled.insert(0, DigitSet::only(digit));
                all = Some(match all {
                    None => filled,
                    Some(all) => all.iter().zip(filled).map(|(a, b)| a.union(b)).collect(),
                });
            }
            all
        }
        fill(candidates, DigitSet::EMPTY).unwrap_or_default()
    }

    proptest! {
        /// Random candidates rarely form large Hall sets, so some cells share theirs.
        #[test]
        fn a_house_keeps_exactly_the_candidates_of_its_fillings(
            house in 0..House::COUNT,
            masks in prop::array::uniform9(0_u16..1 << 9),
            shared in 0_u16..1 << 9,
            sharing in 0_usize..10,
            order in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(),
        ) {
            let house = House::new(house).unwrap();
            let cells: Vec<Cell> = house.cells().into_iter().collect();
            let mut grid = CandidateGrid::empty();
            for (rank, &at) in order.iter().enumerate() {
                let mask = if rank < sharing { masks[at] & shared } else { masks[at] };
                for digit in DigitSet::from_bits(!mask) {
                    let mut next = grid.clone();
                    if next.eliminate(CellSet::only(cells[at]), digit).is_ok() {
                        grid = next;
                    }
                }
            }
            let candidates: Vec<DigitSet> = cells.iter().map(|&c| grid.candidates(c)).collect();
            let expected = by_filling(&candidates);
            match strike_by_hall_sets(&mut grid, house) {
                Err(Contradiction) => prop_assert_eq!(expected, vec![]),
                Ok(changed) => {
                    let left: Vec<DigitSet> = cells.iter().map(|&c| grid.candidates(c)).collect();
                    prop_assert_eq!(changed, left != candidates);
                    prop_assert_eq!(left, expected);
                }
            }
        }
    }

    #[test]
    fn hall_sets_of_every_size_are_found() {
        let house = House::new(4).unwrap();
        for size in 1..9 {
            let digits: DigitSet = Digit::ALL.into_iter().take(size).collect();
            let cells: CellSet = house.cells().into_iter().take(size).collect();
            let mut grid = CandidateGrid::empty();
            for digit in DigitSet::ALL.difference(digits) {
                grid.eliminate(cells, digit).unwrap();
            }
            let mut expected = grid.clone();
            for digit in digits {
                let others = house.cells().difference(cells);
                expected.eliminate(others, digit).unwrap();
            }
            assert!(strike_by_hall_sets(&mut grid, house).unwrap());
            assert_eq!(grid, expected, "{size}");
            assert!(!strike_by_hall_sets(&mut grid, house).unwrap());
        }
    }
}
