//! A recognition run as table, text and page.

mod gallery;
mod html;
mod run;
mod terminal;

pub use html::page;
pub use run::{Run, results_csv};
pub use terminal::terminal;

pub(super) use gallery::shared_folder;
