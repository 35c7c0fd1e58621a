//! When a search gives up: past a moment, or once a flag is set.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use web_time::Instant;

use crate::grid::Contradiction;

/// Why an elimination stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// There is no solution.
    Contradiction,
    /// The deadline has passed.
    Late,
}

impl From<Contradiction> for Halt {
    fn from(_: Contradiction) -> Halt {
        Halt::Contradiction
    }
}

/// A flag that ends all searches that look at it, once it is set.
#[derive(Clone, Copy)]
pub struct Stop(pub &'static AtomicBool);

impl Stop {
    /// Whether it is set.
    pub fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Stop {
    fn eq(&self, other: &Stop) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Stop {}

/// Without the state of the flag, which changes.
impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// The moment after which a search gives up, if there is one, and the flag that ends it before.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Option<Instant>,
    stop: Option<Stop>,
}

impl Deadline {
    /// A deadline that never passes.
    pub const NONE: Deadline = Deadline {
        at: None,
        stop: None,
    };

    /// Returns the deadline at this time from now; without a time, one that never passes.
    pub fn after(time: Option<Duration>) -> Deadline {
        Deadline {
            at: time.and_then(|time| Instant::now().checked_add(time)),
            stop: None,
        }
    }

    /// The same, and over once this flag is set.
    #[must_use]
    pub fn or(self, stop: Option<Stop>) -> Deadline {
        Deadline { stop, ..self }
    }

    /// Returns whether it has passed.
    #[inline]
    pub fn is_over(self) -> bool {
        self.at.is_some_and(|deadline| Instant::now() >= deadline)
            || self.stop.is_some_and(Stop::is_set)
    }

    /// Returns the remaining time, if there is a limit.
    pub fn left(self) -> Option<Duration> {
        self.at
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Checks the deadline, between two steps.
    ///
    /// # Errors
    ///
    /// [`Halt::Late`], once it has passed.
    pub fn check(self) -> Result<(), Halt> {
        if self.is_over() {
            Err(Halt::Late)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_by_its_time_or_by_its_flag() {
        static NOT_YET: AtomicBool = AtomicBool::new(false);
        static NOW: AtomicBool = AtomicBool::new(true);
        let hour = Duration::from_secs(3600);
        let later = Deadline::after(Some(hour));
        assert!(
            later
                .left()
                .is_some_and(|left| left <= hour && left > hour / 2)
        );
        assert_eq!(
            Deadline::after(Some(Duration::ZERO)).left(),
            Some(Duration::ZERO)
        );
        assert_eq!(Deadline::NONE.left(), None);
        for (deadline, is_over) in [
            (Deadline::NONE, false),
            (later, false),
            (Deadline::after(Some(Duration::ZERO)), true),
            (later.or(Some(Stop(&NOT_YET))), false),
            (later.or(Some(Stop(&NOW))), true),
        ] {
            assert_eq!(deadline.is_over(), is_over, "{deadline:?}");
            assert_eq!(deadline.check().is_err(), is_over, "{deadline:?}");
        }
        assert!(Stop(&NOW) == Stop(&NOW) && Stop(&NOW) != Stop(&NOT_YET));
    }
}
