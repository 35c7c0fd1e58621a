//! The profiles, a table each.

mod native;

pub use native::NATIVE;
