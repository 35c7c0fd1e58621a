//! The complete solver `mrv` for boards of any size and shape.

mod all_different;
mod bitboard;
mod board;
mod choose;
mod geometry;
mod propagate;
mod search;
mod sum;

pub use bitboard::is_quick;
pub use search::VariantMrv;
