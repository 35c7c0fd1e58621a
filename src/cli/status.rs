//! How a run ended.

use std::process::ExitCode;

/// The worst outcome of a run is its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// All done, nothing wrong.
    Clean,
    /// Finished, but some photo, puzzle or line failed, or some answer was wrong.
    Partial,
    /// Nothing useful was done.
    Failed,
    /// Stopped by the user after writing what was done.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Clean => 0,
            Status::Partial => 1,
            Status::Failed => 2,
            Status::Interrupted => 130,
        })
    }
}
