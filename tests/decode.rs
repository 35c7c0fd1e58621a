//! Decoding against an oracle that tries every combination, and on the cases photos bring.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use sudoku_batch::decode::{DecodeConfig, DecodeMode, Decoded, decode};
use sudoku_batch::digits::Posterior;
use sudoku_batch::grid::{Cell, CellMap, Digit, Puzzle, Solution};
use sudoku_batch::solve::{Budget, Goal, Mrv, Solver, Verdict};

/// The first puzzle of Project Euler's problem 96.
const EULER: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

fn puzzle(line: &str) -> Puzzle {
    line.parse().unwrap()
}

fn cell(row: usize, column: usize) -> Cell {
    Cell::at(row, column).unwrap()
}

fn digit(value: u8) -> Option<Digit> {
    Some(Digit::new(value).unwrap())
}

fn verdict(puzzle: &Puzzle) -> Verdict {
    Mrv::new()
        .solve(puzzle, Goal::ProveUnique, Budget::UNLIMITED)
        .verdict
}

fn solution(puzzle: &Puzzle) -> Solution {
    match verdict(puzzle) {
        Verdict::Unique(solution) => solution,
        other => panic!("{other:?}"),
    }
}

/// Nearly certain of one content.
fn sure(content: Option<Digit>) -> Posterior {
    between(content, content, 0.9999)
}

/// Torn between two contents: `share` for the first, all but a crumb of the rest for the second.
fn between(first: Option<Digit>, second: Option<Digit>, share: f32) -> Posterior {
    let index = |content: Option<Digit>| content.map_or(0, |digit| digit.value() as usize);
    let mut weights = [1e-5; 10];
    weights[index(second)] += 1.0 - share;
    weights[index(first)] += share;
    Posterior::from_weights(weights).unwrap()
}

fn reading(puzzle: &Puzzle) -> CellMap<Posterior> {
    CellMap::from_fn(|cell| sure(puzzle.given(cell)))
}

fn run(posteriors: &CellMap<Posterior>) -> Decoded {
    decode(posteriors, &mut Mrv::new(), &DecodeConfig::default())
}

#[test]
fn a_board_read_well_is_left_alone() {
    let truth = puzzle(EULER);
    let decoded = run(&reading(&truth));
    assert_eq!(decoded.givens, truth);
    assert_eq!(decoded.decoded, truth);
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&truth)));
    assert!(decoded.overruled.is_empty() && decoded.mistakes.is_empty());
    assert!(decoded.confidence > 0.95, "{decoded:?}");
}

#[test]
fn a_misread_digit_that_leaves_no_solution_is_overruled() {
    let truth = puzzle(EULER);
    let mut posteriors = reading(&truth);
    let misread = cell(0, 2);
    assert_eq!(truth.given(misread), digit(3));
    posteriors[misread] = between(digit(8), digit(3), 0.97);
    let decoded = run(&posteriors);
    assert_eq!(decoded.givens.given(misread), digit(8));
    assert_eq!(decoded.decoded, truth);
    assert_eq!(decoded.overruled.into_iter().collect::<Vec<_>>(), [misread]);
    assert!(decoded.cost > 3.0 && decoded.margin > 0.0);
}

#[test]
fn a_puzzle_with_two_solutions_is_allowed_when_it_was_read_surely() {
    // Without these two givens of each solution the puzzle has two: found by removing givens.
    let mut truth = puzzle(EULER);
    for (cell, _) in puzzle(EULER).givens() {
        let mut fewer = truth;
        fewer.set(cell, None);
        if matches!(verdict(&fewer), Verdict::Multiple(_)) {
            truth = fewer;
            break;
        }
    }
    let decoded = run(&reading(&truth));
    assert_eq!(decoded.decoded, truth);
    assert!(matches!(decoded.verdict, Verdict::Multiple(_)));
}

#[test]
fn a_doubtful_blank_becomes_the_given_that_makes_the_puzzle_unique() {
    let truth = puzzle(EULER);
    let faint = truth
        .givens()
        .map(|(cell, _)| cell)
        .find(|&cell| {
            let mut fewer = truth;
            fewer.set(cell, None);
            matches!(verdict(&fewer), Verdict::Multiple(_))
        })
        .unwrap();
    let mut posteriors = reading(&truth);
    posteriors[faint] = between(None, truth.given(faint), 0.7);
    let decoded = run(&posteriors);
    assert_eq!(decoded.givens.given(faint), None);
    assert_eq!(decoded.decoded, truth);
}

#[test]
fn on_a_board_filled_by_hand_a_wrong_digit_is_reported_as_a_mistake() {
    let full = solution(&puzzle(EULER)).to_puzzle();
    let mut written = full;
    let wrong = cell(4, 4);
    let right = full.given(wrong).unwrap().value();
    written.set(wrong, digit(right % 9 + 1));
    let decoded = run(&reading(&written));
    assert_eq!(decoded.givens, written);
    assert_eq!(decoded.mistakes.into_iter().collect::<Vec<_>>(), [wrong]);
    assert_eq!(decoded.decoded, full);
}

#[test]
fn on_a_full_board_a_cell_is_hardly_ever_blank() {
    let full = solution(&puzzle(EULER)).to_puzzle();
    let faint = cell(6, 1);
    let mut posteriors = reading(&full);
    posteriors[faint] = between(None, full.given(faint), 0.8);
    assert_eq!(run(&posteriors).decoded, full);

    let mut printed = reading(&puzzle(EULER));
    let blank = cell(0, 0);
    printed[blank] = between(None, full.given(blank), 0.8);
    assert_eq!(run(&printed).decoded, puzzle(EULER));
}

#[test]
fn many_misread_cells_of_a_full_board_are_all_found() {
    let full = solution(&puzzle(EULER)).to_puzzle();
    let mut posteriors = reading(&full);
    for (row, column) in [
        (0, 0),
        (1, 4),
        (2, 8),
        (3, 2),
        (4, 6),
        (5, 1),
        (6, 5),
        (7, 7),
        (8, 3),
    ] {
        let misread = cell(row, column);
        let right = full.given(misread).unwrap().value();
        posteriors[misread] = between(digit(right % 9 + 1), digit(right), 0.97);
    }
    let decoded = run(&posteriors);
    assert_eq!(decoded.decoded, full);
    assert_eq!(decoded.overruled.len(), 9);
}

#[test]
fn argmax_keeps_what_was_read_even_if_it_has_no_solution() {
    let mut wrong = puzzle(EULER);
    wrong.set(cell(0, 0), digit(3));
    let config = DecodeConfig {
        mode: DecodeMode::Argmax,
        ..DecodeConfig::default()
    };
    let decoded = decode(&reading(&wrong), &mut Mrv::new(), &config);
    assert_eq!(decoded.decoded, wrong);
    assert_eq!(decoded.verdict, Verdict::Unsolvable);
    assert_eq!(decoded.confidence, 0.0);
}

/// Total cost of a board: what its cells cost, and what is believed about puzzles.
fn total_cost(
    posteriors: &CellMap<Posterior>,
    board: &Puzzle,
    config: &DecodeConfig,
) -> Option<f32> {
    let prior = match verdict(board) {
        Verdict::Unique(_) => 0.0,
        Verdict::Multiple(_) => config.multiple_cost,
        _ => return None,
    };
    let cells = Cell::all().map(|cell| {
        let posterior = &posteriors[cell];
        let nats = |content| posterior.of(content).max(config.probability_floor).ln();
        nats(posterior.best()) - nats(board.given(cell))
    });
    Some(cells.sum::<f32>() + prior)
}

fn content() -> impl Strategy<Value = Option<Digit>> {
    (0u8..10).prop_map(Digit::new)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Six cells are torn between the truth and something else; an oracle tries all 64 boards.
    #[test]
    fn it_finds_what_trying_every_board_finds(
        doubts in proptest::collection::vec((0usize..81, content(), 0.05f32..0.95), 6),
    ) {
        let truth = puzzle(EULER);
        let config = DecodeConfig::default();
        let mut posteriors = reading(&truth);
        let mut torn: Vec<(Cell, Option<Digit>)> = Vec::new();
        for (index, other, share) in doubts {
            let cell = Cell::new(index).unwrap();
            if other != truth.given(cell) && torn.iter().all(|(seen, _)| *seen != cell) {
                posteriors[cell] = between(other, truth.given(cell), share);
                torn.push((cell, other));
            }
        }
        let best = (0..1u32 << torn.len())
            .filter_map(|choice| {
                let mut board = truth;
                for (bit, (cell, other)) in torn.iter().enumerate() {
                    if choice >> bit & 1 == 1 {
                        board.set(*cell, *other);
                    }
                }
                total_cost(&posteriors, &board, &config)
            })
            .fold(f32::INFINITY, f32::min);
        let decoded = run(&posteriors);
        let found = total_cost(&posteriors, &decoded.decoded, &config).unwrap();
        prop_assert!(found <= best + 1e-3, "found {found}, the oracle {best}");
    }

    /// Whatever the network says, the answer is a board that keeps its promise.
    #[test]
    fn any_posteriors_give_a_board_that_its_verdict_describes(
        weights in proptest::collection::vec(proptest::array::uniform10(0.0f32..1.0), 81),
    ) {
        let posteriors = CellMap::from_fn(|cell| {
            let mut weights = weights[cell.index()];
            weights[0] += 4.0;
            Posterior::from_weights(weights).unwrap()
        });
        let config = DecodeConfig { max_boards: 60, ..DecodeConfig::default() };
        let decoded = decode(&posteriors, &mut Mrv::new(), &config);
        prop_assert_eq!(&decoded.verdict, &match verdict(&decoded.decoded) {
            Verdict::Multiple(_) => decoded.verdict.clone(),
            exact => exact,
        });
        prop_assert!((0.0..=1.0).contains(&decoded.confidence));
        for cell in Cell::all() {
            let differs = decoded.decoded.given(cell) != decoded.givens.given(cell);
            prop_assert_eq!(decoded.overruled.contains(cell), differs);
        }
    }
}
