//! Maximum a posteriori decoding: the most probable board that has a solution.

use super::confidence::{blank_doubt, confidence};
use super::config::{DecodeConfig, DecodeMode};
use super::decoded::Decoded;
use super::filled::filled_boards;
use super::limit::TimeLimit;
use super::search::{Search, is_rare};
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, CellSet, Puzzle};
use crate::solve::{Goal, Solver, Verdict};

/// Decodes one board.
///
/// The posteriors of the cells are taken as independent given the photo, so a board's probability is
/// their product times what is believed about printed puzzles: one without a solution was certainly
/// misread, one with several solutions is rare. The search is exact up to the limits of the
/// configuration; where one of them ran out, [`Decoded::gave_up`] says so. Digits that are clear and
/// contradict each other are not overruled: such a board is [`Verdict::Unsolvable`] as it stands.
///
/// ```
/// use sudoku_batch::decode::{DecodeConfig, decode};
/// use sudoku_batch::digits::Posterior;
/// use sudoku_batch::grid::{Cell, CellMap, Puzzle};
/// use sudoku_batch::solve::Mrv;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// // Of each cell: what it may hold, the blank first. The first one looks more like a 3 than like its 5.
/// let mut posteriors = CellMap::from_fn(|cell| {
///     let mut weights = [0.001; 10];
///     weights[puzzle.given(cell).map_or(0, |digit| usize::from(digit.value()))] = 1.0;
///     Posterior::from_weights(weights).expect("weights are positive")
/// });
/// let doubtful = [0.0, 0.0, 0.0, 0.6, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0];
/// let first = Cell::all().next().expect("there are 81");
/// posteriors[first] = Posterior::from_weights(doubtful).expect("weights are positive");
/// let board = decode(&posteriors, &mut Mrv::new(), &DecodeConfig::default());
/// assert_eq!(board.decoded, puzzle);
/// # Ok(())
/// # }
/// ```
pub fn decode(
    posteriors: &CellMap<Posterior>,
    solver: &mut dyn Solver,
    config: &DecodeConfig,
) -> Decoded {
    let time_limit = TimeLimit::start(config);
    let posteriors = &fit_blanks(posteriors, config);
    let givens = Puzzle::from_givens(posteriors.map(Posterior::best));
    match config.mode {
        DecodeMode::Argmax => as_read(posteriors, givens, time_limit, solver, config),
        DecodeMode::Rules => by_rules(posteriors, givens, time_limit, solver, config),
    }
}

/// Returns the posteriors adjusted to the share of blanks of this board. On a board that is filled
/// in, a cell is hardly ever blank, which the network, seeing one cell at a time, cannot know. The
/// share is found by expectation maximization (Saerens, Latinne and Decaestecker, 2002). Blanks are
/// never made more likely, so that a faint given is not lost.
fn fit_blanks(posteriors: &CellMap<Posterior>, config: &DecodeConfig) -> CellMap<Posterior> {
    const ROUNDS: usize = 6;
    /// Prior count of cells of each kind. Small: boards are left as printed, or are filled in to
    /// the last cell.
    const PRIOR_COUNT: f32 = 0.1;
    let trained_odds = config.trained_blanks / (1.0 - config.trained_blanks);
    let mut fitted = *posteriors;
    for _ in 0..ROUNDS {
        let blanks: f32 = fitted.as_array().iter().map(|cell| cell.of(None)).sum();
        let share = (blanks + PRIOR_COUNT) / (Cell::COUNT as f32 + 2.0 * PRIOR_COUNT);
        let factor = (share / (1.0 - share) / trained_odds).min(1.0);
        fitted = posteriors.map(|cell| {
            let mut weights = *cell.as_array();
            weights[0] *= factor;
            Posterior::from_weights(weights).unwrap_or(*cell)
        });
    }
    fitted
}

fn as_read(
    posteriors: &CellMap<Posterior>,
    givens: Puzzle,
    time_limit: TimeLimit,
    solver: &mut dyn Solver,
    config: &DecodeConfig,
) -> Decoded {
    let limits = time_limit.solver_limits(config);
    let verdict = solver.solve(&givens, Goal::ProveUnique, limits).verdict;
    let all_right: f32 = posteriors
        .as_array()
        .iter()
        .map(|posterior| posterior.of(posterior.best()))
        .product();
    // The lead over all other boards together.
    let lead = -(1.0 - all_right).ln();
    let blank_doubt = blank_doubt(&givens, posteriors);
    Decoded {
        givens,
        decoded: givens,
        cost: 0.0,
        margin: margin_of_cells(posteriors, config),
        blank_doubt,
        overruled: CellSet::EMPTY,
        mistakes: CellSet::EMPTY,
        confidence: match verdict {
            Verdict::Unsolvable => 0.0,
            _ => confidence(
                lead,
                blank_doubt,
                givens.given_count(),
                is_rare(&verdict, &givens),
            ),
        },
        gave_up: time_limit.limit_behind(&verdict, config),
        verdict,
    }
}

fn by_rules(
    posteriors: &CellMap<Posterior>,
    givens: Puzzle,
    time_limit: TimeLimit,
    solver: &mut dyn Solver,
    config: &DecodeConfig,
) -> Decoded {
    let findings = match filled_boards(posteriors, config, time_limit, solver) {
        Some(findings) => findings,
        None => Search::new(posteriors, givens, config, time_limit, solver).run(),
    };
    let gave_up = findings.gave_up;
    let Some(best) = findings.boards.first() else {
        return Decoded {
            givens,
            decoded: givens,
            verdict: match gave_up {
                Some(_) => Verdict::OutOfBudget,
                None => Verdict::Unsolvable,
            },
            gave_up,
            cost: 0.0,
            margin: 0.0,
            blank_doubt: blank_doubt(&givens, posteriors),
            overruled: CellSet::EMPTY,
            mistakes: CellSet::EMPTY,
            confidence: 0.0,
        };
    };
    let mut decoded = best.board;
    if let Some(solution) = best.verdict.solution() {
        for cell in best.mistakes {
            decoded.set(cell, Some(solution.digit(cell)));
        }
    }
    // The next best board counts only as far as everything cheaper was looked at.
    let next = findings
        .boards
        .get(1)
        .map_or(f32::INFINITY, |next| next.total);
    let next = next.min(findings.frontier);
    let margin = (next - best.total).min(config.margin_cap).max(0.0);
    let blank_doubt = blank_doubt(&decoded, posteriors);
    let digits = decoded.given_count();
    let is_rare = is_rare(&best.verdict, &decoded);
    Decoded {
        givens,
        decoded,
        verdict: best.verdict.clone(),
        gave_up,
        cost: best.cost,
        margin,
        blank_doubt,
        overruled: Cell::all()
            .filter(|&cell| decoded.given(cell) != givens.given(cell))
            .collect(),
        mistakes: best.mistakes,
        confidence: confidence(margin, blank_doubt, digits, is_rare),
    }
}

/// Returns the nats between the most probable reading and the next, each cell by itself.
fn margin_of_cells(posteriors: &CellMap<Posterior>, config: &DecodeConfig) -> f32 {
    let closest = posteriors.as_array().iter().map(|posterior| {
        let mut sorted = *posterior.as_array();
        sorted.sort_by(f32::total_cmp);
        (sorted[9] / sorted[8].max(config.probability_floor)).ln()
    });
    // A floor above the probabilities themselves would make it negative.
    closest.fold(config.margin_cap, f32::min).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Digit;

    /// A blank with this probability, else a 1.
    fn posterior(blank: f32) -> Posterior {
        let mut weights = [0.0; 10];
        (weights[0], weights[1]) = (blank, 1.0 - blank);
        Posterior::from_weights(weights).unwrap()
    }

    #[test]
    fn a_doubtful_cell_is_as_often_blank_as_the_board_is() {
        let config = DecodeConfig::default();
        for blanks in [0, 10, 30, 60] {
            let board = CellMap::from_fn(|cell| match cell.index() {
                0 => posterior(0.5),
                at => posterior(if at <= blanks { 1.0 } else { 0.0 }),
            });
            // The fixed point of the iteration, by bisection.
            let (mut low, mut high) = (0.0_f32, 0.5);
            for _ in 0..40 {
                let middle = (low + high) / 2.0;
                let share = (blanks as f32 + middle + 0.1) / 81.2;
                let odds = (share / (1.0 - share) / (0.4 / 0.6)).min(1.0);
                match odds / (odds + 1.0) > middle {
                    true => low = middle,
                    false => high = middle,
                }
            }
            let fitted = fit_blanks(&board, &config);
            let found = fitted[Cell::new(0).unwrap()].of(None);
            assert!((found - low).abs() < 2e-3, "{blanks}: {found} {low}");
        }
    }

    #[test]
    fn the_closest_call_of_all_cells_is_the_margin() {
        let config = DecodeConfig::default();
        let margin = |doubtful: f32| {
            let digit = |cell: Cell| posterior(if cell.index() == 7 { doubtful } else { 0.0 });
            margin_of_cells(&CellMap::from_fn(digit), &config)
        };
        assert!((margin(0.2) - 4.0_f32.ln()).abs() < 1e-5);
        assert!((margin(0.9) - 9.0_f32.ln()).abs() < 1e-5);
        assert_eq!(margin(0.5), 0.0);
        assert_eq!(margin(0.0), config.margin_cap);
        assert_eq!(Posterior::best(&posterior(0.2)), Some(Digit::ALL[0]));
    }
}
