//! Fields after a puzzle that make it one of another board. Classic puzzles have none: who skipped them would answer
//! another puzzle.

use super::line::run;
use crate::grid::Cell;

/// What a text after the cells of a puzzle has of the rules of another board, if anything. As in the lines of other
/// boards, fields are parted by tabs, or are the first words, up to the first that is none.
pub(super) fn other_rules(text: &[u8]) -> Option<&'static str> {
    if text.contains(&b'\t') {
        let mut fields = text.split(|byte| *byte == b'\t');
        return fields.find_map(|field| rules_of_field(field.trim_ascii()));
    }
    let fields = text.split(|byte| matches!(byte, b' ' | b',' | b';' | b'|' | b'"'));
    for field in fields.filter(|field| !field.is_empty()) {
        let rules = rules_of_field(field);
        let is_board = field.len() == Cell::COUNT && run(field) == Cell::COUNT;
        if rules.is_some() || !is_board {
            return rules;
        }
    }
    None
}

/// What a field says of the rules of another board.
pub(super) fn rules_of_field(field: &[u8]) -> Option<&'static str> {
    let is = |word: &str| field.eq_ignore_ascii_case(word.as_bytes());
    let digits = field
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if is("diagonals") || is("diagonal") {
        Some("diagonals")
    } else if is("windows") || is("windoku") {
        Some("windows")
    } else if field.starts_with(b"boxes=") && !is("boxes=3x3") {
        Some("boxes")
    } else if field.starts_with(b"regions=") || is_regions(field) {
        Some("regions")
    } else if digits > 0 && matches!(field[digits..], [b'=', b'r' | b'R', b'1'..=b'9', ..]) {
        Some("cages")
    } else {
        None
    }
}

/// Whether this names the region of each cell: nine symbols nine times, each beside one of its kind. No solution is
/// that.
fn is_regions(field: &[u8]) -> bool {
    let Ok(cells) = <&[u8; Cell::COUNT]>::try_from(field) else {
        return false;
    };
    let symbol = |cell: usize| cells[cell].to_ascii_uppercase();
    let is_like = |cell: usize| {
        let (row, column) = (cell / 9, cell % 9);
        let beside = [
            (row > 0).then(|| cell - 9),
            (column > 0).then(|| cell - 1),
            (column < 8).then_some(cell + 1),
            (row < 8).then_some(cell + 9),
        ];
        let same = |other: usize| symbol(other) == symbol(cell);
        cells[cell].is_ascii_alphanumeric() && beside.into_iter().flatten().any(same)
    };
    let is_ninth = |cell: usize| {
        (0..Cell::COUNT)
            .filter(|other| symbol(*other) == symbol(cell))
            .count()
            == 9
    };
    (0..Cell::COUNT).all(is_like) && (0..Cell::COUNT).all(is_ninth)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGIONS: &str =
        "111111222133311222433333252436666255446667555844667755884447995888777799888799999";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn rules_of_other_boards_are_detected() {
        for (text, expected) in [
            (" diagonals", Some("diagonals")),
            (",Windoku", Some("windows")),
            ("\tmy note\tdiagonal", Some("diagonals")),
            (" boxes=1x9", Some("boxes")),
            (" boxes=3x3", None),
            (" regions=1122", Some("regions")),
            (" 9=r1c1,r1c2 8=r2c1", Some("cages")),
            (" # diagonals", None),
            (" my diagonals", None),
            ("", None),
        ] {
            assert_eq!(other_rules(text.as_bytes()), expected, "{text:?}");
        }
        let with = |field: &str| other_rules(format!(" {field} 5.0 note").as_bytes());
        assert_eq!(with(REGIONS), Some("regions"));
        assert_eq!(with(&format!("{SOLUTION},{REGIONS}")), Some("regions"));
        assert_eq!(with(SOLUTION), None);
        assert_eq!(with(&"1".repeat(81)), None);
        // Only a whole board may stand between the puzzle and its rules, and cages begin with a sum.
        for between in ["x".repeat(81), "1".repeat(81) + "x", "1".repeat(80)] {
            assert_eq!(
                other_rules(format!(" {between} diagonals").as_bytes()),
                None
            );
        }
        assert_eq!(other_rules(b" =r1c1"), None);
        assert_eq!(other_rules(b" r1c1"), None);
        assert_eq!(other_rules(b" 9=red"), None);
    }

    /// Wherever two cells of a partition are exchanged: each cell has one of its kind beside it, or not.
    #[test]
    fn each_cell_of_a_region_stands_beside_another() {
        let is_beside = |a: usize, b: usize| (a / 9).abs_diff(b / 9) + (a % 9).abs_diff(b % 9) == 1;
        let mut refused = 0;
        for a in 0..Cell::COUNT {
            for b in 0..a {
                let mut cells = REGIONS.as_bytes().to_vec();
                cells.swap(a, b);
                let has_like = |cell: usize| {
                    (0..Cell::COUNT)
                        .any(|other| is_beside(cell, other) && cells[other] == cells[cell])
                };
                let expected = (0..Cell::COUNT).all(has_like);
                assert_eq!(is_regions(&cells), expected, "{a} and {b}");
                refused += usize::from(!expected);
            }
        }
        assert!((100..3_000).contains(&refused), "{refused}");
        let mut ten = REGIONS.as_bytes().to_vec();
        ten[0] = b'2';
        assert!(!is_regions(&ten));
    }
}
