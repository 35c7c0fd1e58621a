//! Records against ground truth: boards found, cells right, puzzles right, silent errors, and how far
//! confidence can be believed.

use serde::{Deserialize, Serialize};

use super::record::{Reading, Record};
use crate::digits::ConfusionMatrix;
use crate::grid::{Cell, Puzzle};
use crate::reader::Status;
use crate::solve::{Goal, Limits, Solver, Verdict};
use crate::truth::Truth;

/// How right the records are, over the photos with ground truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Photos with ground truth.
    pub photos: usize,
    /// Boards of the truth for which a board was read.
    pub grids_found: usize,
    /// Cells of the truth: 81 a board, blanks included.
    pub cells: usize,
    /// Cells that `read` has right; a board that was not found has 81 wrong.
    pub cells_correct: usize,
    /// Boards of which `read` is the truth.
    pub givens_exact: usize,
    /// Boards whose `decoded` is the truth.
    pub decoded_exact: usize,
    /// Boards with status `solved` whose solution is that of the truth; where the truth has several
    /// solutions, one of them.
    pub solved_right: usize,
    /// Silent errors: boards with status `solved` whose solution is not that of the truth, or whose truth has
    /// none.
    pub silent_wrong: usize,
    /// Boards with status `solved` where the truth, which lists all boards of the photo, has none.
    pub false_boards: usize,
    /// Boards with status `solved` whose truth has no solution, and which tell of a person's mistakes: nothing
    /// can be said of their solution.
    pub unjudged: usize,
    /// Photos that are known to show no board.
    pub boardless: usize,
    /// Those of them in which no puzzle was read.
    pub refused: usize,
    /// Cells of the boards found: the truth against `read`, 0 for a blank.
    pub confusion: ConfusionMatrix,
    /// Confidence of the boards found, against how many of them are exact.
    pub calibration: BoardCalibration,
    /// The same of those that were accepted, in one bin.
    #[serde(default)]
    pub accepted: ConfidenceBin,
}

/// Upper ends of the bins of [`BoardCalibration`], the last one included.
pub const CONFIDENCE_BINS: [f32; 12] =
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0];

/// How far the confidence of boards can be believed: by bins of confidence, how many boards there are
/// and how many of them are exact after decoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoardCalibration([ConfidenceBin; CONFIDENCE_BINS.len()]);

/// The boards of one bin of confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfidenceBin {
    /// Boards whose confidence lies in the bin.
    pub boards: usize,
    /// Those of them that are exact after decoding.
    pub exact: usize,
    /// Their confidences, added up; each is rounded to a step of 2^-24, so that the sum is exact in any order.
    pub confidence: f64,
}

/// Steps of the confidences that are added up: those of an `f32` just below 1.
const STEPS: f64 = (1 << 24) as f64;

/// The value rounded so that sums of such values are exact in any order.
pub(super) fn in_steps(confidence: f64) -> f64 {
    (confidence * STEPS).round() / STEPS
}

impl BoardCalibration {
    /// Returns the bins, the least confident first.
    pub const fn bins(&self) -> &[ConfidenceBin; CONFIDENCE_BINS.len()] {
        &self.0
    }

    /// Returns the expected calibration error: the mean distance of confidence and share right over
    /// the bins, weighted by their boards (Naeini, Cooper and Hauskrecht, 2015). `None` without boards.
    pub fn error(&self) -> Option<f64> {
        let boards: usize = self.0.iter().map(|bin| bin.boards).sum();
        let gaps = self
            .0
            .iter()
            .map(|bin| (bin.confidence - bin.exact as f64).abs());
        (boards > 0).then(|| gaps.sum::<f64>() / boards as f64)
    }

    fn add(&mut self, confidence: f32, is_exact: bool) {
        let last = CONFIDENCE_BINS.len() - 1;
        let bin = CONFIDENCE_BINS.partition_point(|&end| end <= confidence);
        self.0[bin.min(last)].add(confidence, is_exact);
    }
}

impl ConfidenceBin {
    /// How many of the boards are wrong if their confidence is right.
    pub fn expected_wrong(&self) -> f64 {
        self.boards as f64 - self.confidence
    }

    /// How many of the boards are not exact.
    pub const fn wrong(&self) -> usize {
        self.boards - self.exact
    }

    fn add(&mut self, confidence: f32, is_exact: bool) {
        self.boards += 1;
        self.exact += usize::from(is_exact);
        self.confidence += in_steps(f64::from(confidence));
    }

    fn merge(&mut self, other: &ConfidenceBin) {
        self.boards += other.boards;
        self.exact += other.exact;
        // Reading a file may have been off by the last bit.
        self.confidence = in_steps(self.confidence + other.confidence);
    }
}

/// How one photo did against its ground truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Cells that `decoded` has wrong; 81 for a board that was not found.
    pub wrong_cells: usize,
    /// Boards that are `solved` and are none of the truth's.
    pub false_boards: usize,
    /// Whether a board of this photo is a silent error or a false board.
    pub silent: bool,
    /// Whether the photo shows no board and none was read in it.
    pub refused_rightly: bool,
}

impl Judgement {
    /// What a silent error is, in a sentence.
    pub(super) fn silent_text(&self) -> String {
        match (self.wrong_cells, self.false_boards) {
            (cells, 0) => format!("silent error ({cells} cells)"),
            (0, 1) => "a board is solved where there is none".to_owned(),
            (0, boards) => format!("{boards} boards are solved where there are none"),
            (cells, boards) => format!("{cells} wrong cells, {boards} boards that are none"),
        }
    }
}

/// Scores the records of one photo, enters into each the board of the truth that it was compared with,
/// and says how the photo did.
///
/// Each board of the truth is compared with the board read that agrees with it in the most cells, none
/// twice. A board read that is left over is a false board if it is `solved` and the truth is complete.
pub(super) fn score(
    records: &mut [Record],
    truth: &Truth,
    solver: &mut dyn Solver,
) -> (Accuracy, Judgement) {
    let mut accuracy = Accuracy::default();
    let mut judgement = Judgement::default();
    if truth.boards.is_empty() {
        accuracy.boardless = 1;
        let is_read = |record: &Record| record.status.is_read();
        judgement.refused_rightly = !records.iter().any(is_read);
        accuracy.refused = usize::from(judgement.refused_rightly);
    } else {
        accuracy.photos = 1;
    }
    let partners = pair(&truth.boards, records);
    for (board, partner) in truth.boards.iter().zip(&partners) {
        accuracy.cells += Cell::COUNT;
        let record = partner.map(|at| &mut records[at]);
        let Some((record, reading)) = record.and_then(|record| {
            record.truth = Some(*board);
            Some((record.status, record.reading.as_ref()?))
        }) else {
            judgement.wrong_cells += Cell::COUNT;
            continue;
        };
        accuracy.add_board(board, record, reading, solver, &mut judgement);
    }
    if truth.is_complete {
        let left = records.iter().enumerate().filter(|(at, record)| {
            !partners.contains(&Some(*at)) && record.status == Status::Solved
        });
        judgement.false_boards = left.count();
        judgement.silent |= judgement.false_boards > 0;
        accuracy.false_boards = judgement.false_boards;
    }
    (accuracy, judgement)
}

impl Accuracy {
    fn add_board(
        &mut self,
        truth: &Puzzle,
        status: Status,
        reading: &Reading,
        solver: &mut dyn Solver,
        judgement: &mut Judgement,
    ) {
        judgement.wrong_cells += Cell::COUNT - agreement(truth, &reading.decoded);
        let is_exact = reading.decoded == *truth;
        self.grids_found += 1;
        self.cells_correct += agreement(truth, &reading.read);
        let pairs = truth.to_bytes().into_iter().zip(reading.read.to_bytes());
        pairs.for_each(|(label, read)| self.confusion.add(label.into(), read.into()));
        self.givens_exact += usize::from(reading.read == *truth);
        self.decoded_exact += usize::from(is_exact);
        self.calibration.add(reading.confidence, is_exact);
        if status.is_read() {
            self.accepted.add(reading.confidence, is_exact);
        }
        if let (Status::Solved, Some(solution)) = (status, &reading.solution) {
            let goal = Goal::ProveUnique;
            match solver.solve(truth, goal, Limits::NONE).verdict {
                Verdict::OutOfBudget | Verdict::Stuck(_) => self.unjudged += 1,
                // A person's mistakes were reported.
                Verdict::Unsolvable if !reading.mistakes.is_empty() => self.unjudged += 1,
                _ if solution.solves(truth) => self.solved_right += 1,
                _ => {
                    self.silent_wrong += 1;
                    judgement.silent = true;
                }
            }
        }
    }

    /// Adds the photos of another part of the run.
    pub fn merge(&mut self, other: &Accuracy) {
        self.photos += other.photos;
        self.grids_found += other.grids_found;
        self.cells += other.cells;
        self.cells_correct += other.cells_correct;
        self.givens_exact += other.givens_exact;
        self.decoded_exact += other.decoded_exact;
        self.solved_right += other.solved_right;
        self.silent_wrong += other.silent_wrong;
        self.false_boards += other.false_boards;
        self.unjudged += other.unjudged;
        self.boardless += other.boardless;
        self.refused += other.refused;
        self.confusion.merge(&other.confusion);
        for (mine, theirs) in self.calibration.0.iter_mut().zip(&other.calibration.0) {
            mine.merge(theirs);
        }
        self.accepted.merge(&other.accepted);
    }
}

/// Cells in which two boards hold the same.
pub(super) fn agreement(a: &Puzzle, b: &Puzzle) -> usize {
    Cell::all()
        .filter(|&cell| a.given(cell) == b.given(cell))
        .count()
}

/// For each board of the truth, the record that agrees with it in the most cells, none twice.
fn pair(truth: &[Puzzle], records: &[Record]) -> Vec<Option<usize>> {
    let boards = records.iter().enumerate();
    let boards = boards.filter_map(|(at, record)| Some((at, record.reading.as_ref()?.decoded)));
    let mut pairs: Vec<(usize, usize, usize)> = boards
        .flat_map(|(at, decoded)| {
            let truth = truth.iter().enumerate();
            truth.map(move |(t, truth)| (agreement(truth, &decoded), t, at))
        })
        .collect();
    pairs.sort_by_key(|&(agreement, t, at)| (std::cmp::Reverse(agreement), t, at));
    let mut partners = vec![None; truth.len()];
    for (_, t, at) in pairs {
        if partners[t].is_none() && !partners.contains(&Some(at)) {
            partners[t] = Some(at);
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellMap, CellSet, Digit, Solution};
    use crate::reader::StageMs;
    use crate::solve::Mrv;
    use crate::vision::{BoardPlace, Lattice, Point, Polarity, Rotation};

    // The example of Wikipedia's article on Sudoku.
    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn solved(line: &str) -> Record {
        let board: Puzzle = line.parse().unwrap();
        let full: Puzzle = SOLUTION.parse().unwrap();
        // Relabeling digits gives another solution; here the digits of the board define the relabeling.
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
            puzzle: 1,
            truth: None,
            status: Status::Solved,
            reading: Some(Reading {
                read: board,
                decoded: board,
                solution: Solution::new(digits),
                is_ambiguous: false,
                confidence: 1.0,
                margin: 9.0,
                blank_doubt: 0.0,
                overruled: 0,
                mistakes: CellSet::EMPTY,
                written: CellSet::EMPTY,
                is_checked: false,
                marks: None,
                place: somewhere(),
                corners: [Point { x: 0.0, y: 0.0 }; 4],
                doubts: Vec::new(),
            }),
            error: None,
            stages: StageMs::default(),
        }
    }

    fn somewhere() -> BoardPlace {
        let point = |i: usize, j: usize| Point {
            x: j as f32,
            y: i as f32,
        };
        let points = std::array::from_fn(|i| std::array::from_fn(|j| point(i, j)));
        BoardPlace {
            lattice: Lattice::new(points, 1.0).unwrap(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::default(),
        }
    }

    fn score_against(
        records: &[Record],
        truth: &[&str],
        is_complete: bool,
    ) -> (Accuracy, Judgement) {
        let boards = truth.iter().map(|line| line.parse().unwrap()).collect();
        let truth = Truth {
            boards,
            is_complete,
        };
        super::score(&mut records.to_vec(), &truth, &mut Mrv::new())
    }

    fn score(records: &[Record], truth: &[&str]) -> (Accuracy, Judgement) {
        score_against(records, truth, true)
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
    fn an_exact_board_counts_in_every_score() {
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
            calibration: accuracy.calibration,
            accepted: ConfidenceBin {
                boards: 1,
                exact: 1,
                confidence: 1.0,
            },
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
    fn a_row_says_how_many_solutions_there_are_whatever_its_status() {
        let mut record = solved(PUZZLE);
        assert_eq!(record.solutions(), "1");
        record.status = Status::Uncertain;
        assert_eq!(record.solutions(), "1");
        record.reading.as_mut().unwrap().is_ambiguous = true;
        assert_eq!(record.solutions(), "2+");
        record.reading = None;
        assert_eq!(record.solutions(), "");
    }

    #[test]
    fn a_solved_board_with_another_solution_is_a_silent_error() {
        let wrong = swapped(PUZZLE);
        let (accuracy, judgement) = score(&[solved(&wrong)], &[PUZZLE]);
        assert_eq!((accuracy.silent_wrong, accuracy.solved_right), (1, 0));
        assert!(judgement.silent && judgement.wrong_cells > 0);
    }

    #[test]
    fn a_missed_given_with_the_same_solution_is_no_silent_error() {
        let missed = PUZZLE.replacen('5', ".", 1);
        let (accuracy, judgement) = score(&[solved(&missed)], &[PUZZLE]);
        assert_eq!((accuracy.silent_wrong, accuracy.solved_right), (0, 1));
        assert_eq!((accuracy.decoded_exact, judgement.wrong_cells), (0, 1));
    }

    #[test]
    fn solving_an_unsolvable_board_is_a_silent_error_unless_mistakes_are_reported() {
        let impossible = PUZZLE.replacen('.', "5", 1);
        let mut record = solved(PUZZLE);
        let (accuracy, _) = score(std::slice::from_ref(&record), &[&impossible]);
        assert_eq!((accuracy.unjudged, accuracy.silent_wrong), (0, 1));
        let mistakes = Cell::all().take(1).collect();
        record.reading.as_mut().unwrap().mistakes = mistakes;
        let (accuracy, _) = score(&[record], &[&impossible]);
        assert_eq!((accuracy.unjudged, accuracy.silent_wrong), (1, 0));
    }

    #[test]
    fn several_boards_are_paired_by_content() {
        let other = swapped(PUZZLE);
        let boards = [solved(&other), solved(PUZZLE)];
        let (accuracy, judgement) = score(&boards, &[PUZZLE, &other]);
        assert_eq!((accuracy.decoded_exact, accuracy.cells), (2, 162));
        assert_eq!(judgement, Judgement::default());
    }

    #[test]
    fn a_single_true_board_is_compared_with_the_most_similar_one() {
        let other = swapped(PUZZLE);
        let boards = [solved(&other), solved(PUZZLE)];
        let (partial, judgement) = score_against(&boards, &[PUZZLE], false);
        assert_eq!((partial.decoded_exact, partial.false_boards), (1, 0));
        assert_eq!(judgement, Judgement::default());
        let (complete, judgement) = score(&boards, &[PUZZLE]);
        assert_eq!((complete.decoded_exact, complete.false_boards), (1, 1));
        assert!(judgement.silent && judgement.wrong_cells == 0);
    }

    #[test]
    fn a_record_names_the_ground_truth_it_was_compared_with() {
        let other = swapped(PUZZLE);
        let mut records = [solved(&other), solved(PUZZLE)];
        let truth = Truth {
            boards: vec![PUZZLE.parse().unwrap()],
            is_complete: true,
        };
        super::score(&mut records, &truth, &mut Mrv::new());
        assert_eq!(records.map(|record| record.truth.is_some()), [false, true]);
    }

    #[test]
    fn parts_of_a_run_add_up() {
        let other = swapped(PUZZLE);
        let (mut sum, _) = score(&[solved(PUZZLE)], &[PUZZLE]);
        sum.merge(&score(&[solved(&other)], &[PUZZLE]).0);
        sum.merge(&score(&[solved(PUZZLE)], &[]).0);
        assert_eq!((sum.photos, sum.boardless, sum.cells), (2, 1, 162));
        assert_eq!((sum.decoded_exact, sum.silent_wrong), (1, 1));
        assert_eq!(sum.false_boards, 1);
        let last = sum.calibration.bins().last().unwrap();
        assert_eq!((last.boards, last.exact, last.confidence), (2, 1, 2.0));
        assert_eq!(sum.calibration.error(), Some(0.5));
        assert_eq!(
            (sum.accepted.wrong(), sum.accepted.expected_wrong()),
            (1, 0.0)
        );
        assert_eq!(Accuracy::default().calibration.error(), None);
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
        assert_eq!((read.refused, read.false_boards), (0, 1));
        assert!(judgement.silent);
    }
}
