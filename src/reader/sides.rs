//! The outer rows and columns of a board.

use crate::grid::Puzzle;

/// Returns the shifts of a board, in cells to the right and down, that leave out an outermost row or column without a
/// digit.
pub(super) fn shifts_off_blanks(board: &Puzzle) -> Vec<(f32, f32)> {
    let [top, right, bottom, left] = blank_sides(board);
    let steps = |first: bool, last: bool| {
        let steps = [(true, 0.0), (first, 1.0), (last, -1.0)];
        steps
            .into_iter()
            .filter(|(is_possible, _)| *is_possible)
            .map(|(_, step)| step)
    };
    let across = steps(left, right);
    let shifts =
        steps(top, bottom).flat_map(|down| across.clone().map(move |across| (across, down)));
    shifts.filter(|shift| *shift != (0.0, 0.0)).collect()
}

/// Returns whether the first row, the last column, the last row, and the first column hold no digit.
pub(super) fn blank_sides(board: &Puzzle) -> [bool; 4] {
    let is_in: [fn(usize) -> bool; 4] = [
        |cell| cell / 9 == 0,
        |cell| cell % 9 == 8,
        |cell| cell / 9 == 8,
        |cell| cell % 9 == 0,
    ];
    is_in.map(|is_in| board.givens().all(|(cell, _)| !is_in(cell.index())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_shifted_off_its_blank_edges_alone() {
        let shifts = |line: String| shifts_off_blanks(&line.parse().unwrap());
        let full = "123456789".repeat(9);
        assert_eq!(shifts(full.clone()), []);
        let without_last_row = format!("{}{}", &full[..72], ".".repeat(9));
        assert_eq!(shifts(without_last_row), [(0.0, -1.0)]);
        let without_two = format!("{}{}", ".".repeat(9), "12345678.".repeat(8));
        assert_eq!(shifts(without_two), [(-1.0, 0.0), (0.0, 1.0), (-1.0, 1.0)]);
        assert_eq!(shifts(".".repeat(81)).len(), 8);
    }
}
