//! What a search for a canonical form finds.

use crate::grid::{PuzzleLine, Symmetry};

/// A canonical form, how to get there, and how symmetric the board is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonical {
    /// The form; blanks are `.`.
    pub line: PuzzleLine,
    /// Leads from the board to the form. Where several do, it is one of them.
    pub symmetry: Symmetry,
    /// How many symmetries map the board to itself.
    ///
    /// Of a puzzle, among all 2 · 6⁸ · 9! (rows, columns, transposition, digits): a relabeling of digits that stand
    /// nowhere on the board counts, so a puzzle without two of the digits has at least two automorphisms, and
    /// 2 · 6⁸ · 9! divided by this number is how many different images the puzzle has. Of a pattern, among the
    /// 2 · 6⁸ that leave the digits alone.
    pub automorphisms: u64,
}
