//! Rendered photos with their ground truth.

mod board;
mod boardless;
mod config;
mod display;
mod grids;
mod layouts;
mod noise;
mod page;
mod print;
mod renderer;
mod scene;
mod scene_style;

pub use board::BoardContent;
pub use config::{LightingConfig, PaperConfig, PhotoConfig, PrintConfig, SensorConfig, ViewConfig};
pub use renderer::{PhotoRenderer, RenderedPhoto};
pub use scene_style::SceneStyle;
