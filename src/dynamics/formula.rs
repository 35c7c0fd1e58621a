//! A puzzle as clauses over truth values, reduced by its givens.

use crate::grid::{Candidate, Cell, Digit, DigitSet, House, Puzzle};

/// The clauses of a puzzle in conjunctive normal form, as in the paper that [the module](super) names.
///
/// A variable says that a digit stands in a cell. There is one for each candidate that is left when the givens and
/// what they exclude are struck; no further logic is used. A constraint (a cell that has a digit, or a digit that has
/// a place in a row, a column or a block) that no given fulfils becomes a clause "at least one of these", and
/// a clause "not both" for each pair of them. Two cells that share a line and a block have their pair
/// twice, and the clauses are counted so.
#[derive(Clone, Debug)]
pub struct Formula {
    variables: Vec<Candidate>,
    /// The variables of which exactly one is true: for each open constraint its candidates, ascending.
    groups: Vec<Vec<u16>>,
}

impl Formula {
    /// Reduces the clauses of a puzzle by its givens.
    pub fn new(puzzle: &Puzzle) -> Formula {
        let excluded = |cell: Cell| -> DigitSet {
            let peers = cell.peers().into_iter();
            peers.filter_map(|peer| puzzle.given(peer)).collect()
        };
        let mut variables = Vec::new();
        let mut cells = Vec::new();
        // The number of each candidate's variable, by cell and digit.
        let mut numbers = [[None; 9]; Cell::COUNT];
        for cell in Cell::all().filter(|&cell| puzzle.given(cell).is_none()) {
            let first = variables.len() as u16;
            for digit in DigitSet::ALL.difference(excluded(cell)) {
                numbers[cell.index()][digit.index()] = Some(variables.len() as u16);
                variables.push(Candidate { cell, digit });
            }
            cells.push((first..variables.len() as u16).collect());
        }
        let mut groups: Vec<Vec<u16>> = cells;
        for house in House::all() {
            let held: DigitSet = house
                .cells()
                .into_iter()
                .filter_map(|cell| puzzle.given(cell))
                .collect();
            for digit in DigitSet::ALL.difference(held) {
                groups.push(places(&numbers, house, digit));
            }
        }
        Formula { variables, groups }
    }

    /// The candidates that are variables, by cell, then by digit.
    pub fn variables(&self) -> &[Candidate] {
        &self.variables
    }

    /// The variables, by number, of which exactly one is true; an empty group cannot be satisfied.
    pub fn groups(&self) -> &[Vec<u16>] {
        &self.groups
    }

    /// How many clauses there are: one "at least one" a group, and one "not both" a pair of each group.
    pub fn clause_count(&self) -> usize {
        let pairs = |group: &Vec<u16>| group.len() * group.len().saturating_sub(1) / 2;
        self.groups.iter().map(|group| 1 + pairs(group)).sum()
    }

    /// The different pairs of variables that are not both true, ascending, each with the number of groups that hold it.
    pub fn pairs(&self) -> Vec<(u16, u16, u8)> {
        let mut pairs: Vec<(u16, u16)> = Vec::new();
        for group in &self.groups {
            for (at, &first) in group.iter().enumerate() {
                pairs.extend(group[at + 1..].iter().map(|&second| (first, second)));
            }
        }
        pairs.sort_unstable();
        let same = pairs.chunk_by(|left, right| left == right);
        same.map(|same| (same[0].0, same[0].1, same.len() as u8))
            .collect()
    }

    /// Whether these truth values satisfy every clause.
    pub fn is_satisfied(&self, is_true: impl Fn(usize) -> bool) -> bool {
        self.groups.iter().all(|group| {
            let held = group.iter().filter(|&&number| is_true(usize::from(number)));
            held.take(2).count() == 1
        })
    }
}

/// The variables of a digit in a house, ascending.
fn places(numbers: &[[Option<u16>; 9]; Cell::COUNT], house: House, digit: Digit) -> Vec<u16> {
    let cells = house.cells().into_iter();
    cells
        .filter_map(|cell| numbers[cell.index()][digit.index()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Goal, Limits, Mrv, Solver};

    fn formula(line: &str) -> Formula {
        Formula::new(&line.parse().unwrap())
    }

    /// Platinum Blonde, the paper's hardest.
    const PLATINUM_BLONDE: &str =
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...";

    #[test]
    fn variables_and_clauses_are_those_left_by_the_givens_alone() {
        let formula = formula(PLATINUM_BLONDE);
        assert_eq!(formula.variables().len(), 257);
        // For each of 60 blanks, a digit in the cell, and a place for it in three houses.
        assert_eq!(formula.groups().len(), 240);
        assert_eq!(formula.clause_count(), 2085);
        let counted: usize = formula.pairs().iter().map(|pair| usize::from(pair.2)).sum();
        assert_eq!(counted, 2085 - 240);
        // The empty board has the complete encoding.
        let empty = Formula::new(&Puzzle::empty());
        assert_eq!(empty.variables().len(), 729);
        assert_eq!(empty.clause_count(), 324 * 37);
    }

    #[test]
    fn only_the_solution_satisfies_the_clauses() {
        let puzzle: Puzzle = PLATINUM_BLONDE.parse().unwrap();
        let formula = Formula::new(&puzzle);
        let outcome = Mrv::new().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
        let solution = *outcome.verdict.solution().unwrap();
        let truth: Vec<bool> = formula
            .variables()
            .iter()
            .map(|candidate| solution.digit(candidate.cell) == candidate.digit)
            .collect();
        assert!(formula.is_satisfied(|number| truth[number]));
        for changed in 0..truth.len() {
            assert!(!formula.is_satisfied(|number| truth[number] != (number == changed)));
        }
    }

    #[test]
    fn a_full_board_leaves_no_clauses_and_a_contradiction_an_empty_one() {
        let full =
            "162857493534129678789643521475312986913586742628794135356478219241935867897261354";
        let formula_of_full = formula(full);
        assert_eq!(formula_of_full.clause_count(), 0);
        assert!(formula_of_full.is_satisfied(|_| unreachable!("no variables")));
        let stuck = formula(&format!("12345678.........9{}", ".".repeat(63)));
        assert!(stuck.groups().iter().any(Vec::is_empty));
        assert!(!stuck.is_satisfied(|_| true));
    }
}
