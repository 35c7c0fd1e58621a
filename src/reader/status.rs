//! Status of a board or photo.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of reading a board, or of a photo without one. In files its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Read, with exactly one solution.
    Solved,
    /// Read, with several solutions.
    Multiple,
    /// Read, but the board as it stands has no solution.
    Unsolvable,
    /// Read, but too uncertain to be trusted: too small a probability of being right, cells outside
    /// the photo, or a limit of the search was reached.
    Uncertain,
    /// No board in the photo, or what looked like one holds no Sudoku.
    NoGrid,
    /// The file does not open as a photo, video or page, or a part of the program failed on it.
    Unreadable,
    /// The time limit of a photo was exceeded.
    Timeout,
}

impl Status {
    /// All statuses, best first.
    pub const ALL: [Status; 7] = [
        Status::Solved,
        Status::Multiple,
        Status::Unsolvable,
        Status::Uncertain,
        Status::NoGrid,
        Status::Unreadable,
        Status::Timeout,
    ];

    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Multiple => "multiple",
            Status::Unsolvable => "unsolvable",
            Status::Uncertain => "uncertain",
            Status::NoGrid => "no-grid",
            Status::Unreadable => "unreadable",
            Status::Timeout => "timeout",
        }
    }

    /// Returns whether the puzzle was read, with a usable result.
    pub const fn is_read(self) -> bool {
        matches!(self, Status::Solved | Status::Multiple)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_the_names_used_in_files() {
        for status in Status::ALL {
            let json = serde_json::to_string(&status).unwrap();
            assert_eq!(json, format!("{:?}", status.name()));
        }
    }
}
