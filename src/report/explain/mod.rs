//! A path of logic as text, JSON and picture.

mod evidence;
mod json;
mod svg;
mod text;
mod variant;

pub use json::{explain_json, hint_json, instances_json, refusal_json};
pub use svg::explain_svg;
pub use text::{end_text, explain_text, instances_text};
pub use variant::{explain_variant_json, explain_variant_text};
