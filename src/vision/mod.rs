//! From a photo to the cell pictures of every board in it. Knows nothing of digits.

#[cfg(feature = "avif")]
mod avif;
mod cells;
mod crop;
mod decoded;
mod detect;
mod extent;
mod finer;
mod flat;
mod format;
mod headers;
mod homography;
mod jpeg;
mod lattice;
mod layout;
mod locate;
mod motion;
mod photo;
mod photo_config;
mod place;
mod quad;
mod refine;
mod sample;
mod shrink;
mod smooth_field;
mod trace;

pub use cells::{crop_cells, turn_board};
pub use crop::{CROP_EDGE, CROP_SIDE, CellCrop, CellTone, Window, board_contrast, cell_tone};
pub use decoded::DecodedPhoto;
pub use detect::{
    Backend, DetectConfig, DetectError, Detection, GridDetector, Polarity, SEARCH_STEPS,
    Unavailable, board_of_digits,
};
pub use extent::{goes_on, open_sides};
#[cfg(feature = "cli")]
pub(crate) use headers::all_webp_frames;
pub use homography::Homography;
pub use lattice::Lattice;
pub use locate::{Alternative, Board, LocateConfig, board_from, locate, locate_by};
pub use motion::{SmallFrame, SmallPicture};
pub use photo::Photo;
pub use photo_config::{PhotoConfig, PhotoError};
pub use place::{BoardPlace, Rotation};
pub use quad::{Point, Quad};
pub use refine::{RefineConfig, refine};

#[cfg(test)]
mod drawn;
