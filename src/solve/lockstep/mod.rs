//! The complete solver `lockstep`: many puzzles side by side in the lanes of vectors, for the
//! highest throughput.
//!
//! Every known fast solver puts the cells of one puzzle into a vector. Here a vector holds one cell
//! of many puzzles, so that nothing is ever shuffled inside of a puzzle: each rule is a few Boolean
//! operations between whole vectors.
//!
//! # The layout
//!
//! A [`group`] is 81 vectors, one a cell, in reading order. Lane `l` of each belongs to puzzle `l`
//! and holds the candidates of the cell as nine bits. With 32 lanes a group has 81 × 64 bytes, and
//! stays in the first-level cache:
//!
//! ```text
//!             lane 0      lane 1      lane 2    ...   lane 31
//!  cell 0   .........  8.......  .........  ...  ..3......     one vector of 32 lanes,
//!  cell 1   ..34.....  .......21 9........  ...  .........     16 bits each, 9 in use
//!    ...
//!  cell 80  9876543..  ...54321  .....4...  ...  ....5....
//! ```
//!
//! Three cells of a line in one block are a *triad*; a band has nine of them, in three lines (`i`)
//! and three blocks (`k`). A stack is a band on its side:
//!
//! ```text
//!            k = 0     k = 1     k = 2
//!   i = 0   q q q  |  q q q  |  q q q        any  = digits of some cell of a triad
//!   i = 1   q q q  |  q q q  |  q q q        two  = digits of at least two of its cells
//!   i = 2   q q q  |  q q q  |  q q q        must = digits that have to be in the triad
//! ```
//!
//! # The rules
//!
//! A [`sweep`] goes once over the three bands and the three stacks. In each of them, with unions
//! (`a | b | c`) and majorities (two of three), it finds naked singles, hidden singles, digits locked
//! in a triad by its line or its block, triads with three candidates, and triads with three digits
//! locked in. It strikes what these exclude, and stops no lane for the sake of another.
//!
//! # The search
//!
//! A lane that two sweeps do not change any more is [branched](branch) on. In a band a digit has six
//! possible configurations, the permutations of blocks over lines; a digit with two left, in the
//! band with the fewest, makes two children. This choice of what to branch on is that of tdoku
//! (T. Dillon, 2019). One child stays, the other takes the lane of a puzzle that has ended, or
//! [waits](waiting). The [`engine`] keeps all lanes filled: puzzles that need no guess go through a
//! group of their own, what is left of them is packed together with those that do.
//!
//! Where most guesses lead to a solution, as in puzzles with several, second children are set
//! [aside](aside) instead: few are needed before the puzzle ends.
//!
//! # Tried and measured
//!
//! `reports/lockstep.md` is the log.

mod aside;
mod branch;
mod engine;
mod group;
mod solver;
mod sweep;
mod waiting;

pub use solver::Lockstep;
