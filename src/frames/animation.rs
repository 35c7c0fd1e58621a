//! Animated GIF and WebP pictures as frames.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, Frames, ImageDecoder, ImageFormat, RgbaImage};

use super::error::VideoError;
use super::y4m::{Header, Planes};

/// Most pixels of a frame.
const MAX_PIXELS: u64 = 16_000_000;

/// The frames of an animated picture.
pub(super) struct Animation {
    pub(super) header: Header,
    frames: Frames<'static>,
    /// When the next frame is shown, in seconds.
    time: f64,
}

impl Animation {
    pub(super) fn open(bytes: Vec<u8>) -> Result<Animation, VideoError> {
        let unreadable = |error: image::ImageError| VideoError::NoFrames(error.to_string());
        let format = image::guess_format(&bytes).map_err(unreadable)?;
        let bytes = Cursor::new(bytes);
        let (size, frames) = match format {
            ImageFormat::Gif => {
                let decoder = GifDecoder::new(bytes).map_err(unreadable)?;
                (decoder.dimensions(), checked(decoder)?)
            }
            ImageFormat::WebP => {
                let decoder = WebPDecoder::new(bytes).map_err(unreadable)?;
                (decoder.dimensions(), checked(decoder)?)
            }
            _ => return Err(VideoError::NoFrames("it is a still picture".to_owned())),
        };
        Ok(Animation {
            header: Header::new(size.0, size.1, (25, 1)),
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

fn checked<D>(decoder: D) -> Result<Frames<'static>, VideoError>
where
    D: AnimationDecoder<'static> + ImageDecoder,
{
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(VideoError::TooLarge {
            width,
            height,
            limit: (MAX_PIXELS / 1_000_000) as u32,
        });
    }
    Ok(decoder.into_frames())
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
