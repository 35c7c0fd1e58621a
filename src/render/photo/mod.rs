//! Rendered photos with their ground truth.

mod board;
mod boardless;
mod config;
mod display;
mod grids;
mod layouts;
mod look;
mod noise;
mod page;
mod print;
mod renderer;
mod scene;

pub use board::Puzzling;
pub use config::{LightingConfig, PaperConfig, PhotoConfig, PrintConfig, SensorConfig, ViewConfig};
pub use look::Look;
pub use renderer::{PhotoRenderer, RenderedPhoto};
