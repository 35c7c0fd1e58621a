//! From an opened photo to its boards: locates them, cuts and classifies their cells, tries other
//! orientations and outlines where a reading is doubtful, decodes by the rules, and decides what to
//! trust.
//!
//! Knows no file, no folder and no terminal.

mod attempt;
mod board;
mod cells;
mod closer;
mod config;
mod digit_contrast;
mod digit_size;
mod doubt;
mod evidence;
mod follower;
mod hypothesis;
mod ink;
mod known;
mod limit;
mod page;
mod place;
mod read;
mod refusal;
mod sides;
mod sight;
mod status;
mod style;
mod track;
mod written;

pub use board::{Examined, ReadBoard, StageMs};
pub use config::{FollowConfig, ReaderConfig, TrustConfig};
pub use doubt::Doubt;
pub use follower::{FollowedBoard, Follower, Sighting};
pub use known::KnownBoard;
pub use read::{Reader, ReaderError};
pub use refusal::Refusal;
pub use sight::Sight;
pub use status::Status;
