//! Results on stdout.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::print_error;
use super::status::Status;

/// Whether something could not be printed.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints text, its styles stripped where they do not belong. A closed pipe is no error: who closed
/// it has seen enough. Anything else is reported once, and remembered by [`with_losses`].
pub(crate) fn print(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    note(written.and_then(|()| stdout.flush()));
}

/// Reports what kept text from being printed.
pub(crate) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::SeqCst)
    {
        print_error(format_args!("cannot write to stdout: {error}"));
    }
}

/// How a run ended whose results may not have been printed.
pub(crate) fn with_losses(status: Status) -> Status {
    match LOST.load(Ordering::SeqCst) {
        true => status.max(Status::Failed),
        false => status,
    }
}
