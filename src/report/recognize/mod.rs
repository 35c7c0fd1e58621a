//! A recognition run as text and pages.

mod dialog;
mod gallery;
mod html;
mod pages;
mod terminal;

pub use pages::{FullPage, Page, Pages, review_page};
pub use terminal::{WorstPhotos, terminal};

pub(super) use pages::shared_folder;
