//! Zstandard as a reader: frame after frame, block by block (RFC 8878).
//!
//! The decoder underneath gives nothing of its last window, megabytes, before it has seen the end
//! of a frame. So the blocks are cut out here, and a file that was cut short gets an empty last
//! block: all that arrived comes out, and then the error.

use std::io::{self, BufRead, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Header of an empty raw block that ends its frame.
const EMPTY_LAST_BLOCK: [u8; 3] = [1, 0, 0];

pub(super) struct ZstdReader<R> {
    source: R,
    decoder: FrameDecoder,
    block: Vec<u8>,
    in_frame: bool,
    cut_short: bool,
}

impl<R: BufRead> ZstdReader<R> {
    pub(super) fn new(source: R) -> ZstdReader<R> {
        ZstdReader {
            source,
            decoder: FrameDecoder::new(),
            block: Vec::new(),
            in_frame: false,
            cut_short: false,
        }
    }

    /// Enters the next frame of content; false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let mut content = self.source.by_ref().take(length);
                    if io::copy(&mut content, &mut io::sink())? < length {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(_) if self.source.fill_buf()?.is_empty() => {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                Err(error) => return Err(io::Error::new(ErrorKind::InvalidData, error)),
            }
        }
        Ok(false)
    }

    fn next_block(&mut self) -> io::Result<()> {
        match self.cut_block() {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.cut_short = true;
                self.block.clear();
                self.block.extend_from_slice(&EMPTY_LAST_BLOCK);
            }
            Err(error) => return Err(error),
        }
        // Only the decoder knows whether a checksum follows; a missing one fails the comparison.
        let input = self.block.as_slice().chain(&mut self.source);
        self.decoder
            .decode_blocks(
                input.chain(io::repeat(0)),
                BlockDecodingStrategy::UptoBlocks(1),
            )
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        Ok(())
    }

    /// Reads one whole block, header first: bit 0 marks the last block, bits 1 and 2 are its type
    /// (1: one byte, repeated), the rest is its size.
    fn cut_block(&mut self) -> io::Result<()> {
        let mut header = [0; 3];
        self.source.read_exact(&mut header)?;
        let [a, b, c] = header.map(u64::from);
        let bits = a | b << 8 | c << 16;
        let size = if bits >> 1 & 3 == 1 { 1 } else { bits >> 3 };
        self.block.clear();
        self.block.extend_from_slice(&header);
        let mut content = self.source.by_ref().take(size);
        if (content.read_to_end(&mut self.block)? as u64) < size {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.in_frame && !self.decoder.is_finished() {
                self.next_block()?;
                continue;
            }
            if self.cut_short {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let given = self.decoder.get_checksum_from_data();
            if self.in_frame && given.is_some() && given != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    "the checksum differs",
                ));
            }
            self.in_frame = self.next_frame()?;
            if !self.in_frame {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn read(packed: &[u8]) -> (Vec<u8>, io::Result<usize>) {
        let mut text = Vec::new();
        let result = ZstdReader::new(packed).read_to_end(&mut text);
        (text, result)
    }

    #[test]
    fn frames_are_concatenated_and_skippable_frames_skipped() {
        let frame = |text: &[u8]| compress_to_vec(text, CompressionLevel::Fastest);
        let skipped = [&0x184d_2a53_u32.to_le_bytes()[..], &[3, 0, 0, 0], b"abc"].concat();
        let packed = [frame(b"one "), skipped, frame(b""), frame(b"two")].concat();
        let (text, result) = read(&packed);
        assert_eq!((text.as_slice(), result.unwrap()), (&b"one two"[..], 7));
        assert_eq!(read(b"").1.unwrap(), 0);
    }

    #[test]
    fn a_truncated_file_gives_a_prefix_and_an_error() {
        let text: Vec<u8> = (0..400_000_u32)
            .map(|i| (i.wrapping_mul(i) >> 7) as u8)
            .collect();
        let packed = compress_to_vec(text.as_slice(), CompressionLevel::Fastest);
        assert_eq!(read(&packed).0, text);
        for end in [1, 3, 5, 7, 10, packed.len() / 2, packed.len() - 1] {
            let (got, result) = read(&packed[..end]);
            assert!(result.is_err(), "cut at {end}");
            assert!(text.starts_with(&got), "cut at {end}");
        }
        assert!(!read(&packed[..packed.len() / 2]).0.is_empty());
    }

    /// A frame of 128 KiB windows with one block (RFC 8878, sections 3.1.1.1 and 3.1.1.2).
    fn frame(kind: u32, size: u32, content: &[u8]) -> Vec<u8> {
        let header = (1 | kind << 1 | size << 3).to_le_bytes();
        [&[0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3], &header[..3], content].concat()
    }

    #[test]
    fn raw_and_repeated_blocks_are_cut_out_by_their_headers() {
        let raw: Vec<u8> = (0..70_001_u32).map(|at| (at % 251) as u8).collect();
        let first = frame(0, raw.len() as u32, &raw);
        let packed = [first, frame(1, 66_000, b"7"), frame(0, 0, b"")].concat();
        let (text, result) = read(&packed);
        assert_eq!(result.unwrap(), raw.len() + 66_000);
        assert_eq!(text, [raw, b"7".repeat(66_000)].concat());
    }

    #[test]
    fn an_error_of_the_source_is_not_an_early_end() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(ErrorKind::PermissionDenied.into())
            }
        }
        let whole = frame(0, 3, b"one");
        // Within the header of a block, and within its content.
        for end in [whole.len() - 5, whole.len() - 1] {
            let source = whole[..end].chain(io::BufReader::new(Broken));
            let error = ZstdReader::new(source).read_to_end(&mut Vec::new());
            assert_eq!(error.unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
    }

    #[test]
    fn what_ends_a_file_early_is_told_from_what_is_no_frame() {
        let whole = frame(0, 3, b"one");
        let skipped = [&0x184d_2a50_u32.to_le_bytes()[..], &[9, 0, 0, 0], b"abc"].concat();
        for (rest, kind) in [
            (&skipped[..], ErrorKind::UnexpectedEof),
            (&whole[..5], ErrorKind::UnexpectedEof),
            (&frame(0, 9, b"one"), ErrorKind::UnexpectedEof),
            // Kind 3 is reserved.
            (&frame(3, 3, b"one"), ErrorKind::InvalidData),
            (b"puzzles, but no frame", ErrorKind::InvalidData),
        ] {
            let (text, result) = read(&[&whole, rest].concat());
            assert!(text.starts_with(b"one"), "{rest:?}");
            assert_eq!(result.unwrap_err().kind(), kind, "{rest:?}");
        }
    }
}
