//! Panics of the library, also those that it catches itself: code that reads untrusted files catches panics of
//! decoders, and would also hide its own.

use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Panics for the current input: the first in our own crates, and the last of all.
#[derive(Default)]
struct Seen {
    own: Option<String>,
    last: Option<String>,
}

static SEEN: Mutex<Seen> = Mutex::new(Seen {
    own: None,
    last: None,
});
static HOOK: Once = Once::new();
/// Whether a target is running: its panics are recorded, not printed.
static IS_LISTENING: AtomicBool = AtomicBool::new(false);

/// Runs a target and reports its panic. Panics that it catches itself count if they are in our own crates.
///
/// # Errors
/// The panic and its place.
pub fn heard(target: impl FnOnce() + UnwindSafe) -> Result<(), String> {
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            match IS_LISTENING.load(Ordering::Relaxed) {
                true => note(info),
                false => usual(info),
            }
        }));
    });
    IS_LISTENING.store(true, Ordering::Relaxed);
    let ended = panic::catch_unwind(target);
    IS_LISTENING.store(false, Ordering::Relaxed);
    let seen = std::mem::take(&mut *seen());
    match (seen.own, ended) {
        (Some(own), _) => Err(own),
        (None, Err(_)) => Err(seen.last.unwrap_or_default()),
        (None, Ok(())) => Ok(()),
    }
}

fn seen() -> MutexGuard<'static, Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note(info: &PanicHookInfo<'_>) {
    let text = info.to_string();
    let mut seen = seen();
    if is_own(info) {
        seen.own.get_or_insert_with(|| text.clone());
    }
    seen.last = Some(text);
}

/// Whether it happened outside of other crates. Places in the standard library count as our own: the caller is
/// not known.
fn is_own(info: &PanicHookInfo<'_>) -> bool {
    let is_others = |file: &str| file.contains("/registry/src/");
    info.location().is_none_or(|at| !is_others(at.file()))
}
