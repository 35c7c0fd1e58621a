//! Random cages over a full board.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::super::layout::Cage;
use super::super::value::Value;
use super::regions::neighbours;

/// Cages of connected cells with different values that cover the board, of `most` cells at most. Where cells
/// are left between others, cages are smaller than they were to be.
pub(super) fn random_cages(
    side: usize,
    values: &[Value],
    most: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Cage> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.shuffle(rng);
    let mut taken = vec![false; values.len()];
    let mut cages = Vec::new();
    for start in order {
        if taken[start] {
            continue;
        }
        taken[start] = true;
        let mut cells = vec![start];
        let size = rng.random_range(2.min(most)..=most);
        while cells.len() < size {
            let around = cells.iter().flat_map(|cell| neighbours(side, *cell));
            let is_free = |cell: &usize| {
                !taken[*cell] && cells.iter().all(|other| values[*other] != values[*cell])
            };
            let free: Vec<usize> = around.filter(is_free).collect();
            let Some(&next) = free.choose(rng) else {
                break;
            };
            taken[next] = true;
            cells.push(next);
        }
        let sum = cells
            .iter()
            .map(|cell| u32::from(values[*cell].get()))
            .sum();
        cages.push(Cage { sum, cells });
    }
    cages
}
