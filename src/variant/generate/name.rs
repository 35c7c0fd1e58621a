//! Layouts by name, as the command line has them.

use std::str::FromStr;

use thiserror::Error;

use super::generator::{LayoutKind, Regions};
use crate::variant::layout::{Boxes, LEAST_SIDE};
use crate::variant::value::MOST_SIDE;

/// The most cells of a cage of a killer.
const KILLER_CAGE: usize = 5;

/// Why a name is that of no layout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutNameError {
    /// A part of the name means nothing.
    #[error(
        "{0:?} is no layout: give a size such as 6x6, or x, windoku, jigsaw or killer, or several of them, as in \
         7x7-jigsaw"
    )]
    Unknown(String),
    /// The side is too small or too large, or the board is not square.
    #[error(
        "{0:?} is no size: boards are square, from {LEAST_SIDE}x{LEAST_SIDE} to {MOST_SIDE}x{MOST_SIDE}"
    )]
    Size(String),
    /// Only a jigsaw can have this side.
    #[error("a board of side {0} has no boxes: {0}x{0}-jigsaw has regions")]
    NoBoxes(usize),
}

/// Reads a name such as `6x6`, `killer` or `7x7-jigsaw`: a size, 9x9 where none is given, and what else the board
/// has. Boxes are as square as can be, and wider than high: 2x3 on a board of 6x6.
impl FromStr for LayoutKind {
    type Err = LayoutNameError;

    fn from_str(name: &str) -> Result<LayoutKind, LayoutNameError> {
        let mut side = 9;
        let mut kind = LayoutKind::jigsaw(side);
        let mut is_jigsaw = false;
        for part in name.to_ascii_lowercase().split('-') {
            match part {
                "x" => kind.diagonals = true,
                "windoku" => kind.windows = true,
                "jigsaw" => is_jigsaw = true,
                "killer" => kind.cages = Some(KILLER_CAGE),
                size if size.contains('x') => side = parse_side(size)?,
                _ => return Err(LayoutNameError::Unknown(name.to_owned())),
            }
        }
        kind.cages = kind.cages.map(|most| most.min(side));
        kind.regions = if is_jigsaw {
            Regions::Jigsaw { side }
        } else {
            Regions::Boxes(widest(side).ok_or(LayoutNameError::NoBoxes(side))?)
        };
        Ok(kind)
    }
}

fn parse_side(size: &str) -> Result<usize, LayoutNameError> {
    let sides = size.split_once('x').and_then(|(rows, columns)| {
        let rows: usize = rows.parse().ok()?;
        (columns.parse() == Ok(rows)).then_some(rows)
    });
    sides
        .filter(|side| (LEAST_SIDE..=MOST_SIDE).contains(side))
        .ok_or_else(|| LayoutNameError::Size(size.to_owned()))
}

/// The boxes that are as square as can be, and no higher than wide; none, if they were a single row.
fn widest(side: usize) -> Option<Boxes> {
    let mut rows = 2..=side.isqrt();
    let rows = rows.rfind(|rows| side.is_multiple_of(*rows))?;
    Some(Boxes {
        rows,
        columns: side / rows,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_size_and_rules() {
        let boxes = |name: &str| match name.parse::<LayoutKind>().unwrap().regions {
            Regions::Boxes(boxes) => boxes.to_string(),
            Regions::Jigsaw { side } => format!("jigsaw {side}"),
        };
        for (name, expected) in [
            ("4x4", "2x2"),
            ("6x6", "2x3"),
            ("8x8", "2x4"),
            ("10X10", "2x5"),
            ("12x12", "3x4"),
            ("16x16", "4x4"),
            ("36x36", "6x6"),
            ("x", "3x3"),
            ("killer-6x6", "2x3"),
            ("jigsaw", "jigsaw 9"),
            ("7x7-jigsaw-x", "jigsaw 7"),
        ] {
            assert_eq!(boxes(name), expected, "{name}");
        }
        let kind: LayoutKind = "4x4-killer-x".parse().unwrap();
        assert_eq!(
            (kind.cages, kind.diagonals, kind.windows),
            (Some(4), true, false)
        );
    }

    #[test]
    fn names_of_nothing_are_refused() {
        let error = |name: &str| name.parse::<LayoutKind>().unwrap_err();
        assert_eq!(error("7x7"), LayoutNameError::NoBoxes(7));
        for name in [
            "3x3",
            "6x9",
            "49x49",
            "0x0",
            "x6",
            "6x",
            "99999999999999999999x1",
        ] {
            assert!(matches!(error(name), LayoutNameError::Size(_)), "{name}");
        }
        for name in ["", "samurai", "9", "killer-"] {
            assert_eq!(error(name), LayoutNameError::Unknown(name.to_owned()));
        }
    }
}
