//! The pages of a PDF or TIFF file, each as a picture file of its own.

mod document;
mod tiff;

#[cfg(feature = "pdf")]
#[path = "pdf.rs"]
mod pdf;
#[cfg(not(feature = "pdf"))]
#[path = "without_pdf.rs"]
mod pdf;

pub use document::{Document, PageError, is_document, page_name};
