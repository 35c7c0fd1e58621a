//! Labeled crops of single cells, rendered: what a network that reads foreign photos learns from.

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
