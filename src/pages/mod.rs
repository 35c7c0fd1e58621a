//! The pages of a PDF or TIFF file, each as a picture file of its own.

mod document;
mod error;
mod tiff;
#[cfg(feature = "pdf")]
mod unpacked;

#[cfg(feature = "pdf")]
#[path = "pdf.rs"]
mod pdf;
#[cfg(not(feature = "pdf"))]
#[path = "without_pdf.rs"]
mod pdf;

pub use document::{Document, is_document, page_name, page_of};
pub use error::PageError;
