//! Decoding compared with trying every board, and on any posteriors.

use proptest::prelude::*;
use sudoku_batch::decode::{DecodeConfig, DecodeMode, Limit};
use sudoku_batch::digits::Posterior;
use sudoku_batch::grid::{Cell, CellMap, Digit, Puzzle};
use sudoku_batch::solve::Verdict;

use super::{EULER, assert_gave_up, puzzle, reading, run_with, undecided, verdict};

/// Total cost of a board: the costs of its cells and the prior about puzzles.
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

    /// Six cells are undecided between the truth and another content; an oracle tries all 64 boards.
    #[test]
    fn decoding_agrees_with_trying_every_board(
        doubts in proptest::collection::vec((0usize..81, content(), 0.05f32..0.95), 6),
    ) {
        let truth = puzzle(EULER);
        let config = DecodeConfig { misprint_cost: f32::INFINITY, ..DecodeConfig::default() };
        let mut posteriors = reading(&truth);
        let mut torn: Vec<(Cell, Option<Digit>)> = Vec::new();
        for (index, other, share) in doubts {
            let cell = Cell::new(index).unwrap();
            if other != truth.given(cell) && torn.iter().all(|(seen, _)| *seen != cell) {
                posteriors[cell] = undecided(other, truth.given(cell), share);
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
        let decoded = run_with(&posteriors, &config);
        let found = total_cost(&posteriors, &decoded.decoded, &config).unwrap();
        prop_assert!(found <= best + 1e-3, "found {found}, the oracle {best}");
    }

    /// For any network output, the answer is a board consistent with its verdict.
    #[test]
    fn any_posteriors_give_a_board_consistent_with_its_verdict(
        weights in proptest::collection::vec(proptest::array::uniform10(0.0f32..1.0), 81),
    ) {
        let posteriors = CellMap::from_fn(|cell| {
            let mut weights = weights[cell.index()];
            weights[0] += 4.0;
            Posterior::from_weights(weights).unwrap()
        });
        let config = DecodeConfig { max_boards: 60, time_limit_ms: None, ..DecodeConfig::default() };
        let decoded = run_with(&posteriors, &config);
        match (&decoded.verdict, verdict(&decoded.decoded)) {
            (Verdict::Unique(found), Verdict::Unique(only)) => prop_assert_eq!(*found, only),
            (Verdict::Multiple(found), Verdict::Multiple(_)) => {
                prop_assert!(found.len() == 2 && found[0] != found[1]);
                prop_assert!(found.iter().all(|one| one.solves(&decoded.decoded)));
            }
            (Verdict::Unsolvable, Verdict::Unsolvable) => prop_assert!(!decoded.mistakes.is_empty()),
            // The blank board is always reachable, so it is never proven that no board exists.
            (Verdict::OutOfBudget, _) => assert_gave_up(&decoded, Limit::Boards(60)),
            (claimed, exact) => prop_assert!(false, "{claimed:?}, but {exact:?}"),
        }
        prop_assert!((0.0..=1.0).contains(&decoded.confidence));
        prop_assert!((0.0..=config.margin_cap).contains(&decoded.margin));
        prop_assert!(decoded.cost >= 0.0 && decoded.cost.is_finite());
        for cell in Cell::all() {
            let differs = decoded.decoded.given(cell) != decoded.givens.given(cell);
            prop_assert_eq!(decoded.overruled.contains(cell), differs);
        }
    }

    /// No weights give a posterior that is not a distribution, and no posterior gives a
    /// cost, margin or confidence that is NaN.
    #[test]
    fn nan_neither_enters_nor_leaves(
        odd in proptest::collection::vec(proptest::array::uniform10(proptest::num::f32::ANY), 20),
        even in proptest::collection::vec(proptest::array::uniform10(odd_weight()), 81),
        floor in odd_weight(),
        trained_blanks in prop_oneof![Just(0.0f32), Just(1.0), Just(f32::NAN), 0.0f32..1.0],
        argmax in any::<bool>(),
    ) {
        for weights in odd.into_iter().chain(even.iter().copied()) {
            let bad = weights.iter().any(|weight| weight.is_nan() || *weight < 0.0);
            let sum: f32 = weights.iter().sum();
            let posterior = Posterior::from_weights(weights);
            prop_assert_eq!(posterior.is_none(), bad || !sum.is_finite() || sum == 0.0);
            if let Some(posterior) = posterior {
                let probabilities = posterior.as_array();
                prop_assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)), "{posterior:?}");
                let sum: f32 = probabilities.iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-4, "{posterior:?}");
            }
        }
        let posteriors = CellMap::from_fn(|cell| {
            Posterior::from_weights(even[cell.index()]).unwrap_or(Posterior::blank(1.0))
        });
        let config = DecodeConfig {
            mode: if argmax { DecodeMode::Argmax } else { DecodeMode::Rules },
            probability_floor: floor,
            trained_blanks,
            max_boards: 20,
            ..DecodeConfig::default()
        };
        let decoded = run_with(&posteriors, &config);
        prop_assert!(decoded.cost.is_finite() && decoded.cost >= 0.0, "{decoded:?}");
        prop_assert!((0.0..=config.margin_cap).contains(&decoded.margin), "{decoded:?}");
        prop_assert!((0.0..=1.0).contains(&decoded.confidence), "{decoded:?}");
    }
}

/// Extreme weights: zero, tiny, ordinary, huge.
fn odd_weight() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(0.0f32),
        Just(f32::MIN_POSITIVE / 1e6),
        Just(f32::MIN_POSITIVE),
        0.0f32..1.0,
        Just(f32::MAX / 20.0),
    ]
}
