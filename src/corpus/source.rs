//! Opening: a file or the standard input, unpacked where it is packed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::zstd::ZstdReader;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const UTF_16: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];

/// Whether a text begins as UTF-16, with a mark of its byte order or, as plain characters take a byte that is 0 there,
/// without one.
fn is_utf_16(start: &[u8]) -> bool {
    let zeros: Vec<bool> = start.iter().map(|byte| *byte == 0).collect();
    let without_mark = [[true, false, true, false], [false, true, false, true]];
    let without_mark = without_mark.iter().any(|zero| zeros == *zero);
    without_mark || UTF_16.iter().any(|mark| start.starts_with(mark))
}

/// What wraps the text, recognized by its first bytes and not by the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    Gzip,
    Zstd,
}

impl Wrapper {
    /// Why reading stopped, in words.
    pub(crate) fn explain(self, error: &io::Error) -> String {
        let data = match self {
            Wrapper::None => return error.to_string(),
            Wrapper::Gzip => "gzip",
            Wrapper::Zstd => "zstd",
        };
        match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("the {data} data is cut short"),
            _ => format!("the {data} data is damaged ({error})"),
        }
    }
}

/// Opens a path; `-` is the standard input.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    if path.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder: give the puzzle files in it",
        ));
    }
    Ok(Box::new(File::open(path)?))
}

/// The text of a file from one byte to another, whatever wraps it.
pub(crate) fn open_from(
    path: &Path,
    from: u64,
    to: u64,
) -> io::Result<(Wrapper, Box<dyn BufRead + Send>)> {
    let (wrapper, mut text) = unwrap(open(path)?)?;
    let text: Box<dyn BufRead + Send> = match wrapper {
        Wrapper::None => {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(from))?;
            Box::new(buffered(file))
        }
        Wrapper::Gzip | Wrapper::Zstd => {
            io::copy(&mut text.by_ref().take(from), &mut io::sink())?;
            text
        }
    };
    Ok((wrapper, Box::new(text.take(to.saturating_sub(from)))))
}

/// The text inside, whatever wraps it.
pub(crate) fn unwrap(
    mut raw: Box<dyn Read + Send>,
) -> io::Result<(Wrapper, Box<dyn BufRead + Send>)> {
    let mut start = Vec::new();
    raw.by_ref().take(4).read_to_end(&mut start)?;
    if is_utf_16(&start) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is UTF-16 text: save it as UTF-8",
        ));
    }
    let wrapper = if start.starts_with(GZIP) {
        Wrapper::Gzip
    } else if start.starts_with(ZSTD) {
        Wrapper::Zstd
    } else {
        Wrapper::None
    };
    let raw = buffered(Cursor::new(start).chain(raw));
    Ok(match wrapper {
        Wrapper::None => (wrapper, Box::new(raw)),
        Wrapper::Gzip => (wrapper, Box::new(buffered(MultiGzDecoder::new(raw)))),
        Wrapper::Zstd => (wrapper, Box::new(buffered(ZstdReader::new(raw)))),
    })
}

fn buffered<R: Read>(source: R) -> BufReader<R> {
    BufReader::with_capacity(64 * 1024, source)
}
