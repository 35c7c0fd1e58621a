//! Ground truth of photos: sidecar files beside them, or one table for all.

mod boards;
mod error;
mod sidecar;
mod source;
mod table;

pub use boards::Truth;
pub use error::TruthError;
pub use sidecar::{read_sidecar, sidecar, sidecar_text};
pub use source::TruthSource;
pub use table::{TruthTable, UnusedTruth};
