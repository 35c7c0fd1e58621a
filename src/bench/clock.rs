//! Cost and resolution of the clock, and the present speed of the machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::statistics::median;

/// Number of clock reads to measure their cost.
const LOOKS: usize = 20_001;
/// Steps of the calibration loop: some tens of microseconds.
const STEPS: u64 = 2_000;
/// Multiplier of Knuth's MMIX generator.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// Properties of the clock. Reading it is part of every time; its known cost is subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Nanoseconds between two consecutive reads: the median of many.
    pub cost_ns: u64,
    /// The shortest time above zero that it measures, in nanoseconds.
    pub resolution_ns: u64,
}

impl Clock {
    /// Measures the clock on this thread.
    pub fn measure() -> Clock {
        let looks: Vec<Instant> = (0..LOOKS).map(|_| Instant::now()).collect();
        let gaps = looks.windows(2).map(|pair| pair[1] - pair[0]);
        let mut gaps: Vec<f64> = gaps.map(|gap| nanoseconds(gap) as f64).collect();
        let cost_ns = median(&mut gaps) as u64;
        // Ticks of the clock show as differences between the gaps, which are in order now.
        let steps = gaps.windows(2).map(|pair| pair[1] - pair[0]);
        let smallest = steps.filter(|step| *step > 0.0).reduce(f64::min);
        Clock {
            cost_ns,
            resolution_ns: smallest.unwrap_or(1.0) as u64,
        }
    }

    /// Returns a time without the cost of the clock read that ended it.
    pub fn without_look(&self, time: Duration) -> u64 {
        nanoseconds(time).saturating_sub(self.cost_ns)
    }
}

/// Returns a time in nanoseconds; 584 years at most.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A fixed piece of work as a unit of speed. A machine that is shared or warm runs the same program
/// at different speeds from minute to minute, so runs that are minutes apart are compared in units
/// of this work. Like a solver's it looks up a small table, counts bits and branches on what it
/// finds, in a few independent chains.
pub(super) struct CalibrationLoop {
    table: [u64; 512],
}

impl CalibrationLoop {
    pub(super) fn new() -> CalibrationLoop {
        let entry = |place: usize| (place as u64 + 1).wrapping_mul(MULTIPLIER);
        CalibrationLoop {
            table: std::array::from_fn(entry),
        }
    }

    /// Returns the nanoseconds that the work takes now.
    pub(super) fn time(&self) -> u64 {
        let start = Instant::now();
        black_box(self.work(black_box(STEPS)));
        nanoseconds(start.elapsed())
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
    fn the_cost_is_subtracted_and_never_more() {
        let clock = Clock {
            cost_ns: 25,
            resolution_ns: 1,
        };
        assert_eq!(clock.without_look(Duration::from_nanos(1025)), 1000);
        assert_eq!(clock.without_look(Duration::from_nanos(20)), 0);
        let clock = Clock::measure();
        assert!(clock.resolution_ns >= 1 && clock.cost_ns < 1_000_000);
    }

    #[test]
    fn the_work_is_always_the_same() {
        let work = |steps| CalibrationLoop::new().work(steps);
        assert_eq!(work(100), work(100));
        assert_ne!(work(100), work(101));
        assert!(CalibrationLoop::new().time() > 0);
    }
}
