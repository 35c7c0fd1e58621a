//! Simple colors and multi-colors, in HoDoKu's order.

use super::board::{Board, marks, strike};
use crate::grid::{Candidate, Cell, CellSet, Digit, House};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::technique_id::TechniqueId;

type Colors = [CellSet; 2];

/// What sees one of these.
fn seen(cells: CellSet) -> CellSet {
    let peers = cells.into_iter().map(Cell::peers);
    peers.fold(CellSet::EMPTY, CellSet::union)
}

fn meet(one: CellSet, other: CellSet) -> bool {
    !seen(one).intersection(other).is_empty()
}

/// The components of the digit, by their first cells.
fn components(board: Board<'_>, digit: Digit) -> Vec<Colors> {
    let links: Vec<CellSet> = House::all()
        .map(|house| board.places_in(digit, house))
        .filter(|link| link.len() == 2)
        .collect();
    let mut left = links
        .iter()
        .fold(CellSet::EMPTY, |all, &one| all.union(one));
    let mut all = Vec::new();
    while let Some(first) = left.into_iter().next() {
        let mut colors = [CellSet::only(first), CellSet::EMPTY];
        let mut todo = vec![(first, 0)];
        while let Some((cell, color)) = todo.pop() {
            let joined = links.iter().filter(|link| link.contains(cell));
            for other in joined.flat_map(|link| link.without(cell)) {
                if !colors[0].union(colors[1]).contains(other) {
                    colors[1 - color] = colors[1 - color].with(other);
                    todo.push((other, 1 - color));
                }
            }
        }
        left = left.difference(colors[0]).difference(colors[1]);
        all.push(colors);
    }
    all
}

/// The places that see both.
fn between(board: Board<'_>, digit: Digit, one: CellSet, other: CellSet) -> Vec<Candidate> {
    let both = seen(one).intersection(seen(other));
    marks(digit, board.places(digit).intersection(both)).collect()
}

pub(super) fn simple_colors(board: Board<'_>) -> Option<Deduction> {
    Digit::ALL.into_iter().find_map(|digit| {
        components(board, digit).into_iter().find_map(|colors| {
            let pattern = || Pattern::Colors {
                digit,
                components: vec![colors],
            };
            let wrapped = colors.into_iter().filter(|&color| meet(color, color));
            let wrapped = wrapped.flat_map(|color| marks(digit, color)).collect();
            let wrap = strike(TechniqueId::SimpleColorsWrap, wrapped, pattern);
            wrap.or_else(|| {
                let struck = between(board, digit, colors[0], colors[1]);
                strike(TechniqueId::SimpleColorsTrap, struck, pattern)
            })
        })
    })
}

pub(super) fn multi_colors(board: Board<'_>) -> Option<Deduction> {
    Digit::ALL.into_iter().find_map(|digit| {
        let all = components(board, digit);
        let pairs = all.iter().enumerate().flat_map(|(at, &one)| {
            let others = all
                .iter()
                .enumerate()
                .filter(move |(other, _)| *other != at);
            others.map(move |(_, &other)| (one, other))
        });
        pairs
            .into_iter()
            .find_map(|(one, other)| multi_colors_of(board, digit, one, other))
    })
}

fn multi_colors_of(
    board: Board<'_>,
    digit: Digit,
    one: Colors,
    other: Colors,
) -> Option<Deduction> {
    let pattern = || Pattern::Colors {
        digit,
        components: vec![one, other],
    };
    let sees_both = |&color: &CellSet| meet(color, other[0]) && meet(color, other[1]);
    let struck = one.into_iter().filter(sees_both);
    let struck = struck.flat_map(|color| marks(digit, color)).collect();
    let two = strike(TechniqueId::MultiColors2, struck, pattern);
    two.or_else(|| {
        let ways = [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter();
        let met = ways.filter(|&(a, b)| meet(one[a], other[b]));
        let struck = met.flat_map(|(a, b)| between(board, digit, one[1 - a], other[1 - b]));
        strike(TechniqueId::MultiColors1, struck.collect(), pattern)
    })
}
