//! The profiles, a table each.

mod explainer;
mod list;
mod native;

pub use explainer::EXPLAINER;
pub use list::PROFILES;
pub use native::NATIVE;
