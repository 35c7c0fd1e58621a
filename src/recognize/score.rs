//! Records against truth: boards found, cells right, puzzles right, and boards wrong in silence.

use serde::{Deserialize, Serialize};

use super::record::{Reading, Record, Status};
use crate::digits::ConfusionMatrix;
use crate::grid::{Cell, Puzzle};
use crate::solve::{Budget, Goal, Solver, Verdict};

/// How right the records are, over the photos with truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Cells of the boards found: the truth against `givens`, 0 for a blank.
    pub confusion: ConfusionMatrix,
}

/// How one photo did against its truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Cells that `decoded` has wrong; 81 for a board that was not found.
    pub wrong_cells: usize,
    /// Whether a board of this photo is wrong in silence.
    pub silent: bool,
    /// Whether the photo shows no board and none was read in it.
    pub refused_rightly: bool,
}

/// How a photo came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Read, and where truth is known right.
    Fine,
    /// Read, and some cells are not as the truth has them.
    WrongCells,
    /// No puzzle, or one that cannot be solved, where a puzzle could be.
    NotRead,
    /// Solved, but wrongly, and nothing tells.
    Silent,
}

impl Standing {
    /// How a photo with these records came out, by its truth where there is some.
    pub fn of(records: &[Record], judgement: Option<&Judgement>) -> Standing {
        let judgement = judgement.copied().unwrap_or_default();
        if judgement.silent {
            Standing::Silent
        } else if judgement.refused_rightly {
            Standing::Fine
        } else if !records.iter().all(|record| record.status.is_read()) {
            Standing::NotRead
        } else if judgement.wrong_cells > 0 {
            Standing::WrongCells
        } else {
            Standing::Fine
        }
    }
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
            let pairs = truth.to_bytes().into_iter().zip(reading.givens.to_bytes());
            pairs.for_each(|(label, read)| self.confusion.add(label.into(), read.into()));
            self.givens_exact += usize::from(reading.givens == *truth);
            self.decoded_exact += usize::from(reading.decoded == *truth);
            if let (Status::Solved, Some(solution)) = (record.status, &reading.solution) {
                match solver
                    .solve(truth, Goal::ProveUnique, Budget::UNLIMITED)
                    .verdict
                {
                    Verdict::Unsolvable | Verdict::OutOfBudget | Verdict::Stuck(_) => {
                        self.unjudged += 1;
                    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellMap, Digit, Solution};
    use crate::recognize::record::{Rotation, StageMs};
    use crate::solve::Mrv;
    use crate::vision::Point;

    // The example of Wikipedia's article on Sudoku.
    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn solved(line: &str) -> Record {
        let board: Puzzle = line.parse().unwrap();
        let full: Puzzle = SOLUTION.parse().unwrap();
        // Relabeling digits keeps a solution one: here, the digits of the board tell how.
        let differ = |cell: &Cell| {
            board
                .given(*cell)
                .is_some_and(|d| full.given(*cell) != Some(d))
        };
        let swapped = Cell::all().any(|cell| differ(&cell));
        let digits = CellMap::from_fn(|cell| {
            let digit = full.given(cell).unwrap();
            match digit.value() {
                1 if swapped => Digit::new(2).unwrap(),
                2 if swapped => Digit::new(1).unwrap(),
                _ => digit,
            }
        });
        Record {
            photo: "a.jpg".to_owned(),
            puzzle: 1,
            status: Status::Solved,
            reading: Some(Reading {
                givens: board,
                decoded: board,
                solution: Solution::new(digits),
                confidence: 1.0,
                margin: 9.0,
                overruled: 0,
                rotation: Rotation::default(),
                corners: [Point { x: 0.0, y: 0.0 }; 4],
            }),
            error: None,
            stages: StageMs::default(),
        }
    }

    fn score(records: &[Record], truth: &[&str]) -> (Accuracy, Judgement) {
        let truth: Vec<Puzzle> = truth.iter().map(|line| line.parse().unwrap()).collect();
        let mut accuracy = Accuracy::default();
        let judgement = accuracy.add(records, &truth, &mut Mrv::new());
        (accuracy, judgement)
    }

    fn swapped(line: &str) -> String {
        let swap = |c| match c {
            '1' => '2',
            '2' => '1',
            _ => c,
        };
        line.chars().map(swap).collect()
    }

    #[test]
    fn a_board_read_right_counts_everywhere() {
        let (accuracy, judgement) = score(&[solved(PUZZLE)], &[PUZZLE]);
        assert_eq!(judgement, Judgement::default());
        let expected = Accuracy {
            photos: 1,
            grids_found: 1,
            cells: 81,
            cells_correct: 81,
            givens_exact: 1,
            decoded_exact: 1,
            solved_right: 1,
            confusion: accuracy.confusion,
            ..Accuracy::default()
        };
        assert_eq!(accuracy, expected);
        assert_eq!(accuracy.confusion.correct(), 81);
    }

    #[test]
    fn a_board_that_was_not_found_has_81_cells_wrong() {
        let (accuracy, judgement) = score(&[], &[PUZZLE]);
        assert_eq!((accuracy.cells, accuracy.cells_correct), (81, 0));
        assert_eq!((accuracy.grids_found, judgement.wrong_cells), (0, 81));
    }

    #[test]
    fn a_solved_board_with_another_solution_is_wrong_in_silence() {
        let wrong = swapped(PUZZLE);
        let (accuracy, judgement) = score(&[solved(&wrong)], &[PUZZLE]);
        assert_eq!((accuracy.silent_wrong, accuracy.solved_right), (1, 0));
        assert!(judgement.silent && judgement.wrong_cells > 0);
    }

    #[test]
    fn a_given_missed_without_harm_to_the_solution_is_not_wrong_in_silence() {
        let missed = PUZZLE.replacen('5', ".", 1);
        let (accuracy, judgement) = score(&[solved(&missed)], &[PUZZLE]);
        assert_eq!((accuracy.silent_wrong, accuracy.solved_right), (0, 1));
        assert_eq!((accuracy.decoded_exact, judgement.wrong_cells), (0, 1));
    }

    #[test]
    fn truth_without_a_solution_judges_no_solution() {
        let impossible = PUZZLE.replacen('.', "5", 1);
        let (accuracy, _) = score(&[solved(PUZZLE)], &[&impossible]);
        assert_eq!((accuracy.unjudged, accuracy.silent_wrong), (1, 0));
    }

    #[test]
    fn several_boards_are_paired_by_what_they_hold() {
        let other = swapped(PUZZLE);
        let boards = [solved(&other), solved(PUZZLE)];
        let (accuracy, judgement) = score(&boards, &[PUZZLE, &other]);
        assert_eq!((accuracy.decoded_exact, accuracy.cells), (2, 162));
        assert_eq!(judgement, Judgement::default());
        let (first_only, _) = score(&boards, &[PUZZLE]);
        assert_eq!(first_only.decoded_exact, 0);
    }

    #[test]
    fn a_photo_without_a_board_should_be_refused() {
        let (refused, judgement) = score(&[], &[]);
        assert_eq!(
            (refused.boardless, refused.refused, refused.photos),
            (1, 1, 0)
        );
        assert!(judgement.refused_rightly);
        let (read, judgement) = score(&[solved(PUZZLE)], &[]);
        assert_eq!((read.refused, read.silent_wrong), (0, 1));
        assert!(judgement.silent);
    }
}
