//! The clock that times single puzzles: what a look at it costs, and how fine it is.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Looks at the clock that are timed to know what one costs.
const LOOKS: usize = 20_001;

/// A look at the clock is part of every time it takes; known, it can be subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Nanoseconds between two looks with nothing in between: the median of many.
    pub cost_ns: u64,
    /// The shortest time above zero that it tells, in nanoseconds.
    pub resolution_ns: u64,
}

impl Clock {
    /// Measures the clock on this thread.
    pub fn measure() -> Clock {
        let looks: Vec<Instant> = (0..LOOKS).map(|_| Instant::now()).collect();
        let mut gaps: Vec<u64> = looks
            .windows(2)
            .map(|pair| nanoseconds(pair[1] - pair[0]))
            .collect();
        gaps.sort_unstable();
        // Ticks of the clock show as differences between the gaps.
        let mut steps: Vec<u64> = gaps.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.retain(|step| *step > 0);
        Clock {
            cost_ns: gaps[gaps.len() / 2],
            resolution_ns: steps.into_iter().min().unwrap_or(1),
        }
    }

    /// A time that ended with a look at the clock, without that look.
    pub fn without_look(&self, time: Duration) -> u64 {
        nanoseconds(time).saturating_sub(self.cost_ns)
    }
}

/// A time in nanoseconds; 584 years at most.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
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
}
