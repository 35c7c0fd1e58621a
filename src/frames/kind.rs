//! Which files are moving pictures.

use std::path::Path;

use image::ImageFormat;

use super::animation::has_several_frames;

/// Extensions of files that are videos whatever they hold.
const EXTENSIONS: [&str; 16] = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "y4m", "mpg", "mpeg", "wmv", "3gp", "mts", "m2ts",
    "ogv", "flv", "mjpeg",
];

/// Whether a file is a video by its name: MP4, MOV, MKV, WebM, AVI, YUV4MPEG2 and their kin. GIF and WebP are
/// pictures by their name: see [`is_animation`].
pub fn is_video(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        let mut known = EXTENSIONS.iter();
        known.any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// Whether a picture file holds several frames: an animated GIF or WebP. Decodes at most two of them.
pub fn is_animation(bytes: &[u8]) -> bool {
    let format = image::guess_format(bytes);
    matches!(format, Ok(ImageFormat::Gif | ImageFormat::WebP)) && has_several_frames(bytes)
}
