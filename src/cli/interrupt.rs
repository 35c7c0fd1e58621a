//! SIGINT and SIGTERM: finish what is in hand, write what is done.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on the first signal asks the run to stop and the second one kills it. Returns the flag
/// that the library looks at between units of work.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        anstream::eprintln!("stopping: finishing what is in hand (once more to stop at once)");
    };
    // Only a second call in one process can fail; the flag serves that one too.
    let _ = ctrlc::set_handler(handler);
    &STOP
}
