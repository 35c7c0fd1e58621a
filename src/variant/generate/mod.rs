//! Puzzles of any layout with exactly one solution, made from seeds.

mod cages;
mod generator;
mod name;
mod regions;

pub use generator::{GenerateError, LayoutKind, Regions, VariantGenerator, VariantKind};
pub use name::LayoutNameError;
