//! Smooth pseudo-random values over the plane, for wood, cloth, paper and light.

/// Returns value noise between -1 and 1, smooth over a distance of about 1: interpolation in a
/// lattice of hashed values.
pub(super) fn smooth_noise(x: f32, y: f32, seed: u32) -> f32 {
    // Without instructions of newer processors, `floor` is a call.
    let floor = |value: f32| value as i32 - i32::from(value < 0.0);
    let (left, top) = (floor(x), floor(y));
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (s, t) = (ease(x - left as f32), ease(y - top as f32));
    let at = |dx: i32, dy: i32| lattice(left.wrapping_add(dx), top.wrapping_add(dy), seed);
    let above = at(0, 0) * (1.0 - s) + at(1, 0) * s;
    let below = at(0, 1) * (1.0 - s) + at(1, 1) * s;
    above * (1.0 - t) + below * t
}

/// Returns three octaves of [`smooth_noise`], each half as strong and twice as fine.
pub(super) fn rough_noise(x: f32, y: f32, seed: u32) -> f32 {
    let octave = |k: u32| {
        let scale = (1 << k) as f32;
        smooth_noise(x * scale, y * scale, seed.wrapping_add(k)) / scale
    };
    (octave(0) + octave(1) + octave(2)) / 1.75
}

fn lattice(x: i32, y: i32, seed: u32) -> f32 {
    let mut bits = (x as u32).wrapping_mul(0x9e37_79b1)
        ^ (y as u32).wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d);
    for shift in [15, 13] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(0x2c1b_3c6d);
    }
    (bits >> 8) as f32 / 8_388_608.0 - 1.0
}
