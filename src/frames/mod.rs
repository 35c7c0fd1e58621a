//! Moving pictures: their frames one after the other, whatever file they are in, and a writer for videos.
//!
//! Videos are decoded and encoded by the program `ffmpeg`, as a child process; YUV4MPEG2 and animated
//! pictures are read without it.

mod animation;
mod error;
mod ffmpeg;
mod frame;
mod kind;
mod video;
mod writer;
mod y4m;

pub use error::VideoError;
pub use ffmpeg::Ffmpeg;
pub use frame::Frame;
pub use kind::{is_animation, is_video};
pub use video::Video;
pub use writer::VideoWriter;
