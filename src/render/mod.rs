//! Rendered pictures: digits, labeled crops, whole photos. Only module that uses `ab_glyph`.

mod crop;
mod face;
mod font_audit;
mod fonts;
mod normal;
mod photo;
mod placement;
mod samples;
mod strokes;
mod tile;
mod video;

pub use crop::{
    CameraConfig, Chance, ContentConfig, CropConfig, CropRenderer, LightConfig, LineConfig,
    MarkConfig, RenderedCrop, Span, ToneConfig,
};
pub use face::{Face, GlyphMask, Unusable};
pub use fonts::FontSet;
pub use photo::{
    BoardContent, LightingConfig, PaperConfig, PhotoConfig, PhotoRenderer, PrintConfig,
    RenderedPhoto, SceneStyle, SensorConfig, ViewConfig,
};
pub use samples::HandwritingSamples;
pub use strokes::{
    Coverage, DigitInk, Handwriting, WrittenDigit, allograph_count, draw_digit, skeleton,
};
pub use tile::{draw_crop, draw_upright, fill};
pub use video::{RenderedVideo, VIDEO_STYLES, VideoConfig};
