//! Forcing chains as Sudoku Explainer searches them, on flat arrays.
//!
//! A rating depends on which of several chains is found first and how many claims it rests on. Which
//! chains are looked for in which order, and how their length is counted, was learned from Sudoku
//! Explainer by Nicolas Juillerat, in the build of the player 1to9only.
//!
//! Each assumption gets an implication graph: claims in the order of their discovery, breadth first.
//! Where nothing more follows, techniques and then chains are applied to the board that the assumption
//! has come to, and the graph grows on. Three things spare work and leave the result as it is:
//!
//! * A transitive closure of the links of a board, by bits, decides where a search in that order can
//!   find something (`closure`).
//! * A level that found nothing has followed every assumption to its end: the next level goes on from
//!   there (`nets`).
//! * Different assumptions come to the same board, whose chains are kept (`inside`).

mod board;
mod closure;
mod conclusion;
mod evidence;
mod extras;
mod implication_graph;
mod inside;
mod loops;
mod nets;
mod rank;
mod walk;

pub use conclusion::NetKind;
pub use evidence::{RatedLoops, RatedNets};
