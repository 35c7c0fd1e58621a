//! Whole photos of our own making, with what they show and where.

mod board;
mod boardless;
mod layouts;
mod look;
mod noise;
mod page;
mod print;
mod renderer;
mod scene;

pub use board::Puzzling;
pub use look::Look;
pub use renderer::{PhotoRenderer, RenderedPhoto};
