//! Worker threads.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::args::Common;
use super::error::{CliError, print_warning};

/// Threads that a core can make use of, at most: more take memory, and time from each other.
const MOST_PER_CORE: usize = 4;
/// Threads that are started where they are asked for, however few cores there are.
const ALWAYS: usize = 16;

/// A pool of as many threads as `--threads` says, or as the machine has cores. Numbers that only slow the machine down
/// are brought down, with a warning.
pub(crate) fn pool(common: &Common) -> Result<ThreadPool, CliError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let most = ALWAYS.max(MOST_PER_CORE * cores);
    let wanted = common.threads.map_or(0, NonZeroUsize::get);
    if wanted > most && !common.quiet {
        print_warning(format_args!(
            "{wanted} threads are too many for {cores} cores: starting {most}"
        ));
    }
    ThreadPoolBuilder::new()
        .num_threads(wanted.min(most))
        .build()
        .map_err(|error| CliError::new(format!("cannot start the worker threads: {error}")))
}
