//! What forged input is fed to, and what may come of it: an answer or an error, and neither a panic nor a long wait nor
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
