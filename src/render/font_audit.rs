//! Decides which faces draw digits that a puzzle could be printed with.

use std::path::Path;

use ab_glyph::{Font, FontVec, PxScale};

use super::face::{Face, GlyphMask, Unusable};
use super::strokes::{Coverage, allograph_count, skeleton};
use crate::grid::Digit;
use crate::vision::Point;

/// Height of the tallest digit of a face, in pixels of its masks.
const MASK_HEIGHT: f32 = 64.0;

/// Words in file names of fonts that hold pictures instead of figures.
const PICTURES: [&str; 8] = [
    "emoji", "symbol", "dingbat", "barcode", "icons", "braille", "math", "d05000l",
];

/// Largest ratio of the tallest digit to the shortest one: beyond it the face mixes figures of
/// different kinds.
const MOST_UNEVEN: f32 = 1.7;

/// Side of the small square pictures that the audit compares.
const THUMB: usize = 20;

/// Difference of two thumbnails, relative to their ink, below which they show the same figure.
const ALIKE: f32 = 0.05;

/// Radius of the pen (of a digit 60 high) and slant of the stroke digits it compares with.
const PENS: [(f32, f32); 5] = [(2.5, 0.0), (2.5, 0.25), (6.0, 0.0), (6.0, 0.25), (8.5, 0.0)];

/// Number of the nine digits that may look more like another digit of ours than like their own.
const MOST_UNLIKE: usize = 2;

/// Share of the tallest digit by which old-style figures reach below the baseline.
const HANGING: f32 = 0.1;

/// Largest height of the low ones of old-style figures, relative to the tallest.
const LOW: f32 = 0.85;

/// Reference digits: thumbnails of our own stroke digits.
pub(super) struct Audit {
    thumbs: Vec<(Digit, Thumb)>,
}

/// Shares of ink, row by row.
type Square = [f32; THUMB * THUMB];

struct Thumb {
    shares: Square,
    /// Their sum.
    ink: f32,
}

impl Audit {
    pub(super) fn new() -> Audit {
        let mut thumbs = Vec::new();
        for digit in Digit::ALL {
            for form in 0..allograph_count(digit) {
                for (radius, slant) in PENS {
                    thumbs.push((digit, thumb(&stroke_mask(digit, form, radius, slant))));
                }
            }
        }
        Audit { thumbs }
    }

    /// Returns the face of a file, if it can be used.
    pub(super) fn face(&self, path: &Path) -> Result<Face, Unusable> {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let lower = stem.to_lowercase();
        if PICTURES.iter().any(|word| lower.contains(word)) {
            return Err(Unusable::Pictures);
        }
        let bytes = std::fs::read(path).map_err(|_| Unusable::Unreadable)?;
        let font = FontVec::try_from_vec(bytes).map_err(|_| Unusable::Unreadable)?;
        let masks = digit_masks(&font)?;
        self.check(&masks)?;
        Ok(Face {
            name: stem,
            path: path.to_owned(),
            masks,
        })
    }

    fn check(&self, masks: &[GlyphMask; 9]) -> Result<(), Unusable> {
        for (digit, mask) in Digit::ALL.into_iter().zip(masks) {
            if is_tile(mask) {
                return Err(Unusable::Tile(digit));
            }
        }
        if is_old_style(masks) {
            return Err(Unusable::OldStyle);
        }
        let heights = masks.iter().map(|mask| mask.height as f32);
        let shortest = heights.clone().fold(f32::MAX, f32::min);
        if heights.fold(0.0, f32::max) > MOST_UNEVEN * shortest {
            return Err(Unusable::Uneven);
        }
        let thumbs = masks.each_ref().map(thumb);
        for a in Digit::ALL {
            for b in Digit::ALL.into_iter().skip(a.index() + 1) {
                if difference(&thumbs[a.index()], &thumbs[b.index()]) < ALIKE {
                    return Err(Unusable::Alike(a, b));
                }
            }
        }
        let looks_like = |thumb: &Thumb| {
            let nearest = self
                .thumbs
                .iter()
                .min_by(|(_, a), (_, b)| difference(thumb, a).total_cmp(&difference(thumb, b)));
            nearest.map(|(digit, _)| *digit)
        };
        let unlike: Vec<Digit> = Digit::ALL
            .into_iter()
            .filter(|digit| looks_like(&thumbs[digit.index()]) != Some(*digit))
            .collect();
        match unlike.len() > MOST_UNLIKE {
            true => Err(Unusable::Unlike(unlike)),
            false => Ok(()),
        }
    }
}

fn digit_masks(font: &FontVec) -> Result<[GlyphMask; 9], Unusable> {
    let outline = |digit: Digit, scale: f32| {
        let id = font.glyph_id(char::from(digit.to_ascii()));
        let found = (id.0 != 0).then(|| id.with_scale(PxScale::from(scale)));
        let outline = found.and_then(|glyph| font.outline_glyph(glyph));
        outline.ok_or(Unusable::Missing(digit))
    };
    let mut tallest = 0f32;
    for digit in Digit::ALL {
        let bounds = outline(digit, 100.0)?.px_bounds();
        if !(bounds.width() >= 2.0 && bounds.height() >= 10.0) {
            return Err(Unusable::Missing(digit));
        }
        tallest = tallest.max(bounds.height());
    }
    let mut masks = Vec::with_capacity(9);
    for digit in Digit::ALL {
        let outline = outline(digit, 100.0 * MASK_HEIGHT / tallest)?;
        let bounds = outline.px_bounds();
        let (width, height) = (bounds.width() as usize, bounds.height() as usize);
        let mut shares = vec![0u8; width * height];
        outline.draw(|x, y, share| {
            if let Some(pixel) = shares.get_mut(y as usize * width + x as usize) {
                *pixel = (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            }
        });
        if width > 4 * MASK_HEIGHT as usize || shares.iter().all(|&share| share < 128) {
            return Err(Unusable::Missing(digit));
        }
        masks.push(GlyphMask {
            width,
            height,
            rise: -bounds.min.y as i32,
            shares,
        });
    }
    masks.try_into().map_err(|_| Unusable::Unreadable)
}

/// Returns whether the outer rows and columns are nearly all ink (a frame), or the whole box is.
fn is_tile(mask: &GlyphMask) -> bool {
    let (width, height) = (mask.width, mask.height);
    let ink = |x: usize, y: usize| f32::from(mask.shares[y * width + x]) / 255.0;
    let rows = |y: usize| (0..width).map(|x| ink(x, y)).sum::<f32>() / width as f32;
    let columns = |x: usize| (0..height).map(|y| ink(x, y)).sum::<f32>() / height as f32;
    if width * 3 < height || width < 5 || height < 5 {
        return false;
    }
    let sides = [rows(1), rows(height - 2), columns(1), columns(width - 2)];
    sides.into_iter().all(|side| side > 0.85)
}

/// Returns whether 3, 4, 5, 7 and 9 reach below the baseline of 6 and 8, and 1 and 2 are lower than
/// these. Puzzles are not printed that way; beside other figures a low 1 looks like a candidate.
fn is_old_style(masks: &[GlyphMask; 9]) -> bool {
    let tall = masks.iter().map(|mask| mask.height).max().unwrap_or(0) as f32;
    let hanging = |value: usize| {
        let mask = &masks[value - 1];
        mask.height as f32 - mask.rise as f32 > HANGING * tall
    };
    let is_low = |value: usize| (masks[value - 1].height as f32) < LOW * tall;
    [3, 4, 5, 7, 9].into_iter().all(hanging)
        && ![6, 8].into_iter().any(hanging)
        && [1, 2].into_iter().all(is_low)
}

fn stroke_mask(digit: Digit, form: usize, radius: f32, slant: f32) -> GlyphMask {
    let (width, height) = (80, 80);
    let mut ink = Coverage::new(width, height);
    let place = |p: Point| Point {
        x: 40.0 + 60.0 * (p.x - slant * (p.y - 0.5)),
        y: 10.0 + 60.0 * p.y,
    };
    for line in skeleton(digit, form, place) {
        ink.draw_line(&line, &vec![radius; line.len()], 1.0);
    }
    let inked = |x: usize, y: usize| ink.shares()[y * width + x] > 0.1;
    let columns: Vec<usize> = (0..width)
        .filter(|&x| (0..height).any(|y| inked(x, y)))
        .collect();
    let rows: Vec<usize> = (0..height)
        .filter(|&y| (0..width).any(|x| inked(x, y)))
        .collect();
    let pixels = rows
        .iter()
        .flat_map(|&y| columns.iter().map(move |&x| y * width + x));
    GlyphMask {
        width: columns.len(),
        height: rows.len(),
        rise: 0,
        shares: pixels.map(|at| (ink.shares()[at] * 255.0) as u8).collect(),
    }
}

/// Returns a mask stretched to a small square, or a narrow one centred in it, area-averaged.
fn thumb(mask: &GlyphMask) -> Thumb {
    let mut thumb = [0f32; THUMB * THUMB];
    // Narrow figures (a plain 1) keep their shape: stretched they would be a black square.
    let side = (mask.width as f32).max(0.55 * mask.height as f32);
    let left = (side - mask.width as f32) / 2.0;
    const SAMPLES: usize = 3;
    for (i, value) in thumb.iter_mut().enumerate() {
        let mut sum = 0u32;
        for k in 0..SAMPLES * SAMPLES {
            let at = |cell: usize, sub: usize, length: f32| {
                (cell as f32 + (sub as f32 + 0.5) / SAMPLES as f32) / THUMB as f32 * length
            };
            let x = at(i % THUMB, k % SAMPLES, side) - left;
            let y = at(i / THUMB, k / SAMPLES, mask.height as f32);
            if x >= 0.0 && (x as usize) < mask.width {
                sum += u32::from(mask.shares[y as usize * mask.width + x as usize]);
            }
        }
        *value = sum as f32 / (255 * SAMPLES * SAMPLES) as f32;
    }
    let shares = smooth(&thumb);
    let ink = shares.iter().sum();
    Thumb { shares, ink }
}

/// Returns a 3 x 3 box mean, so that strokes with a small displacement still overlap.
fn smooth(thumb: &Square) -> Square {
    std::array::from_fn(|i| {
        let (x, y) = (i % THUMB, i / THUMB);
        let near = |v: usize| v.saturating_sub(1)..(v + 2).min(THUMB);
        let pixels = near(y).flat_map(|y| near(x).map(move |x| y * THUMB + x));
        pixels.map(|at| thumb[at]).sum::<f32>() / 9.0
    })
}

/// Returns the share of ink that two thumbnails do not have in common, 0 to 1.
fn difference(a: &Thumb, b: &Thumb) -> f32 {
    let pairs = a.shares.iter().zip(&b.shares);
    let apart: f32 = pairs.map(|(a, b)| (a - b).abs()).sum();
    apart / (a.ink + b.ink).max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nine stroke digits on the baseline.
    fn masks() -> [GlyphMask; 9] {
        Digit::ALL.map(|digit| {
            let mask = stroke_mask(digit, 0, 4.0, 0.0);
            GlyphMask {
                rise: mask.height as i32,
                ..mask
            }
        })
    }

    fn digit(value: u8) -> Digit {
        Digit::new(value).unwrap()
    }

    #[test]
    fn plain_digits_pass() {
        assert_eq!(Audit::new().check(&masks()), Ok(()));
    }

    #[test]
    fn a_7_like_the_1_is_refused() {
        let mut masks = masks();
        masks[6] = masks[0].clone();
        let refused = Unusable::Alike(digit(1), digit(7));
        assert_eq!(Audit::new().check(&masks), Err(refused));
        // A pixel more or less does not distinguish them.
        masks[6].shares[40] ^= 255;
        let refused = Audit::new().check(&masks);
        assert!(matches!(refused, Err(Unusable::Alike(..))), "{refused:?}");
    }

    #[test]
    fn old_style_figures_are_refused() {
        let mut masks = masks();
        for value in [3, 4, 5, 7, 9] {
            masks[value - 1].rise -= masks[value - 1].height as i32 / 4;
        }
        assert_eq!(Audit::new().check(&masks), Ok(()), "1 and 2 are tall");
        for value in [1, 2] {
            let mask = &mut masks[value - 1];
            let lower = stroke_mask(digit(value as u8), 0, 4.0, 0.0);
            // Every fourth row left out: as wide, but three quarters as high.
            let rows = lower.shares.chunks_exact(lower.width).enumerate();
            let kept = rows.filter(|(row, _)| row % 4 != 0);
            mask.shares = kept.flat_map(|(_, row)| row.to_vec()).collect();
            mask.height = mask.shares.len() / mask.width;
            mask.rise = mask.height as i32;
        }
        assert_eq!(Audit::new().check(&masks), Err(Unusable::OldStyle));
    }

    #[test]
    fn boxes_are_refused() {
        let mut masks = masks();
        masks[4].shares.fill(255);
        assert_eq!(Audit::new().check(&masks), Err(Unusable::Tile(digit(5))));
    }
}
