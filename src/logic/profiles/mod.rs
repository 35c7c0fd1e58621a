//! The profiles, a table each.

mod list;
mod native;

pub use list::PROFILES;
pub use native::NATIVE;
