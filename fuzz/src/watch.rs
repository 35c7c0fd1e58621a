//! Watches what a target makes of an input: how long it takes, and how much it allocates.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// How often it is looked.
const POLL: Duration = Duration::from_millis(10);

/// What an input may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Processor time of all threads.
    pub work: Duration,
    /// Time on the clock, which a busy machine stretches: for what waits forever.
    pub time: Duration,
    /// Bytes that are allocated at one time, beyond those before the first input.
    pub memory: usize,
}

impl Limits {
    /// The limits of all targets.
    pub const USUAL: Limits = Limits {
        // Twice what an input may take: other processors are slower, and neighbours share a core.
        work: Duration::from_secs(2),
        time: Duration::from_secs(20),
        memory: 256 << 20,
    };
}

/// What is allocated, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Allocated {
    /// Now.
    pub now: usize,
    /// The most that ever was at one time.
    pub most: usize,
}

/// The input in hand.
#[derive(Debug, Default)]
struct Current {
    input: Vec<u8>,
    since: Option<(Instant, ProcessTime)>,
}

/// Sees the input in hand, from another thread.
#[derive(Clone, Debug)]
pub struct Watch {
    current: Arc<Mutex<Current>>,
    limits: Limits,
    allocated: fn() -> Allocated,
    /// Bytes that were allocated before the first input.
    before: usize,
    /// The most by then: what is made once and kept is no cost of an input.
    most_before: usize,
}

impl Watch {
    /// Watches from now on. Where an input costs more than it may, `report` gets it with the reason, and is not expected
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

    /// What costs too much with so many bytes allocated.
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

    /// Begins an input.
    pub fn begin(&self, input: &[u8]) {
        let mut current = self.lock();
        current.input.clear();
        current.input.extend_from_slice(input);
        current.since = Some((Instant::now(), ProcessTime::now()));
    }

    /// Ends it.
    ///
    /// # Errors
    /// What it cost too much of, if the other thread has not seen it.
    pub fn end(&self) -> Result<(), String> {
        let mut current = self.lock();
        // A peak that was over before anybody looked.
        let most = (self.allocated)().most;
        let bytes = if most > self.most_before { most } else { 0 };
        let excess = self.excess(&current, bytes);
        current.since = None;
        excess.map_or(Ok(()), Err)
    }

    /// The most that was allocated at one time since the first input, in bytes, as far as it is more than before.
    pub fn most(&self) -> usize {
        let most = (self.allocated)().most;
        let is_more = most > self.most_before;
        most.saturating_sub(self.before) * usize::from(is_more)
    }
}
