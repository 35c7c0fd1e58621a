//! The profiles, a table each.

mod hodoku;
mod list;
mod native;

pub use hodoku::HODOKU;
pub use list::PROFILES;
pub use native::NATIVE;
