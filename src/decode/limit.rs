//! The limits of a decoder, and its clock.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::config::DecodeConfig;
use crate::solve::{Deadline, Limits, Verdict};

/// The limit of a [`DecodeConfig`] that ended the search for the most probable board, with its
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// [`DecodeConfig::max_boards`]: this many boards were assessed.
    Boards(usize),
    /// [`DecodeConfig::solver_nodes`]: the solver used this many nodes on one board, and could not
    /// say whether it has a solution.
    SolverNodes(u64),
    /// [`DecodeConfig::time_limit_ms`]: this many milliseconds passed.
    Time(u64),
    /// The solver is not complete, and got stuck on a board.
    Stuck,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Limit::Boards(1) => f.write_str("gave up after 1 board"),
            Limit::Boards(boards) => write!(f, "gave up after {} boards", grouped(boards as u64)),
            Limit::SolverNodes(nodes) => {
                write!(
                    f,
                    "gave up on a board after {} solver nodes",
                    grouped(nodes)
                )
            }
            Limit::Time(ms) => write!(f, "gave up after {} ms", grouped(ms)),
            Limit::Stuck => f.write_str("got stuck on a board, since the solver never guesses"),
        }
    }
}

/// Writes a whole number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The deadline of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLimit {
    at: Deadline,
    limit: Limit,
}

impl TimeLimit {
    /// Starts the clock of a configuration's time limit.
    pub(super) fn start(config: &DecodeConfig) -> TimeLimit {
        let ms = config.time_limit_ms.unwrap_or(u64::MAX);
        let time = config.time_limit_ms.map(Duration::from_millis);
        TimeLimit {
            at: Deadline::after(time),
            limit: Limit::Time(ms),
        }
    }

    /// Returns the limit once the time is up.
    pub(super) fn passed(&self) -> Option<Limit> {
        self.at.is_over().then_some(self.limit)
    }

    /// Returns the limits of the solver for one board.
    pub(super) fn solver_limits(&self, config: &DecodeConfig) -> Limits {
        Limits {
            time: self.at.left(),
            ..Limits::nodes(config.solver_nodes)
        }
    }

    /// Returns the limit that caused an inconclusive verdict.
    pub(super) fn limit_behind(&self, verdict: &Verdict, config: &DecodeConfig) -> Option<Limit> {
        match verdict {
            Verdict::Stuck(_) => Some(Limit::Stuck),
            Verdict::OutOfBudget => {
                let nodes = Limit::SolverNodes(config.solver_nodes);
                Some(self.passed().unwrap_or(nodes))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_report_which_one_was_reached() {
        for (limit, text) in [
            (Limit::Boards(1), "gave up after 1 board"),
            (Limit::Boards(2_000), "gave up after 2,000 boards"),
            (Limit::Boards(999), "gave up after 999 boards"),
            (
                Limit::SolverNodes(1_234_567),
                "gave up on a board after 1,234,567 solver nodes",
            ),
            (Limit::Time(250), "gave up after 250 ms"),
            (
                Limit::Stuck,
                "got stuck on a board, since the solver never guesses",
            ),
        ] {
            assert_eq!(limit.to_string(), text);
        }
    }
}
