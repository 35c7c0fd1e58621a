//! Placeholder for PDF files in a build that cannot read them.

use super::error::PageError;

/// A PDF file, which cannot exist in this build.
#[derive(Debug)]
pub(super) enum PdfFile {}

impl PdfFile {
    pub(super) fn open(_bytes: Vec<u8>) -> Result<PdfFile, PageError> {
        Err(PageError::NoPdf)
    }

    pub(super) fn pages(&self) -> usize {
        match *self {}
    }

    pub(super) fn picture(&self, _place: usize, _max_pixels: u64) -> Result<Vec<u8>, PageError> {
        match *self {}
    }
}
