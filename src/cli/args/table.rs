//! The flag that says where tables hold their puzzles.

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct TableArgs {
    /// Column of CSV files that has the puzzles [default: puzzle, quizzes, question or another usual name]
    #[arg(long, value_name = "NAME")]
    pub(crate) puzzle_column: Option<String>,
}

impl TableArgs {
    /// The column, if one was named.
    pub(crate) fn column(&self) -> Option<&str> {
        self.puzzle_column.as_deref()
    }
}
