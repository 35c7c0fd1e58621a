//! W-wing and BUG+1, in HoDoKu's order.

use super::board::Board;
use super::found::{marks, strike};
use crate::grid::{Candidate, Cell, Digit, House};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::technique_id::TechniqueId;

/// Cells of the same two candidates in reading order, and the first house that joins them.
pub(super) fn w_wing(board: Board<'_>) -> Option<Deduction> {
    let two = board.with_count(2);
    two.into_iter().find_map(|first| {
        let pair = board.marks(first);
        let alike = two.into_iter();
        let mut alike = alike.filter(|&cell| cell > first && board.marks(cell) == pair);
        alike.find_map(|second| {
            pair.into_iter().find_map(|digit| {
                let linked = pair.without(digit).single()?;
                let seen = first.peers().intersection(second.peers());
                let struck = board.places(digit).intersection(seen);
                let ends = [first, second];
                let house = House::all().find(|&house| joins(board, linked, house, ends))?;
                strike(TechniqueId::WWing, marks(digit, struck).collect(), || {
                    Pattern::WWing {
                        ends,
                        house,
                        linked,
                        digit,
                    }
                })
            })
        })
    })
}

/// Whether the two places of the digit in this house see one end each. A place that sees both counts
/// for the first one only.
fn joins(board: Board<'_>, digit: Digit, house: House, ends: [Cell; 2]) -> bool {
    let link = board.places_in(digit, house);
    let seen = link.into_iter().filter(|cell| !ends.contains(cell));
    let seen: Vec<usize> = seen
        .filter_map(|cell| ends.iter().position(|end| end.sees(cell)))
        .collect();
    link.len() == 2 && seen.contains(&0) && seen.contains(&1)
}

/// One cell of three candidates, and one digit with three places in each of its houses.
pub(super) fn bug_plus_one(board: Board<'_>) -> Option<Deduction> {
    let two_or_three = |cell: Cell| board.marks(cell).len() <= 3;
    let three = board.with_count(3);
    let cell = three.into_iter().next()?;
    if three.len() > 1 || !board.blanks().into_iter().all(two_or_three) {
        return None;
    }
    let counted = |digit: Digit, house: House| board.places_in(digit, house).len();
    let triple = |digit: &Digit| {
        cell.houses()
            .iter()
            .all(|&house| counted(*digit, house) == 3)
    };
    let digit = board.marks(cell).into_iter().find(triple)?;
    let expected = |digit_of: Digit, house: House| {
        let count = counted(digit_of, house);
        count < 3 || count == 3 && digit_of == digit && cell.houses().contains(&house)
    };
    if !House::all().all(|house| Digit::ALL.into_iter().all(|other| expected(other, house))) {
        return None;
    }
    let others = board.marks(cell).without(digit).into_iter();
    let struck = others.map(|digit| Candidate { cell, digit }).collect();
    strike(TechniqueId::BugPlusOne, struck, || {
        Pattern::BugPlusOne(Candidate { cell, digit })
    })
}
