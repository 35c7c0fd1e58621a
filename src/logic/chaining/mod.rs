//! Forcing chains as Sudoku Explainer searches them, on flat arrays.
//!
//! Which chains are looked for in which order, and how their length is counted, was learned from
//! Sudoku Explainer by Nicolas Juillerat, in the build of the player 1to9only.

mod board;
mod closure;
mod conclusion;
mod evidence;
mod extras;
mod inside;
mod loops;
mod nets;
mod rank;
mod room;
mod walk;
mod wave;

pub use conclusion::NetKind;
pub(super) use evidence::{loop_step, net_step};
pub(super) use room::Room;
