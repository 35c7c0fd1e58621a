//! Decoding compared with an oracle that tries every combination, and on typical cases of photos.

mod oracle;

use sudoku_batch::decode::{DecodeConfig, DecodeMode, Decoded, Limit, decode};
use sudoku_batch::digits::Posterior;
use sudoku_batch::grid::{CandidateGrid, Cell, CellMap, Digit, Puzzle, PuzzleLine, Solution};
use sudoku_batch::solve::{Effort, Goal, Limits, Mrv, Outcome, Solver, Verdict, one_by_one};

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
        .solve(puzzle, Goal::ProveUnique, Limits::NONE)
        .verdict
}

fn solution(puzzle: &Puzzle) -> Solution {
    match verdict(puzzle) {
        Verdict::Unique(solution) => solution,
        other => panic!("{other:?}"),
    }
}

/// A posterior nearly certain of one content.
fn nearly_certain(content: Option<Digit>) -> Posterior {
    undecided(content, content, 0.9999)
}

/// A posterior undecided between two contents: `share` for the first, nearly all of the rest for the second.
fn undecided(first: Option<Digit>, second: Option<Digit>, share: f32) -> Posterior {
    let index = |content: Option<Digit>| content.map_or(0, |digit| digit.value() as usize);
    let mut weights = [1e-5; 10];
    weights[index(second)] += 1.0 - share;
    weights[index(first)] += share;
    Posterior::from_weights(weights).unwrap()
}

fn reading(puzzle: &Puzzle) -> CellMap<Posterior> {
    CellMap::from_fn(|cell| nearly_certain(puzzle.given(cell)))
}

fn run(posteriors: &CellMap<Posterior>) -> Decoded {
    run_with(posteriors, &DecodeConfig::default())
}

fn run_with(posteriors: &CellMap<Posterior>, config: &DecodeConfig) -> Decoded {
    decode(posteriors, &mut Mrv::new(), config)
}

/// The first puzzle with an 8 read where a 3 is printed, so that no solution is left.
fn misread() -> (CellMap<Posterior>, Cell) {
    let mut posteriors = reading(&puzzle(EULER));
    let misread = cell(0, 2);
    assert_eq!(puzzle(EULER).given(misread), digit(3));
    posteriors[misread] = undecided(digit(8), digit(3), 0.97);
    (posteriors, misread)
}

#[test]
fn a_well_read_board_is_unchanged() {
    let truth = puzzle(EULER);
    let decoded = run(&reading(&truth));
    assert_eq!(decoded.givens, truth);
    assert_eq!(decoded.decoded, truth);
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&truth)));
    assert!(decoded.overruled.is_empty() && decoded.mistakes.is_empty());
    assert!(decoded.confidence > 0.95, "{decoded:?}");
    assert_eq!(decoded.gave_up, None);
}

#[test]
fn a_misread_digit_that_leaves_no_solution_is_overruled() {
    let truth = puzzle(EULER);
    let (posteriors, misread) = misread();
    let decoded = run(&posteriors);
    assert_eq!(decoded.givens.given(misread), digit(8));
    assert_eq!(decoded.decoded, truth);
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&truth)));
    assert_eq!(decoded.gave_up, None);
    assert_eq!(decoded.overruled.into_iter().collect::<Vec<_>>(), [misread]);
    assert!(decoded.cost > 3.0 && decoded.margin > 0.0);
}

#[test]
fn a_confidently_read_puzzle_may_have_two_solutions() {
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
    posteriors[faint] = undecided(None, truth.given(faint), 0.7);
    let decoded = run(&posteriors);
    assert_eq!(decoded.givens.given(faint), None);
    assert_eq!(decoded.decoded, truth);
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&truth)));
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
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&full)));
}

#[test]
fn on_a_full_board_a_cell_is_hardly_ever_blank() {
    let full = solution(&puzzle(EULER)).to_puzzle();
    let faint = cell(6, 1);
    let mut posteriors = reading(&full);
    posteriors[faint] = undecided(None, full.given(faint), 0.8);
    let decoded = run(&posteriors);
    assert_eq!(decoded.decoded, full);
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&full)));

    let mut printed = reading(&puzzle(EULER));
    let blank = cell(0, 0);
    printed[blank] = undecided(None, full.given(blank), 0.8);
    let decoded = run(&printed);
    assert_eq!(decoded.decoded, puzzle(EULER));
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&puzzle(EULER))));
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
        posteriors[misread] = undecided(digit(right % 9 + 1), digit(right), 0.97);
    }
    let decoded = run(&posteriors);
    assert_eq!(decoded.decoded, full);
    assert_eq!(decoded.overruled.len(), 9);
    assert_eq!(decoded.verdict, Verdict::Unique(solution(&full)));
}

#[test]
fn argmax_keeps_what_was_read_even_if_it_has_no_solution() {
    let mut wrong = puzzle(EULER);
    wrong.set(cell(0, 0), digit(3));
    let config = DecodeConfig {
        mode: DecodeMode::Argmax,
        ..DecodeConfig::default()
    };
    let decoded = run_with(&reading(&wrong), &config);
    assert_eq!(decoded.decoded, wrong);
    assert_eq!(decoded.verdict, Verdict::Unsolvable);
    assert_eq!(decoded.gave_up, None);
    assert_eq!(decoded.confidence, 0.0);
}

/// "The world's hardest sudoku" of Arto Inkala, 2012, as published in The Telegraph.
const INKALA: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

#[test]
fn argmax_reports_that_the_solver_gave_up() {
    let nodes = DecodeConfig {
        mode: DecodeMode::Argmax,
        solver_nodes: 1,
        ..DecodeConfig::default()
    };
    let decoded = run_with(&reading(&puzzle(INKALA)), &nodes);
    assert_eq!(decoded.verdict, Verdict::OutOfBudget);
    assert_eq!(decoded.gave_up, Some(Limit::SolverNodes(1)));
}

/// The result of a decoder that found nothing before reaching this limit.
fn assert_gave_up(decoded: &Decoded, limit: Limit) {
    assert_eq!(decoded.verdict, Verdict::OutOfBudget);
    assert_eq!(decoded.gave_up, Some(limit));
    assert_eq!(decoded.decoded, decoded.givens);
    assert_eq!((decoded.margin, decoded.confidence), (0.0, 0.0));
}

#[test]
fn too_few_boards_are_no_proof_that_there_is_no_solution() {
    let (posteriors, _) = misread();
    let config = DecodeConfig {
        max_boards: 1,
        ..DecodeConfig::default()
    };
    assert_gave_up(&run_with(&posteriors, &config), Limit::Boards(1));
}

#[test]
fn a_solver_that_gives_up_is_no_proof_that_there_is_no_solution() {
    let config = DecodeConfig {
        solver_nodes: 1,
        ..DecodeConfig::default()
    };
    let decoded = run_with(&reading(&puzzle(INKALA)), &config);
    assert_gave_up(&decoded, Limit::SolverNodes(1));
}

#[test]
fn no_time_is_no_proof_that_there_is_no_solution() {
    let config = DecodeConfig {
        time_limit_ms: Some(0),
        ..DecodeConfig::default()
    };
    for posteriors in [misread().0, reading(&puzzle(EULER))] {
        assert_gave_up(&run_with(&posteriors, &config), Limit::Time(0));
    }
    let unlimited = DecodeConfig {
        time_limit_ms: None,
        ..DecodeConfig::default()
    };
    assert_eq!(run_with(&misread().0, &unlimited), run(&misread().0));
}

#[test]
fn without_alternatives_a_board_is_proven_unsolvable() {
    let mut wrong = puzzle(EULER);
    wrong.set(cell(0, 0), digit(3));
    let certain = |content: Option<Digit>| {
        let mut weights = [0.0; 10];
        weights[content.map_or(0, |digit| digit.value() as usize)] = 1.0;
        Posterior::from_weights(weights).unwrap()
    };
    let posteriors = CellMap::from_fn(|cell| certain(wrong.given(cell)));
    let config = DecodeConfig {
        probability_floor: 0.0,
        misprint_cost: f32::INFINITY,
        ..DecodeConfig::default()
    };
    let decoded = run_with(&posteriors, &config);
    assert_eq!(decoded.verdict, Verdict::Unsolvable);
    assert_eq!(decoded.gave_up, None);
    assert_eq!(decoded.confidence, 0.0);
    // With a floor the blank board is reachable, and a cheaper one before it.
    let config = DecodeConfig {
        misprint_cost: f32::INFINITY,
        ..DecodeConfig::default()
    };
    let decoded = run_with(&posteriors, &config);
    assert!(decoded.verdict.solution().is_some());
}

#[test]
fn clear_digits_that_conflict_are_kept() {
    // A second 3 in the first row: neither is in doubt.
    let mut wrong = puzzle(EULER);
    wrong.set(cell(0, 0), digit(3));
    let mut posteriors = reading(&wrong);
    let decoded = run(&posteriors);
    assert_eq!(decoded.verdict, Verdict::Unsolvable);
    assert_eq!((decoded.givens, decoded.decoded), (wrong, wrong));
    assert!(decoded.overruled.is_empty() && decoded.gave_up.is_none());
    assert!(wrong.given(decoded.mistakes.into_iter().next().unwrap()) == digit(3));
    assert!(decoded.confidence > 0.9, "{decoded:?}");
    // The rules still settle other doubtful cells: here a repeated 9.
    posteriors[cell(8, 8)] = undecided(digit(9), None, 0.8);
    let beside = run(&posteriors);
    assert_eq!(beside.givens.given(cell(8, 8)), digit(9));
    assert_eq!(beside.decoded, wrong);
    assert_eq!(beside.verdict, Verdict::Unsolvable);
    // A digit in doubt is overruled.
    posteriors[cell(0, 0)] = undecided(digit(3), None, 0.97);
    let decoded = run(&posteriors);
    assert_eq!(decoded.decoded, puzzle(EULER));
}

#[test]
fn a_misprint_need_not_repeat_a_digit_in_a_house() {
    // No digit repeats in a house, and there is no solution.
    let truth = puzzle(EULER);
    let full = solution(&truth);
    let fits = |cell: Cell, digit: Digit| {
        let mut peers = cell.peers().into_iter();
        full.digit(cell) != digit && peers.all(|peer| truth.given(peer) != Some(digit))
    };
    let blanks = Cell::all().filter(|&cell| truth.given(cell).is_none());
    let (cell, digit) = blanks
        .flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)))
        .find(|&(cell, digit)| fits(cell, digit))
        .unwrap();
    let mut wrong = truth;
    wrong.set(cell, Some(digit));
    assert_eq!(verdict(&wrong), Verdict::Unsolvable);
    let decoded = run(&reading(&wrong));
    assert_eq!(decoded.verdict, Verdict::Unsolvable);
    assert_eq!(decoded.decoded, wrong);
}

/// Counts the puzzles that it is asked.
struct Counts(Mrv, usize);

impl Solver for Counts {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        self.1 += lines.len();
        self.0.solve_lines(lines, goal, limits, sink);
    }
}

/// What is pruned does not change what is found, but how many boards are solved for it. Whoever changes the search on
/// purpose writes the new numbers here.
#[test]
fn a_search_solves_as_many_boards_as_recorded() {
    let truth = puzzle(EULER);
    let mut wrong = truth;
    wrong.set(cell(0, 0), digit(3));
    let mut full = solution(&truth).to_puzzle();
    full.set(cell(4, 4), digit(1));
    let (misread, _) = misread();
    let mut doubts = reading(&truth);
    for (place, cell) in Cell::all().step_by(7).enumerate() {
        let other = Digit::ALL[place % 9];
        doubts[cell] = undecided(Some(other), truth.given(cell), 0.7);
    }
    let solved = [
        reading(&truth),
        reading(&wrong),
        reading(&full),
        misread,
        doubts,
    ]
    .map(|reading| {
        let mut solver = Counts(Mrv::new(), 0);
        let config = DecodeConfig {
            time_limit_ms: None,
            ..DecodeConfig::default()
        };
        decode(&reading, &mut solver, &config);
        solver.1
    });
    assert_eq!(solved, [1, 166, 2, 34, 106]);
}

#[test]
fn a_margin_never_exceeds_what_was_searched() {
    let truth = puzzle(EULER);
    let mut posteriors = reading(&truth);
    let (blank, full) = (cell(0, 0), solution(&truth).to_puzzle());
    posteriors[blank] = undecided(None, full.given(blank), 0.9);
    let settled = run(&posteriors);
    assert_eq!(settled.gave_up, None);
    assert!((2.0..3.0).contains(&settled.margin), "{settled:?}");
    // After one board only the cost of the best change is known.
    for boards in 1..4 {
        let config = DecodeConfig {
            max_boards: boards,
            ..DecodeConfig::default()
        };
        let decoded = run_with(&posteriors, &config);
        assert_eq!(decoded.decoded, truth);
        assert_eq!(decoded.verdict, settled.verdict);
        assert!(decoded.margin <= settled.margin, "{boards}: {decoded:?}");
        if boards == 1 {
            assert_eq!(decoded.gave_up, Some(Limit::Boards(1)));
        }
    }
}

/// Gives up on one puzzle, and solves all others.
struct GivesUpOn {
    to: Puzzle,
    with: Verdict,
}

impl Solver for GivesUpOn {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        one_by_one(lines, sink, |puzzle| {
            if *puzzle == self.to {
                return Outcome {
                    verdict: self.with.clone(),
                    effort: Effort::default(),
                };
            }
            Mrv::new().solve(puzzle, goal, limits)
        });
    }
}

#[test]
fn an_unsettled_more_probable_board_prevents_trust() {
    let truth = puzzle(EULER);
    let (mut posteriors, misread) = misread();
    // The second best: the 8 is blank.
    let mut weights = [1e-5; 10];
    (weights[8], weights[3], weights[0]) = (0.9, 0.08, 0.02);
    posteriors[misread] = Posterior::from_weights(weights).unwrap();
    let config = DecodeConfig::default();
    let settled = run(&posteriors);
    assert_eq!((settled.decoded, settled.gave_up), (truth, None));
    let stuck = Verdict::Stuck(Box::new(CandidateGrid::empty()));
    for (with, limit) in [
        (
            Verdict::OutOfBudget,
            Limit::SolverNodes(config.solver_nodes),
        ),
        (stuck, Limit::Stuck),
    ] {
        let mut blind = GivesUpOn { to: truth, with };
        let decoded = decode(&posteriors, &mut blind, &config);
        assert_ne!(decoded.decoded, truth);
        assert!(decoded.verdict.solution().is_some(), "{decoded:?}");
        assert_eq!(decoded.gave_up, Some(limit));
        assert_eq!(decoded.margin, 0.0);
        assert!(decoded.confidence < 0.5, "{decoded:?}");
    }
}

#[test]
fn the_next_best_board_counts_even_if_it_was_not_settled() {
    let truth = puzzle(EULER);
    let mut posteriors = reading(&truth);
    let (blank, full) = (cell(0, 0), solution(&truth).to_puzzle());
    posteriors[blank] = undecided(None, full.given(blank), 0.9);
    let settled = run(&posteriors);
    let mut next = truth;
    next.set(blank, full.given(blank));
    let mut blind = GivesUpOn {
        to: next,
        with: Verdict::OutOfBudget,
    };
    let config = DecodeConfig::default();
    let decoded = decode(&posteriors, &mut blind, &config);
    assert_eq!(
        decoded.gave_up,
        Some(Limit::SolverNodes(config.solver_nodes))
    );
    assert_eq!(
        Decoded {
            gave_up: None,
            ..decoded
        },
        settled
    );
}
