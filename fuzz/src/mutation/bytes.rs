//! Blind, fast mutations of bytes.

use rand::{Rng, RngExt};

/// Longest input, in bytes.
const LONGEST: usize = 64 << 10;

/// Inserted fragments that are difficult for text formats.
const PIECES: [&[u8]; 24] = [
    b"\n",
    b"\r\n",
    b"\0",
    b",",
    b";",
    b"\t",
    b"\"",
    b"'",
    b".",
    b"0",
    b"-1",
    b"1e308",
    b"1e39",
    b"NaN",
    b"null",
    b"[]",
    b"{}",
    b"18446744073709551615",
    b"4294967296",
    b"65536",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"..",
    b"/",
];

/// Words of four bytes that are difficult for binary formats: integers, NaN, infinities, and subnormal floats.
const WORDS: [u32; 14] = [
    0,
    1,
    0x7fff_ffff,
    0x8000_0000,
    u32::MAX,
    0x0000_ffff,
    0x0100_0000,
    0x7fc0_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x0080_0000,
    0x4b80_0000,
];

/// Changes a seed in up to 32 places, or crosses it with another.
pub(super) fn mutated(seed: &[u8], other: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 << random.random_range(0..6) {
        let at = random.random_range(0..=bytes.len());
        let to = at + random.random_range(0..=(bytes.len() - at).min(64));
        match random.random_range(0..9) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let copy = bytes[at..to].to_vec();
                bytes.splice(at..at, copy);
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            4 if at < bytes.len() => bytes[at] = random.random(),
            // Another byte of the same seed, which usually stays in the alphabet of the format.
            5 if at < bytes.len() && !seed.is_empty() => {
                bytes[at] = seed[random.random_range(0..seed.len())];
            }
            6 if bytes.len() >= 4 => {
                let at = 4 * random.random_range(0..bytes.len() / 4);
                let word = WORDS[random.random_range(0..WORDS.len())];
                let word = match random.random() {
                    true => word.to_le_bytes(),
                    false => word.to_be_bytes(),
                };
                bytes[at..at + 4].copy_from_slice(&word);
            }
            7 if !other.is_empty() => {
                let from = random.random_range(0..other.len());
                let piece = &other[from..other.len().min(from + 200)];
                bytes.splice(at..to, piece.iter().copied());
            }
            _ => {
                let piece = PIECES[random.random_range(0..PIECES.len())];
                bytes.splice(at..to, piece.iter().copied());
            }
        }
        bytes.truncate(LONGEST);
    }
    bytes
}
