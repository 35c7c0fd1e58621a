//! How fast the machine is at this moment: a fixed piece of work, timed.
//!
//! A machine that is shared or warm runs the same program at different speeds from minute to minute.
//! Runs that are minutes apart are compared in units of this work, so that the machine's part of a
//! change cancels out.

use std::hint::black_box;
use std::time::Instant;

use super::clock::nanoseconds;

/// Steps of the work: some tens of microseconds.
const STEPS: u64 = 2_000;
/// Multiplier of Knuth's MMIX generator.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// The work: like a solver's it looks up a small table, counts bits and branches on what it finds, in
/// a few chains that do not wait for each other.
pub(super) struct Yardstick {
    table: [u64; 512],
}

impl Yardstick {
    pub(super) fn new() -> Yardstick {
        let entry = |place: usize| (place as u64 + 1).wrapping_mul(MULTIPLIER);
        Yardstick {
            table: std::array::from_fn(entry),
        }
    }

    /// Nanoseconds that the work takes now.
    pub(super) fn time(&self) -> f64 {
        let start = Instant::now();
        black_box(self.work(black_box(STEPS)));
        nanoseconds(start.elapsed()) as f64
    }

    fn work(&self, steps: u64) -> u64 {
        let mut chains: [u64; 4] = [1, 2, 3, 4];
        let mut found: u64 = 0;
        for step in 0..steps {
            for chain in &mut chains {
                let entry = self.table[(*chain >> 55) as usize];
                *chain = chain.wrapping_mul(MULTIPLIER) ^ entry ^ step;
                if entry.count_ones() > 32 {
                    found += u64::from(chain.trailing_zeros());
                }
            }
        }
        chains.into_iter().fold(found, u64::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_always_the_same() {
        let work = |steps| Yardstick::new().work(steps);
        assert_eq!(work(100), work(100));
        assert_ne!(work(100), work(101));
        assert!(Yardstick::new().time() > 0.0);
    }
}
