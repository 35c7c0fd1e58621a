//! HoDoKu 2.2 by Bernhard Hobiger: which step of a technique it takes, in which order it eliminates,
//! and what it counts for.
//!
//! What is here was written from what its searches find, not from how they are written.

mod als;
mod board;
mod chains;
mod evidence;
mod fish;
mod forcing;
mod lookahead;
mod loops;
mod profile;
mod rectangles;
mod search;
mod simple;
mod singles_queue;
mod tables;

pub use profile::HODOKU;
pub use search::HodokuSearch;
