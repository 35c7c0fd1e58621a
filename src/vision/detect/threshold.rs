//! Adaptive threshold: a pixel is ink where it differs enough from the mean of its neighbourhood.
//! Means come from a summed-area table (Crow 1984), so that a wide window costs no more than a
//! narrow one.

use image::GrayImage;

use super::bits::BitPlane;
use super::detector::Polarity;

/// A threshold that separates ink from paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threshold {
    /// A window of a third of a cell, with thin lines added by their ridges.
    Plain,
    /// A wide window: for blurred and thick lines.
    Wide,
    /// Strokes of up to a quarter of a cell, by their ridges alone: for small boards full of digits,
    /// beside which lines are fainter than the mean of a window.
    Thin,
    /// A narrow window: for uneven light.
    Fine,
    /// A narrow window, dilated by a pixel: for broken lines.
    Grown,
    /// With small gaps closed.
    Closed,
    /// With little contrast required.
    Faint,
    /// All edges, of either polarity: what is left is of one tone. For pictures without noise, whose cells are told apart
    /// by their colors or by gaps between them.
    Edges,
}

/// Parameters of a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level {
    /// Half the side of the window whose mean is taken, in pixels.
    pub(super) radius: usize,
    /// How much darker or lighter than the mean ink must be, in gray values.
    pub(super) offset: f32,
    /// Side of a square that thin lines do not fill, in pixels; odd.
    pub(super) thin: usize,
}

/// Parameters for one picture.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// Longest side of the picture, in pixels.
    longest: f32,
    /// Depth of the ink, dark and light, in gray values.
    depths: [f32; 2],
}

impl Levels {
    pub(super) fn of(&self, polarity: Polarity, threshold: Threshold) -> Level {
        // Window as a share of the longest side, offset as one of the depth, and at most so much.
        let (window, share, most) = match threshold {
            Threshold::Plain | Threshold::Closed => (0.03, 0.35, 10.0),
            Threshold::Wide => (0.07, 0.5, 14.0),
            Threshold::Fine | Threshold::Grown | Threshold::Thin => (0.012, 0.2, 6.0),
            Threshold::Faint => (0.03, 0.15, 4.0),
            Threshold::Edges => (0.0, 0.0, 1.0),
        };
        let thin = match threshold {
            Threshold::Thin => 0.04,
            _ => 0.016,
        };
        let depth = self.depths[usize::from(polarity == Polarity::LightOnDark)];
        Level {
            radius: half(window, self.longest),
            // Never so little that noise is ink.
            offset: (share * depth).max(2.0).min(most),
            thin: half(thin, self.longest) | 1,
        }
    }
}

/// Returns half a window whose side is a share of a length, in pixels.
fn half(share: f32, longest: f32) -> usize {
    (longest * share / 2.0).round().max(4.0) as usize
}

/// The summed-area table of a gray picture.
pub(super) struct Means<'a> {
    luma: &'a GrayImage,
    /// Sums of all pixels above and left of a pixel; one row and one column more than the picture.
    sums: Vec<u32>,
}

impl<'a> Means<'a> {
    /// Computes the table of a picture of fewer than 2^24 pixels.
    pub(super) fn new(luma: &'a GrayImage) -> Means<'a> {
        let (width, height) = (luma.width() as usize, luma.height() as usize);
        let stride = width + 1;
        let mut sums = vec![0u32; stride * (height + 1)];
        for (y, row) in luma.as_raw().chunks_exact(width).enumerate() {
            let (above, below) = sums.split_at_mut((y + 1) * stride);
            let above = &above[y * stride + 1..];
            let mut sum = 0u32;
            for ((below, &above), &value) in below[1..stride].iter_mut().zip(above).zip(row) {
                sum += u32::from(value);
                *below = above.wrapping_add(sum);
            }
        }
        Means { luma, sums }
    }

    /// Returns the parameters for this picture.
    pub(super) fn levels(&self) -> Levels {
        let longest = self.luma.width().max(self.luma.height()) as f32;
        Levels {
            longest,
            depths: self.depths(half(0.03, longest)),
        }
    }

    /// Returns how much darker, and how much lighter, than its neighbourhood the ink is, in gray
    /// values: the 97th percentiles over the picture, which ink rarely covers less of.
    fn depths(&self, radius: usize) -> [f32; 2] {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let stride = width + 1;
        let mut histograms = [[0u32; 256]; 2];
        let mut count = 0;
        for y in (0..height).step_by(5) {
            let (top, bottom) = (y.saturating_sub(radius), (y + radius + 1).min(height));
            let row = &self.luma.as_raw()[y * width..][..width];
            let top_row = &self.sums[top * stride..][..stride];
            let bottom_row = &self.sums[bottom * stride..][..stride];
            for (x, &value) in row.iter().enumerate().step_by(3) {
                let (left, right) = (x.saturating_sub(radius), (x + radius + 1).min(width));
                let sum = bottom_row[right]
                    .wrapping_sub(bottom_row[left])
                    .wrapping_sub(top_row[right])
                    .wrapping_add(top_row[left]);
                let mean = sum as f32 / ((bottom - top) * (right - left)) as f32;
                let darker = mean - f32::from(value);
                histograms[0][darker.max(0.0) as usize] += 1;
                histograms[1][(-darker).max(0.0) as usize] += 1;
                count += 1;
            }
        }
        histograms.map(|histogram| {
            let mut above = 0;
            let reached = histogram.iter().rposition(|&n| {
                above += n;
                above * 100 > count * 3
            });
            reached.unwrap_or(0) as f32
        })
    }

    /// Returns the pixels at least `offset` gray values darker, or lighter for light ink, than the
    /// mean of a square window of `2 * radius + 1` pixels (less at the picture's edges).
    pub(super) fn ink(&self, radius: usize, offset: f32, polarity: Polarity) -> BitPlane {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let stride = width + 1;
        let mut plane = BitPlane::new(width, height);
        let mut flags = vec![0u8; width];
        for (y, row) in self.luma.as_raw().chunks_exact(width).enumerate() {
            let (top, bottom) = (y.saturating_sub(radius), (y + radius + 1).min(height));
            let top_row = &self.sums[top * stride..(top + 1) * stride];
            let bottom_row = &self.sums[bottom * stride..(bottom + 1) * stride];
            let window = |left: usize, right: usize, value: u8| {
                let sum = bottom_row[right]
                    .wrapping_sub(bottom_row[left])
                    .wrapping_sub(top_row[right])
                    .wrapping_add(top_row[left]);
                let area = ((bottom - top) * (right - left)) as f32;
                is_ink(sum as f32 / area, value, offset, polarity)
            };
            let inner = radius.min(width)..width.saturating_sub(radius + 1).max(radius.min(width));
            for x in (0..inner.start).chain(inner.end..width) {
                let (left, right) = (x.saturating_sub(radius), (x + radius + 1).min(width));
                flags[x] = window(left, right, row[x]);
            }
            let side = 2 * radius + 1;
            let count = inner.len();
            let per_area = 1.0 / ((bottom - top) * side) as f32;
            let corners = top_row[..count]
                .iter()
                .zip(&top_row[side.min(stride)..])
                .zip(&bottom_row[..count])
                .zip(&bottom_row[side.min(stride)..]);
            for ((flag, &value), (((&a, &b), &c), &d)) in flags[inner.clone()]
                .iter_mut()
                .zip(&row[inner])
                .zip(corners)
            {
                let sum = d.wrapping_sub(c).wrapping_sub(b).wrapping_add(a);
                *flag = is_ink(sum as i32 as f32 * per_area, value, offset, polarity);
            }
            plane.set_row(y, &flags);
        }
        plane
    }

    /// Returns thin lines: the pixels at least `offset` gray values darker (or lighter, for light
    /// ink) than the closing of the picture by a square of this side (the black hat of Meyer 1979).
    /// Finds them even beside thick lines, which lower the mean of a window.
    pub(super) fn thin_ink(&self, side: usize, offset: f32, polarity: Polarity) -> BitPlane {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let pixels = self.luma.as_raw();
        let most = |pixels: &[u8]| extremes(pixels, width, side, u8::max);
        let least = |pixels: &[u8]| extremes(pixels, width, side, u8::min);
        let closed = match polarity {
            Polarity::DarkOnLight => least(&most(pixels)),
            Polarity::LightOnDark => most(&least(pixels)),
        };
        differing(pixels, &closed, (width, height), offset)
    }

    /// Returns the pixels around which gray values differ by more than `offset`, among three by three.
    pub(super) fn edges(&self, offset: f32) -> BitPlane {
        let (width, height) = (self.luma.width() as usize, self.luma.height() as usize);
        let pixels = self.luma.as_raw();
        let most = extremes(pixels, width, 3, u8::max);
        let least = extremes(pixels, width, 3, u8::min);
        differing(&most, &least, (width, height), offset)
    }
}

/// Returns where two pictures of this width and height differ by more than `offset`.
fn differing(one: &[u8], other: &[u8], (width, height): (usize, usize), offset: f32) -> BitPlane {
    let offset = offset as u8;
    let mut plane = BitPlane::new(width, height);
    let mut flags = vec![0u8; width];
    let rows = one.chunks_exact(width).zip(other.chunks_exact(width));
    for (y, (one, other)) in rows.enumerate() {
        for ((flag, &one), &other) in flags.iter_mut().zip(one).zip(other) {
            *flag = u8::from(one.abs_diff(other) > offset);
        }
        plane.set_row(y, &flags);
    }
    plane
}

/// Returns the greatest or least value of a square window around each pixel, an odd number of
/// pixels wide; the border is replicated.
fn extremes(
    pixels: &[u8],
    width: usize,
    side: usize,
    extreme: impl Fn(u8, u8) -> u8 + Copy,
) -> Vec<u8> {
    let half = side / 2;
    let rows = pixels.chunks_exact(width);
    let (mut line, mut later) = (vec![0; width + 2 * half], vec![0; width + 2 * half]);
    // The rows, each pixel the extreme of its row's window, with as many rows as needed above and below.
    let mut wide = Vec::with_capacity(pixels.len() + 2 * half * width);
    for row in rows {
        line[..half].fill(row[0]);
        line[half..half + width].copy_from_slice(row);
        line[half + width..].fill(row[width - 1]);
        for step in doublings(side) {
            later[..width + 2 * half - step].copy_from_slice(&line[step..]);
            for (value, &later) in line.iter_mut().zip(&later) {
                *value = extreme(*value, later);
            }
        }
        let copies = if wide.is_empty() { half + 1 } else { 1 };
        (0..copies).for_each(|_| wide.extend_from_slice(&line[..width]));
    }
    (0..half).for_each(|_| wide.extend_from_within(wide.len() - width..));
    for step in doublings(side) {
        for start in (0..wide.len() - step * width).step_by(width) {
            let (rows, later) = wide.split_at_mut(start + step * width);
            for (value, &later) in rows[start..][..width].iter_mut().zip(&*later) {
                *value = extreme(*value, later);
            }
        }
    }
    wide.truncate(pixels.len());
    wide
}

/// Returns the steps by which windows of one value grow to `count` values: each is joined with the window that begins
/// as much later.
fn doublings(count: usize) -> impl Iterator<Item = usize> {
    let mut reached = 1;
    std::iter::from_fn(move || {
        let step = reached.min(count - reached);
        reached += step;
        (step > 0).then_some(step)
    })
}

#[inline(always)]
fn is_ink(mean: f32, value: u8, offset: f32, polarity: Polarity) -> u8 {
    let darker = mean - f32::from(value);
    match polarity {
        Polarity::DarkOnLight => u8::from(darker > offset),
        Polarity::LightOnDark => u8::from(-darker > offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn extremes_are_those_of_the_window(
            width in 1usize..20,
            half in 0usize..12,
            pixels in prop::collection::vec(0u8..=255, 1..100),
        ) {
            prop_assume!(pixels.len() >= width);
            let height = pixels.len() / width;
            let pixels = &pixels[..width * height];
            let found = extremes(pixels, width, 2 * half + 1, u8::max);
            prop_assert_eq!(found.len(), pixels.len());
            for (at, found) in found.into_iter().enumerate() {
                let near = |a: usize, b: usize| a.abs_diff(b) <= half;
                let window = (0..pixels.len())
                    .filter(|it| near(it % width, at % width) && near(it / width, at / width));
                prop_assert_eq!(Some(found), window.map(|it| pixels[it]).max());
            }
        }

        #[test]
        fn the_table_gives_the_mean_of_the_clipped_window(
            width in 1u32..20,
            radius in 1usize..12,
            pixels in prop::collection::vec(0u8..=255, 100),
        ) {
            let height = 100 / width;
            let luma = GrayImage::from_fn(width, height, |x, y| {
                image::Luma([pixels[(y * width + x) as usize]])
            });
            let plane = Means::new(&luma).ink(radius, 3.5, Polarity::DarkOnLight);
            for y in 0..height as i32 {
                for x in 0..width as i32 {
                    let r = radius as i32;
                    let window: Vec<f32> = luma
                        .enumerate_pixels()
                        .filter(|(i, j, _)| (*i as i32 - x).abs() <= r && (*j as i32 - y).abs() <= r)
                        .map(|(_, _, p)| f32::from(p.0[0]))
                        .collect();
                    let mean = window.iter().sum::<f32>() / window.len() as f32;
                    let darker = mean - f32::from(luma.get_pixel(x as u32, y as u32).0[0]);
                    prop_assume!((darker - 3.5).abs() > 1e-3);
                    prop_assert_eq!(plane.get(x, y), darker > 3.5);
                }
            }
        }
    }
}
