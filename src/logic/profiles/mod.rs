//! The profiles, a table each.

mod explainer;
mod hodoku;
mod list;
mod native;

pub use explainer::EXPLAINER;
pub use hodoku::HODOKU;
pub use list::PROFILES;
pub use native::NATIVE;
