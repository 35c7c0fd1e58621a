//! What finds the neighbours of puzzles, for each kind of board.

use std::num::NonZeroUsize;

use super::neighbours::Neighbours;
use crate::grid::{Cell, Puzzle};
use crate::solve::{Goal, Limits, Stop};
use crate::variant::{
    Value, VariantEntry, VariantPuzzle, VariantSolution, VariantSolver, VariantVerdict, fastest,
};

/// Finds neighbours; keeps its solvers between puzzles.
pub trait Finder {
    /// A puzzle.
    type Puzzle;
    /// A cell.
    type Cell: Copy + Send;

    /// Makes a finder. `stop` ends searches on large boards; what is found then is wrong.
    fn new(stop: Stop) -> Self;

    /// Returns the cells with givens.
    fn givens(puzzle: &Self::Puzzle) -> Vec<Self::Cell>;

    /// Returns whether a puzzle has exactly one solution.
    fn is_unique(&mut self, puzzle: &Self::Puzzle) -> bool;

    /// Returns whether a puzzle with one solution has several without any one of its givens.
    fn is_minimal(&mut self, puzzle: &Self::Puzzle) -> bool;

    /// Hands over every puzzle with exactly one solution that lacks these givens and has as many others instead, each
    /// once, in ascending order of the added candidates.
    fn each_after(
        &mut self,
        puzzle: &Self::Puzzle,
        removed: &[Self::Cell],
        sink: &mut dyn FnMut(Self::Puzzle),
    );
}

impl Finder for Neighbours {
    type Puzzle = Puzzle;
    type Cell = Cell;

    fn new(_: Stop) -> Neighbours {
        Neighbours::new()
    }

    fn givens(puzzle: &Puzzle) -> Vec<Cell> {
        puzzle.givens().map(|(cell, _)| cell).collect()
    }

    fn is_unique(&mut self, puzzle: &Puzzle) -> bool {
        self.is_unique(puzzle)
    }

    fn is_minimal(&mut self, puzzle: &Puzzle) -> bool {
        self.is_minimal(puzzle)
    }

    fn each_after(&mut self, puzzle: &Puzzle, removed: &[Cell], sink: &mut dyn FnMut(Puzzle)) {
        self.each_after(puzzle, removed, sink);
    }
}

/// Solutions that are listed before one added given is tried after the other instead.
const MOST_SOLUTIONS: usize = 1 << 8;

/// Finds neighbours on boards of any layout, as [`Neighbours`] does on classic ones.
pub struct VariantNeighbours {
    solver: Option<(&'static str, Box<dyn VariantSolver>)>,
    limits: Limits,
    most_solutions: usize,
}

impl VariantNeighbours {
    fn solve(&mut self, puzzle: &VariantPuzzle, goal: Goal) -> VariantVerdict {
        let spec = fastest(puzzle.layout());
        let solver = match self.solver.take() {
            Some((name, solver)) if name == spec.name => solver,
            _ => (spec.build)(),
        };
        let (_, solver) = self.solver.insert((spec.name, solver));
        solver.solve(puzzle, goal, self.limits).verdict
    }

    fn has_one(&mut self, puzzle: &VariantPuzzle) -> bool {
        let verdict = self.solve(puzzle, Goal::ProveUnique);
        matches!(verdict, VariantVerdict::Unique(_))
    }

    /// All solutions; `None` if there are too many.
    fn solutions(&mut self, puzzle: &VariantPuzzle) -> Option<Vec<VariantSolution>> {
        let most = self.most_solutions;
        let goal = Goal::Count(NonZeroUsize::MIN.saturating_add(most));
        match self.solve(puzzle, goal) {
            VariantVerdict::Unique(solution) => Some(vec![solution]),
            VariantVerdict::Multiple(solutions) => (solutions.len() <= most).then_some(solutions),
            VariantVerdict::Unsolvable => Some(Vec::new()),
            VariantVerdict::Solved(_) | VariantVerdict::OutOfBudget => None,
        }
    }

    /// Hands over what has one solution with `count` more givens, all of them among the candidates from this number on, and
    /// none of them a given of `original`. `known` has all solutions of `rest`, if they are known.
    fn add(
        &mut self,
        original: &VariantPuzzle,
        rest: &VariantPuzzle,
        known: Option<Vec<VariantSolution>>,
        (count, from): (usize, usize),
        sink: &mut dyn FnMut(VariantPuzzle),
    ) {
        let side = rest.layout().side();
        let known = known.or_else(|| self.solutions(rest));
        for number in from..side * rest.layout().cells() {
            let cell = number / side;
            let Some(value) = Value::new((number % side) as u8 + 1) else {
                continue;
            };
            // What was taken away does not come back: that would be a neighbour of a smaller radius.
            if rest.givens()[cell].is_some() || original.givens()[cell] == Some(value) {
                continue;
            }
            let with = |known: &Vec<VariantSolution>| -> Vec<VariantSolution> {
                let solutions = known.iter().filter(|it| it.values()[cell] == value);
                solutions.cloned().collect()
            };
            let known = known.as_ref().map(with);
            if known.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let next = rest.with(cell, value);
            if count > 1 {
                self.add(original, &next, known, (count - 1, number + 1), sink);
            } else if match known {
                Some(known) => known.len() == 1,
                None => self.has_one(&next),
            } {
                sink(next);
            }
        }
    }
}

impl Finder for VariantNeighbours {
    type Puzzle = VariantEntry;
    type Cell = usize;

    fn new(stop: Stop) -> VariantNeighbours {
        VariantNeighbours {
            solver: None,
            limits: Limits {
                stop: Some(stop),
                ..Limits::NONE
            },
            most_solutions: MOST_SOLUTIONS,
        }
    }

    fn givens(entry: &VariantEntry) -> Vec<usize> {
        let givens = entry.puzzle.givens().iter().enumerate();
        let given = givens.filter(|(_, given)| given.is_some());
        given.map(|(cell, _)| cell).collect()
    }

    fn is_unique(&mut self, entry: &VariantEntry) -> bool {
        self.has_one(&entry.puzzle)
    }

    fn is_minimal(&mut self, entry: &VariantEntry) -> bool {
        let mut givens = Self::givens(entry).into_iter();
        givens.all(|cell| !self.has_one(&entry.puzzle.without(cell)))
    }

    fn each_after(
        &mut self,
        entry: &VariantEntry,
        removed: &[usize],
        sink: &mut dyn FnMut(VariantEntry),
    ) {
        let mut rest = entry.puzzle.clone();
        for cell in removed {
            rest = rest.without(*cell);
        }
        if removed.is_empty() {
            return;
        }
        let added = (removed.len(), 0);
        self.add(&entry.puzzle, &rest, None, added, &mut |puzzle| {
            sink(VariantEntry {
                puzzle,
                expected: None,
                note: String::new(),
                ..*entry
            });
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::super::any_layout::written;
    use super::super::neighbours::Removals;
    use super::*;
    use crate::variant::{
        Alphabet, Boxes, Layout, VariantDancingLinks, VariantGenerator, VariantKind,
    };

    static STOP: AtomicBool = AtomicBool::new(false);

    fn entry(puzzle: VariantPuzzle) -> VariantEntry {
        VariantEntry {
            puzzle,
            expected: None,
            alphabet: Alphabet::OneBased,
            has_blank_zeros: false,
            note: String::new(),
        }
    }

    /// The neighbours after one choice, in their order, as lines.
    fn found(most: usize, entry: &VariantEntry, removed: &[usize]) -> Vec<String> {
        let mut finder = VariantNeighbours {
            most_solutions: most,
            ..VariantNeighbours::new(Stop(&STOP))
        };
        let mut lines = Vec::new();
        finder.each_after(entry, removed, &mut |near| {
            lines.push(written(&near.puzzle, near.alphabet));
        });
        lines
    }

    #[test]
    fn classic_puzzles_have_the_neighbours_of_the_classic_finder() {
        let line =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let classic: Puzzle = line.parse().unwrap();
        let layout = Arc::new(Layout::with_boxes(Boxes::square(9).unwrap()).unwrap());
        let givens = line.bytes().map(|it| Value::new(it.saturating_sub(b'0')));
        let entry = entry(VariantPuzzle::new(layout, givens.collect()).unwrap());
        let choices = Removals::new(VariantNeighbours::givens(&entry), 1).take(4);
        for removed in choices.chain([vec![0, 1], vec![4, 80]]) {
            let cells: Vec<Cell> = removed.iter().filter_map(|it| Cell::new(*it)).collect();
            let mut expected = Vec::new();
            Neighbours::new()
                .each_after(&classic, &cells, &mut |near| expected.push(near.to_line()));
            assert!(!expected.is_empty());
            // Both where solutions are listed and where candidates are tried.
            for most in [0, MOST_SOLUTIONS] {
                if most == 0 && removed.len() > 1 {
                    continue;
                }
                assert_eq!(found(most, &entry, &removed), expected, "{removed:?}");
            }
        }
    }

    #[test]
    fn neighbours_of_any_board_are_those_that_trial_finds() {
        for layout in ["4x4", "6x6", "jigsaw", "x"] {
            let kind = VariantKind {
                layout: layout.parse().unwrap(),
                minimal: true,
            };
            let made = VariantGenerator::new().puzzle(kind, 5, 0).unwrap();
            let entry = entry(made.0);
            assert!(VariantNeighbours::new(Stop(&STOP)).is_minimal(&entry));
            let mut dlx = VariantDancingLinks::default();
            let mut is_unique = |puzzle: &VariantPuzzle| {
                let outcome = dlx.solve(puzzle, Goal::ProveUnique, Limits::NONE);
                matches!(outcome.verdict, VariantVerdict::Unique(_))
            };
            let removed = VariantNeighbours::givens(&entry)[2];
            let rest = entry.puzzle.without(removed);
            let mut expected = BTreeSet::new();
            for cell in (0..rest.layout().cells()).filter(|cell| rest.givens()[*cell].is_none()) {
                for value in rest.layout().values() {
                    let near = rest.with(cell, value);
                    if near != entry.puzzle && is_unique(&near) {
                        expected.insert(written(&near, entry.alphabet));
                    }
                }
            }
            for most in [0, MOST_SOLUTIONS] {
                let found = found(most, &entry, &[removed]);
                assert_eq!(BTreeSet::from_iter(found.clone()), expected, "{layout}");
                assert_eq!(found.len(), expected.len());
            }
        }
    }
}
