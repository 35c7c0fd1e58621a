//! Time limit of reading a photo.

use std::time::Duration;

use web_time::Instant;

use super::refusal::Refusal;

/// Deadline of reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) start: Instant,
    limit: Option<Duration>,
}

impl Limit {
    pub(super) fn starting_now(limit: Option<Duration>) -> Limit {
        Limit {
            start: Instant::now(),
            limit,
        }
    }

    /// Checks the deadline.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        match self.limit {
            Some(limit) if self.start.elapsed() > limit => Err(Refusal::Timeout {
                limit_ms: limit.as_millis() as u64,
            }),
            _ => Ok(()),
        }
    }
}

/// Returns the milliseconds since then.
pub(super) fn ms_since(start: Instant) -> f32 {
    start.elapsed().as_secs_f32() * 1000.0
}
