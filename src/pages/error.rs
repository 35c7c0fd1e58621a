//! Why a document or one of its pages cannot be read.

use std::io;

use thiserror::Error;

/// Why a document or one of its pages cannot be read.
#[derive(Debug, Error)]
pub enum PageError {
    /// The system does not give the file.
    #[error("{0}")]
    Open(#[from] io::Error),
    /// It needs a password.
    #[error(
        "the PDF is encrypted; decrypt it: `qpdf --decrypt --password=PASSWORD in.pdf out.pdf`"
    )]
    Encrypted,
    /// It is no whole document.
    #[error("damaged PDF: {0}; try to repair it: `qpdf in.pdf out.pdf`")]
    Damaged(String),
    /// The document has no such page.
    #[error("there is no page {number} of {count}")]
    NoSuchPage {
        /// The page, from 1.
        number: usize,
        /// Pages that there are.
        count: usize,
    },
    /// A page that cannot be drawn.
    #[error("damaged page: {0}")]
    DamagedPage(String),
    /// A picture on the page has more pixels than the limit.
    #[error(
        "a picture of {width} x {height} pixels on the page is more than the limit of {limit} megapixels"
    )]
    TooLarge {
        /// Pixels from left to right.
        width: u64,
        /// Pixels from top to bottom.
        height: u64,
        /// Most pixels allowed, in millions.
        limit: u64,
    },
    /// A stream of the file would fill the memory.
    #[error(
        "a part of the PDF unpacks to more than {megabytes} MB; if it can be trusted, convert it: `pdftoppm -png -r 200 in.pdf page`"
    )]
    Unpacks {
        /// Most megabytes allowed.
        megabytes: u64,
    },
    /// This build reads no PDF.
    #[error(
        "this build reads no PDF: build it with `--features pdf`, or convert: `pdftoppm -png -r 200 in.pdf page`"
    )]
    NoPdf,
}
