//! A recognition run as text and pages.

mod gallery;
mod html;
mod pages;
mod terminal;

pub use pages::{Page, Pages};
pub use terminal::{WorstPhotos, terminal};

pub(super) use pages::shared_folder;
