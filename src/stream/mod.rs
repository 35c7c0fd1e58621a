//! Streams of puzzles: solved, rated or generated in order, on all threads, in constant memory.

mod answers;
mod extras;
mod generate;
mod pipeline;
mod rate;
mod variants;

pub use answers::{Ask, Problem, StreamConfig, Tally, answer_all};
pub use extras::{Extras, Measured};
pub use generate::{DrawLimits, Drawn, VariantMade, generate_all, generate_variants};
pub use pipeline::{End, StreamError, each_at_once, each_in_order};
pub use rate::{RateTally, rate_all};
pub use variants::{AnswerStyle, answer_variants};
