//! Reads from the headers of picture files how much memory their decoding takes, where decoders do
//! not report it.

/// Returns the sizes of all frames of a WebP up to its first whole one. A decoder reports the size
/// of the canvas, which may differ from that of the frame it decodes.
pub(super) fn webp_frames(bytes: &[u8]) -> Vec<(u32, u32)> {
    sizes_of_frames(bytes, true)
}

/// Returns the sizes of all frames of an animated WebP.
pub(crate) fn all_webp_frames(bytes: &[u8]) -> Vec<(u32, u32)> {
    sizes_of_frames(bytes, false)
}

fn sizes_of_frames(bytes: &[u8], ends_with_whole: bool) -> Vec<(u32, u32)> {
    let mut sizes = Vec::new();
    let mut rest = bytes.get(12..).unwrap_or_default();
    while let Some((kind, body, after)) = next_chunk(rest) {
        let is_whole = matches!(kind, b"VP8 " | b"VP8L");
        rest = match kind {
            b"VP8 " => {
                sizes.extend(lossy_size(body));
                after
            }
            b"VP8L" => {
                sizes.extend(lossless_size(body));
                after
            }
            // The chunks of a frame of an animation follow its head.
            b"ANMF" => {
                sizes.extend(animated_size(body));
                &rest[8 + body.len().min(16)..]
            }
            _ => after,
        };
        if is_whole && ends_with_whole {
            break;
        }
    }
    sizes
}

/// Returns the next chunk of a RIFF file: its name, its body as far as it is there, and what
/// follows.
fn next_chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(8)?;
    let length = u32::from_le_bytes(head[4..].try_into().ok()?) as usize;
    let body = &rest[..length.min(rest.len())];
    let after = length.saturating_add(length % 2).min(rest.len());
    Some((&head[..4], body, &rest[after..]))
}

/// Returns the size of a lossy frame (RFC 6386, section 9.1).
fn lossy_size(body: &[u8]) -> Option<(u32, u32)> {
    let [a, b, c, d] = *body.get(6..10)?.first_chunk()?;
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3FFF);
    Some((side(a, b), side(c, d)))
}

/// Returns the size of a lossless frame (RFC 9649, section 3.4).
fn lossless_size(body: &[u8]) -> Option<(u32, u32)> {
    let bits = u32::from_le_bytes(*body.get(1..5)?.first_chunk()?);
    Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
}

/// Returns the size of a frame of an animation (RFC 9649, section 2.7.1.1).
fn animated_size(body: &[u8]) -> Option<(u32, u32)> {
    let [a, b, c, d, e, f] = *body.get(6..12)?.first_chunk()?;
    let side = |bytes: [u8; 3]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) + 1;
    Some((side([a, b, c]), side([d, e, f])))
}

/// Returns whether a JPEG has several scans, so that all of its coefficients are kept in memory
/// until the last one.
pub(super) fn is_progressive_jpeg(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xFF, marker]) = bytes.get(at..at + 2).and_then(<[u8]>::first_chunk) {
        match marker {
            // Tables of Huffman and arithmetic codes, and an extension, have numbers among those of frames.
            0xC4 | 0xC8 | 0xCC => {}
            0xC0..=0xCF => return matches!(marker & 3, 2),
            // Padding before a marker.
            0xFF => {
                at += 1;
                continue;
            }
            0xDA | 0xD9 => return false,
            _ => {}
        }
        let Some(&length) = bytes.get(at + 2..at + 4).and_then(<[u8]>::first_chunk) else {
            return false;
        };
        at += 2 + usize::from(u16::from_be_bytes(length));
    }
    false
}

/// Returns whether a TIFF file claims values in its first directory that it is too short for. Memory is allocated for
/// all of them before the first is read.
pub(super) fn claims_missing_values(tiff: &[u8]) -> bool {
    let is_little = tiff.starts_with(b"I");
    let number = |at: usize, length: usize| {
        let bytes = tiff.get(at..at.checked_add(length)?)?.iter();
        let join = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        Some(match is_little {
            true => bytes.rev().fold(0, join),
            false => bytes.fold(0, join),
        })
    };
    let Some(start) = number(4, 4) else {
        return false;
    };
    let entries = 0..number(start, 2).unwrap_or(0);
    entries.map(|entry| start + 2 + 12 * entry).any(|entry| {
        // Types by their numbers (TIFF 6.0, page 15, and those that came later).
        let bytes = match number(entry + 2, 2) {
            Some(3 | 8) => 2,
            Some(4 | 9 | 11 | 13) => 4,
            Some(5 | 10 | 12 | 16..=18) => 8,
            _ => 1,
        };
        number(entry + 4, 4).is_some_and(|count| count > tiff.len() / bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let length = (body.len() as u32).to_le_bytes();
        let padding = vec![0; body.len() % 2];
        [&kind[..], &length, body, &padding].concat()
    }

    #[test]
    fn the_frames_of_a_webp_are_found_after_its_canvas() {
        let head = [&b"RIFF"[..], &[0; 4], b"WEBP"].concat();
        let canvas = chunk(b"VP8X", &[0; 10]);
        let lossless = chunk(b"VP8L", &[0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0]);
        let whole = [&head[..], &canvas, &lossless].concat();
        assert_eq!(webp_frames(&whole), [(16_384, 16_384)]);
        let lossy = chunk(b"VP8 ", &[0, 0, 0, 0x9D, 1, 0x2A, 0x10, 0x27, 0x20, 0x4E]);
        let whole = [&head[..], &canvas, &chunk(b"ALPH", &[1; 3]), &lossy].concat();
        assert_eq!(webp_frames(&whole), [(10_000, 0x0E20)]);
        let frame = [
            &[0; 6][..],
            &[0x0F, 0x27, 0, 0x1F, 0x4E, 0],
            &[0; 4],
            &lossy,
        ]
        .concat();
        let whole = [&head[..], &canvas, &chunk(b"ANMF", &frame)].concat();
        let sizes = [(10_000, 20_000), (10_000, 0x0E20)];
        assert_eq!(webp_frames(&whole), sizes);
        let twice = [&whole[..], &chunk(b"ANMF", &frame)].concat();
        assert_eq!(webp_frames(&twice), sizes);
        assert_eq!(all_webp_frames(&twice), [sizes, sizes].concat());
        for length in 0..whole.len() {
            assert!(webp_frames(&whole[..length]).len() <= 2);
        }
    }

    #[test]
    fn only_the_frame_header_makes_a_jpeg_progressive() {
        let jpeg = |frame: u8| {
            let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0xFF, 0xC2, 0xFF, 0xFF];
            bytes.extend([0xC4, 0, 3, 9, 0xFF, frame, 0, 8, 0, 0, 0, 0, 0, 0]);
            bytes
        };
        for (frame, expected) in [(0xC0, false), (0xC1, false), (0xC2, true), (0xCA, true)] {
            assert_eq!(is_progressive_jpeg(&jpeg(frame)), expected, "{frame:x}");
        }
        let whole = jpeg(0xC2);
        for length in 0..16 {
            assert!(!is_progressive_jpeg(&whole[..length]));
        }
    }

    #[test]
    fn a_tiff_may_not_claim_more_values_than_it_has_bytes_for() {
        let tiff = |kind: u16, count: u32, is_little: bool| {
            let short = |value: u16| match is_little {
                true => value.to_le_bytes(),
                false => value.to_be_bytes(),
            };
            let long = |value: u32| match is_little {
                true => value.to_le_bytes(),
                false => value.to_be_bytes(),
            };
            let mut bytes = if is_little { b"II*\0" } else { b"MM\0*" }.to_vec();
            bytes.extend(long(8));
            bytes.extend(short(2));
            for (kind, count) in [(3, 1), (kind, count)] {
                bytes.extend([short(256), short(kind)].concat());
                bytes.extend([long(count), long(0)].concat());
            }
            bytes.extend(long(0));
            bytes
        };
        let length = tiff(1, 1, true).len() as u32;
        for is_little in [true, false] {
            for (kind, size) in [
                (1, 1),
                (2, 1),
                (3, 2),
                (4, 4),
                (5, 8),
                (7, 1),
                (12, 8),
                (16, 8),
            ] {
                let claims = |count| claims_missing_values(&tiff(kind, count, is_little));
                assert!(!claims(length / size), "{kind}");
                assert!(claims(length / size + 1), "{kind}");
                assert!(claims(u32::MAX), "{kind}");
            }
            let whole = tiff(4, 1, is_little);
            for length in 0..whole.len() {
                assert!(length > 12 || !claims_missing_values(&whole[..length]));
            }
        }
    }
}
