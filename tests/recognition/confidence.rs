//! Confidence of decoded boards, on synthetic posteriors.

use proptest::prelude::*;
use sudoku_batch::decode::{DecodeConfig, Decoded, decode};
use sudoku_batch::digits::Posterior;
use sudoku_batch::grid::{Cell, CellMap, Digit, Puzzle, Solution};
use sudoku_batch::reader::TrustConfig;
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict};

/// The first puzzle of Project Euler's problem 96.
const PUZZLE: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

fn puzzle() -> Puzzle {
    PUZZLE.parse().unwrap()
}

fn solution() -> Solution {
    let outcome = Mrv::new().solve(&puzzle(), Goal::ProveUnique, Limits::NONE);
    *outcome.verdict.solution().unwrap()
}

/// A posterior with this probability for the content, and the rest distributed by these weights.
fn posterior_with(content: Option<Digit>, probability: f32, weights: &[f32; 10]) -> Posterior {
    let own = content.map_or(0, |digit| digit.value() as usize);
    let others: f32 = (0..10).filter(|&at| at != own).map(|at| weights[at]).sum();
    Posterior::from_weights(std::array::from_fn(|at| match at == own {
        true => probability,
        false => (1.0 - probability) * weights[at] / others,
    }))
    .unwrap()
}

/// Clear posteriors of a board.
fn clear(board: &Puzzle) -> CellMap<Posterior> {
    CellMap::from_fn(|cell| posterior_with(board.given(cell), 0.9995, &[1.0; 10]))
}

fn run(posteriors: &CellMap<Posterior>) -> Decoded {
    decode(posteriors, &mut Mrv::new(), &DecodeConfig::default())
}

fn is_accepted(decoded: &Decoded) -> bool {
    1.0 - decoded.confidence <= TrustConfig::default().max_risk
}

#[test]
fn a_clear_board_is_trusted_but_never_certain() {
    let decoded = run(&clear(&puzzle()));
    assert!((0.99..1.0).contains(&decoded.confidence), "{decoded:?}");
}

fn cells() -> impl Strategy<Value = Cell> {
    (0usize..81).prop_map(|index| Cell::new(index).unwrap())
}

fn weights() -> impl Strategy<Value = [f32; 10]> {
    proptest::array::uniform10(0.01f32..1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Moving probability from the decoded content of a cell to others never makes a board more certain.
    #[test]
    fn confidence_never_rises_when_a_cell_gets_less_certain(
        doubts in proptest::collection::vec((cells(), 0.6f32..0.999, weights()), 6),
        cell in cells(),
        shares in proptest::collection::vec(0.3f32..1.0, 5),
    ) {
        let mut posteriors = clear(&puzzle());
        for (cell, probability, weights) in doubts {
            posteriors[cell] = posterior_with(puzzle().given(cell), probability, &weights);
        }
        let mut last = run(&posteriors);
        for share in shares {
            let content = last.decoded.given(cell);
            let own = posteriors[cell].of(content);
            posteriors[cell] = posterior_with(content, own * share, posteriors[cell].as_array());
            let next = run(&posteriors);
            if next.decoded != last.decoded {
                break;
            }
            prop_assert!(next.confidence <= last.confidence + 1e-5, "{last:?} {next:?}");
            last = next;
        }
    }

    /// If the runner-up is about equally likely, the confidence is at most one half.
    #[test]
    fn a_board_with_an_equally_likely_rival_is_not_trusted(
        cell in cells(),
        share in 0.47f32..0.53,
        other in (0u8..10).prop_map(Digit::new),
    ) {
        // There is no rival if no other reading of the cell has a solution.
        let content = puzzle().given(cell);
        let mut rival = puzzle();
        rival.set(cell, other);
        let verdict = Mrv::new().solve(&rival, Goal::ProveUnique, Limits::NONE).verdict;
        prop_assume!(other != content && matches!(verdict, Verdict::Unique(_)));
        let mut posteriors = clear(&puzzle());
        let mut weights = [1e-6; 10];
        weights[other.map_or(0, |digit| digit.value() as usize)] = 1.0;
        posteriors[cell] = posterior_with(content, share, &weights);
        let decoded = run(&posteriors);
        prop_assert!(decoded.confidence <= 0.5 && !is_accepted(&decoded), "{decoded:?}");
    }

    /// A digit implied by the solution decides nothing: only the network can say whether it is printed, and
    /// if the network does not know, the board is refused, although its solution is known.
    #[test]
    fn a_board_with_an_irrelevant_undecided_cell_is_refused(
        cell in cells(),
        share in 0.44f32..0.56,
    ) {
        prop_assume!(puzzle().given(cell).is_none());
        let digit = solution().digit(cell);
        let mut posteriors = clear(&puzzle());
        let mut weights = [1e-6; 10];
        weights[digit.value() as usize] = 1.0;
        posteriors[cell] = posterior_with(None, share, &weights);
        let decoded = run(&posteriors);
        let found = decoded.verdict.solution();
        prop_assert!(found == Some(&solution()), "{decoded:?}");
        prop_assert!(!is_accepted(&decoded), "{decoded:?}");
    }

    /// For any posteriors, confidence is a probability, and 0 if nothing was found.
    #[test]
    fn confidence_is_a_probability(
        weights in proptest::collection::vec(weights(), 81),
        sharpness in 0.0f32..12.0,
    ) {
        let posteriors = CellMap::from_fn(|cell| {
            Posterior::from_weights(weights[cell.index()].map(|it| it.powf(sharpness))).unwrap()
        });
        let config = DecodeConfig { max_boards: 40, time_limit_ms: None, ..DecodeConfig::default() };
        let decoded = decode(&posteriors, &mut Mrv::new(), &config);
        prop_assert!((0.0..1.0).contains(&decoded.confidence), "{decoded:?}");
        prop_assert!((0.0..=81.0).contains(&decoded.blank_doubt), "{decoded:?}");
        if decoded.verdict == Verdict::OutOfBudget {
            prop_assert_eq!(decoded.confidence, 0.0);
        }
    }
}
