//! Watches what a target makes of an input: how long it takes, and how much it allocates.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked.
const POLL: Duration = Duration::from_millis(2);

/// What an input may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time.
    pub time: Duration,
    /// Bytes that are allocated at one time, beyond those before the first input.
    pub memory: usize,
}

/// The input in hand.
#[derive(Debug, Default)]
struct Current {
    input: Vec<u8>,
    since: Option<Instant>,
}

/// Sees the input in hand, from another thread.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<Current>>);

impl Watch {
    /// Watches from now on. `allocated` tells how many bytes are; where an input costs more than it may, `report` gets it
    /// with the reason, and is not expected to return.
    pub fn start(
        limits: Limits,
        allocated: fn() -> usize,
        report: impl Fn(&[u8], &str) + Send + 'static,
    ) -> Watch {
        let watch = Watch::default();
        let (seen, before) = (watch.clone(), allocated());
        thread::spawn(move || {
            loop {
                thread::sleep(POLL);
                let current = seen.lock();
                let Some(since) = current.since else { continue };
                let memory = allocated().saturating_sub(before);
                if memory > limits.memory {
                    report(&current.input, &format!("{} MB", memory >> 20));
                } else if since.elapsed() > limits.time {
                    report(
                        &current.input,
                        &format!("{:.1} s", since.elapsed().as_secs_f64()),
                    );
                }
            }
        });
        watch
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an input.
    pub fn begin(&self, input: &[u8]) {
        let mut current = self.lock();
        current.input.clear();
        current.input.extend_from_slice(input);
        current.since = Some(Instant::now());
    }

    /// Ends it.
    pub fn end(&self) {
        self.lock().since = None;
    }
}
