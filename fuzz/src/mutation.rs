//! Mutations of seeds, blind but quick: for the formats here, which are text, most of them get past the first check.

use rand::{Rng, RngExt};

/// Longest input, in bytes.
const LONGEST: usize = 64 << 10;

/// What is put in somewhere: what text formats stumble over.
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

/// Changes a seed, or crosses it with another one.
pub fn mutated(seed: &[u8], other: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 << random.random_range(0..6) {
        let at = random.random_range(0..=bytes.len());
        let to = at + random.random_range(0..=(bytes.len() - at).min(64));
        match random.random_range(0..7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let copy = bytes[at..to].to_vec();
                bytes.splice(at..at, copy);
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            4 if at < bytes.len() => bytes[at] = random.random(),
            5 if !other.is_empty() => {
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
