//! The complete solver `bands`: one puzzle at a time, for the lowest latency.
//!
//! Where [`lockstep`](super::lockstep) has a puzzle in each lane of its vectors, here the nine blocks
//! of one puzzle lie in the lanes. All six bands (three of rows, and three of columns, the stacks)
//! are worked on at the same time, so nothing has to be kept of what changed where.
//!
//! # The layout
//!
//! A [`board`] is nine vectors, one for each place in a block. Lane `l` of a vector is a block, and
//! holds the candidates of the cell that this block has at that place, as nine bits:
//!
//! ```text
//!   places in a block       lanes                    the cell in row 4, column 8 (from 0) is
//!     0 1 2                  0  1  2  |  3            at place 5 of the block in lane 6: lane 6
//!     3 4 5                  4  5  6  |  7            of vector 5
//!     6 7 8                  8  9 10  | 11
//!                           ----------+---           last row and column: not in use
//!                           12 13 14  | 15
//! ```
//!
//! Cells of one block are then in the same lane of different vectors. A step from a block to the one
//! beside it or below it is a rotation of columns or rows of a [`Square`](crate::simd::Square).
//!
//! # The rules
//!
//! The three cells that a line and a block share are a *triad*. In a band, a digit takes one triad
//! of each of the three lines and of each of the three blocks: of its six *configurations*, those are
//! left whose triads can all hold it. A [`sweep`] goes over all bands of rows and then over all bands
//! of columns. It strikes what no configuration allows, finds naked and hidden singles, and keeps a
//! triad that must hold three digits free of others.
//!
//! # The search
//!
//! Where a sweep changes nothing, the search [branches](branch): it takes a digit with two
//! configurations in the band that has the fewest, and tries one after the other.
//!
//! # Whose ideas
//!
//! Configurations of triads, three digits that fill a triad, and the choice of the branch are ideas
//! of tdoku by T. Dillon (2019), which holds a block in the lanes of a vector, and goes from block to
//! block as they change. The layout, and sweeps over all bands at once, are this solver's own.

mod board;
mod branch;
mod solver;
mod sweep;

pub use solver::Bands;
