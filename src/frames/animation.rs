//! Animated GIF and WebP pictures as frames.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, Frames, ImageDecoder, ImageError, ImageFormat, Limits, RgbaImage};

use super::error::VideoError;
use super::y4m::{Header, Planes};
use crate::vision::all_webp_frames;

/// Most pixels of a frame: 4K and a little more. A decoder keeps several at a time, of four bytes a pixel.
const MAX_PIXELS: u64 = 9_000_000;
/// Bytes that the decoder of a GIF may take.
const MAX_GIF_BYTES: u64 = 16 * MAX_PIXELS;

/// Frames a second that are promised: browsers show no more of an animation.
const RATE: (u32, u32) = (50, 1);

/// The frames of an animated picture.
pub(super) struct Animation {
    pub(super) header: Header,
    frames: Frames<'static>,
    /// When the next frame is shown, in seconds.
    pub(super) time: f64,
}

impl Animation {
    pub(super) fn open(bytes: Vec<u8>) -> Result<Animation, VideoError> {
        let (size, frames) = open_frames(bytes)?;
        Ok(Animation {
            header: Header::new(size.0, size.1, RATE),
            frames,
            time: 0.0,
        })
    }

    /// The next frame and its time in seconds.
    pub(super) fn next(&mut self) -> Result<Option<(Planes, f64)>, VideoError> {
        let Some(frame) = self.frames.next() else {
            return Ok(None);
        };
        let frame = frame.map_err(|error| VideoError::Damaged(error.to_string()))?;
        let time = self.time;
        let (ms, parts) = frame.delay().numer_denom_ms();
        self.time += f64::from(ms) / f64::from(parts.max(1)) / 1000.0;
        Ok(Some((planes(&frame.into_buffer()), time)))
    }
}

/// Whether a GIF or WebP has several frames, as far as that can be told; decodes at most two of them.
pub(super) fn has_several_frames(bytes: &[u8]) -> bool {
    let opened = open_frames(bytes.to_vec());
    opened.is_ok_and(|(_, frames)| frames.take(2).filter(Result::is_ok).count() == 2)
}

/// The size of the canvas, and the frames. Sizes are checked before anything is decoded, those of the frames of a WebP
/// too: its decoder believes what they say.
fn open_frames(bytes: Vec<u8>) -> Result<((u32, u32), Frames<'static>), VideoError> {
    let unreadable = |error: ImageError| VideoError::NoFrames(error.to_string());
    match image::guess_format(&bytes).map_err(unreadable)? {
        ImageFormat::Gif => {
            let mut decoder = GifDecoder::new(Cursor::new(bytes)).map_err(unreadable)?;
            let mut limits = Limits::default();
            limits.max_alloc = Some(MAX_GIF_BYTES);
            decoder.set_limits(limits).map_err(unreadable)?;
            let size = decoder.dimensions();
            check_size(size)?;
            Ok((size, decoder.into_frames()))
        }
        ImageFormat::WebP => {
            for size in all_webp_frames(&bytes) {
                check_size(size)?;
            }
            let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(unreadable)?;
            let size = decoder.dimensions();
            check_size(size)?;
            match decoder.has_animation() {
                true => Ok((size, decoder.into_frames())),
                false => Err(VideoError::NoFrames("it is a still picture".to_owned())),
            }
        }
        _ => Err(VideoError::NoFrames("it is a still picture".to_owned())),
    }
}

fn check_size((width, height): (u32, u32)) -> Result<(), VideoError> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(VideoError::TooLarge {
            width,
            height,
            limit: (MAX_PIXELS / 1_000_000) as u32,
        });
    }
    Ok(())
}

/// A picture over white as luma and colour of full range (JPEG's matrix), one value of each colour for four
/// pixels.
pub(super) fn planes(picture: &RgbaImage) -> Planes {
    let (width, height) = picture.dimensions();
    let rgb = |x: u32, y: u32| {
        let [r, g, b, a] = picture.get_pixel(x.min(width - 1), y.min(height - 1)).0;
        [r, g, b].map(|value| 255.0 + (f32::from(value) - 255.0) * f32::from(a) / 255.0)
    };
    let luma = |[r, g, b]: [f32; 3]| 0.299 * r + 0.587 * g + 0.114 * b;
    let mut planes = Planes::default();
    for y in 0..height {
        planes
            .luma
            .extend((0..width).map(|x| luma(rgb(x, y)).round() as u8));
    }
    for [r, g, b] in [[-0.1687, -0.3313, 0.5], [0.5, -0.4187, -0.0813]] {
        for y in (0..height).step_by(2) {
            for x in (0..width).step_by(2) {
                let four = [rgb(x, y), rgb(x + 1, y), rgb(x, y + 1), rgb(x + 1, y + 1)];
                let mean = |i: usize| four.iter().map(|pixel| pixel[i]).sum::<f32>() / 4.0;
                let value = 128.0 + r * mean(0) + g * mean(1) + b * mean(2);
                planes.chroma.push(value.round().clamp(0.0, 255.0) as u8);
            }
        }
    }
    planes
}

impl std::fmt::Debug for Animation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Animation").finish_non_exhaustive()
    }
}
