//! Worker threads.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::args::Common;
use super::error::CliError;

/// A pool of as many threads as `--threads` says, or as the machine has cores.
pub(crate) fn pool(common: &Common) -> Result<ThreadPool, CliError> {
    ThreadPoolBuilder::new()
        .num_threads(common.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| CliError::new(format!("cannot start the worker threads: {error}")))
}
