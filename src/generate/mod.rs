//! Puzzles by seed, each proven to have exactly one solution.
//!
//! A [`Request`] says what they are like and how they are drawn; a [`Generator`] makes them trial by trial. Nobody
//! knows how to draw minimal puzzles uniformly: [`Distribution`] has the ways there are, and what each favours.

mod bottom_up;
mod controlled;
mod draft;
mod easy;
mod filter;
mod full_board;
mod generator;
mod givens_symmetry;
mod pattern;
mod prover;
mod request;
mod span;
mod thinning;
mod unavoidable;
mod uniform_grid;

pub use controlled::{MOST_GIVENS, weight};
pub use filter::{Filter, LevelName};
pub use generator::{GenerateConfig, Generator, Made, NoPuzzleOfPattern};
pub use givens_symmetry::GivensSymmetry;
pub use pattern::{GivensPattern, PatternError};
pub use request::{Distribution, Kind, Request, RequestError};
pub use span::{Span, Tenths};
