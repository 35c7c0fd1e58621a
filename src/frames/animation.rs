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
    let width = picture.width() as usize;
    let over_white = |pixel: &[u8]| -> [f32; 3] {
        let share = f32::from(pixel[3]) / 255.0;
        let mix = |value: u8| 255.0 + (f32::from(value) - 255.0) * share;
        [mix(pixel[0]), mix(pixel[1]), mix(pixel[2])]
    };
    let rounded = |value: f32| (value + 0.5) as u8;
    let mut luma = Vec::with_capacity(picture.len() / 4);
    let mut chroma = [Vec::new(), Vec::new()];
    let mut rows: [Vec<[f32; 3]>; 2] = [Vec::new(), Vec::new()];
    for two in picture.chunks(8 * width.max(1)) {
        // The last row of an odd height counts twice, as does its last column.
        let (first, second) = two.split_at(4 * width);
        let second = if second.is_empty() { first } else { second };
        for (row, bytes) in rows.iter_mut().zip([first, second]) {
            row.clear();
            row.extend(bytes.chunks_exact(4).map(over_white));
        }
        let count = two.len() / (4 * width);
        let pixels = rows[..count].iter().flatten();
        luma.extend(pixels.map(|[r, g, b]| rounded(0.299 * r + 0.587 * g + 0.114 * b)));
        for (above, below) in rows[0].chunks(2).zip(rows[1].chunks(2)) {
            let four = [
                above[0],
                above[above.len() - 1],
                below[0],
                below[below.len() - 1],
            ];
            let [r, g, b] =
                [0, 1, 2].map(|i| (four[0][i] + four[1][i] + four[2][i] + four[3][i]) / 4.0);
            chroma[0].push(rounded(128.0 - 0.1687 * r - 0.3313 * g + 0.5 * b));
            chroma[1].push(rounded(128.0 + 0.5 * r - 0.4187 * g - 0.0813 * b));
        }
    }
    Planes {
        luma,
        chroma: chroma.concat(),
    }
}

impl std::fmt::Debug for Animation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Animation").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn planes_are_means_over_white(
            (width, height, bytes) in (1..6_u32, 1..6_u32).prop_flat_map(|(width, height)| {
                let bytes = proptest::collection::vec(any::<u8>(), (4 * width * height) as usize);
                (Just(width), Just(height), bytes)
            })
        ) {
            let picture = RgbaImage::from_raw(width, height, bytes).unwrap();
            let rgb = |x: u32, y: u32| {
                let [r, g, b, a] = picture.get_pixel(x.min(width - 1), y.min(height - 1)).0;
                [r, g, b].map(|it| (f64::from(it) * f64::from(a) + 255.0 * f64::from(255 - a)) / 255.0)
            };
            let near = |byte: u8, value: f64| (f64::from(byte) - value.clamp(0.0, 255.0)).abs() < 0.51;
            let planes = planes(&picture);
            prop_assert_eq!(planes.luma.len() as u32, width * height);
            for (i, luma) in planes.luma.iter().enumerate() {
                let [r, g, b] = rgb(i as u32 % width, i as u32 / width);
                prop_assert!(near(*luma, 0.299 * r + 0.587 * g + 0.114 * b));
            }
            let columns = width.div_ceil(2);
            let plane = (columns * height.div_ceil(2)) as usize;
            prop_assert_eq!(planes.chroma.len(), 2 * plane);
            for i in 0..plane {
                let (x, y) = (2 * (i as u32 % columns), 2 * (i as u32 / columns));
                let four = [rgb(x, y), rgb(x + 1, y), rgb(x, y + 1), rgb(x + 1, y + 1)];
                let [r, g, b] = [0, 1, 2].map(|i| four.iter().map(|it| it[i]).sum::<f64>() / 4.0);
                prop_assert!(near(planes.chroma[i], 128.0 - 0.1687 * r - 0.3313 * g + 0.5 * b));
                prop_assert!(near(planes.chroma[plane + i], 128.0 + 0.5 * r - 0.4187 * g - 0.0813 * b));
            }
        }
    }
}
