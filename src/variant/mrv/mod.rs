//! The complete solver `mrv` for boards of any size and shape.

mod all_different;
mod board;
mod choose;
mod geometry;
mod propagate;
mod quick;
mod search;
mod sum;

use super::layout::Layout;
use geometry::Geometry;

pub use quick::is_quick;
pub use search::VariantMrv;
pub(super) use sum::Sum;
pub use sum::{Lines, SumOrigin};

/// All sums that hold on a layout: of its cages, and what follows from them and the houses.
pub(super) fn sums(layout: &Layout) -> Vec<Sum> {
    Geometry::new(layout).sums
}
