//! Limits the time and the memory of a target per input.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// Polling interval.
const POLL: Duration = Duration::from_millis(10);

/// The limits of an input.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Processor time of all threads.
    pub work: Duration,
    /// Wall-clock time, which grows on a busy machine: to detect infinite waiting.
    pub time: Duration,
    /// Allocated bytes, beyond those before the first input.
    pub memory: usize,
}

impl Limits {
    /// The limits of all targets.
    pub const USUAL: Limits = Limits {
        // Twice the normal limit: other processors are slower, and virtual machines share cores.
        work: Duration::from_secs(2),
        time: Duration::from_secs(20),
        memory: 256 << 20,
    };
}

/// Allocated bytes.
#[derive(Clone, Copy, Debug)]
pub struct Allocated {
    /// Now.
    pub now: usize,
    /// Their peak.
    pub most: usize,
}

/// The current input.
#[derive(Debug, Default)]
struct Current {
    input: Vec<u8>,
    since: Option<(Instant, ProcessTime)>,
}

/// Monitors the current input from another thread.
#[derive(Clone, Debug)]
pub struct Watch {
    current: Arc<Mutex<Current>>,
    limits: Limits,
    allocated: fn() -> Allocated,
    /// Bytes that were allocated before the first input.
    before: usize,
    /// The peak by then: data built once does not count as a cost of an input.
    most_before: usize,
}

impl Watch {
    /// Starts monitoring. If an input exceeds a limit, `report` gets it with the reason, and is not expected
    /// to return.
    pub fn start(
        limits: Limits,
        allocated: fn() -> Allocated,
        report: impl Fn(&[u8], &str) + Send + 'static,
    ) -> Watch {
        let watch = Watch {
            current: Arc::default(),
            limits,
            allocated,
            before: allocated().now,
            most_before: allocated().most,
        };
        let seen = watch.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(POLL);
                let current = seen.lock();
                if let Some(why) = seen.excess(&current, allocated().now) {
                    report(&current.input, &why);
                }
            }
        });
        watch
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limit that is exceeded with this many allocated bytes.
    fn excess(&self, current: &Current, bytes: usize) -> Option<String> {
        let (since, work) = current.since.as_ref()?;
        let (time, work) = (since.elapsed(), work.elapsed());
        let memory = bytes.saturating_sub(self.before);
        if memory > self.limits.memory {
            Some(format!("{} MB", memory >> 20))
        } else if work > self.limits.work || time > self.limits.time {
            let (work, time) = (work.as_secs_f64(), time.as_secs_f64());
            Some(format!("{work:.1} s of processor time in {time:.1} s"))
        } else {
            None
        }
    }

    /// Starts an input.
    pub fn begin(&self, input: &[u8]) {
        let mut current = self.lock();
        current.input.clear();
        current.input.extend_from_slice(input);
        current.since = Some((Instant::now(), ProcessTime::now()));
    }

    /// Ends it.
    ///
    /// # Errors
    /// The exceeded limit, if the other thread has not seen it.
    pub fn end(&self) -> Result<(), String> {
        let mut current = self.lock();
        // A peak between two polls.
        let most = (self.allocated)().most;
        let bytes = if most > self.most_before { most } else { 0 };
        let excess = self.excess(&current, bytes);
        current.since = None;
        excess.map_or(Ok(()), Err)
    }

    /// Peak of allocated bytes since the first input, beyond those before it.
    pub fn most(&self) -> usize {
        let most = (self.allocated)().most;
        let is_more = most > self.most_before;
        most.saturating_sub(self.before) * usize::from(is_more)
    }
}
