//! Limits per puzzle.

use std::time::Duration;

use clap::Args;
use sudoku_batch::solve::Limits;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits per puzzle")]
pub(crate) struct LimitArgs {
    /// Guesses; a puzzle that exceeds them is a `timeout`
    #[arg(long, value_name = "N")]
    pub(crate) max_guesses: Option<u64>,
    /// Search nodes; a puzzle that exceeds them is a `timeout`
    #[arg(long, value_name = "N")]
    pub(crate) max_nodes: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn limits(&self, time: Option<Duration>) -> Limits {
        Limits {
            nodes: self.max_nodes.unwrap_or(u64::MAX),
            guesses: self.max_guesses.unwrap_or(u64::MAX),
            time,
            stop: None,
        }
    }
}
