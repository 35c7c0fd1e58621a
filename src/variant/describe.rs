//! Contradictions among givens, in words.

use super::alphabet::Alphabet;
use super::layout::{HouseKind, Layout};
use super::puzzle::Clash;
use super::value::Value;

impl Layout {
    /// Returns what kind of board it is: `6x6, boxes 2x3`, `7x7 jigsaw`, `9x9 killer, diagonals`.
    pub fn describe(&self) -> String {
        let side = self.side();
        let mut text = format!("{side}x{side}");
        if self.boxes().is_none() {
            text += " jigsaw";
        }
        if !self.cages().is_empty() {
            text += " killer";
        }
        if let Some(boxes) = self.boxes().filter(|boxes| boxes.rows != boxes.columns) {
            text += &format!(", boxes {boxes}");
        }
        if self.has_diagonals() {
            text += ", diagonals";
        }
        if self.has_windows() {
            text += ", windows";
        }
        text
    }
}

impl Clash {
    /// Says what is wrong and where: `5 twice in row 3: columns 2 and 7`.
    pub fn describe(&self, layout: &Layout, alphabet: Alphabet) -> String {
        let side = layout.side();
        let row = |cell: usize| cell / side + 1;
        let column = |cell: usize| cell % side + 1;
        let place = |cell: usize| format!("row {}, column {}", row(cell), column(cell));
        let &(kind, number, value, [first, second]) = match self {
            Clash::House {
                kind,
                number,
                value,
                cells,
            } => &(*kind, *number, *value, *cells),
            Clash::Cage { cell } => {
                let cages = layout.cages();
                let cage = cages.iter().find(|cage| cage.cells.first() == Some(cell));
                let sum = cage.map_or(0, |cage| cage.sum);
                return format!(
                    "the givens in the cage of {} (sum {sum}) repeat a value or do not come to its sum",
                    place(*cell)
                );
            }
        };
        let value = symbol(value, alphabet);
        let both = format!("{} and {}", place(first), place(second));
        match kind {
            HouseKind::Row => format!(
                "{value} twice in row {}: columns {} and {}",
                number + 1,
                column(first),
                column(second)
            ),
            HouseKind::Column => format!(
                "{value} twice in column {}: rows {} and {}",
                number + 1,
                row(first),
                row(second)
            ),
            HouseKind::Region => {
                let name = if layout.boxes().is_some() {
                    "box"
                } else {
                    "region"
                };
                format!("{value} twice in {name} {}: {both}", number + 1)
            }
            HouseKind::Diagonal => {
                let name = if number == 0 { "falling" } else { "rising" };
                format!("{value} twice on the {name} diagonal: {both}")
            }
            HouseKind::Window => format!("{value} twice in window {}: {both}", number + 1),
        }
    }
}

/// A value as it is written; as a number, where the alphabet has no symbol for it.
pub(super) fn symbol(value: Value, alphabet: Alphabet) -> String {
    let symbol = alphabet.symbol(value);
    symbol.unwrap_or_else(|| value.get().to_string())
}
