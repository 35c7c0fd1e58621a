//! The checksums of PNG files.

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Corrects the checksum of each chunk of a PNG file; leaves other files unchanged.
pub(super) fn mend(bytes: &mut [u8]) {
    if !bytes.starts_with(SIGNATURE) {
        return;
    }
    let mut at = SIGNATURE.len();
    while let Some(length) = bytes.get(at..at + 4).and_then(|it| it.first_chunk()) {
        let length = u32::from_be_bytes(*length) as usize;
        // The name and the data.
        let Some(end) = length.checked_add(at + 8) else {
            return;
        };
        if bytes.len() < end + 4 {
            return;
        }
        let sum = crc32fast::hash(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}
