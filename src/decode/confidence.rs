//! Probability that a decoded board is right, calibrated on boards of photos.

use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, Puzzle};

/// Coefficients of the logistic model of [`confidence`]: fitted by maximum likelihood to boards of
/// real, degraded and rendered photos with ground truth, half of the puzzles held out.
/// `training/README.md` has the boards, the command and how well the model generalizes.
const INTERCEPT: f32 = 0.58;
const LEAD: f32 = 1.09;
const BLANK_DOUBT: f32 = 0.85;
const FILLED: f32 = 1.72;
/// For a board with several solutions although it has digits enough for one: most often, another
/// digit was not read. Chosen between what half of such boards say, and all of them.
const RARE: f32 = 1.9;

/// Share of boards that are wrong without any sign of it: of 1,642 with a probability of 0.99 or
/// more none was, which by Jeffreys' prior leaves half a board.
const UNEXPLAINED: f32 = 0.0003;

/// Returns the probability that a decoded board is what stands on the paper, 0 to 1.
///
/// `margin` is its lead over the next best board, in nats: if no third board mattered and the
/// posteriors were calibrated, it would be right with odds of `exp(margin) - 1`. The rest is
/// learned: the rules distinguish one digit from another, but hardly a digit from a blank, so cells
/// that may be either lower it (`blank_doubt`, see [`blank_doubt`]); and the more digits there are
/// (`digits`), the more a wrong one would have shown. A board that has digits enough for one
/// solution and several all the same (`is_rare`) probably lacks a digit.
///
/// It is monotonic: it never falls with the margin or the digits of a board with one solution, and
/// never rises with the doubt. A board with an equally likely rival gets 0.
pub(super) fn confidence(margin: f32, blank_doubt: f32, digits: usize, is_rare: bool) -> f32 {
    let lead = margin.max(0.0).exp_m1().ln();
    let filled = digits as f32 / Cell::COUNT as f32;
    let mut logit =
        INTERCEPT + LEAD * lead - BLANK_DOUBT * blank_doubt.max(0.0).sqrt() + FILLED * filled;
    if is_rare {
        logit -= RARE;
    }
    (1.0 - UNEXPLAINED) / (1.0 + (-logit).exp())
}

/// Returns the expected number of cells in which a board has a digit instead of a blank, or a blank
/// instead of a digit.
pub(super) fn blank_doubt(board: &Puzzle, posteriors: &CellMap<Posterior>) -> f32 {
    let doubt = |cell| match board.given(cell) {
        Some(_) => posteriors[cell].of(None),
        None => 1.0 - posteriors[cell].of(None),
    };
    Cell::all().map(doubt).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Digit;

    #[test]
    fn the_model_is_the_one_that_was_fitted() {
        // ln(exp(2) - 1) = 1.854587; 0.58 + 1.09 * 1.854587 - 0.85 * 0.5 + 1.72 * 30 / 81 = 2.813537.
        assert!((confidence(2.0, 0.25, 30, false) - 0.943_12).abs() < 1e-4);
        // 2.813537 - 1.9 = 0.913537.
        assert!((confidence(2.0, 0.25, 30, true) - 0.713_51).abs() < 1e-4);
        // ln(exp(0.5) - 1) = -0.432752; 0.58 - 1.09 * 0.432752 - 0.85 * 2 + 1.72 = 0.128300.
        assert!((confidence(0.5, 4.0, 81, false) - 0.531_87).abs() < 1e-4);
    }

    #[test]
    fn doubt_is_the_chance_that_a_digit_is_a_blank_or_a_blank_a_digit() {
        let posterior = |blank: f32| {
            let mut weights = [(1.0 - blank) / 9.0; 10];
            weights[0] = blank;
            Posterior::from_weights(weights).unwrap()
        };
        let digit = |cell: Cell| (cell.index() == 5).then_some(Digit::ALL[3]);
        let board = Puzzle::from_givens(CellMap::from_fn(digit));
        // Eighty blanks that are digits with 1 in 100, and a digit that is a blank with 3 in 10.
        let posteriors =
            CellMap::from_fn(|cell| posterior(if cell.index() == 5 { 0.3 } else { 0.99 }));
        assert!((blank_doubt(&board, &posteriors) - (80.0 * 0.01 + 0.3)).abs() < 1e-3);
    }

    #[test]
    fn confidence_is_a_probability_monotonic_in_its_inputs() {
        let unique = |margin, doubt, digits| confidence(margin, doubt, digits, false);
        let margins = [
            0.0,
            1e-6,
            0.1,
            0.7,
            2.0,
            5.0,
            10.0,
            80.0,
            1e4,
            f32::INFINITY,
        ];
        let doubts = [0.0, 1e-6, 0.3, 1.0, 7.0, 81.0];
        for digits in 0..=81 {
            for (at, &margin) in margins.iter().enumerate() {
                for (place, &share) in doubts.iter().enumerate() {
                    let value = unique(margin, share, digits);
                    assert!((0.0..1.0).contains(&value), "{margin} {share} {digits}");
                    let less = |other: f32| other <= value;
                    assert!(at == 0 || less(unique(margins[at - 1], share, digits)));
                    assert!(place == 0 || value <= unique(margin, doubts[place - 1], digits));
                    assert!(digits == 0 || less(unique(margin, share, digits - 1)));
                    assert!(less(confidence(margin, share, digits, true)));
                }
            }
            assert_eq!(unique(0.0, 0.0, digits), 0.0);
        }
    }
}
