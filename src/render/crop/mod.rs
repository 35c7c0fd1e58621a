//! Rendered crops of single cells with labels: training data for photos of unknown sources.

mod app_marks;
mod canvas;
mod config;
mod content;
mod jpeg;
mod marks;
mod renderer;

pub(in crate::render) use app_marks::{Arrangement, Pen};
pub use config::{
    CameraConfig, Chance, ContentConfig, CropConfig, LightConfig, LineConfig, MarkConfig, Span,
    ToneConfig,
};
pub use renderer::{CropRenderer, RenderedCrop};
