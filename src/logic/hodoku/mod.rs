//! HoDoKu's searches: which step of a technique HoDoKu 2.2 takes, and in which order it strikes.
//!
//! HoDoKu is by Bernhard Hobiger. What is here was written from what its searches find, not from
//! how they are written.

mod als;
mod board;
mod chains;
mod colors;
mod findings;
mod fish;
mod forcing;
mod found;
mod lookahead;
mod loops;
mod one_digit;
mod order;
mod rectangles;
mod scores;
mod search;
mod simple;
mod sue_de_coq;
mod tables;
mod teller;
mod wings;

pub(super) use scores::{SCORES, spelling};
pub use search::HodokuSearch;
pub(super) use simple::house_rank;
