//! SIGINT and SIGTERM: finish what is in hand, write what is done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals that come this close together are one.
const ONE_SIGNAL: Duration = Duration::from_millis(300);

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on the first signal asks the run to stop and the second one kills it. Returns the flag
/// that the library looks at between units of work.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    let mut asked: Option<Instant> = None;
    let handler = move || {
        // `timeout` and terminals may send one signal twice: to the process and to its group.
        if asked.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL {
            std::process::exit(130);
        }
        if STOP.swap(true, Ordering::SeqCst) {
            return;
        }
        anstream::eprintln!(
            "stopping after the work in progress (interrupt again to stop immediately)"
        );
    };
    // Only a second call in one process can fail; the flag serves that one too.
    let _ = ctrlc::set_handler(handler);
    &STOP
}
