//! A training run as tables, picture and page.

mod classes;
mod curves;
mod html;
mod picture;
mod reliability;
mod tables;
mod worst;

pub use html::train_page;
pub use picture::worst_picture;
pub use tables::{classes_csv, metrics_csv, reliability_csv, sources_csv, worst_csv};
