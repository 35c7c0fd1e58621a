//! Limits the unpacked size of the streams of a PDF.
//!
//! The PDF library unpacks a stream as a whole, without a limit: a megabyte of packed zeros becomes
//! a gigabyte, and a few kilobytes packed twice as well. Some streams are unpacked as soon as the
//! file is opened. So before that each stream of the file is unpacked once piece by piece, and a
//! file with too large a one is refused. Streams are never nested, so searching for their keyword
//! finds them all.

use std::borrow::Cow;
use std::io::{self, Write};

use flate2::read::DeflateDecoder;
use weezl::{BitOrder, LzwStatus, decode::Decoder};

use super::error::PageError;

/// Largest unpacked size of a stream in bytes: a picture of 64 megapixels in four colours.
const MOST: u64 = 256 << 20;
/// Bytes before a stream that are searched for its dictionary.
const HEAD: usize = 4096;
/// Largest number of layers of packing.
const LAYERS: usize = 8;

/// Checks that no stream of a PDF file unpacks to more than [`MOST`] bytes.
///
/// # Errors
///
/// [`PageError::Unpacks`].
pub(super) fn check_streams(file: &[u8]) -> Result<(), PageError> {
    check_streams_to(file, MOST)
}

fn check_streams_to(file: &[u8], most: u64) -> Result<(), PageError> {
    let mut words = memchr::memmem::find_iter(file, b"stream");
    let is_within = words.all(|word| {
        let (head, rest) = (&file[..word], &file[word + b"stream".len()..]);
        let Some(data) = after_line_end(rest).filter(|_| !head.ends_with(b"end")) else {
            return true;
        };
        let layers = layers(&head[head.len().saturating_sub(HEAD)..], data);
        stays_within(data, &layers, most)
    });
    match is_within {
        true => Ok(()),
        false => Err(PageError::Unpacks {
            megabytes: most >> 20,
        }),
    }
}

/// A filter by which a stream is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Flate,
    Lzw,
    /// LZW with early change 0: its codes grow by a bit one code later.
    LateLzw,
    RunLength,
    Ascii85,
    AsciiHex,
}

impl Layer {
    fn named(name: &[u8]) -> Option<Layer> {
        match name {
            b"FlateDecode" | b"Fl" => Some(Layer::Flate),
            b"LZWDecode" | b"LZW" => Some(Layer::Lzw),
            b"RunLengthDecode" | b"RL" => Some(Layer::RunLength),
            b"ASCII85Decode" | b"A85" => Some(Layer::Ascii85),
            b"ASCIIHexDecode" | b"AHx" => Some(Layer::AsciiHex),
            _ => None,
        }
    }
}

/// Returns the data of a stream: what follows the end of a line.
fn after_line_end(rest: &[u8]) -> Option<&[u8]> {
    let line_ends: [&[u8]; 3] = [b"\r\n", b"\n", b"\r"];
    line_ends.iter().find_map(|end| rest.strip_prefix(*end))
}

/// Returns the filters of a stream, from the outside in, by its dictionary. Where these are defined
/// elsewhere, the data decides.
fn layers(head: &[u8], data: &[u8]) -> Vec<Layer> {
    let own = memchr::memmem::rfind(head, b"obj").map_or(head, |start| &head[start..]);
    let names = own.split(|byte| *byte == b'/').skip(1);
    let names = names.map(|name| {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()<>[]{}/%\0".contains(byte);
        let end = name.iter().position(ends).unwrap_or(name.len());
        unescaped(&name[..end])
    });
    let names: Vec<Vec<u8>> = names.collect();
    // It is named where it is not what it would be otherwise.
    let is_late = names.iter().any(|name| name == b"EarlyChange");
    let layers = names.iter().filter_map(|name| match Layer::named(name)? {
        Layer::Lzw if is_late => Some(Layer::LateLzw),
        layer => Some(layer),
    });
    let mut layers: Vec<Layer> = layers.collect();
    if layers.is_empty() && is_zlib(data) {
        layers.push(Layer::Flate);
    }
    layers
}

/// Returns a name with escapes such as `#41` decoded.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut rest = name;
    let mut plain = Vec::with_capacity(name.len());
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) if byte == b'#' => {
                plain.push(code);
                rest = &after[2..];
            }
            _ => {
                plain.push(byte);
                rest = after;
            }
        }
    }
    plain
}

/// Returns whether packed data begins with a zlib header, which data of this kind may lack.
fn is_zlib(data: &[u8]) -> bool {
    data.first_chunk().is_some_and(|&[method, flags]| {
        method & 0x0F == 8
            && u16::from_be_bytes([method, flags]).is_multiple_of(31)
            && flags & 0x20 == 0
    })
}

/// Undoes the filters, the outermost first. Returns whether none of them yields more than `most`
/// bytes; damaged data ends at the damage.
fn stays_within(data: &[u8], layers: &[Layer], most: u64) -> bool {
    let Some((last, outer)) = layers.split_last() else {
        return true;
    };
    if layers.len() > LAYERS {
        return false;
    }
    let mut data = Cow::Borrowed(data);
    for layer in outer {
        let mut unpacked = Bounded::new(Vec::new(), most);
        let _ = layer.unpack(&data, &mut unpacked);
        if unpacked.is_full {
            return false;
        }
        data = Cow::Owned(unpacked.out);
    }
    let mut unpacked = Bounded::new(io::sink(), most);
    let _ = last.unpack(&data, &mut unpacked);
    !unpacked.is_full
}

/// A writer that accepts a limited number of bytes.
struct Bounded<W> {
    out: W,
    left: u64,
    is_full: bool,
}

impl<W> Bounded<W> {
    fn new(out: W, most: u64) -> Bounded<W> {
        Bounded {
            out,
            left: most,
            is_full: false,
        }
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        self.left = left;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Layer {
    /// Writes the unpacked data, as far as it is intact and `out` takes it.
    fn unpack(self, data: &[u8], out: &mut impl Write) -> io::Result<()> {
        match self {
            Layer::Flate => {
                let start = if is_zlib(data) { 2 } else { 0 };
                io::copy(&mut DeflateDecoder::new(&data[start..]), out).map(drop)
            }
            Layer::Lzw => unpack_lzw(Decoder::with_tiff_size_switch(BitOrder::Msb, 8), data, out),
            Layer::LateLzw => unpack_lzw(Decoder::new(BitOrder::Msb, 8), data, out),
            Layer::RunLength => unpack_runs(data, out),
            Layer::Ascii85 => unpack_ascii85(data, out),
            Layer::AsciiHex => unpack_hex(data, out),
        }
    }
}

fn unpack_lzw(mut decoder: Decoder, mut data: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut piece = vec![0; 1 << 16];
    loop {
        let step = decoder.decode_bytes(data, &mut piece);
        out.write_all(&piece[..step.consumed_out])?;
        data = &data[step.consumed_in..];
        match step.status {
            Ok(LzwStatus::Ok) if step.consumed_in + step.consumed_out > 0 => {}
            _ => return Ok(()),
        }
    }
}

fn unpack_runs(mut data: &[u8], out: &mut impl Write) -> io::Result<()> {
    while let Some((&length, rest)) = data.split_first() {
        data = match (length, rest.first()) {
            (0..=127, _) => {
                let end = rest.len().min(usize::from(length) + 1);
                out.write_all(&rest[..end])?;
                &rest[end..]
            }
            (129.., Some(&byte)) => {
                out.write_all(&[byte; 128][..257 - usize::from(length)])?;
                &rest[1..]
            }
            _ => break,
        };
    }
    Ok(())
}

fn unpack_ascii85(data: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut group = Vec::with_capacity(5);
    for &byte in data {
        match byte {
            b'z' if group.is_empty() => out.write_all(&[0; 4])?,
            b'!'..=b'u' => group.push(byte - b'!'),
            b'~' => break,
            _ => {}
        }
        if group.len() == 5 {
            write_ascii85(&group, out)?;
            group.clear();
        }
    }
    write_ascii85(&group, out)
}

/// Writes the bytes of up to five base-85 digits: one fewer.
fn write_ascii85(group: &[u8], out: &mut impl Write) -> io::Result<()> {
    let digits = group.iter().chain(std::iter::repeat(&84)).take(5);
    let value = digits.fold(0_u32, |value, digit| {
        value.wrapping_mul(85).wrapping_add(u32::from(*digit))
    });
    out.write_all(&value.to_be_bytes()[..group.len().saturating_sub(1)])
}

fn unpack_hex(data: &[u8], out: &mut impl Write) -> io::Result<()> {
    let digits = data.iter().take_while(|byte| **byte != b'>');
    let mut digits = digits.filter_map(|byte| char::from(*byte).to_digit(16));
    while let Some(high) = digits.next() {
        let low = digits.next().unwrap_or(0);
        out.write_all(&[(16 * high + low) as u8])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};
    use weezl::encode::Encoder;

    use super::*;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn lzw(bytes: &[u8], is_early: bool) -> Vec<u8> {
        let mut encoder = match is_early {
            true => Encoder::with_tiff_size_switch(BitOrder::Msb, 8),
            false => Encoder::new(BitOrder::Msb, 8),
        };
        encoder.encode(bytes).unwrap()
    }

    fn hex(bytes: &[u8]) -> Vec<u8> {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02X} ")).collect();
        (digits + ">").into_bytes()
    }

    fn ascii85(bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        for group in bytes.chunks(4) {
            let mut four = [0; 4];
            four[..group.len()].copy_from_slice(group);
            let value = u32::from_be_bytes(four);
            let digits = [52_200_625, 614_125, 7_225, 85, 1].map(|unit| (value / unit % 85) as u8);
            text.extend(digits[..=group.len()].iter().map(|digit| digit + b'!'));
        }
        text.extend(b"~>");
        text
    }

    fn runs(zeros: usize) -> Vec<u8> {
        [129, 0]
            .repeat(zeros / 128)
            .into_iter()
            .chain([128])
            .collect()
    }

    fn file(dictionary: &str, data: &[u8]) -> Vec<u8> {
        let mut file = format!("%PDF-1.4\n1 0 obj\n<<{dictionary}>>stream\n").into_bytes();
        file.extend(data);
        file.extend(b"\nendstream\nendobj\n");
        file
    }

    #[test]
    fn a_stream_is_measured_under_any_filter() {
        let size = 128 * 512;
        let zeros = vec![0; size];
        let streams = [
            ("/Filter/FlateDecode", zlib(&zeros)),
            ("/Filter /Fl", deflate(&zeros)),
            ("/Filter/Flate#44ecode", zlib(&zeros)),
            ("/Filter 9 0 R", zlib(&zeros)),
            ("/Filter/LZWDecode", lzw(&zeros, true)),
            (
                "/Filter/LZW/DecodeParms<</EarlyChange 0>>",
                lzw(&zeros, false),
            ),
            ("/Filter/RunLengthDecode", runs(size)),
            ("/Filter/ASCIIHexDecode", hex(&zeros)),
            ("/Filter/ASCII85Decode", ascii85(&zeros)),
            ("/Filter[/FlateDecode/FlateDecode]", zlib(&deflate(&zeros))),
            (
                "/Filter[/ASCII85Decode/FlateDecode]",
                ascii85(&zlib(&zeros)),
            ),
            ("/Filter[/AHx/LZWDecode]", hex(&lzw(&zeros, true))),
            ("/Filter[/Fl/RL]", zlib(&runs(size))),
        ];
        for (dictionary, data) in streams {
            let file = file(dictionary, &data);
            let is_within = |most: usize| check_streams_to(&file, most as u64).is_ok();
            assert!(is_within(size), "{dictionary}");
            assert!(!is_within(size - 1), "{dictionary}");
        }
    }

    #[test]
    fn intermediate_filters_are_bounded_too() {
        // The output of the outer filter is large, that of the inner one small.
        let data = zlib(&[&zlib(b"short")[..], &[0; 1 << 16]].concat());
        let file = file("/Filter[/FlateDecode/FlateDecode]", &data);
        assert!(check_streams_to(&file, 1 << 15).is_err());
        assert!(check_streams_to(&file, 1 << 17).is_ok());
    }

    #[test]
    fn uncompressed_and_damaged_streams_pass() {
        let packed = zlib(&vec![7; 1 << 16]);
        for (dictionary, data) in [
            ("/Length 3", &b"q Q"[..]),
            ("/Filter/DCTDecode", b"\xFF\xD8\xFF\xE0"),
            ("/Filter/FlateDecode", b""),
            ("/Filter/FlateDecode", b"\x78"),
            ("/Filter/FlateDecode", b"junk, and no zlib"),
            ("/Filter/LZWDecode", b"\xFF\xFF\xFF"),
            ("/Filter/RunLengthDecode", b"\xFF"),
            ("/Filter[/ASCII85Decode/FlateDecode]", b"!!!~>"),
        ] {
            assert!(check_streams_to(&file(dictionary, data), 1 << 10).is_ok());
        }
        for length in 0..packed.len() {
            // Whatever the answer, it is one.
            let _ = check_streams_to(&file("/Filter/FlateDecode", &packed[..length]), 1 << 12);
        }
        assert!(check_streams_to(b"stream", 0).is_ok());
        assert!(check_streams_to(b"endstream\nx\x9c", 0).is_ok());
    }
}
