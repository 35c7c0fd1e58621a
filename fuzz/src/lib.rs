//! Fuzz targets for untrusted input: each may give an answer or an error, but must not panic, take long, or use
//! much memory.

pub mod folder;
#[cfg(feature = "libfuzzer")]
mod libfuzzer;
pub mod mutation;
pub mod panics;
pub mod targets;
pub mod watch;

#[cfg(feature = "libfuzzer")]
pub use libfuzzer_sys;
