//! Seeded augmentation of crops: the effects of cameras, light and inaccurate lattices on a cell.
//!
//! Applied to the gray picture, before normalization, so that training sees what inference sees.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::digits::{Augment, CROP_PIXELS, normal};
use crate::vision::{CROP_SIDE, CellCrop};

/// Returns an augmented copy; the same seed gives the same copy.
pub(super) fn augment(crop: &CellCrop, level: Augment, seed: u64) -> CellCrop {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    match level {
        Augment::None => crop.clone(),
        Augment::Light => finish(warp(crop, 0.5, &mut rng), crop.board_contrast),
        Augment::Full => full(crop, &mut rng),
    }
}

type Picture = [f32; CROP_PIXELS];

fn full(crop: &CellCrop, rng: &mut ChaCha8Rng) -> CellCrop {
    let tone = crop.tone();
    let mut picture = warp(crop, 1.0, rng);
    if rng.random_bool(0.06) {
        line_fragment(&mut picture, tone.contrast.max(crop.board_contrast), rng);
    }
    if rng.random_bool(0.02) {
        rub_out(&mut picture, tone.ground, rng);
    }
    let mut passes = if rng.random_bool(0.25) { 1 } else { 0 };
    passes += u32::from(rng.random_bool(0.05));
    for _ in 0..passes {
        blur(&mut picture);
    }
    // Light: ink fades toward the ground, then the whole cell is lit unevenly.
    let gain = if rng.random_bool(0.5) {
        rng.random_range(0.5..1.1)
    } else {
        1.0
    };
    let (slope_x, slope_y) = if rng.random_bool(0.2) {
        (rng.random_range(-0.25..0.25), rng.random_range(-0.25..0.25))
    } else {
        (0.0, 0.0)
    };
    let noise = if rng.random_bool(0.5) {
        rng.random_range(0.0..6.0)
    } else {
        0.0
    };
    for (i, value) in picture.iter_mut().enumerate() {
        let [x, y] = [i % CROP_SIDE, i / CROP_SIDE].map(|at| at as f32 / CROP_SIDE as f32 - 0.5);
        *value = tone.ground + gain * (*value - tone.ground);
        *value *= 1.0 + slope_x * x + slope_y * y;
        if noise > 0.0 {
            *value += noise * normal(rng);
        }
    }
    if rng.random_bool(0.04) {
        picture.iter_mut().for_each(|value| *value = 255.0 - *value);
    }
    // A cell may be fainter or, rarely, stronger than the rest of its board.
    let board = if rng.random_bool(0.3) {
        rng.random_range(0.7..1.7)
    } else {
        1.0
    };
    finish(picture, crop.board_contrast * gain * board)
}

fn finish(picture: Picture, board_contrast: f32) -> CellCrop {
    CellCrop {
        pixels: Box::new(picture.map(|value| value.round().clamp(0.0, 255.0) as u8)),
        board_contrast: board_contrast.min(255.0),
    }
}

/// Rotates, scales, shears and shifts; the border is replicated.
fn warp(crop: &CellCrop, strength: f32, rng: &mut ChaCha8Rng) -> Picture {
    let mut jitter = |deviation: f32| strength * deviation * normal(rng);
    let angle = jitter(0.06);
    let (scale, aspect, shear) = (1.0 + jitter(0.08), 1.0 + jitter(0.06), jitter(0.06));
    let (shift_x, shift_y) = (jitter(1.0), jitter(1.0));
    let (sin, cos) = angle.sin_cos();
    let scale = scale.clamp(0.7, 1.3);
    let [xx, xy] = [cos * scale * aspect, (shear - sin) * scale];
    let [yx, yy] = [sin * scale, cos * scale];
    let center = (CROP_SIDE as f32 - 1.0) / 2.0;
    let most = (CROP_SIDE - 1) as f32;
    std::array::from_fn(|i| {
        let (u, v) = (
            (i % CROP_SIDE) as f32 - center,
            (i / CROP_SIDE) as f32 - center,
        );
        let x = (xx * u + xy * v + center + shift_x).clamp(0.0, most);
        let y = (yx * u + yy * v + center + shift_y).clamp(0.0, most);
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(CROP_SIDE - 1), (top + 1).min(CROP_SIDE - 1));
        let (fx, fy) = (x - left as f32, y - top as f32);
        let pixel = |x: usize, y: usize| f32::from(crop.pixels[y * CROP_SIDE + x]);
        let above = pixel(left, top) * (1.0 - fx) + pixel(right, top) * fx;
        let below = pixel(left, bottom) * (1.0 - fx) + pixel(right, bottom) * fx;
        above * (1.0 - fy) + below * fy
    })
}

/// Darkens a piece of a grid line along one side, as left by an inaccurate lattice.
fn line_fragment(picture: &mut Picture, contrast: f32, rng: &mut ChaCha8Rng) {
    let across = rng.random_range(0..6usize);
    let thickness = rng.random_range(1..4usize);
    let start = rng.random_range(0..CROP_SIDE);
    let end = rng.random_range(start..CROP_SIDE) + 1;
    let ink = contrast * rng.random_range(0.4..1.0);
    let (far, upright) = (rng.random_bool(0.5), rng.random_bool(0.5));
    for at in across..across + thickness {
        let at = if far { CROP_SIDE - 1 - at } else { at };
        for along in start..end {
            let i = if upright {
                along * CROP_SIDE + at
            } else {
                at * CROP_SIDE + along
            };
            picture[i] -= ink;
        }
    }
}

/// Fades a small patch into the background, like glare, erasing or a flaw in the print.
fn rub_out(picture: &mut Picture, ground: f32, rng: &mut ChaCha8Rng) {
    let side = rng.random_range(3..7usize);
    let (left, top) = (
        rng.random_range(6..CROP_SIDE - 6 - side),
        rng.random_range(6..CROP_SIDE - 6 - side),
    );
    for y in top..top + side {
        for value in &mut picture[y * CROP_SIDE + left..y * CROP_SIDE + left + side] {
            *value = ground + 0.3 * (*value - ground);
        }
    }
}

/// Applies the binomial filter 1-2-1 once in both directions.
fn blur(picture: &mut Picture) {
    for step in [1, CROP_SIDE] {
        let before = *picture;
        for (i, value) in picture.iter_mut().enumerate() {
            let at = i / step % CROP_SIDE;
            let low = if at == 0 { i } else { i - step };
            let high = if at == CROP_SIDE - 1 { i } else { i + step };
            *value = (before[low] + 2.0 * before[i] + before[high]) / 4.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crop() -> CellCrop {
        let ink =
            |i: usize| (12..20).contains(&(i % CROP_SIDE)) && (6..26).contains(&(i / CROP_SIDE));
        CellCrop {
            pixels: Box::new(std::array::from_fn(|i| if ink(i) { 60 } else { 220 })),
            board_contrast: 160.0,
        }
    }

    #[test]
    fn the_seed_decides_the_distortion() {
        for level in [Augment::Light, Augment::Full] {
            assert_eq!(augment(&crop(), level, 7), augment(&crop(), level, 7));
            assert_ne!(augment(&crop(), level, 7), augment(&crop(), level, 8));
        }
        assert_eq!(augment(&crop(), Augment::None, 7), crop());
    }

    #[test]
    fn ink_survives_every_distortion() {
        for seed in 0..500 {
            let distorted = augment(&crop(), Augment::Full, seed);
            assert!(distorted.tone().contrast > 20.0, "seed {seed}");
            assert!((0.0..=255.0).contains(&distorted.board_contrast));
        }
    }

    #[test]
    fn blur_keeps_an_even_picture_and_its_mean() {
        let mut even = [77.0; CROP_PIXELS];
        blur(&mut even);
        assert_eq!(even, [77.0; CROP_PIXELS]);
    }
}
