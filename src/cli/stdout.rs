//! Results on stdout.

use std::io::Write;

/// Prints text, its styles stripped where they do not belong. A closed pipe is no error: who closed
/// it has seen enough.
pub(crate) fn print(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}
