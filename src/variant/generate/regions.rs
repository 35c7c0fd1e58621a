//! Random regions for jigsaws: connected, all of the same size.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::super::layout::Boxes;
use super::super::written::neighbors;

/// Exchanges tried for each cell of the board.
const EXCHANGES_PER_CELL: usize = 12;
/// The most exchanges: on large boards regions far from boxes leave no full board as a rule.
const MOST_EXCHANGES: usize = 3_000;

/// The region of each cell. Starts from boxes, as square as the side allows, and lets neighbouring regions
/// exchange cells as long as both stay connected: a random walk over all such divisions, so that those that
/// are near boxes and those that are far from them come up. The walk is half as long for each step of `nearness`.
pub(super) fn random_regions(side: usize, nearness: u32, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let rows = (1..=side.isqrt())
        .rev()
        .find(|rows| side.is_multiple_of(*rows));
    let rows = rows.unwrap_or(1);
    let boxes = Boxes {
        rows,
        columns: side / rows,
    };
    let mut regions: Vec<u32> = (0..side * side)
        .map(|cell| {
            let (row, column) = (cell / side, cell % side);
            (row / boxes.rows * (side / boxes.columns) + column / boxes.columns) as u32
        })
        .collect();
    let exchanges = MOST_EXCHANGES.min(EXCHANGES_PER_CELL * side * side);
    for _ in 0..exchanges >> nearness.min(usize::BITS - 1) {
        exchange(side, &mut regions, rng);
    }
    regions
}

/// Moves a random cell into a neighbouring region, which gives a cell for it, if that breaks neither.
fn exchange(side: usize, regions: &mut [u32], rng: &mut ChaCha8Rng) {
    let cell = rng.random_range(0..regions.len());
    let from = regions[cell];
    let others: Vec<u32> = neighbors(side, cell)
        .map(|neighbour| regions[neighbour])
        .filter(|region| *region != from)
        .collect();
    let Some(&to) = others.choose(rng) else {
        return;
    };
    regions[cell] = to;
    let borders = |given: &usize| {
        let mut around = neighbors(side, *given);
        *given != cell && regions[*given] == to && around.any(|cell| regions[cell] == from)
    };
    let givable: Vec<usize> = (0..regions.len()).filter(borders).collect();
    if let Some(&given) = givable.choose(rng) {
        regions[given] = from;
        if is_connected(side, regions, from) && is_connected(side, regions, to) {
            return;
        }
        regions[given] = to;
    }
    regions[cell] = from;
}

/// Whether one can walk from each cell of a region to each other within it.
fn is_connected(side: usize, regions: &[u32], region: u32) -> bool {
    let Some(first) = regions.iter().position(|other| *other == region) else {
        return true;
    };
    let mut reached = vec![false; regions.len()];
    reached[first] = true;
    let mut front = vec![first];
    let mut count = 1;
    while let Some(cell) = front.pop() {
        for neighbour in neighbors(side, cell) {
            if regions[neighbour] == region && !std::mem::replace(&mut reached[neighbour], true) {
                front.push(neighbour);
                count += 1;
            }
        }
    }
    count == side
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn regions_are_connected_and_of_one_size() {
        for (side, seed) in [(4, 0), (5, 1), (7, 2), (9, 3), (12, 4)] {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let regions = random_regions(side, 0, &mut rng);
            for region in 0..side as u32 {
                let size = regions.iter().filter(|other| **other == region).count();
                assert_eq!(size, side);
                assert!(is_connected(side, &regions, region));
            }
            let other = random_regions(side, 0, &mut rng);
            assert_ne!(regions, other);
        }
    }
}
