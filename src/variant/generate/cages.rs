//! Random cages over a full board.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::super::layout::Cage;
use super::super::value::Value;
use super::super::written::{is_connected, neighbors};

/// On larger boards cages of one cell are joined to others only once a puzzle is made, each where the solution stays the
/// only one: with larger cages from the start, most divisions would have many.
pub(super) const MOST_JOINED_SIDE: usize = 9;

/// Cages of connected cells with different values that cover the board, of `most` cells at most. Where cells
/// are left between others, cages are smaller than they were to be; up to 9 x 9 a cell is a cage alone only where no
/// cage beside it can take it or spare a cell for it.
pub(super) fn random_cages(
    side: usize,
    values: &[Value],
    most: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Cage> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.shuffle(rng);
    let mut taken = vec![false; values.len()];
    let mut cages: Vec<Vec<usize>> = Vec::new();
    for start in order {
        if taken[start] {
            continue;
        }
        taken[start] = true;
        let mut cells = vec![start];
        let size = rng.random_range(2.min(most)..=most);
        while cells.len() < size {
            let around = cells.iter().flat_map(|cell| neighbors(side, *cell));
            let is_free = |cell: &usize| !taken[*cell] && lacks(&cells, *cell, values);
            let free: Vec<usize> = around.filter(is_free).collect();
            let Some(&next) = free.choose(rng) else {
                break;
            };
            taken[next] = true;
            cells.push(next);
        }
        cages.push(cells);
    }
    if side <= MOST_JOINED_SIDE {
        join_single_cells(side, values, most, &mut cages);
    }
    with_sums(&cages, values)
}

/// Cages of these cells but for the empty ones, with the sums of their values.
pub(super) fn with_sums(cages: &[Vec<usize>], values: &[Value]) -> Vec<Cage> {
    let number = |cell: &usize| u32::from(values[*cell].get());
    let cage = |cells: &Vec<usize>| Cage {
        sum: cells.iter().map(number).sum(),
        cells: cells.clone(),
    };
    let cages = cages.iter().filter(|cells| !cells.is_empty());
    cages.map(cage).collect()
}

/// Whether no cell of a cage has the value of this one.
fn lacks(cage: &[usize], cell: usize, values: &[Value]) -> bool {
    cage.iter().all(|other| values[*other] != values[cell])
}

/// Joins each cell that is a cage alone in the first way that there is.
fn join_single_cells(side: usize, values: &[Value], most: usize, cages: &mut Vec<Vec<usize>>) {
    for single in 0..cages.len() {
        if cages[single].len() != 1 {
            continue;
        }
        let first = joinings(side, values, most, cages, single).next();
        if let Some(joined) = first {
            *cages = joined;
        }
    }
}

/// The cages after a cell that is one alone has got a cell from a cage of three cells or more beside it, or else has
/// gone to a cage beside it that has room, the smallest first; its own is empty then.
pub(super) fn joinings<'a>(
    side: usize,
    values: &'a [Value],
    most: usize,
    cages: &'a [Vec<usize>],
    single: usize,
) -> impl Iterator<Item = Vec<Vec<usize>>> + 'a {
    let cell = cages[single][0];
    let cage_of = |other| cages.iter().position(|cage| cage.contains(&other));
    let beside: Vec<(usize, usize)> = neighbors(side, cell)
        .filter_map(|other| Some((other, cage_of(other)?)))
        .collect();
    let mut rooms: Vec<usize> = beside.iter().map(|(_, cage)| *cage).collect();
    rooms.retain(|cage| cages[*cage].len() < most && lacks(&cages[*cage], cell, values));
    rooms.sort_by_key(|cage| cages[*cage].len());
    let spared = beside.into_iter().filter_map(move |(other, cage)| {
        let rest = cages[cage].iter().copied().filter(|cell| *cell != other);
        let rest: Vec<usize> = rest.collect();
        let can_spare =
            values[other] != values[cell] && rest.len() > 1 && is_connected(side, &rest);
        can_spare.then(|| {
            let mut joined = cages.to_vec();
            joined[cage] = rest;
            joined[single].push(other);
            joined
        })
    });
    let taken = rooms.into_iter().map(move |cage| {
        let mut joined = cages.to_vec();
        joined[cage].push(cell);
        joined[single].clear();
        joined
    });
    spared.chain(taken)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn cages_cover_the_board_and_few_have_a_single_cell() {
        let values: Vec<Value> = SOLUTION
            .bytes()
            .filter_map(|digit| Value::new(digit - b'0'))
            .collect();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut singles = 0;
        for most in 1..=6 {
            for _ in 0..50 {
                let cages = random_cages(9, &values, most, &mut rng);
                let mut covered: Vec<usize> = Vec::new();
                for Cage { sum, cells } in cages {
                    assert!(cells.len() <= most && is_connected(9, &cells));
                    let distinct = |cell: &usize| {
                        let same = cells
                            .iter()
                            .filter(|other| values[**other] == values[*cell]);
                        same.count() == 1
                    };
                    assert!(cells.iter().all(distinct));
                    let total: u32 = cells
                        .iter()
                        .map(|cell| u32::from(values[*cell].get()))
                        .sum();
                    assert_eq!(total, sum);
                    singles += usize::from(cells.len() == 1 && most > 2);
                    covered.extend(cells);
                }
                covered.sort_unstable();
                assert!(covered.into_iter().eq(0..81));
            }
        }
        assert!(singles < 20, "{singles} on 200 boards");
    }
}
