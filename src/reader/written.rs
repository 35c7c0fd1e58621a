//! Separates the handwritten digits of a board from the printed ones, and finds those that are
//! wrong.
//!
//! The network sees a cell at a time and is unsure of many: pen on paper may look like print, and
//! print like pen. So the board decides: the printed digits are a puzzle with exactly one solution
//! by themselves; and where nothing differs clearly, nothing was written.

use crate::decode::{DecodeConfig, Decoded, decode};
use crate::digits::{CellKind, Posterior};
use crate::grid::{Cell, CellMap, CellSet, Digit, Puzzle, Solution};
use crate::solve::{Goal, Limits, Solver, Verdict};

/// Least probability of a kind: limits the weight of one cell, however sure the network is.
const LEAST: f32 = 0.002;

/// Thresholds of the log-odds of handwriting in nats, in the order in which they are tried.
const THRESHOLDS: [f32; 7] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0];

/// Iterations of estimating the share of written digits.
const ROUNDS: usize = 6;

/// Prior count of digits of each kind.
const PRIOR_COUNT: f32 = 0.5;

/// Fewest printed digits of a puzzle.
const FEWEST_GIVENS: usize = 17;

/// Nats by which the evidence for handwriting must lead, in sum and per digit, on a board whose
/// other digits are a puzzle.
const EVIDENCE: (f32, f32) = (12.0, 1.5);

/// The same on a board whose other digits are not a puzzle.
const EVIDENCE_ALONE: (f32, f32) = (30.0, 3.0);

/// Nats by which another digit must be likelier than the right one to count as a mistake.
const CLEAR: f32 = 5.0;

/// Probability that the cell of a written digit is blank in the puzzle.
const BLANK: f32 = 0.9985;

/// Limits of decoding the puzzle alone: its search is short.
const LIMITS: Limits = Limits::NONE;

/// The handwritten digits of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// Their cells.
    pub(super) cells: CellSet,
    /// The solution of the printed digits, where they have exactly one and others were written.
    pub(super) solution: Option<Solution>,
    /// Cells of written digits that are not those of that solution.
    pub(super) mistakes: CellSet,
}

/// Decodes a board, and finds its handwritten digits. Where some of these are wrong, the board is
/// the printed puzzle, and they are the mistakes of a person: they do not count against the
/// reading.
pub(super) fn decode_filled(
    posteriors: &CellMap<Posterior>,
    solver: &mut dyn Solver,
    config: &DecodeConfig,
) -> (Decoded, Written) {
    let decoded = decode(posteriors, solver, config);
    let written = Written::of(posteriors, &decoded, solver);
    let Some(solution) = written.solution else {
        return (decoded, written);
    };
    if written.mistakes.is_empty() {
        return (decoded, written);
    }
    let printed = CellMap::from_fn(|cell| match written.cells.contains(cell) {
        true => Posterior::blank(BLANK),
        false => posteriors[cell],
    });
    let puzzle = decode(&printed, solver, config);
    if puzzle.verdict != Verdict::Unique(solution) {
        return (decoded, written);
    }
    let mut filled = puzzle.decoded;
    for cell in written.cells {
        filled.set(cell, Some(solution.digit(cell)));
    }
    let read = decoded.givens;
    let decoded = Decoded {
        givens: read,
        decoded: filled,
        overruled: Cell::all()
            .filter(|&cell| filled.given(cell) != read.given(cell))
            .collect(),
        mistakes: written.mistakes,
        ..puzzle
    };
    (decoded, written)
}

impl Written {
    /// Separates the written digits of a decoded board from the printed ones.
    fn of(posteriors: &CellMap<Posterior>, decoded: &Decoded, solver: &mut dyn Solver) -> Written {
        let board = &decoded.decoded;
        let Some(odds) = odds(posteriors, board) else {
            return Written::default();
        };
        let is_above = |threshold: f32| -> CellSet {
            let cells = odds.iter().filter(|(_, odds)| *odds > threshold);
            cells.map(|(cell, _)| *cell).collect()
        };
        let speaks = |cells: CellSet, (together, each): (f32, f32)| {
            let sum: f32 = odds
                .iter()
                .filter(|(cell, _)| cells.contains(*cell))
                .map(|(_, it)| it)
                .sum();
            sum >= together && sum >= each * cells.len() as f32
        };
        let mut tried = CellSet::EMPTY;
        for threshold in THRESHOLDS {
            let cells = is_above(threshold);
            let is_new = !cells.is_empty() && cells != tried;
            tried = cells;
            if !is_new || odds.len() - cells.len() < FEWEST_GIVENS || !speaks(cells, EVIDENCE) {
                continue;
            }
            let puzzle = without(board, cells);
            if let Verdict::Unique(solution) =
                solver.solve(&puzzle, Goal::ProveUnique, LIMITS).verdict
            {
                return Written {
                    cells,
                    mistakes: mistakes(posteriors, cells, &solution),
                    solution: Some(solution),
                };
            }
        }
        let cells = is_above(0.0);
        let is_puzzle = odds.len() - cells.len() >= FEWEST_GIVENS;
        match is_puzzle && speaks(cells, EVIDENCE_ALONE) {
            true => Written {
                cells,
                ..Written::default()
            },
            false => Written::default(),
        }
    }
}

/// Returns the log-odds of handwriting for each digit, in nats; `None` where the network does not
/// classify kinds.
///
/// The network has the share of written digits in its training data as a prior. That of this board
/// is found by expectation maximization (Saerens, Latinne and Decaestecker, 2002), as for blanks.
fn odds(posteriors: &CellMap<Posterior>, board: &Puzzle) -> Option<Vec<(Cell, f32)>> {
    let digits = board.givens();
    let odds = digits.map(|(cell, _)| {
        let kind = posteriors[cell].kind()?;
        let [written, printed] =
            [CellKind::Written, CellKind::Printed].map(|it| kind.of(it) + LEAST);
        Some((cell, (written / printed).ln()))
    });
    let mut odds: Vec<(Cell, f32)> = odds.collect::<Option<_>>()?;
    let seen: Vec<f32> = odds.iter().map(|(_, odds)| *odds).collect();
    for _ in 0..ROUNDS {
        let written: f32 = odds
            .iter()
            .map(|(_, odds)| 1.0 / (1.0 + (-odds).exp()))
            .sum();
        let share = (written + PRIOR_COUNT) / (odds.len() as f32 + 2.0 * PRIOR_COUNT);
        let prior = (share / (1.0 - share)).ln();
        for ((_, odds), seen) in odds.iter_mut().zip(&seen) {
            *odds = seen + prior;
        }
    }
    Some(odds)
}

/// Returns the board with these cells blank.
fn without(board: &Puzzle, cells: CellSet) -> Puzzle {
    let mut puzzle = *board;
    for cell in cells {
        puzzle.set(cell, None);
    }
    puzzle
}

/// Returns cells that clearly show another digit than that of the solution.
fn mistakes(posteriors: &CellMap<Posterior>, cells: CellSet, solution: &Solution) -> CellSet {
    let is_wrong = |cell: &Cell| {
        let posterior = &posteriors[*cell];
        let right = posterior.of(Some(solution.digit(*cell)));
        let most = Digit::ALL.map(|digit| posterior.of(Some(digit)));
        let most = most.into_iter().fold(0.0, f32::max);
        (most / right).ln() > CLEAR
    };
    cells.into_iter().filter(is_wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::KindPosterior;
    use crate::solve::Mrv;

    // The example of Wikipedia's article on Sudoku.
    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn puzzle(line: &str) -> Puzzle {
        line.parse().unwrap()
    }

    /// The result for this board, with these log odds of each digit being handwritten.
    fn posteriors(board: &Puzzle, odds: impl Fn(Cell) -> f32) -> CellMap<Posterior> {
        CellMap::from_fn(|cell| {
            let content = board.given(cell);
            let mut weights = [1e-4; 10];
            weights[content.map_or(0, Digit::value) as usize] = 1.0;
            let mut logits = [-9.0; 13];
            match content {
                None => logits[CellKind::Blank.index()] = 9.0,
                Some(_) => {
                    logits[CellKind::Printed.index()] = 0.0;
                    logits[CellKind::Written.index()] = odds(cell);
                }
            }
            let kind = KindPosterior::of_logits(&logits).unwrap();
            Posterior::from_weights(weights).unwrap().with_kind(kind)
        })
    }

    fn decode_board(board: &Puzzle, odds: impl Fn(Cell) -> f32) -> (Decoded, Written) {
        let config = DecodeConfig::default();
        decode_filled(&posteriors(board, odds), &mut Mrv::new(), &config)
    }

    #[test]
    fn handwritten_digits_are_checked_against_the_printed_puzzle() {
        let (given, full) = (puzzle(PUZZLE), puzzle(SOLUTION));
        let odds = |cell: Cell| {
            if given.given(cell).is_some() {
                -3.0
            } else {
                3.0
            }
        };
        let (decoded, written) = decode_board(&full, odds);
        assert_eq!(decoded.decoded, full);
        assert_eq!(written.cells.len(), 51);
        assert_eq!(written.solution.unwrap().to_line(), SOLUTION);
        assert!(written.mistakes.is_empty());
    }

    #[test]
    fn mistakes_are_found_even_if_the_board_has_no_solution() {
        let (given, mut filled) = (puzzle(PUZZLE), puzzle(SOLUTION));
        let blanks: Vec<Cell> = Cell::all()
            .filter(|it| given.given(*it).is_none())
            .collect();
        let wrong = [blanks[3], blanks[11], blanks[20], blanks[33], blanks[40]];
        for cell in wrong {
            let digit = filled.given(cell).unwrap().value();
            filled.set(cell, Digit::new(digit % 9 + 1));
        }
        let odds = |cell: Cell| {
            if given.given(cell).is_some() {
                -3.0
            } else {
                3.0
            }
        };
        let (decoded, written) = decode_board(&filled, odds);
        assert_eq!(written.mistakes, wrong.into_iter().collect());
        assert_eq!(decoded.mistakes, written.mistakes);
        assert_eq!(decoded.decoded, puzzle(SOLUTION));
        assert_eq!(decoded.givens, filled);
        assert!(
            matches!(decoded.verdict, Verdict::Unique(_)),
            "{:?}",
            decoded.verdict
        );
        assert!(decoded.confidence > 0.9, "{}", decoded.confidence);
    }

    #[test]
    fn a_board_without_clear_differences_is_all_print() {
        let full = puzzle(SOLUTION);
        let wavering = |cell: Cell| {
            if cell.index().is_multiple_of(2) {
                0.1
            } else {
                -0.1
            }
        };
        assert!(decode_board(&full, wavering).1.cells.is_empty());
        // Any one or two cells may look handwritten.
        let one = |cell: Cell| if cell.index() == 40 { 5.0 } else { -2.0 };
        assert!(decode_board(&full, one).1.cells.is_empty());
        // The whole board is a handwritten puzzle.
        assert!(decode_board(&puzzle(PUZZLE), |_| 4.0).1.cells.is_empty());
    }

    #[test]
    fn printed_digits_that_look_handwritten_are_returned_to_the_puzzle() {
        let (given, full) = (puzzle(PUZZLE), puzzle(SOLUTION));
        let givens: Vec<Cell> = given.givens().map(|(cell, _)| cell).collect();
        let odds = |cell: Cell| match given.given(cell) {
            // Without these the puzzle has several solutions.
            Some(_) if givens[..6].contains(&cell) => 0.5,
            Some(_) => -3.0,
            None => 4.0,
        };
        let (_, written) = decode_board(&full, odds);
        assert_eq!(written.cells.len(), 51);
    }

    #[test]
    fn without_kinds_nothing_is_handwritten() {
        let posteriors = CellMap::from_fn(|cell| {
            let mut weights = [1e-4; 10];
            weights[puzzle(SOLUTION).given(cell).unwrap().value() as usize] = 1.0;
            Posterior::from_weights(weights).unwrap()
        });
        let (_, written) = decode_filled(&posteriors, &mut Mrv::new(), &DecodeConfig::default());
        assert!(written.cells.is_empty() && written.solution.is_none());
    }
}
