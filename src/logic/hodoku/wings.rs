//! W-wing, XY-wing, XYZ-wing and BUG+1, in HoDoKu's order.

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

/// Three cells of two candidates in reading order, each of which may be the pivot.
pub(super) fn xy_wing(board: Board<'_>) -> Option<Deduction> {
    let two: Vec<Cell> = board.with_count(2).into_iter().collect();
    for (i, &a) in two.iter().enumerate() {
        for (j, &b) in two.iter().enumerate().skip(i + 1) {
            if board.marks(a).union(board.marks(b)).len() != 3 {
                continue;
            }
            for &c in &two[j + 1..] {
                let ways = [[a, b, c], [b, a, c], [c, b, a]];
                let found = ways
                    .into_iter()
                    .find_map(|[pivot, p, q]| wing(board, pivot, [p, q], false));
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// As above, with a pivot of three candidates.
pub(super) fn xyz_wing(board: Board<'_>) -> Option<Deduction> {
    let two: Vec<Cell> = board.with_count(2).into_iter().collect();
    board.with_count(3).into_iter().find_map(|pivot| {
        two.iter().enumerate().find_map(|(at, &p)| {
            let mut others = two[at + 1..].iter();
            others.find_map(|&q| wing(board, pivot, [p, q], true))
        })
    })
}

fn wing(board: Board<'_>, pivot: Cell, pincers: [Cell; 2], with_pivot: bool) -> Option<Deduction> {
    let held = board.marks(pivot);
    let [p, q] = pincers.map(|cell| board.marks(cell));
    let sees = pincers.iter().all(|&pincer| pivot.sees(pincer));
    let apart = held != p && held != q && p != q;
    if !sees || !apart || held.union(p).union(q).len() != 3 {
        return None;
    }
    let digit = p.intersection(q).single()?;
    let mut seen = pincers[0].peers().intersection(pincers[1].peers());
    if with_pivot {
        seen = seen.intersection(pivot.peers());
    }
    let struck = marks(digit, board.places(digit).intersection(seen)).collect();
    if with_pivot {
        return strike(TechniqueId::XyzWing, struck, || Pattern::XyzWing {
            pivot,
            pincers,
            digit,
        });
    }
    let mut pincers = pincers;
    let smaller = held.into_iter().next();
    if smaller.is_some_and(|smaller| !p.contains(smaller)) {
        pincers.swap(0, 1);
    }
    strike(TechniqueId::XyWing, struck, || Pattern::XyWing {
        pivot,
        pincers,
        digit,
    })
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
