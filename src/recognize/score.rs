//! Records against truth: boards found, cells right, puzzles right, and boards wrong in silence.

use serde::Serialize;

use super::record::{Reading, Record, Status};
use crate::grid::{Cell, Puzzle};
use crate::solve::{Budget, Goal, Solver, Verdict};

/// How right the records are, over the photos with truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Accuracy {
    /// Photos with truth.
    pub photos: usize,
    /// Boards of the truth for which a board was read.
    pub grids_found: usize,
    /// Cells of the truth: 81 a board, blanks included.
    pub cells: usize,
    /// Cells that `givens` has right; a board that was not found has 81 wrong.
    pub cells_correct: usize,
    /// Boards whose `givens` are the truth.
    pub givens_exact: usize,
    /// Boards whose `decoded` is the truth.
    pub decoded_exact: usize,
    /// Boards with status `solved` whose solution is that of the truth; where the truth has several
    /// solutions, one of them.
    pub solved_right: usize,
    /// Boards with status `solved` whose solution is not that of the truth: the worst result.
    pub silent_wrong: usize,
    /// Boards with status `solved` whose truth has no solution, so that nothing can be said: a
    /// person filled in a wrong digit.
    pub unjudged: usize,
    /// Photos that are known to show no board.
    pub boardless: usize,
    /// Those of them in which no puzzle was read.
    pub refused: usize,
}

/// How one photo did against its truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Cells that `decoded` has wrong; 81 for a board that was not found.
    pub wrong_cells: usize,
    /// Whether a board of this photo is wrong in silence.
    pub silent: bool,
    /// Whether the photo shows no board and none was read in it.
    pub refused_rightly: bool,
}

impl Accuracy {
    /// Scores the records of one photo, adds them up and says how the photo did. Truth without a
    /// board says that the photo shows none.
    ///
    /// One board of truth is compared with the first board read, several each with the board that
    /// agrees in the most cells, none twice.
    pub fn add(
        &mut self,
        records: &[Record],
        truth: &[Puzzle],
        solver: &mut dyn Solver,
    ) -> Judgement {
        if truth.is_empty() {
            return self.add_boardless(records);
        }
        let boards: Vec<(&Record, &Reading)> = records
            .iter()
            .filter_map(|record| Some((record, record.reading.as_ref()?)))
            .collect();
        let mut judgement = Judgement::default();
        self.photos += 1;
        for (truth, board) in pair(truth, &boards) {
            self.cells += Cell::COUNT;
            let Some((record, reading)) = board else {
                judgement.wrong_cells += Cell::COUNT;
                continue;
            };
            let right = agreement(truth, &reading.decoded);
            judgement.wrong_cells += Cell::COUNT - right;
            self.grids_found += 1;
            self.cells_correct += agreement(truth, &reading.givens);
            self.givens_exact += usize::from(reading.givens == *truth);
            self.decoded_exact += usize::from(reading.decoded == *truth);
            if let (Status::Solved, Some(solution)) = (record.status, &reading.solution) {
                match solver
                    .solve(truth, Goal::ProveUnique, Budget::UNLIMITED)
                    .verdict
                {
                    Verdict::Unsolvable | Verdict::OutOfBudget => self.unjudged += 1,
                    _ if solution.solves(truth) => self.solved_right += 1,
                    _ => {
                        self.silent_wrong += 1;
                        judgement.silent = true;
                    }
                }
            }
        }
        judgement
    }
}

impl Accuracy {
    fn add_boardless(&mut self, records: &[Record]) -> Judgement {
        let refused = !records.iter().any(|record| record.status.is_read());
        let solved = records
            .iter()
            .filter(|record| record.status == Status::Solved);
        let silent_wrong = solved.count();
        self.boardless += 1;
        self.refused += usize::from(refused);
        self.silent_wrong += silent_wrong;
        Judgement {
            silent: silent_wrong > 0,
            refused_rightly: refused,
            ..Judgement::default()
        }
    }
}

/// Cells in which two boards hold the same.
pub fn agreement(a: &Puzzle, b: &Puzzle) -> usize {
    Cell::all()
        .filter(|&cell| a.given(cell) == b.given(cell))
        .count()
}

type Board<'a> = (&'a Record, &'a Reading);

fn pair<'a, 't>(truth: &'t [Puzzle], boards: &[Board<'a>]) -> Vec<(&'t Puzzle, Option<Board<'a>>)> {
    if let [only] = truth {
        return vec![(only, boards.first().copied())];
    }
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (t, truth) in truth.iter().enumerate() {
        for (b, (_, reading)) in boards.iter().enumerate() {
            pairs.push((agreement(truth, &reading.decoded), t, b));
        }
    }
    pairs.sort_by_key(|&(agreement, t, b)| (std::cmp::Reverse(agreement), t, b));
    let mut paired: Vec<_> = truth.iter().map(|truth| (truth, None)).collect();
    let mut taken = vec![false; boards.len()];
    for (_, t, b) in pairs {
        if paired[t].1.is_none() && !taken[b] {
            taken[b] = true;
            paired[t].1 = Some(boards[b]);
        }
    }
    paired
}
