//! The complete solver `dlx`: exact cover by dancing links, and Sudoku as an exact cover.

mod links;
mod sudoku;

pub use sudoku::DancingLinks;
