//! Canonical forms of puzzles of any layout: a puzzle is a graph of cells, houses and values, and two puzzles are
//! equivalent if their graphs are the same but for the numbers of the vertices.

mod graph;
mod partition;
mod search;

pub(super) use graph::Graph;
pub(super) use search::canonical_labelling;
