//! One run at a time in an output folder.

mod leftovers;
mod lock;

pub use lock::{FolderLock, Holder, LockError, MARKER, is_abandoned, is_marked};
