//! Errors of documents and their pages.

use std::io;

use thiserror::Error;

/// Error of a document or one of its pages.
#[derive(Debug, Error)]
pub enum PageError {
    /// The file cannot be read.
    #[error("{0}")]
    Open(#[from] io::Error),
    /// The document is encrypted.
    #[error(
        "the PDF is encrypted; decrypt it: `qpdf --decrypt --password=PASSWORD in.pdf out.pdf`"
    )]
    Encrypted,
    /// The document is damaged as a whole.
    #[error("damaged PDF: {0}; try to repair it: `qpdf in.pdf out.pdf`")]
    Damaged(String),
    /// The document has no such page.
    #[error("there is no page {number} of {count}")]
    NoSuchPage {
        /// The page, from 1.
        number: usize,
        /// Number of pages.
        count: usize,
    },
    /// The page cannot be drawn.
    #[error("damaged page: {0}")]
    DamagedPage(String),
    /// A picture on the page has more pixels than the limit.
    #[error(
        "a picture of {width} x {height} pixels on the page is more than the limit of {limit} megapixels"
    )]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
        /// The limit, in millions of pixels.
        limit: u64,
    },
    /// A stream of the file would exhaust the memory.
    #[error(
        "a part of the PDF unpacks to more than {megabytes} MB; if it can be trusted, convert it: `pdftoppm -png -r 200 in.pdf page`"
    )]
    Unpacks {
        /// The limit, in megabytes.
        megabytes: u64,
    },
    /// This build reads no PDF.
    #[error(
        "this build does not read PDF: build it with `--features pdf`, or convert: `pdftoppm -png -r 200 in.pdf page`"
    )]
    NoPdf,
}
