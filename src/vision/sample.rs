//! Sampling of gray pictures between pixels.

use std::borrow::Cow;

use image::GrayImage;

use super::quad::Point;
use super::shrink::shrink_luma;
#[cfg(target_arch = "x86_64")]
use crate::simd::Avx2;

/// Fractional bits of a coordinate while sampling.
const FRACTION: u32 = 16;

/// A gray picture, averaged down, if necessary, to suit the resolution of sampling.
pub(super) struct Source<'a> {
    luma: Cow<'a, GrayImage>,
    /// Its pixels per pixel of the original picture.
    scale: f32,
}

impl<'a> Source<'a> {
    /// Returns the picture as it is.
    pub(super) const fn whole(luma: &'a GrayImage) -> Source<'a> {
        Source::of_copy(luma, 1.0)
    }

    /// Returns a copy with `scale` pixels per pixel of the original picture.
    pub(super) const fn of_copy(copy: &'a GrayImage, scale: f32) -> Source<'a> {
        Source {
            luma: Cow::Borrowed(copy),
            scale,
        }
    }

    /// Returns its pixels per pixel of the original picture.
    pub(super) const fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the picture for sampling a board whose cells are `cell` pixels of the original wide at
    /// `samples` per cell: one in which steps between samples skip no pixel.
    pub(super) fn for_cells(self, cell: f32, samples: f32) -> Source<'a> {
        let cell = cell * self.scale;
        let (width, height) = self.luma.dimensions();
        let side = (width.max(height) as f32 * 1.3 * samples / cell).round();
        let small = (cell > 1.6 * samples)
            .then(|| shrink_luma(&self.luma, side as u32))
            .flatten();
        match small {
            Some(small) => Source {
                scale: self.scale * small.width() as f32 / width as f32,
                luma: Cow::Owned(small),
            },
            None => self,
        }
    }

    /// Returns the picture at half the size: each pixel the mean of four. `None` below two pixels.
    pub(super) fn halved(&self) -> Option<Source<'static>> {
        let (width, height) = (self.luma.width() / 2, self.luma.height() / 2);
        if width == 0 || height == 0 {
            return None;
        }
        let rows = self.luma.as_raw().chunks_exact(self.luma.width() as usize);
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for (above, below) in rows.clone().step_by(2).zip(rows.skip(1).step_by(2)) {
            pixels.extend(
                above
                    .chunks_exact(2)
                    .zip(below.chunks_exact(2))
                    .map(|(a, b)| {
                        let sum =
                            u16::from(a[0]) + u16::from(a[1]) + u16::from(b[0]) + u16::from(b[1]);
                        ((sum + 2) / 4) as u8
                    }),
            );
        }
        Some(Source {
            luma: Cow::Owned(GrayImage::from_raw(width, height, pixels)?),
            scale: 0.5 * self.scale,
        })
    }

    /// Samples gray values at points that start at `start` of the original picture and are `step`
    /// apart: bilinear between the centres of pixels, the border replicated.
    pub(super) fn along(&self, start: Point, step: Point, values: &mut [u8]) {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let pixels = self.luma.as_raw();
        let one = (1i64 << FRACTION) as f32;
        let fixed = |value: f32| (value * one) as i32;
        let (mut x, mut y) = (
            fixed(start.x * self.scale - 0.5),
            fixed(start.y * self.scale - 0.5),
        );
        let (dx, dy) = (fixed(step.x * self.scale), fixed(step.y * self.scale));
        let mask = (1 << FRACTION) - 1;
        let inside = |x: i32, y: i32| {
            x >= 0
                && y >= 0
                && ((x >> FRACTION) as usize) < width - 1
                && ((y >> FRACTION) as usize) < height - 1
        };
        let mixed = |[a, b]: [u8; 2], [c, d]: [u8; 2], s: i32, t: i32| {
            let [a, b, c, d] = [a, b, c, d].map(i32::from);
            let (above, below) = (a * 256 + s * (b - a), c * 256 + s * (d - c));
            ((above * 256 + t * (below - above) + (1 << 15)) >> 16) as u8
        };
        let steps = values.len().saturating_sub(1) as i32;
        let last = |first: i32, step: i32| first.saturating_add(step.saturating_mul(steps));
        // Between two places inside there are only such, and most boards lie inside.
        if inside(x, y) && inside(last(x, dx), last(y, dy)) {
            #[cfg(target_arch = "x86_64")]
            let done = Avx2::detect().map_or(0, |isa| {
                isa.sample_along(pixels, width, [x, y], [dx, dy], values)
            });
            #[cfg(not(target_arch = "x86_64"))]
            let done = 0;
            for (number, value) in (0..).zip(values).skip(done) {
                let (x, y) = (x + number * dx, y + number * dy);
                let at = (y >> FRACTION) as usize * width + (x >> FRACTION) as usize;
                let (above, below) = (&pixels[at..at + 2], &pixels[at + width..at + width + 2]);
                let (s, t) = ((x & mask) >> 8, (y & mask) >> 8);
                *value = mixed([above[0], above[1]], [below[0], below[1]], s, t);
            }
            return;
        }
        for value in values {
            let (cx, cy) = if inside(x, y) {
                (x, y)
            } else {
                (
                    x.clamp(0, ((width - 1) << FRACTION) as i32),
                    y.clamp(0, ((height - 1) << FRACTION) as i32),
                )
            };
            let (left, top) = ((cx >> FRACTION) as usize, (cy >> FRACTION) as usize);
            let (right, down) = (
                usize::from(left + 1 < width),
                width * usize::from(top + 1 < height),
            );
            let (s, t) = ((cx & mask) >> 8, (cy & mask) >> 8);
            let at = top * width + left;
            let (above, below) = ([pixels[at], pixels[at + right]], at + down);
            *value = mixed(above, [pixels[below], pixels[below + right]], s, t);
            x = x.wrapping_add(dx);
            y = y.wrapping_add(dy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;
    use proptest::prelude::*;

    fn picture(width: u32, height: u32, gray: impl Fn(f64, f64) -> f64) -> GrayImage {
        GrayImage::from_fn(width, height, |x, y| {
            let value = gray(f64::from(x) + 0.5, f64::from(y) + 0.5);
            Luma([value.round().clamp(0.0, 255.0) as u8])
        })
    }

    fn noise(width: u32, height: u32, seed: u32) -> GrayImage {
        GrayImage::from_fn(width, height, |x, y| {
            let mixed = (x + 7919 * y + seed).wrapping_mul(2_654_435_761);
            Luma([(mixed >> 13) as u8])
        })
    }

    fn at(source: &Source, x: f32, y: f32) -> u8 {
        let mut value = [0];
        source.along(Point { x, y }, Point { x: 0.0, y: 0.0 }, &mut value);
        value[0]
    }

    /// Textbook bilinear interpolation in double precision with a replicated border.
    fn bilinear(picture: &GrayImage, x: f64, y: f64) -> f64 {
        let (right, bottom) = (picture.width() - 1, picture.height() - 1);
        let x = (x - 0.5).clamp(0.0, f64::from(right));
        let y = (y - 0.5).clamp(0.0, f64::from(bottom));
        let (s, t) = (x.fract(), y.fract());
        let gray = |dx: u32, dy: u32| {
            let (x, y) = ((x as u32 + dx).min(right), (y as u32 + dy).min(bottom));
            f64::from(picture.get_pixel(x, y).0[0])
        };
        (1.0 - t) * ((1.0 - s) * gray(0, 0) + s * gray(1, 0))
            + t * ((1.0 - s) * gray(0, 1) + s * gray(1, 1))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn sampling_is_bilinear_inside_and_replicates_the_border_outside(
            (width, height) in (1u32..9, 1u32..9),
            seed in any::<u32>(),
            (x, y) in (-20f32..30.0, -20f32..30.0),
            (dx, dy) in (-2f32..2.0, -2f32..2.0),
        ) {
            let picture = noise(width, height, seed);
            let mut values = [0u8; 12];
            Source::whole(&picture).along(Point { x, y }, Point { x: dx, y: dy }, &mut values);
            for (k, &value) in values.iter().enumerate() {
                let (x, y) = (f64::from(x) + f64::from(dx) * k as f64, f64::from(y) + f64::from(dy) * k as f64);
                let expected = bilinear(&picture, x, y);
                // Weights have eight bits, so each of the two causes an error of up to 1/256 of the range.
                prop_assert!((f64::from(value) - expected).abs() <= 2.6, "{value}, not {expected}");
            }
        }

        #[test]
        fn any_position_can_be_sampled(x in proptest::num::f32::ANY, y in proptest::num::f32::ANY) {
            let picture = noise(5, 4, 1);
            let mut values = [0u8; 40];
            Source::whole(&picture).along(Point { x, y }, Point { x: y, y: x }, &mut values);
            let (least, most) = (picture.iter().min().unwrap(), picture.iter().max().unwrap());
            prop_assert!(values.iter().all(|value| (least..=most).contains(&value)));
        }

        #[test]
        fn a_halved_picture_has_the_means_of_four_pixels(
            (width, height) in (1u32..12, 1u32..12),
            seed in any::<u32>(),
        ) {
            let picture = noise(width, height, seed);
            let whole = Source::whole(&picture);
            let Some(half) = whole.halved() else {
                prop_assert!(width < 2 || height < 2);
                return Ok(());
            };
            prop_assert_eq!(half.luma.dimensions(), (width / 2, height / 2));
            for (x, y, mean) in half.luma.enumerate_pixels() {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
                let gray = |(dx, dy)| f64::from(picture.get_pixel(2 * x + dx, 2 * y + dy).0[0]);
                let expected = four.map(gray).iter().sum::<f64>() / 4.0;
                prop_assert!((f64::from(mean.0[0]) - expected).abs() <= 0.5);
                // A pixel of the halved picture is at the same position in the original.
                prop_assert_eq!(at(&half, 2.0 * x as f32 + 1.0, 2.0 * y as f32 + 1.0), mean.0[0]);
            }
        }
    }

    #[test]
    fn positions_are_consistent_at_every_size() {
        let ramp = |x: f64, y: f64| 20.0 + 0.11 * x + 0.07 * y;
        let picture = picture(1200, 900, ramp);
        let whole = Source::whole(&picture);
        let half = whole.halved().unwrap();
        let small = Source::whole(&picture).for_cells(90.0, 32.0);
        let quarter = half.halved().unwrap();
        assert!(small.luma.width() < 600, "{}", small.luma.width());
        for source in [whole, half, quarter, small] {
            for (x, y) in [(40.0, 40.0), (611.3, 402.8), (1150.0, 850.5), (77.7, 810.2)] {
                let (value, expected) = (f64::from(at(&source, x, y)), ramp(x.into(), y.into()));
                assert!(
                    (value - expected).abs() <= 1.2,
                    "{x} {y}: {value}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn pictures_are_averaged_only_where_samples_would_skip_pixels() {
        // A board of nine cells across, each of 100 pixels, under stripes of three pixels.
        let stripes = picture(900, 900, |x, _| if x % 6.0 < 3.0 { 20.0 } else { 220.0 });
        for (samples, averaged) in [(32.0, true), (62.0, true), (63.0, false), (100.0, false)] {
            let source = Source::whole(&stripes).for_cells(100.0, samples);
            assert_eq!(source.luma.width() < 900, averaged, "{samples}");
            assert!(source.luma.width() as f32 >= 9.0 * samples, "{samples}");
        }
        let whole = Source::whole(&stripes);
        let spread = |source: &Source| {
            let mut values = [0u8; 200];
            let start = Point { x: 200.0, y: 450.0 };
            source.along(start, Point { x: 2.5, y: 0.0 }, &mut values);
            let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / 200.0;
            let far = values.iter().map(|&value| (f64::from(value) - 120.0).abs());
            (mean, far.fold(0.0, f64::max))
        };
        assert!(spread(&whole).1 > 90.0);
        let (mean, farthest) = spread(&Source::whole(&stripes).for_cells(100.0, 8.0));
        // The mean over the area is known: half the stripes are dark.
        assert!(
            (mean - 120.0).abs() < 2.0 && farthest < 12.0,
            "{mean} {farthest}"
        );
    }
}
