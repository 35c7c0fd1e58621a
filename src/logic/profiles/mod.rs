//! The profiles, a table each.

mod explainer;
mod native;

pub use explainer::EXPLAINER;
pub use native::NATIVE;
