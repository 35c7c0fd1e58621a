//! How hard a puzzle is for a search that knows nothing of Sudoku: the escape rate of a chaotic dynamical system.
//!
//! M. Ercsey-Ravasz and Z. Toroczkai, "The Chaos Within Sudoku", Scientific Reports 2, 725 (2012). A puzzle is a [`Formula`]:
//! clauses over truth values. These become real numbers between -1 and 1 that move so that clauses are satisfied, and
//! each clause has a weight that grows while it is not. Only solutions are at rest, and on the way to one the motion is
//! chaotic: from random beginnings, the fraction that has not come to a solution by the time `t` falls as `exp(-kappa t)`.
//! The harder the puzzle, the smaller the escape rate `kappa`; the scale is [`eta`](Hardness::eta) `= -log10 kappa`.
//! The paper calls puzzles up to 1 easy, up to 2 medium, up to 3 hard, and beyond ultra-hard.
//!
//! What is this module's own is how it is computed. The weights make the equations stiff, so an integrator for
//! stiff gradient flows (Runge-Kutta-Chebyshev) takes the place of the paper's method of Cash and Karp. And `kappa` is an estimate of maximum
//! likelihood from a limited time, in place of a line through the tail of the curve: see [`Hardness::measure`].

mod chebyshev;
mod flow;
mod formula;
mod hardness;

pub use formula::Formula;
pub use hardness::{Hardness, HardnessConfig};
