//! What forged input is fed to, and what may come of it: an answer or an error, and neither a panic nor a long wait nor
//! much memory.

pub mod mutation;
pub mod targets;
pub mod watch;
