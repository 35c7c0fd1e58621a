//! Files of several pages, and the names of their pages.

use std::fmt::Display;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use super::error::PageError;
use super::pdf::PdfFile;
use super::tiff::{TiffFile, directories};
use crate::files::content_hash;

/// A PDF or TIFF file in memory. Its pages are made one at a time; several threads may do so.
#[derive(Debug)]
pub struct Document {
    pages: Pages,
    content: String,
}

#[derive(Debug)]
enum Pages {
    Pdf(PdfFile),
    Tiff(TiffFile),
}

/// Returns whether a file is a document, whose pages have names of their own: a PDF, which may
/// begin within the first 1024 bytes of the file, or a TIFF of more than one page. Reads no more of
/// it than is needed.
///
/// # Errors
///
/// If it cannot be read.
pub fn is_document(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut head = Vec::with_capacity(1024);
    file.by_ref().take(1024).read_to_end(&mut head)?;
    Ok(match TiffFile::is_one(&head) {
        true => directories(file).len() > 1,
        false => head.windows(5).any(|bytes| bytes == b"%PDF-"),
    })
}

impl Document {
    /// Opens a file for which [`is_document`] holds.
    ///
    /// # Errors
    /// [`PageError`] for a PDF that is encrypted or damaged as a whole.
    pub fn open(bytes: Vec<u8>) -> Result<Document, PageError> {
        let content = content_hash(&bytes);
        let pages = match TiffFile::is_one(&bytes) {
            true => Pages::Tiff(TiffFile::open(bytes)),
            false => Pages::Pdf(PdfFile::open(bytes)?),
        };
        Ok(Document { pages, content })
    }

    /// Returns the number of pages.
    pub fn pages(&self) -> usize {
        match &self.pages {
            Pages::Pdf(file) => file.pages(),
            Pages::Tiff(file) => file.pages(),
        }
    }

    /// Returns the hash of the file.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the identity of a page: a hash of the hash of the file and the number of the page.
    pub fn page_content(&self, number: usize) -> String {
        content_hash(page_name(&self.content, number).as_bytes())
    }

    /// Returns a page as a picture file, numbered from 1. Pages of a PDF are drawn on white, 2000
    /// pixels along the longer side; the pictures on them may have `max_pixels` each.
    ///
    /// # Errors
    ///
    /// [`PageError`]; other pages may still be readable.
    pub fn picture(&self, number: usize, max_pixels: u64) -> Result<Vec<u8>, PageError> {
        let count = self.pages();
        let place = number.checked_sub(1).filter(|place| *place < count);
        let place = place.ok_or(PageError::NoSuchPage { number, count })?;
        match &self.pages {
            Pages::Pdf(file) => file.picture(place, max_pixels),
            Pages::Tiff(file) => Ok(file.picture(place)),
        }
    }
}

/// Returns the name of a page: `book.pdf#12`, from 1.
pub fn page_name(file: impl Display, number: usize) -> String {
    format!("{file}#{number}")
}

/// Splits the name of a page into the file and the number.
pub fn page_of(path: &Path) -> Option<(PathBuf, usize)> {
    let (file, number) = path.file_name()?.to_str()?.rsplit_once('#')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse().ok().filter(|number| *number > 0);
    let number = number.filter(|_| is_number && !file.is_empty())?;
    Some((path.with_file_name(file), number))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn documents_are_recognized_by_content() {
        let known = |bytes: &[u8]| is_document(&mut Cursor::new(bytes)).unwrap();
        assert!(known(b"%PDF-1.4\n") && known(b"\n\n junk %PDF-2.0"));
        assert!(!known(b"") && !known(b"II*") && !known(b"\xFF\xD8\xFF\xE0"));
        // One directory, beyond the end of the file.
        assert!(!known(b"II*\0\x08\0\0\0"));
        let mut late = vec![b' '; 1024];
        late.extend(b"%PDF-1.4");
        assert!(!known(&late));
    }

    #[test]
    fn page_names_are_parsed_back() {
        let page = PathBuf::from(page_name("books/a#1.pdf", 12));
        assert_eq!(page_of(&page), Some(("books/a#1.pdf".into(), 12)));
        for none in [
            "book.pdf",
            "book.pdf#",
            "book.pdf#0",
            "book.pdf#+1",
            "a#1.pdf",
            "#1",
            "book#1/a.pdf",
            "",
        ] {
            assert_eq!(page_of(Path::new(none)), None, "{none}");
        }
    }
}
